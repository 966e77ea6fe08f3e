import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { removeOldChanges } from '../../src/operate/commands/old-changes.ts';
import { createDraw } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { CALLERS } from './copy/run.ts';
import { runStep, STEPS } from './copy/steps.ts';

const STEPS_OF_RUN = 12;
/** Less than a step changes: enough for many transactions of compaction. */
const AT_ONCE = 97;

interface Told {
  readonly kinds: readonly string[];
  /** The fields that changed; null for all. */
  readonly fields: ReadonlySet<string> | null;
}

interface Row {
  readonly sequence: number;
  readonly kind: string;
  readonly record_id: number;
  readonly needs: string;
  readonly change: string;
  readonly fields: string[] | null;
  readonly state: string | null;
}

function toldBy(rows: readonly Row[]) {
  const told = new Map<string, Told>();
  for (const { kind, record_id, change, fields } of rows) {
    const name = `${kind} ${record_id}`;
    const before = told.get(name) ?? { kinds: [], fields: new Set() };
    const joined = before.fields && fields && new Set([...before.fields, ...fields]);
    told.set(name, { kinds: [...before.kinds, change], fields: joined });
  }
  return told;
}

/** Where a reader would have another copy than before. */
function differences(before: Map<string, Told>, after: Map<string, Told>, state: string | null): string[] {
  const faults = [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    const isGone = now?.kinds.at(-1) === 'DELETED';
    // A reader of a state may be told more of a record that moved to another one: of its deletion there, or that it is there again.
    const isRight =
      now !== undefined &&
      (isGone === (old.kinds.at(-1) === 'DELETED') || state !== null) &&
      (isGone || !old.kinds.includes('CREATED') || now.kinds.includes('CREATED')) &&
      (isGone || now.fields === null || old.fields?.isSubsetOf(now.fields) === true);
    return isRight ? [] : [`${name}: ${old.kinds}, now ${now?.kinds}`];
  });
  // A change in a state and a later one in another are one, which is told in both.
  const more = state === null ? [...after.keys()].filter((name) => !before.has(name)) : [];
  return [...faults, ...more.map((name) => `${name} is new`)];
}

describe.each([49, Math.floor(Math.random() * 2 ** 31)])('older changes, seed %d', (seed) => {
  const database = useDatabase();
  const run = async <Result>(statement: string) => (await sql.raw<Result>(statement).execute(database.db)).rows;
  const version = async () => (await run('select state from data_version'))[0];
  const rowsKept = () =>
    run<Row>('select sequence::int, kind, record_id, needs, change, fields, state from changes order by sequence');

  /** What every caller is told of each record from the start, and after the end of every transaction. */
  async function everything() {
    const rows = await rowsKept();
    const ends = await run<{ end: number }>('select last_sequence::int as end from change_sets order by 1');
    return [0, ...ends.map(({ end }) => end)].flatMap((end) =>
      Object.values(CALLERS).flatMap((grants) =>
        [null, 'AA'].map((state) => {
          const needs: readonly string[] = ['', ...grants];
          const isTold = (row: Row) =>
            row.sequence > end && needs.includes(row.needs) && (!state || !row.state || row.state === state);
          return { state, told: toldBy(rows.filter(isTold)) };
        }),
      ),
    );
  }

  test('are fewer, but every copy continues from its cursor, or from the start, as it would have', async () => {
    const draw = createDraw(seed);
    const { db } = database;
    const names = Object.keys(STEPS);
    for (let at = 0; at < STEPS_OF_RUN; at++) await runStep(db, at === 0 ? (names[0] ?? '') : draw.pick(names), draw);
    for (const share of [0.5, 1]) {
      await run(`update change_sets set changed_at = now() - interval '100 days'
        where id <= (select percentile_disc(${share}) within group (order by id) from change_sets)`);
      const [before, state] = [await everything(), await version()];
      await removeOldChanges(db, { changesKeptDays: 90, deletionsKeptDays: undefined }, AT_ONCE);
      expect(await version()).toEqual(state);
      const after = await everything();
      expect(before.flatMap((each, at) => differences(each.told, after[at]?.told ?? new Map(), each.state))).toEqual(
        [],
      );
    }
    const kept = await rowsKept();
    expect(new Set(kept.map(({ kind, record_id, needs }) => `${kind} ${record_id} ${needs}`)).size).toBe(kept.length);
    await removeOldChanges(db, { changesKeptDays: 90, deletionsKeptDays: undefined });
    expect(await rowsKept()).toEqual(kept);
  }, 300_000);

  test('that are deletions go if they are not kept for ever, with the cursors before them, and no later ones', async () => {
    const { db } = database;
    await run(`insert into parties (id, name) values (901, 'Gone'), (902, 'Gone later')`);
    await run('delete from parties where id = 901');
    await run(`update change_sets set changed_at = now() - interval '100 days'`);
    await run('delete from parties where id = 902');
    const cursors = await run<{ cursor: string }>(
      'select change_cursor(last_sequence) as cursor from change_sets order by last_sequence',
    );
    const state = await version();
    await removeOldChanges(db, { changesKeptDays: 200, deletionsKeptDays: 90 }, AT_ONCE);
    const settled = await version();
    expect(settled).not.toEqual(state);
    const known: unknown[] = [];
    for (const { cursor } of cursors)
      known.push(...(await run(`select change_number('${cursor}') is not null as known`)));
    expect(known).toEqual(cursors.map((_, at) => ({ known: at === cursors.length - 1 })));
    const told = (await everything())[0]?.told;
    expect([told?.get('party 901'), told?.get('party 902')?.kinds]).toEqual([undefined, ['CREATED', 'DELETED']]);
    expect((await rowsKept()).filter(({ change }) => change === 'DELETED')).toHaveLength(1);
    await removeOldChanges(db, { changesKeptDays: 200, deletionsKeptDays: 90 });
    expect(await version()).toEqual(settled);
  }, 120_000);
});
