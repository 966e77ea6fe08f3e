import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { up as addPartiesOnce } from '../../db/migrations/0061-parties-once.ts';
import { up as addRecordsOnce } from '../../db/migrations/0064-records-once.ts';
import { checkIntegrity } from '../../src/operate/integrity/integrity.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { undone } from '../support/undone.ts';
import { createCleanWorld } from './clean-world.ts';
import { PLANTED } from './planted-violations.ts';
import { REFUSED } from './violations/refused.ts';
import type { PlantedViolation } from './violations/violation.ts';

const database = useDatabase();
beforeAll(() => createCleanWorld(database.db));

const TODAY = '2024-06-01';

/** Returns the number of violations by check, without those that found none. */
async function violationsOf(db: Database): Promise<Record<string, number>> {
  const { checks } = await checkIntegrity(db, TODAY);
  return Object.fromEntries(checks.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

test('data without violations has none', async () => {
  expect(await violationsOf(database.db)).toEqual({});
});

describe(`${PLANTED.length} planted violations`, () => {
  test('are at least 40, and each check finds one', async () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(40);
    const { checks } = await checkIntegrity(database.db, TODAY);
    const tried = new Set(PLANTED.flatMap((violation) => violation.checks));
    expect(checks.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  test.each(groupsOf(PLANTED))('$titles are found, and nothing else', async ({ violations }) => {
    const found = await undone(database.db, async (transaction) => {
      for (const { plant } of violations)
        for (const statement of plant.split(';')) await sql.raw(statement).execute(transaction);
      return Object.keys(await violationsOf(transaction));
    });
    expect(found.sort()).toEqual(violations.flatMap(({ checks }) => checks).sort());
  });
});

test.each([
  ['NY', '2022-11-08', 0],
  ['DE', '2010-11-02', 0],
  ['DE', '2022-11-08', 1],
  ['MA', '2022-11-08', 1],
])('a candidate of two parties in %s on %s is told %i times, by the rows of law', async (state, day, times) => {
  const found = await undone(database.db, async (transaction) => {
    await sql`insert into candidate_parties (candidate_id, position, party_id) values (1, 2, 1)`.execute(transaction);
    await sql`update elections set date = ${day}`.execute(transaction);
    await sql`update districts set state = ${state} where state is not null`.execute(transaction);
    return (await violationsOf(transaction))['several-parties'] ?? 0;
  });
  expect(found).toBe(times);
});

test.each(REFUSED)('the database refuses %s', async (_, constraint, statement) => {
  const work = undone(database.db, async (transaction) => {
    await sql.raw(statement).execute(transaction);
    await sql`set constraints all immediate`.execute(transaction);
  });
  await expect(work).rejects.toMatchObject({ constraint });
});

test('a migration names the rows that its constraint would refuse', async () => {
  const work = undone(database.db, async (transaction) => {
    await sql`alter table candidate_parties drop constraint candidate_parties_once`.execute(transaction);
    await sql`insert into candidate_parties values (1, 2, 2)`.execute(transaction);
    await addPartiesOnce(transaction as never);
  });
  await expect(work).rejects.toThrow(/candidate 1 has party 2 at the positions 1, 2\n.*Delete/);
});

test('another one names the records that exist twice, and changes nothing', async () => {
  const work = undone(database.db, async (transaction) => {
    await sql`drop index contacts_once; alter table races drop constraint races_once`.execute(transaction);
    await sql`insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
      select id + 90, election_id, office_id, year, type, stage_type, number_of_seats from races where id < 3`.execute(
      transaction,
    );
    await addRecordsOnce(transaction as never);
  });
  await expect(work).rejects.toThrow(
    /races: the ids 1, 91 have the same election, .*\n {2}races: the ids 2, 92 .*\nDelete all but one of each, .*duplicate-/,
  );
});

/** Groups violations that touch different tables and are found by different checks: all checks run once for a group. */
function groupsOf(planted: readonly PlantedViolation[]): { titles: string; violations: PlantedViolation[] }[] {
  const groups: { used: Set<string>; violations: PlantedViolation[] }[] = [];
  for (const violation of planted) {
    const tables = [...violation.plant.matchAll(/\b(?:update|into|from|table) ([a-z_]+)/g)].map(
      ([, table = '']) => table,
    );
    const uses = [...tables, ...violation.checks];
    const group = groups.find(({ used }) => !uses.some((use) => used.has(use)));
    if (!group) groups.push({ used: new Set(uses), violations: [violation] });
    else {
      for (const use of uses) group.used.add(use);
      group.violations.push(violation);
    }
  }
  return groups.map(({ violations }) => ({ titles: violations.map(({ title }) => title).join('; '), violations }));
}
