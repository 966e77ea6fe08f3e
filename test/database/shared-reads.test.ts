import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOwnLoader } from '../../src/store/reading/batch-loader.ts';
import { createConnectionQueue } from '../../src/store/reading/connection-queue.ts';
import {
  createSharedReads,
  type ReadKind,
  type SharedRead,
  type StatementRequests,
} from '../../src/store/reading/shared-reads.ts';
import type { Database } from '../../src/store/sql/database.ts';

/** Creates a kind of read whose statements return ten times each key, when the test completes them. */
function createKind(id = 'tens') {
  const statements: { readonly keys: readonly number[]; complete(): void; fail(error: Error): void }[] = [];
  const fetch = (_: Database, keys: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      statements.push({ keys, complete: () => resolve(keys.map((key) => key * 10)), fail: reject });
    });
  return {
    kind: { id, fetch },
    statements,
    keys: () => statements.map((statement) => statement.keys),
    /** Completes all statements, including those that start meanwhile. */
    async completeAll() {
      for (let completed = 0; completed < statements.length; ) {
        while (completed < statements.length) statements[completed++]?.complete();
        await turn();
      }
    },
  };
}

/** Three of ten connections for each API key. */
function setUp({ total = 10, waitMs = 0 } = {}) {
  const opened: StatementRequests[] = [];
  const queue = createConnectionQueue({ total, perKey: 3, perRequest: 2, waitMs });
  const read = createSharedReads((requests) => {
    opened.push(requests);
    return {} as Database;
  }, queue);
  return { read, opened, queue };
}

const requestOf = (keyId = 1, abortSignal = new AbortController().signal) => ({ keyId, abortSignal });

