import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { runImport, type SourceName } from '../../../src/importers/import.ts';
import { loadFolder } from '../../../src/importers/load/load.ts';
import {
  mergeTwoPersons,
  recordsOfPerson,
  splitOffRecords,
  splitTwoPersons,
} from '../../../src/importers/load/persons/decide-persons.ts';
import { useDatabase } from '../../support/database.ts';
import { fingerprint, folderOf } from '../folders.ts';

/** Eight imports are slow on the embedded database. */
const LIMIT_MS = 120_000;

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, distinct_persons, person_assignments, sources, record_sources,
    external_identifiers cascade`.execute(database.db);
});

/** Father and son, both Robert Bell: the representative, and a candidate of 2022. */
const results = (date: string, rival: string) =>
  [
    'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date',
    ...['ROBERT BELL', rival].map(
      (name, index) =>
        `P1,STATE HOUSE,DEMOCRAT,TOTAL,${60 - index * 20},YORK,23031,YORK,${name},005,1,STATE,GEN,FALSE,FALSE,ME,${date}`,
    ),
    '',
  ].join('\n');
const RESULTS = {
  '2018-me-precinct-general.csv': results('2018-11-06', 'CAROL CASE'),
  '2022-me-precinct-general.csv': results('2022-11-08', 'EVE ELM'),
};
const PEOPLE = {
  'a.yml': `id: ocd-person/a
name: Robert Bell
roles:
- {jurisdiction: 'ocd-jurisdiction/country:us/state:me/government', type: lower, district: '5', start_date: 2018-12-05}
`,
};

/** The records that imports have joined since the last split. */
let joined = 0;

async function importOf(source: SourceName, files: Record<string, string>, options = {}): Promise<number> {
  const folder = folderOf(files);
  const paths = source === 'openstates-people' ? [folder] : Object.keys(files).map((file) => join(folder, file));
  const summary = await runImport(database.db, source, paths, options);
  joined += summary.joins.length;
  return summary.files.reduce((sum, { inserted, updated, removed }) => sum + inserted + updated + removed, 0);
}

const people = () => importOf('openstates-people', PEOPLE, { asOf: '2026-08-05' });
const votes = () => importOf('medsl', RESULTS);

async function bells(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(', ',
      (select string_agg('since ' || start_date, ', ') from officeholders where person_id = p.id),
      (select string_agg(r.year::text, ', ' order by r.year) from candidates as c join races as r on r.id = c.race_id
        where c.person_id = p.id)) as line
    from persons as p where name = 'Robert Bell' order by 1`.execute(database.db);
  return rows.map(({ line }) => line);
}

async function bell(): Promise<{
  id: number;
  of: (day: string) => { kind: 'candidate' | 'officeholder'; id: number };
}> {
  const { rows } = await sql<{ id: number }>`select id from persons where name = 'Robert Bell'`.execute(database.db);
  const id = rows[0]?.id ?? 0;
  const records = await recordsOfPerson(database.db, id);
  return {
    id,
    of(day) {
      const found = records.find((each) => each.day === day);
      if (!found) throw new Error(`no record of ${day}`);
      return found;
    },
  };
}

async function importAll(imports: readonly (() => Promise<number>)[]): Promise<number> {
  let changes = 0;
  for (const run of imports) changes += await run();
  return changes;
}

test.each([
  ['a candidacy, officials first', [people, votes], '2022-11-08', ['2022', 'since 2018-12-05, 2018']],
  ['a term, results first', [votes, people], '2018-12-05', ['2018, 2022', 'since 2018-12-05']],
])(
  'a split of a person by %s survives imports',
  async (_, imports, day, expected) => {
    await importAll(imports);
    expect(await bells()).toEqual(['since 2018-12-05, 2018, 2022']);
    const { id, of } = await bell();
    const other = await splitOffRecords(database.db, id, [of(day)]);
    joined = 0;
    expect(await bells()).toEqual(expected);
    const before = await fingerprint(database.db);
    expect(await importAll(imports.toReversed())).toBe(0);
    expect(joined).toBe(0);
    expect(await fingerprint(database.db)).toEqual(before);

    await mergeTwoPersons(database.db, id, other);
    await importAll(imports);
    expect(await bells()).toEqual(['since 2018-12-05, 2018, 2022']);
    await splitTwoPersons(database.db, id, other);
    expect(await importAll(imports)).toBe(0);
    expect(await bells()).toEqual(expected);
  },
  LIMIT_MS,
);

test('a merge of the split person with a third one survives imports', async () => {
  await votes();
  const { id, of } = await bell();
  const other = await splitOffRecords(database.db, id, [of('2022-11-08')]);
  const { rows } = await sql<{ id: number }>`select id from persons where name = 'Carol Case'`.execute(database.db);
  await mergeTwoPersons(database.db, rows[0]?.id ?? 0, other);
  expect(await votes()).toBe(0);
  expect(await bells()).toEqual(['2018']);
});

test('a split survives the load of a folder that replaces everything', async () => {
  const files = {
    'districts.csv': 'id,type,name,state\n1,State,Vermont,VT\n',
    'offices.csv': 'id,district_id,name,level,branch\n1,1,Governor,State,Executive\n',
    'persons.csv': 'id,name\n1,Robert Bell\n',
    'officeholders.csv':
      'id,office_id,person_id,status,start_date\n1,1,1,Former,2001-01-01\n2,1,1,Current,2019-01-10\n',
  };
  await loadFolder(database.db, folderOf(files));
  const other = await splitOffRecords(database.db, 1, [{ kind: 'officeholder', id: 2 }]);
  await loadFolder(database.db, folderOf(files), { replace: true });
  const { rows } = await sql`select id, person_id from officeholders order by id`.execute(database.db);
  expect(rows).toEqual([
    { id: 1, person_id: 1 },
    { id: 2, person_id: other },
  ]);
});

test('invalid input is rejected with the reason', async () => {
  await votes();
  const { id, of } = await bell();
  const [older, newer] = [of('2018-11-06'), of('2022-11-08')];
  const split = (person: number, records: readonly { kind: 'candidate' | 'officeholder'; id: number }[]) =>
    splitOffRecords(database.db, person, records);
  await expect(split(5, [older])).rejects.toThrow('There is no person 5.');
  await expect(split(id, [{ kind: 'candidate', id: 5 }])).rejects.toThrow(
    `Person ${id} has no candidacy 5. It has: ${older.id}, ${newer.id}.`,
  );
  await expect(split(id, [{ kind: 'officeholder', id: 5 }])).rejects.toThrow(`Person ${id} has no term 5.`);
  await expect(split(id, [older, newer])).rejects.toThrow(`These are all records of person ${id}. Leave one out.`);
});
