import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatchLoader } from '../../src/database/batch-loader.ts';
import type { Database } from '../../src/database/database.ts';
import { createSharedReads, type StatementRequests } from '../../src/database/shared-reads.ts';

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

function setUp() {
  const opened: StatementRequests[] = [];
  const read = createSharedReads((requests) => {
    opened.push(requests);
    return {} as Database;
  });
  return { read, opened };
}

const requestOf = (keyId = 1, abortSignal = new AbortController().signal) => ({ keyId, abortSignal });
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('shared reads', () => {
  it('start before the next turn of the event loop if no statement is running', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const value = read(kind, [1], requestOf());
    await new Promise((resolve) => process.nextTick(() => process.nextTick(resolve)));
    expect(keys()).toEqual([[1]]);
    await completeAll();
    expect(await value).toEqual([10]);
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

  it('are divided between three statements if nothing else is running', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const values = Promise.all(numbers(9).map((key) => read(kind, [key], requestOf())));
    await turn();
    expect(keys()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]);
    await completeAll();
    expect(await values).toEqual(numbers(9).map((key) => [key * 10]));
  });

  it('have one statement while statements of another kind are running', async () => {
    const { read } = setUp();
    const [one, other] = [createKind('one'), createKind('other')];
    const running = numbers(9).map((key) => read(one.kind, [key], requestOf()));
    const values = numbers(9).map((key) => read(other.kind, [key], requestOf()));
    await turn();
    expect(other.keys()).toEqual([numbers(9)]);
    await Promise.all([one.completeAll(), other.completeAll()]);
    await Promise.all([...running, ...values]);
  });

  it('wait and have one statement while an API key has three statements, and leave a fourth to other API keys', async () => {
    const { read, opened } = setUp();
    const { kind, keys, statements, completeAll } = createKind();
    const first = numbers(9).map((key) => read(kind, [key], requestOf(1)));
    await turn();
    const waiting = [20, 21, 22, 23].map((key) => read(kind, [key], requestOf(1)));
    await turn();
    expect(keys()).toHaveLength(3);
    const other = read(kind, [30], requestOf(2));
    await turn();
    expect(keys().slice(3)).toEqual([[30]]);
    expect(opened.map(({ keyIds }) => keyIds)).toEqual([[1], [1], [1], [2]]);
    const third = read(kind, [40], requestOf(3));
    await turn();
    expect(keys()).toHaveLength(4);
    statements[0]?.complete();
    await first[0];
    await turn();
    expect(keys()).toHaveLength(5);
    expect(opened[4]?.keyIds).toEqual([1, 3]);
    await completeAll();
    expect((await Promise.all([...waiting, other, third])).flat()).toEqual([200, 210, 220, 230, 300, 400]);
  });

  it('with many keys are not combined with those of another API key', async () => {
    const { read } = setUp();
    const { kind, keys, completeAll } = createKind();
    const values = [read(kind, numbers(100), requestOf(1)), read(kind, [7], requestOf(2))];
    await turn();
    expect(keys().map(({ length }) => length)).toEqual([100, 1]);
    await completeAll();
    expect((await Promise.all(values))[1]).toEqual([70]);
  });

  it('of several API keys are combined in equal shares', async () => {
    const { read, opened } = setUp();
    const [busy, shared] = [createKind('busy'), createKind('shared')];
    const running = numbers(9).map((key) => read(busy.kind, [key], requestOf(9)));
    await turn();
    const values = [1, 2, 3, 4, 5, 6, 7, 8].map((key) => read(shared.kind, [key], requestOf(1)));
    values.push(read(shared.kind, [20], requestOf(2)), read(shared.kind, [30], requestOf(3)));
    await turn();
    expect(shared.keys()[0]).toEqual([1, 2, 3, 20, 30]);
    expect(opened[3]?.keyIds).toEqual([1, 2, 3]);
    await Promise.all([busy.completeAll(), shared.completeAll()]);
    expect((await Promise.all(values)).flat()).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 200, 300]);
    await Promise.all(running);
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
    const running = numbers(9).map((key) => read(kind, [key], requestOf(1)));
    await turn();
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
    const loader = createBatchLoader((batch: readonly number[]) => kind.fetch({} as Database, batch), {
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
