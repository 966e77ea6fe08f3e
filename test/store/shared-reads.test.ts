import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { createSharedReads, type Fetch } from '../../src/store/shared-reads.ts';

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

const asker = () => ({ ending: new AbortController().signal });

describe('shared reads', () => {
  it('part what waits between three statements where the database has nothing else to do', async () => {
    const read = createSharedReads(() => NOTHING);
    const { fetch, calls, keys } = heldFetch();
    const answers = Promise.all([[1], [2, 3], [4], [5], [6]].map((each) => read(fetch, each, asker())));
    await turn();
    expect(keys()).toEqual([[1, 2, 3], [4, 5], [6]]);
    for (const { answer } of calls) answer();
    expect(await answers).toEqual([[10], [20, 30], [40], [50], [60]]);
  });

  it('go together where three statements run already, and when one of them has ended', async () => {
    const read = createSharedReads(() => NOTHING);
    const { fetch, calls, keys } = heldFetch();
    const first = [1, 2, 3].map((key) => read(fetch, [key], asker()));
    await turn();
    const second = [4, 5, 6].map((key) => read(fetch, [key], asker()));
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
    const answers = [1, 2, 3, 4].flatMap((key) => [read(one.fetch, [key], asker()), read(other.fetch, [key], asker())]);
    await turn();
    expect([one.keys(), other.keys()]).toEqual([[[1, 2, 3, 4]], [[1, 2, 3, 4]]]);
    for (const { answer } of [...one.calls, ...other.calls]) answer();
    expect((await Promise.all(answers)).flat()).toEqual([10, 10, 20, 20, 30, 30, 40, 40]);
  });
});
