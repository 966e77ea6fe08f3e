import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { holderOnDay } from '../../src/graph/officials/officials.store.ts';
import { recordOfficesOnDays } from '../../src/importers/load/persons/offices-on-day.store.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf } from '../support/graph.ts';

const database = useDatabase();

/** Offices: 1 and 3 are for one, in 2 two serve at a time. Editions of the source are of 2022 and 2026. */
beforeAll(async () => {
  await sql`
    insert into districts (id, type, name, state) values (1, 'State', 'Alpha', 'AL'), (2, 'County', 'Beta', 'AL'), (3, 'Congress', 'First', 'AL'), (4, 'Congress', 'Second', 'AL');
    insert into offices (id, district_id, name, level, branch, chamber) values
      (1, 1, 'Governor', 'State', 'Executive', null), (2, 2, 'Commissioner', 'Local', 'Legislative', null),
      (3, 3, 'Member', 'Federal', 'Legislative', 'Lower'), (4, 4, 'Member', 'Federal', 'Legislative', 'Lower'),
      (5, 1, 'Auditor', 'State', 'Executive', null), (6, 1, 'Treasurer', 'State', 'Executive', null);
    insert into boundaries (district_id, start_date, precise, geometry, digest)
      select id, '2020-01-01', true, ST_Multi(ST_MakeEnvelope(0, 0, 1, 1, 4326)), 'x' from districts where id in (3, 4);
    insert into persons (id, name) select n, 'Person ' || n from generate_series(1, 9) as n;
    insert into officeholders (id, office_id, person_id, status, start_date, end_date) values
      (1, 1, 1, 'Current', '2015-01-01', '2023-01-03'), (2, 1, 2, 'Current', '2021-03-02', null), (3, 1, 2, 'Former', null, null),
      (4, 2, 3, 'Former', null, null), (5, 2, 4, 'Current', '2019-01-01', null), (6, 2, 5, 'Current', null, null),
      (7, 3, 6, 'Current', '2021-01-03', '2027-01-03'), (8, 4, 7, 'Former', '2021-01-03', '2026-03-01'),
      (9, 2, 8, 'Former', '2010-01-01', null), (10, 5, 8, 'Current', null, null), (11, 5, 9, 'Upcoming', null, null),
      (12, 6, 1, 'Acting', '2025-01-01', '2026-12-31'), (13, 6, 2, 'On leave', '2023-01-01', '2025-01-01');
    insert into sources (id, name, as_of) overriding system value values (1, 'Officials', '2022-06-01'), (2, 'Officials', '2026-08-05');
    insert into record_sources (kind, record_id, source_id)
      select 'officeholder'::record_kind, id, 1 from unnest('{3, 4, 5, 7, 8, 9}'::int[]) as id
      union all select 'officeholder'::record_kind, id, 2 from unnest('{1, 2, 5, 6, 7, 8, 9, 10, 11}'::int[]) as id`.execute(
    database.db,
  );
  await database.db.transaction().execute(async (transaction) => {
    await sql`create temp table stage_officeholders on commit drop as select * from officeholders`.execute(transaction);
    await recordOfficesOnDays(transaction, { name: 'Officials', source: null, license: null, asOf: '2026-08-05' });
  });
});

async function holders(office: number, day: string): Promise<unknown[]> {
  const { rows } = await sql<{ id: number; status: string }>`
    select id, status from officeholders_in_office(${day}::date) where office_id = ${office} order by id`.execute(
    database.db,
  );
  return rows.map(({ id, status }) => `${id} ${status}`);
}

test.each([
  ['before the later start', 1, '2020-01-01', ['1 Current']],
  ['a later start ends an earlier term in an office for one', 1, '2022-06-01', ['2 Current']],
  ['an unknown end is in the future', 1, '2026-08-05', ['2 Current']],
  ['an unknown start counts from the first edition that shows the holder', 2, '2022-01-01', ['5 Current']],
  ['an edition is right about its day', 2, '2022-06-01', ['4 Current', '5 Current']],
  ['a former holder without an end serves up to the last edition', 2, '2022-06-02', ['5 Current']],
  ['a former holder without an end in all editions is in office on no known day', 2, '2015-01-01', []],
  ['a term that a source calls upcoming has not begun', 5, '2026-08-05', ['10 Current']],
  ['the source says how an office is held', 6, '2026-06-01', ['12 Acting']],
  ['also on an earlier day', 6, '2024-06-01', ['13 On leave']],
  ['several serve in an office for several', 2, '2026-08-05', ['5 Current', '6 Current']],
])('%s', async (_, office, day, expected) => {
  expect(await holders(office, day)).toEqual(expected);
});

test('the status of a term is that of the day', async () => {
  const statuses = async (day: string) => {
    const { rows } = await sql<{ status: string }>`
      select status from officeholders_with_status(${day}::date) where id in (2, 4, 7, 11, 12) order by id`.execute(
      database.db,
    );
    return rows.map(({ status }) => status);
  };
  expect(await statuses('2020-06-01')).toEqual(['Upcoming', 'Upcoming', 'Upcoming', 'Upcoming', 'Upcoming']);
  expect(await statuses('2022-06-01')).toEqual(['Current', 'Current', 'Current', 'Upcoming', 'Upcoming']);
  expect(await statuses('2026-06-01')).toEqual(['Current', 'Former', 'Current', 'Upcoming', 'Acting']);
  expect(await statuses('2027-06-01')).toEqual(['Current', 'Former', 'Former', 'Upcoming', 'Former']);
});

test('an office that the newest edition shows without a holder is vacant since the end of the last term', async () => {
  const { rows } = await sql`select id, one_holder, vacant_since from offices order by id`.execute(database.db);
  expect(rows).toEqual([
    { id: 1, one_holder: true, vacant_since: null },
    { id: 2, one_holder: false, vacant_since: null },
    { id: 3, one_holder: true, vacant_since: null },
    { id: 4, one_holder: true, vacant_since: '2026-03-01' },
    { id: 5, one_holder: true, vacant_since: null },
    { id: 6, one_holder: null, vacant_since: null },
  ]);
});

test('an office has a known holder, is known to be vacant, or neither is known', async () => {
  const known = async (day: string) => {
    const context = contextOf(database.db);
    const found = await Promise.all([1, 2, 4].map((id) => holderOnDay.load(context, { id, day })));
    return found.map(({ is_known }) => is_known);
  };
  expect(await known('2014-06-01')).toEqual([false, false, false]);
  expect(await known('2020-06-01')).toEqual([true, true, false]);
  expect(await known('2022-06-01')).toEqual([true, true, true]);
  // Office 4 has been vacant since March.
  expect(await known('2026-08-05')).toEqual([true, true, true]);
});
