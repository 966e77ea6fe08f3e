import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../src/base/errors.ts';
import { FairQueue } from '../src/base/fair-queue.ts';

const tooLong = () => new ServiceError('OVERLOADED', 'waited too long');

/** Creates work that the test ends, and records the order in which it started. */
function recorder(queue: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, { readonly done: () => void; readonly fail: (error: Error) => void }>();
  const add = (key: number, name: string, signal?: AbortSignal) => {
    const work = () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => ends.set(name, { done: () => resolve(name), fail: reject }));
    };
    const result = queue.run(key, work, signal);
    result.catch(() => undefined);
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)?.done();
    await sleep(0);
  };
  const fail = async (name: string) => {
    ends.get(name)?.fail(new Error(`${name} failed`));
    await sleep(0);
  };
  return { begun, add, end, fail };
}

describe('a fair queue', () => {
  it('runs as much work concurrently as it has permits, and for a key no more than its own limit', () => {
    const { begun, add } = recorder(new FairQueue({ size: 3, perKey: 2 }));
    for (const name of ['a1', 'a2', 'a3']) add(1, name);
    for (const name of ['b1', 'b2']) add(2, name);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('lets keys take turns, and serves the work of a key in its order', async () => {
    const { begun, add, end } = recorder(new FairQueue({ size: 1, perKey: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(1, name);
    for (const name of ['b1', 'b2']) add(2, name);
    add(3, 'c1');
    for (let at = 0; at < 7; at++) await end(begun[at] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('returns the permit of work that fails or throws immediately', async () => {
    const queue = new FairQueue({ size: 1, perKey: 1 });
    const { begun, add, end, fail } = recorder(queue);
    const failing = add(1, 'a1');
    add(1, 'a2');
    await fail('a1');
    await expect(failing).rejects.toThrow('a1 failed');
    expect(begun).toEqual(['a1', 'a2']);
    await end('a2');
    const thrown = queue.run(1, () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    expect(await queue.run(2, async () => 'free')).toBe('free');
  });

  it('drops work whose signal is aborted while it waits, and never begins it', async () => {
    const queue = new FairQueue({ size: 1, perKey: 1 });
    const { begun, add, end } = recorder(queue);
    const leaving = new AbortController();
    add(1, 'a1');
    const dropped = add(1, 'a2', leaving.signal);
    add(1, 'a3');
    leaving.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    expect(queue.waiting).toBe(1);
    await end('a1');
    await end('a3');
    expect(begun).toEqual(['a1', 'a3']);
    await expect(add(1, 'a4', leaving.signal)).rejects.toThrow('gone');
    expect(await queue.run(1, async () => 'free')).toBe('free');
  });

  it('keeps the permit of work whose signal is aborted until the work ends', async () => {
    const { begun, add, end } = recorder(new FairQueue({ size: 1, perKey: 1 }));
    const leaving = new AbortController();
    add(1, 'a1', leaving.signal);
    add(1, 'a2');
    leaving.abort(new Error('gone'));
    await sleep(0);
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('rejects work that waits too long, as overload, and continues with the next', async () => {
    const queue = new FairQueue({ size: 1, perKey: 1, waiting: { ms: 30, error: tooLong } });
    const { begun, add, end } = recorder(queue);
    add(1, 'a1');
    await expect(add(1, 'a2')).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 });
    add(2, 'b1');
    await end('a1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(await queue.run(1, async () => 'free')).toBe('free');
  });

  it('has all permits after a thousand pieces of work that end in all ways', async () => {
    const queue = new FairQueue({ size: 3, perKey: 2, waiting: { ms: 5, error: tooLong } });
    const results = Array.from({ length: 1_000 }, (_, n) => {
      const signal = n % 3 === 0 ? AbortSignal.timeout(n % 7) : undefined;
      const work = async () => {
        await sleep(n % 4);
        if (n % 5 === 0) throw new Error('failed');
      };
      return queue.run(n % 10, work, signal);
    });
    await Promise.allSettled(results);
    expect(queue.waiting).toBe(0);
    const { begun, add } = recorder(queue);
    for (const [key, name] of [
      [1, 'a1'],
      [1, 'a2'],
      [2, 'b1'],
    ] as const)
      add(key, name);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('rejects work beyond the number that may wait of a key, and says whether the permits or those of the key are taken', async () => {
    const refused: boolean[] = [];
    const error = (isFull: boolean) => {
      refused.push(isFull);
      return new ServiceError('TOO_MANY_AT_ONCE', 'too many');
    };
    const queue = new FairQueue({ size: 2, perKey: 1, waiting: { ms: 0, perKey: 2, error } });
    const { begun, add, end } = recorder(queue);
    for (const name of ['a1', 'a2', 'a3']) add(1, name);
    await expect(add(1, 'a4')).rejects.toMatchObject({ code: 'TOO_MANY_AT_ONCE', status: 429 });
    for (const name of ['b1', 'b2', 'b3']) add(2, name);
    await expect(add(2, 'b4')).rejects.toThrow('too many');
    expect(refused).toEqual([false, true]);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3', 'b3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect([1, 2].map((key) => queue.isIdle(key))).toEqual([true, true]);
    expect(await queue.run(1, async () => 'free')).toBe('free');
  });

  it('starts more work of a key when its limit rises', async () => {
    let perKey = 1;
    const { begun, add, end } = recorder(new FairQueue({ size: 9, perKey: () => perKey }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(1, name);
    expect(begun).toEqual(['a1']);
    perKey = 3;
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('knows whether a key has work', async () => {
    const queue = new FairQueue({ size: 1, perKey: 1 });
    const { add, end } = recorder(queue);
    for (const name of ['a1', 'a2']) add(1, name);
    expect([1, 2].map((key) => queue.isIdle(key))).toEqual([false, true]);
    for (const name of ['a1', 'a2']) await end(name);
    expect(queue.isIdle(1)).toBe(true);
  });
});
