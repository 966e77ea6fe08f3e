import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportSummary, runImport, type SourceName } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

// Rows without any identifier of another data set: only exact names identify them.

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const HEADER =
  'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,' +
  'candidate,district,magnitude,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check';
const DAY = '2018-11-06';
/** Results for Maine's second prosecutorial district, which no source gives an identifier. */
const attorneys = (...names: string[]) =>
  folderOf({
    'results.csv': [
      HEADER,
      ...names.map(
        (name, index) =>
          `A,DISTRICT ATTORNEY,DEMOCRAT,DEMOCRAT,TOTAL,${100 - index},YORK,,A,,${name},002,1,STATE,2018,GEN,MAINE,FALSE,FALSE,ME,23,11,2,${DAY},FALSE`,
      ),
      '',
    ].join('\n'),
  });

const DISTRICT = '7,Judicial District,Prosecutorial  district #2,ME';
/** A data set without any identifiers. */
const byHand = (districts: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  folderOf({ 'districts.csv': ['id,type,name,state', '5,State,Maine,ME', ...districts, ''].join('\n'), ...more });
const RACE = {
  'offices.csv': 'id,district_id,name,level,branch\n11,7,District attorney,State,Executive\n',
  'persons.csv': 'id,name\n21,"Jean-Paul Íñigo"\n22,Ada Lovelace\n',
  'elections.csv': `id,date,type,district_id,candidate_lists_complete\n41,${DAY},General,5,true\n`,
  'races.csv': 'id,election_id,office_id,year,type,stage_type,number_of_seats\n51,41,11,2018,Regular,General,1\n',
  'candidates.csv': 'id,race_id,person_id\n61,51,21\n62,51,22\n',
};

const importOf = (source: SourceName, path: string) => runImport(database.db, source, [path]);
const reasons = ({ report }: ImportSummary) => report.map(({ record, reason }) => `${record}: ${reason}`);
const candidates = () =>
  lines(
    database.db,
    `select concat_ws(' | ', c.id, p.id, p.name, r.id, o.id, d.id, d.name, c.votes_for_cand) as line
     from candidates as c join persons as p on p.id = c.person_id join races as r on r.id = c.race_id
     join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id`,
  );

describe('names that differ only in letter case, accents and punctuation', () => {
  test('within state, type, office and day match the rows of the database, which keep their ids', async () => {
    await loadFolder(database.db, byHand([DISTRICT], RACE));
    const summary = await importOf('medsl', attorneys('JEAN PAUL INIGO', 'ADA LOVELACE'));
    expect(reasons(summary)).toEqual([
      'results.csv | DISTRICT ATTORNEY | 002: counties that vote on it are missing, or nothing shows that none is: the outcome is unknown',
    ]);
    expect(await candidates()).toEqual([
      '61 | 21 | Jean-Paul Íñigo | 51 | 11 | 7 | Prosecutorial  district #2 | 100',
      '62 | 22 | Ada Lovelace | 51 | 11 | 7 | Prosecutorial  district #2 | 99',
    ]);
    for (const [inserted] of Object.entries(counts(summary))
      .filter(([file]) => file !== 'parties.csv')
      .map(([, each]) => each))
      expect(inserted).toBe(0);
  });

  test.each([
    ['another state', '7,Judicial District,Prosecutorial District 2,NH'],
    ['another type', '7,Special District,Prosecutorial District 2,ME'],
    ['a name that is only similar', '7,Judicial District,Prosecutorial District 2 (York),ME'],
  ])('of %s are another district', async (_, district) => {
    await loadFolder(database.db, byHand([district]));
    expect(counts(await importOf('medsl', attorneys('ADA LOVELACE')))['districts.csv']).toEqual([1, 1, 0, 0]);
    expect(
      await database.db.selectFrom('offices').select('district_id').where('district_id', '=', 7).execute(),
    ).toEqual([]);
  });

  test.each([
    ['on another day', { 'elections.csv': RACE['elections.csv'].replace(DAY, '2014-11-04') }],
    ['of another type', { 'elections.csv': RACE['elections.csv'].replace('General', 'Special') }],
  ])('in an election %s are another race', async (_, changed) => {
    await loadFolder(database.db, byHand([DISTRICT], { ...RACE, ...changed }));
    const summary = await importOf('medsl', attorneys('ADA LOVELACE'));
    expect(counts(summary)).toMatchObject({ 'elections.csv': [1, 0, 0, 0], 'races.csv': [1, 0, 0, 0] });
    // The person is the same: she stood for the same office.
    expect(counts(summary)['persons.csv']?.[0]).toBe(0);
  });
});

describe('an ambiguous name', () => {
  test('of districts is reported with all dependent records; nothing is guessed', async () => {
    await loadFolder(database.db, byHand([DISTRICT, '8,Judicial District,Prosecutorial District 2,ME']));
    const folder = attorneys('ADA LOVELACE');
    // Of this contest alone nothing can be stored.
    await expect(importOf('medsl', folder)).rejects.toThrow('nothing of the files can be stored');
    const file = join(folder, 'results.csv');
    const [, row = ''] = readFileSync(file, 'utf8').split('\n');
    appendFileSync(file, `${row.replace('DISTRICT ATTORNEY', 'SHERIFF').replace(',002,', ',,')}\n`);
    const summary = await importOf('medsl', folder);
    expect(reasons(summary).join('\n')).toContain('matches more than one district in the database');
    expect(reasons(summary).join('\n')).toMatch(/district_id: district-name ME Judicial District .* is not known/);
    expect((await candidates()).filter((line) => !line.includes('York County'))).toEqual([]);
    expect(await lines(database.db, 'select name as line from offices')).toEqual(['Sheriff']);
  });

  test('of candidates of one race is reported; the others are matched', async () => {
    const twins = {
      ...RACE,
      'persons.csv': 'id,name\n21,Ada Lovelace\n22,ADA LOVELACE\n23,Grace Hopper\n',
      'candidates.csv': 'id,race_id,person_id\n61,51,21\n62,51,22\n63,51,23\n',
    };
    await loadFolder(database.db, byHand([DISTRICT], twins));
    const summary = await importOf('medsl', attorneys('ADA LOVELACE', 'GRACE HOPPER'));
    expect(reasons(summary).join('\n')).toMatch(/matches more than one candidate in the database/);
    expect((await candidates()).map((line) => line.split(' | ').at(-1))).toEqual([
      'Prosecutorial  district #2',
      'Prosecutorial  district #2',
      '99',
    ]);
    // The votes that are left out could turn the result.
    expect(await lines(database.db, 'select cand_status as line from candidates where votes_for_cand = 99')).toEqual([
      null,
    ]);
  });
});

describe('three sources of one race', () => {
  const FIXTURES = join(import.meta.dirname, '../fixtures/import');
  const SOURCES: [SourceName, string][] = [
    ['medsl', join(FIXTURES, 'medsl/contests.csv')],
    ['openelections', join(FIXTURES, 'openelections')],
    ['rctab', join(FIXTURES, 'rctab/house-2.json')],
  ];
  const HOUSE = {
    'districts.csv':
      'id,type,name,state,ocdid\n5,State,Maine,ME,ocd-division/country:us/state:me\n9,Congress,Second,ME,ocd-division/country:us/state:me/cd:2\n',
    'offices.csv': 'id,district_id,name,level,branch,chamber\n12,9,Member of Congress,Federal,Legislative,Lower\n',
    'persons.csv': 'id,name\n31,Grace Hopper\n',
    'elections.csv': `id,date,type,district_id,candidate_lists_complete\n42,${DAY},General,5,false\n`,
    'races.csv': 'id,election_id,office_id,year,type,stage_type,number_of_seats\n52,42,12,2018,Regular,General,1\n',
    'candidates.csv': 'id,race_id,person_id\n71,52,31\n',
  };

  test.each([
    ['as listed', SOURCES],
    ['backwards', SOURCES.toReversed()],
  ])(
    '%s, all match the rows of the database, and importing them again in the other order keeps every id',
    async (_, sources) => {
      await loadFolder(database.db, folderOf(HOUSE));
      for (const [source, path] of sources) await importOf(source, path);
      const race = (await candidates()).filter((line) => line.includes('| 52 | 12 | 9 |'));
      expect(race).toHaveLength(2);
      expect(race).toContain('71 | 31 | Grace Hopper | 52 | 12 | 9 | Second | 31');
      const before = await fingerprint(database.db);
      for (const [source, path] of sources.toReversed()) await importOf(source, path);
      expect(await fingerprint(database.db)).toEqual(before);
    },
  );
});
