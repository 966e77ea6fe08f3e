import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { createSharedReads, type Fetch } from '../../src/database/shared-reads.ts';

const NOTHING = {} as Database;

/** A statement that answers ten times each key when it is told to. */
function heldFetch() {
  const calls: { readonly keys: readonly number[]; readonly answer: () => void }[] = [];
  const fetch: Fetch<number, number> = (_, keys) =>
    new Promise((resolve) => {
      calls.push({ keys, answer: () => resolve(keys.map((key) => key * 10)) });
    });
  return { fetch, calls, keys: () => calls.map((call) => call.keys) };
}

const waiter = (keyId = 1) => ({ keyId, abortSignal: new AbortController().signal });

describe('shared reads', () => {
  it('part what waits between three statements where the database has nothing else to do', async () => {
    const read = createSharedReads(() => NOTHING);
    const { fetch, calls, keys } = heldFetch();
    const answers = Promise.all([[1], [2, 3], [4], [5], [6]].map((each) => read(fetch, each, waiter())));
    await turn();
    expect(keys()).toEqual([[1, 2, 3], [4, 5], [6]]);
    for (const { answer } of calls) answer();
    expect(await answers).toEqual([[10], [20, 30], [40], [50], [60]]);
  });

  it('go together where three statements run already, and when one of them has ended', async () => {
    const read = createSharedReads(() => NOTHING);
    const { fetch, calls, keys } = heldFetch();
    const first = [1, 2, 3].map((key) => read(fetch, [key], waiter()));
    await turn();
    const second = [4, 5, 6].map((key) => read(fetch, [key], waiter()));
    await turn();
    expect(keys()).toEqual([[1], [2], [3]]);
    calls[0]?.answer();
    await first[0];
    await turn();
    expect(keys()).toEqual([[1], [2], [3], [4, 5, 6]]);
    for (const { answer } of calls) answer();
    expect(await Promise.all([...first, ...second])).toEqual([[10], [20], [30], [40], [50], [60]]);
  });

  it('go together where statements of another kind begin beside them', async () => {
    const read = createSharedReads(() => NOTHING);
    const [one, other] = [heldFetch(), heldFetch()];
    const answers = [1, 2, 3, 4].flatMap((key) => [
      read(one.fetch, [key], waiter()),
      read(other.fetch, [key], waiter()),
    ]);
    await turn();
    expect([one.keys(), other.keys()]).toEqual([[[1, 2, 3, 4]], [[1, 2, 3, 4]]]);
    for (const { answer } of [...one.calls, ...other.calls]) answer();
    expect((await Promise.all(answers)).flat()).toEqual([10, 10, 20, 20, 30, 30, 40, 40]);
  });

  it('leave a statement to another API key while one has as many as it may have', async () => {
    const opened: (readonly number[])[] = [];
    const read = createSharedReads(({ keyIds }) => {
      opened.push(keyIds);
      return NOTHING;
    });
    const { fetch, calls, keys } = heldFetch();
    const greedy = [1, 2, 3, 4].map((key) => read(fetch, [key], waiter(1)));
    await turn();
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const more = [5, 6].map((key) => read(fetch, [key], waiter(1)));
    await turn();
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const waiting = read(fetch, [7], waiter(1));
    const other = read(fetch, [8], waiter(2));
    await turn();
    expect(keys()).toEqual([[1, 2], [3, 4], [5, 6], [8]]);
    expect(opened).toEqual([[1], [1], [1], [2]]);
    for (const { answer } of [...calls]) answer();
    await other;
    await turn();
    calls[4]?.answer();
    expect(await Promise.all([...greedy, ...more, waiting])).toEqual([[10], [20], [30], [40], [50], [60], [70]]);
  });

  it('put a small read of one API key into no statement with large ones of another', async () => {
    const read = createSharedReads(() => NOTHING);
    const { fetch, calls, keys } = heldFetch();
    const many = Array.from({ length: 100 }, (_, key) => key);
    const answers = [read(fetch, many, waiter(1)), read(fetch, many, waiter(1)), read(fetch, [7], waiter(2))];
    await turn();
    expect(keys().map((each) => each.length)).toContain(1);
    for (const { answer } of [...calls]) answer();
    await turn();
    for (const { answer } of [...calls]) answer();
    expect((await Promise.all(answers))[2]).toEqual([70]);
  });

  it('take the reads of several API keys by turns, and bring each about as many', async () => {
    const read = createSharedReads(() => NOTHING);
    const [one, other] = [heldFetch(), heldFetch()];
    const running = [read(one.fetch, [0], waiter(9)), read(one.fetch, [0], waiter(9)), read(one.fetch, [0], waiter(9))];
    await turn();
    const answers = [1, 2, 3, 4, 5].map((key) => read(other.fetch, [key], waiter(1)));
    answers.push(read(other.fetch, [6], waiter(2)), read(other.fetch, [7], waiter(3)));
    await turn();
    expect(other.keys()[0]).toEqual([1, 6, 7, 2, 3]);
    for (const { calls } of [one, other]) for (const { answer } of calls) answer();
    await Promise.all(running);
    await turn();
    for (const { answer } of other.calls) answer();
    expect((await Promise.all(answers)).flat()).toEqual([10, 20, 30, 40, 50, 60, 70]);
  });
});
