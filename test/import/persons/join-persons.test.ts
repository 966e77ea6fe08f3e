import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportSummary, runImport, type SourceName } from '../../../src/importers/import.ts';
import { loadFolder } from '../../../src/importers/load/load.ts';
import { mergeTwoPersons, partsOfPerson, splitTwoPersons } from '../../../src/importers/load/persons/decide-persons.ts';
import type { JoinEntry } from '../../../src/importers/load/persons/join-persons.ts';
import { useDatabase } from '../../support/database.ts';
import { fingerprint, folderOf } from '../folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, distinct_persons, sources, record_sources, external_identifiers cascade`.execute(
    database.db,
  );
});

const HEADER =
  'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check,magnitude';

/** Results of the general election of a year: office, candidate and votes of each row. */
function results(year: 2018 | 2022, rows: readonly (readonly [office: string, candidate: string, votes: number])[]) {
  const date = year === 2018 ? '2018-11-06' : '2022-11-08';
  const lines = rows.map(
    ([office, candidate, votes]) =>
      `P1,${office},DEMOCRAT,DEMOCRAT,TOTAL,${votes},ESSEX,50009,ESSEX,50009,${candidate},STATEWIDE,STATE,${year},GEN,VERMONT,FALSE,FALSE,VT,50,13,6,${date},FALSE,1`,
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

const RESULTS = {
  '2018-vt-precinct-general.csv': results(2018, [
    ['GOVERNOR', 'ROBERT A BELL', 60],
    ['GOVERNOR', 'CAROL CASE', 40],
    ['SECRETARY OF STATE', 'DANIEL J DOE', 60],
    ['SECRETARY OF STATE', 'EVE ELM', 40],
  ]),
  '2022-vt-local-precinct-general.csv': results(2022, [
    ['GOVERNOR', 'ROBERT BELL', 70],
    ['GOVERNOR', 'CAROL B CASE', 30],
  ]),
};

const person = (id: string, name: string, role: string, more = '') => `id: ocd-person/${id}
name: ${name}
roles:
- {jurisdiction: 'ocd-jurisdiction/country:us/state:vt/government', ${role}}
${more}`;
const PEOPLE = {
  'a.yml': person('a', 'Bob Bell', 'type: governor, start_date: 2019-01-10'),
  'b.yml': person(
    'b',
    'Woody Doe',
    'type: secretary of state, start_date: 2019-01-10',
    "other_names:\n- {name: 'Daniel Doe'}\n",
  ),
};

async function importOf(source: SourceName, files: Record<string, string>): Promise<ImportSummary> {
  const folder = folderOf(files);
  const paths = source === 'medsl' ? Object.keys(files).map((file) => join(folder, file)) : [folder];
  return runImport(database.db, source, paths, source === 'medsl' ? {} : { asOf: '2026-08-05' });
}

const people = () => importOf('openstates-people', PEOPLE);
const votes = () => importOf('medsl', RESULTS);

async function persons(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select p.name || ': ' || concat_ws(', ',
      (select string_agg(o.name || ' since ' || h.start_date, ', ' order by o.name) from officeholders as h
        join offices as o on o.id = h.office_id where h.person_id = p.id),
      (select string_agg(o.name || ' ' || r.year, ', ' order by r.year, o.name) from candidates as c
        join races as r on r.id = c.race_id join offices as o on o.id = r.office_id where c.person_id = p.id)) as line
    from persons as p order by 1`.execute(database.db);
  return rows.map(({ line }) => line.replaceAll(/ (of|for) Vermont|\bVermont /g, ''));
}

async function idOf(name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from persons where name = ${name}`.execute(database.db);
  return rows[0]?.id ?? 0;
}

const JOINED = [
  'Bob Bell: Governor since 2019-01-10, Governor 2018, Governor 2022',
  expect.stringMatching(/^Carol (B\. )?Case: Governor 2018, Governor 2022$/),
  'Eve Elm: Secretary of State 2018',
  'Woody Doe: Secretary of State since 2019-01-10, Secretary of State 2018',
];

describe('persons of several sources', () => {
  test.each([
    ['officials before results', [people, votes]],
    ['results before officials', [votes, people]],
  ])('are one record: %s', async (_, imports) => {
    const joins: JoinEntry[] = [];
    for (const run of imports) joins.push(...(await run()).joins);
    expect(await persons()).toEqual(JOINED);
    expect(joins.some(({ rule }) => rule.includes('three months'))).toBe(true);
    const before = await fingerprint(database.db);
    for (const run of imports) expect((await run()).joins).toEqual([]);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('are one record under a former last name that the source of the holder has', async () => {
    const holder = person('c', 'Ann Roe-Loe', 'type: governor, start_date: 2023-01-05');
    await importOf('openstates-people', {
      'c.yml': `${holder}other_names:\n- {name: 'Ann Roe'}\n- {name: 'B. Poe'}\n- {name: 'Roe, Ann'}\n`,
    });
    await importOf('medsl', {
      '2022-vt-local-precinct-general.csv': results(2022, [
        ['GOVERNOR', 'ANN B ROE', 70],
        ['GOVERNOR', 'BO POE', 30],
      ]),
    });
    expect(await persons()).toEqual(['Ann Roe-Loe: Governor since 2023-01-05, Governor 2022', 'Bo Poe: Governor 2022']);
  });

  test('have the same ids for any order of imports', async () => {
    const ids: unknown[] = [];
    for (const imports of [
      [people, votes],
      [votes, people],
    ]) {
      await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(
        database.db,
      );
      for (const run of imports) await run();
      const { rows } = await sql`select id, person_id from candidates order by id`.execute(database.db);
      ids.push(rows);
    }
    expect(ids[1]).toEqual(ids[0]);
  });

  test('a dry run lists the joins and changes nothing', async () => {
    await people();
    const before = await fingerprint(database.db);
    const folder = folderOf(RESULTS);
    const summary = await runImport(
      database.db,
      'medsl',
      Object.keys(RESULTS).map((file) => join(folder, file)),
      { dryRun: true },
    );
    expect(summary.joins.map(({ person: { name }, merged }) => `${merged.name} is ${name}`).toSorted()).toEqual([
      expect.stringMatching(/^Carol/),
      'Daniel J. Doe is Woody Doe',
      'Robert A. Bell is Bob Bell',
      'Robert Bell is Bob Bell',
    ]);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('decisions of an operator', () => {
  test('a split survives imports, and restores all of both records', async () => {
    await people();
    const { joins } = await votes();
    const found = joins.find(({ merged }) => merged.name === 'Daniel J. Doe');
    if (!found) throw new Error('the records were not joined');
    await splitTwoPersons(database.db, found.person.id, found.merged.id);
    const split = [
      ...JOINED.slice(0, 2),
      'Daniel J. Doe: Secretary of State 2018',
      'Eve Elm: Secretary of State 2018',
      'Woody Doe: Secretary of State since 2019-01-10',
    ];
    expect(await persons()).toEqual(split);
    const before = await fingerprint(database.db);
    expect((await votes()).joins).toEqual([]);
    expect((await people()).joins).toEqual([]);
    expect(await persons()).toEqual(split);
    expect(await fingerprint(database.db)).toEqual(before);
    // The opposite decision.
    await mergeTwoPersons(database.db, found.person.id, found.merged.id);
    expect(await persons()).toEqual(JOINED);
  });

  test('a merge survives imports', async () => {
    await people();
    await votes();
    const [eve, doe] = [await idOf('Eve Elm'), await idOf('Bob Bell')];
    await mergeTwoPersons(database.db, doe, eve);
    const merged = [
      'Bob Bell: Governor since 2019-01-10, Governor 2018, Secretary of State 2018, Governor 2022',
      JOINED[1],
      JOINED[3],
    ];
    expect(await persons()).toEqual(merged);
    const before = await fingerprint(database.db);
    await votes();
    await people();
    expect(await persons()).toEqual(merged);
    expect(await fingerprint(database.db)).toEqual(before);
    expect((await partsOfPerson(database.db, doe)).map(({ name, rule }) => `${name}: ${rule}`)).toContain(
      'Eve Elm: operator',
    );
  });

  test('a merge survives the load of a folder that has both persons', async () => {
    const files = {
      'districts.csv': 'id,type,name,state\n1,State,Vermont,VT\n',
      'offices.csv': 'id,district_id,name,level,branch\n1,1,Governor,State,Executive\n',
      'persons.csv': 'id,name\n1,Ann Bell\n2,Anna Bell\n',
      'officeholders.csv': 'id,office_id,person_id,status\n1,1,2,Current\n',
    };
    await loadFolder(database.db, folderOf(files));
    await mergeTwoPersons(database.db, 1, 2);
    await loadFolder(database.db, folderOf(files));
    const { rows } =
      await sql`select p.id, h.id as held from persons as p join officeholders as h on h.person_id = p.id`.execute(
        database.db,
      );
    expect(rows).toEqual([{ id: 1, held: 1 }]);
  });

  test('invalid input is rejected with the reason', async () => {
    await people();
    await votes();
    const [bell, elm, doe] = [await idOf('Bob Bell'), await idOf('Eve Elm'), await idOf('Woody Doe')];
    const [part] = await partsOfPerson(database.db, doe);
    await expect(mergeTwoPersons(database.db, bell, bell)).rejects.toThrow('A person cannot be merged with itself');
    await expect(mergeTwoPersons(database.db, bell, 5)).rejects.toThrow('There is no person 5.');
    await expect(mergeTwoPersons(database.db, bell, part?.id ?? 0)).rejects.toThrow(`is part of person ${doe}`);
    await expect(mergeTwoPersons(database.db, doe, elm)).rejects.toThrow(/Both are candidates of race \d+/);
    await expect(splitTwoPersons(database.db, bell, elm)).rejects.toThrow(
      /Neither \d+ nor \d+ is part of the other\. Parts of/,
    );
    await expect(partsOfPerson(database.db, 5)).rejects.toThrow('There is no person 5.');
  });
});
