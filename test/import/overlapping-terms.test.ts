import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, offices, persons, officeholders, contacts, sources, record_sources, external_identifiers cascade`.execute(
    database.db,
  );
});

const person = (id: string, name: string, ...roles: string[]) => `id: ocd-person/${id}
name: ${name}
party: [{name: Democratic}]
offices: [{classification: capitol, voice: 802-555-01${id.charCodeAt(0)}}]
roles:
${roles.map((role) => `- {jurisdiction: 'ocd-jurisdiction/country:us/state:vt/government', ${role}}`).join('\n')}`;

type Editions = Record<string, Record<string, string>>;

const EDITIONS: Editions = {
  '2022-06-01': {
    'a.yml': person('a', 'Ada Able', 'type: governor, start_date: 2015-01-06, end_date: 2023-01-03'),
    'p.yml': person('p', 'Pat Pine', 'type: lower, district: Essex-1, start_date: 2014-11-05, end_date: 2016-11-08'),
    's.yml': person('s', 'Sam Spruce', 'type: lower, district: Essex-2, start_date: 2012-11-07'),
    't.yml': person('t', 'Tom Thorn', 'type: lower, district: Essex-3, start_date: 2019-02-04'),
    'u.yml': person('u', 'Una Umber', 'type: lower, district: Essex-4, start_date: 2019-02-04'),
  },
  '2026-08-05': {
    'b.yml': person('b', 'Ben Baker', 'type: governor, start_date: 2021-03-02, end_date: 2027-01-05'),
    'p.yml': person('p', 'Pat Pine', 'type: lower, district: Essex-1, start_date: 2015-01-01, end_date: 2016-12-31'),
    't.yml': person('t', 'Tom Thorn', 'type: lower, district: Essex-3, start_date: 2018-11-07'),
    'u.yml': person('u', 'Una Umber', 'type: lower, district: Essex-4, start_date: 2019-02-04'),
    's.yml': person(
      's',
      'Sam Spruce',
      'type: lower, district: Essex-2, start_date: 2012-11-07, end_date: 2022-11-09',
      'type: upper, district: Windham, start_date: 2022-11-09',
    ),
  },
};

const importEdition = (editions: Editions, day: string) =>
  runImport(database.db, 'openstates-people', [
    join(
      folderOf(Object.fromEntries(Object.entries(editions[day] ?? {}).map(([name, text]) => [`${day}/${name}`, text]))),
      day,
    ),
  ]);

async function terms(): Promise<string[]> {
  const { rows } = await sql<{ term: string }>`
    select concat_ws(' | ', o.name, p.name, coalesce(h.start_date::text, 'unknown'), h.end_date) as term from officeholders as h
    join offices as o on o.id = h.office_id join persons as p on p.id = h.person_id order by 1`.execute(database.db);
  return rows.map(({ term }) => term);
}

/** Terms without a start, as the source has them of officials who are appointed. */
const WITHOUT_START: Editions = {
  '2022-06-01': {
    'a.yml': person('a', 'Ada Able', 'type: chief election officer, end_date: 2021-12-31'),
    'b.yml': person('b', 'Ben Baker', 'type: auditor of accounts, end_date: 2021-12-31'),
    'c.yml': person('c', 'Cy Cedar', 'type: secretary of state'),
    'd.yml': person('d', 'Dee Dole', 'type: state treasurer, start_date: 2019-01-10, end_date: 2021-01-10'),
  },
  '2026-08-05': {
    'a.yml': person('a', 'Ada Able', 'type: chief election officer, end_date: 2023-12-31'),
    'b.yml': person('b', 'Ben Baker', 'type: auditor of accounts, start_date: 2019-01-10, end_date: 2023-01-05'),
    'c.yml': person('c', 'Cy Cedar', 'type: secretary of state, start_date: 2025-01-09'),
    'd.yml': person('d', 'Dee Dole', 'type: state treasurer, end_date: 2025-01-09'),
  },
};

/** Past terms of a person who has the seat, as the newer edition states them. */
const PAST: Editions = {
  '2022-06-01': {
    'a.yml': person('a', 'Ada Able', 'type: lower, district: Essex-1, start_date: 2015-01-01, end_date: 2016-12-31'),
    'b.yml': person('b', 'Ben Baker', 'type: upper, district: Windham, start_date: 2019-02-04'),
    'd.yml': person('d', 'Dee Dole', 'type: lower, district: Essex-2, start_date: 2019-01-09'),
    'e.yml': person('e', 'Eve Elm', 'type: lower, district: Essex-2, start_date: 2021-01-06'),
  },
  '2026-08-05': {
    'a.yml': person(
      'a',
      'Ada Able',
      'type: lower, district: Essex-1, start_date: 2015-01-01, end_date: 2016-12-31',
      'type: lower, district: Essex-1, start_date: 2014-11-05, end_date: 2016-11-08',
    ),
    'c.yml': person(
      'c',
      'Cy Cedar',
      'type: upper, district: Windham, start_date: 2022-11-09',
      'type: upper, district: Windham, start_date: 2014-12-01, end_date: 2019-11-01',
    ),
    'f.yml': person('f', 'Fay Fir', 'type: lower, district: Essex-2, start_date: 2014-12-01, end_date: 2019-11-01'),
  },
};

const ORDERS = [
  ['the older first', ['2022-06-01', '2026-08-05']],
  ['the newer first', ['2026-08-05', '2022-06-01']],
] as const;

const changesOf = (results: readonly Awaited<ReturnType<typeof importEdition>>[]) =>
  results.flatMap(({ files }) => files.map((each) => each.inserted + each.updated + each.removed));

test.each(ORDERS)(
  'editions with terms of unknown start, %s: a newer edition replaces the same term, and no other one',
  async (_, days) => {
    for (const day of days) await importEdition(WITHOUT_START, day);
    const expected = [
      'Vermont Auditor of Accounts | Ben Baker | 2019-01-10 | 2023-01-05',
      'Vermont Chief Election Officer | Ada Able | unknown | 2023-12-31',
      'Vermont Secretary of State | Cy Cedar | 2025-01-09',
      'Vermont Secretary of State | Cy Cedar | unknown | 2025-01-09',
      'Vermont Treasurer | Dee Dole | 2019-01-10 | 2021-01-10',
      'Vermont Treasurer | Dee Dole | unknown | 2025-01-09',
    ];
    expect(await terms()).toEqual(expected);

    for (const order of [days, days.toReversed()]) {
      const again = [];
      for (const day of order) again.push(await importEdition(WITHOUT_START, day));
      expect(changesOf(again)).toEqual(changesOf(again).map(() => 0));
      expect(await terms()).toEqual(expected);
    }
  },
);

test.each(ORDERS)(
  'past terms that a newer edition adds, %s: one term for one, which ends when the next member took the only seat',
  async (_, days) => {
    for (const day of days) await importEdition(PAST, day);
    const expected = [
      'Vermont House of Representatives Essex-1 District | Ada Able | 2014-11-05 | 2016-11-08',
      'Vermont House of Representatives Essex-2 District | Dee Dole | 2019-01-09',
      'Vermont House of Representatives Essex-2 District | Eve Elm | 2021-01-06',
      'Vermont House of Representatives Essex-2 District | Fay Fir | 2014-12-01 | 2019-11-01',
      'Vermont State Senate Windham District | Ben Baker | 2019-02-04 | 2022-11-09',
      'Vermont State Senate Windham District | Cy Cedar | 2014-12-01 | 2019-02-04',
      'Vermont State Senate Windham District | Cy Cedar | 2022-11-09',
    ];
    expect(await terms()).toEqual(expected);

    for (const order of [days, days.toReversed()]) {
      const again = [];
      for (const day of order) again.push(await importEdition(PAST, day));
      expect(changesOf(again)).toEqual(changesOf(again).map(() => 0));
      expect(await terms()).toEqual(expected);
    }
  },
);

test.each(ORDERS)(
  'editions, %s: a later start ends an earlier term, a newer edition corrects a term, and a second import changes nothing',
  async (_, days) => {
    for (const day of days) await importEdition(EDITIONS, day);
    const expected = [
      'Governor of Vermont | Ada Able | 2015-01-06 | 2021-03-02',
      'Governor of Vermont | Ben Baker | 2021-03-02 | 2027-01-05',
      'Vermont House of Representatives Essex-1 District | Pat Pine | 2015-01-01 | 2016-12-31',
      'Vermont House of Representatives Essex-2 District | Sam Spruce | 2012-11-07 | 2022-11-09',
      'Vermont House of Representatives Essex-3 District | Tom Thorn | 2018-11-07',
      'Vermont House of Representatives Essex-4 District | Una Umber | 2019-02-04',
      'Vermont State Senate Windham District | Sam Spruce | 2022-11-09',
    ];
    expect(await terms()).toEqual(expected);

    const again = [];
    for (const day of days) again.push(await importEdition(EDITIONS, day));
    expect(changesOf(again)).toEqual(changesOf(again).map(() => 0));
    expect(await terms()).toEqual(expected);

    const reversed = [];
    for (const day of days.toReversed()) reversed.push(await importEdition(EDITIONS, day));
    expect(changesOf(reversed)).toEqual(changesOf(reversed).map(() => 0));
  },
);