/** Starts a statement on each of the three connections of an API key. */
async function useAllConnections(read: SharedRead, kind: ReadKind<number, number>) {
  const values: Promise<readonly number[]>[] = [];
  for (const key of numbers(3)) {
    values.push(read(kind, [key], requestOf(1)));
    await turn();
    await turn();
  }
  return values;
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('shared reads', () => {
  it('start before the next turn of the event loop if no statement is running', async () => {
    const { read } = setUp();
    let isNextTurn = false;
    setImmediate(() => {
      isNextTurn = true;
    });
    const values = await read({ id: 'turn', fetch: async () => [isNextTurn] }, [1], requestOf());
    expect(values).toEqual([false]);
  });

  it('are not cached', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    for (const _ of numbers(2)) {
      const value = read(kind, [1], requestOf());
      await turn();
      await completeAll();
      expect(await value).toEqual([10]);
    }
    expect(keys()).toEqual([[1], [1]]);
  });

  it('of one turn of the event loop have one statement, of at most sixteen small reads', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const values = Promise.all(numbers(20).map((key) => read(kind, [key], requestOf())));
    await turn();
    expect(keys()).toEqual([numbers(16), [16, 17, 18, 19]]);
    await completeAll();
    expect(await values).toEqual(numbers(20).map((key) => [key * 10]));
  });

  it('gather while an API key uses all of its connections, and leave the others to other API keys', async () => {
    const { read } = setUp();
    const { kind, keys, statements, completeAll } = createKind();
    const values = await useAllConnections(read, kind);
    for (const key of [20, 21, 22]) {
      values.push(read(kind, [key], requestOf(1)));
      await turn();
      await turn();
    }
    expect(keys()).toEqual([[0], [1], [2]]);
    values.push(read(kind, [30], requestOf(2)));
    await turn();
    expect(keys().slice(3)).toEqual([[30]]);
    statements[0]?.complete();
    await turn();
    expect(keys().slice(4)).toEqual([[20, 21, 22]]);
    await completeAll();
    expect((await Promise.all(values)).flat()).toEqual([0, 10, 20, 200, 210, 220, 300]);
  });

  it('of several kinds share the connections of their API key, in order of arrival', async () => {
    const { read } = setUp();
    const [one, other] = [createKind('one'), createKind('other')];
    const running = await useAllConnections(read, one.kind);
    const values = numbers(9).map((key) => read(other.kind, [key], requestOf()));
    await turn();
    expect([one.keys().length, other.keys().length]).toEqual([3, 0]);
    one.statements[0]?.complete();
    await turn();
    expect(other.keys()).toEqual([numbers(9)]);
    await Promise.all([one.completeAll(), other.completeAll()]);
    await Promise.all([...running, ...values]);
  });

  it('of many keys have statements without those of few keys, of at most three reads', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const large = numbers(4).map((first) => read(kind, [first, 4, 5, 6], requestOf()));
    const small = [read(kind, [7], requestOf()), read(kind, [8], requestOf())];
    await turn();
    expect(keys()).toEqual([
      [0, 4, 5, 6, 1, 4, 5, 6, 2, 4, 5, 6],
      [3, 4, 5, 6],
      [7, 8],
    ]);
    await completeAll();
    expect(await Promise.all(large)).toEqual(numbers(4).map((first) => [first * 10, 40, 50, 60]));
    expect(await Promise.all(small)).toEqual([[70], [80]]);
  });

  it('of several API keys are never in one statement', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const values = [1, 2, 3].map((keyId) => read(kind, [keyId], requestOf(keyId)));
    await turn();
    expect(keys()).toEqual([[1], [2], [3]]);
    await completeAll();
    expect((await Promise.all(values)).flat()).toEqual([10, 20, 30]);
  });

  it('reject when they have waited too long, and the next ones are read', async () => {
    const { read, queue } = setUp({ total: 1, waitMs: 5 });
    const { kind, completeAll } = createKind();
    const other = Promise.withResolvers<void>();
    const running = queue.run(2, () => other.promise);
    const waiting = [read(kind, [1], requestOf()), read(kind, [2], requestOf())];
    for (const value of waiting) await expect(value).rejects.toThrow(/waited longer than 5 ms/);
    other.resolve();
    await running;
    const next = read(kind, [3], requestOf());
    await turn();
    await completeAll();
    expect(await next).toEqual([30]);
    expect(queue.isIdle(1)).toBe(true);
  });

  it('use their connection for the first attempt of a statement, and wait again for the second', async () => {
    const { read, opened, queue } = setUp({ total: 1 });
    const { kind, completeAll } = createKind();
    const value = read(kind, [1], requestOf());
    await turn();
    const [statement] = opened;
    const { signal } = new AbortController();
    const leave = statement?.enter(signal);
    expect(leave).toBeTypeOf('function');
    (leave as () => void)();
    const blocked = Promise.withResolvers<void>();
    const running = queue.run(2, () => blocked.promise);
    let hasSecond = false;
    const second = Promise.resolve(statement?.enter(signal)).then((leaveSecond) => {
      hasSecond = true;
      leaveSecond?.();
    });
    await turn();
    expect(hasSecond).toBe(false);
    blocked.resolve();
    await Promise.all([running, second]);
    expect(queue.isIdle(1)).toBe(true);
    await completeAll();
    await value;
  });

  it('reject on the signal of their own request, and abort the statement with the last one', async () => {
    const { read, opened } = setUp();
    const { kind, completeAll } = createKind();
    const [one, other] = [new AbortController(), new AbortController()];
    const values = [read(kind, [1], requestOf(1, one.signal)), read(kind, [2], requestOf(1, other.signal))];
    await turn();
    expect(opened).toHaveLength(1);
    one.abort(new Error('one'));
    await expect(values[0]).rejects.toThrow('one');
    expect(opened[0]?.abortSignal.aborted).toBe(false);
    other.abort(new Error('other'));
    await expect(values[1]).rejects.toThrow('other');
    expect(opened[0]?.abortSignal.aborted).toBe(true);
    await completeAll();
  });

  it('reject on the signal of their request while they wait, and need no statement', async () => {
    const { read, opened } = setUp();
    const { kind, completeAll } = createKind();
    const running = await useAllConnections(read, kind);
    const controller = new AbortController();
    const waiting = read(kind, [20], requestOf(1, controller.signal));
    await turn();
    controller.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await completeAll();
    await Promise.all(running);
    expect(opened).toHaveLength(3);
  });

  it('reject with the error of their statement, and the next ones are read again', async () => {
    const { read } = setUp();
    const { kind, statements, completeAll } = createKind();
    const failed = [read(kind, [1], requestOf(1)), read(kind, [2], requestOf(1))];
    await turn();
    statements[0]?.fail(new Error('broken'));
    for (const value of failed) await expect(value).rejects.toThrow('broken');
    const next = read(kind, [1], requestOf(1));
    await turn();
    await completeAll();
    expect(await next).toEqual([10]);
  });

  it('notify the observers of all their requests', async () => {
    const { read, opened } = setUp();
    const { kind, completeAll } = createKind();
    const names: string[] = [];
    const observed = (who: string) => ({
      ...requestOf(1),
      observe: (name: string) => void names.push(`${who} ${name}`),
    });
    const values = [read(kind, [1], observed('one')), read(kind, [2], observed('other'))];
    await turn();
    opened[0]?.observe?.('statement');
    expect(names).toEqual(['one statement', 'other statement']);
    await completeAll();
    await Promise.all(values);
  });
});

describe('a batch loader', () => {
  it('runs a limited number of batches, and reads keys loaded meanwhile in the next one', async () => {
    const { kind, keys, statements, completeAll } = createKind();
    const loader = createOwnLoader((batch: readonly number[]) => kind.fetch({} as Database, batch), {
      atOnce: 1,
      maxBatchSize: 2,
    });
    const values = [1, 2, 3].map((key) => loader.load(key));
    await turn();
    values.push(loader.load(4));
    await turn();
    expect(keys()).toEqual([[1, 2]]);
    statements[0]?.complete();
    await turn();
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await completeAll();
    expect(await Promise.all(values)).toEqual([10, 20, 30, 40]);
  });
});
