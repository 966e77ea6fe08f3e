import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { DatasetError, loadFolder } from '../../src/importers/load/load.ts';
import { mergeTwoPersons, splitTwoPersons } from '../../src/importers/load/persons/decide-persons.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { auditFiles } from '../../src/operate/commands/audit-files.ts';
import { useDatabase } from '../support/database.ts';
import { feedWith } from './feed-stores.ts';
import { type Files, fingerprint, folderOf } from './folders.ts';

const FOLDER: Files = {
  'districts.csv': 'id,type,name,state\n1,State,Vermont,VT\n',
  'parties.csv': 'id,name\n91,Progressive\n92,Grange\n',
  'offices.csv': 'id,district_id,name,level,branch,seat\n1,1,Governor,State,Executive,\n2,1,Judge,State,Judicial,A\n',
  'persons.csv': 'id,name\n1,Ada Able\n2,Ben Baker\n3,Cleo Charlie\n4,Dan Dog\n',
  'officeholders.csv':
    'id,office_id,person_id,status,start_date,end_date\n1,1,1,Former,2019-01-10,2021-01-07\n2,1,2,Current,2021-01-07,\n3,2,3,Former,,2012-01-05\n4,2,3,Current,,\n',
  'contacts.csv':
    'person_id,officeholder_id,collection,contact_type,contact\n1,,contact,Phone,802-555-0101\n4,,contact,Phone,802-555-0101\n4,,contact,Email,dan@example.org\n',
  'elections.csv':
    'id,date,type,district_id,description,candidate_lists_complete\n1,2020-11-03,General,1,,true\n2,2022-11-08,General,1,,true\n',
  'races.csv':
    'id,election_id,office_id,year,type,stage_type,number_of_seats\n1,1,1,2020,Regular,General,1\n2,2,1,2022,Regular,General,1\n',
  'candidates.csv': 'id,race_id,person_id,votes_for_cand\n1,1,2,500\n2,1,4,400\n',
  'ballot_measures.csv': 'id,election_id,district_id,name,official_title\n1,1,1,Question 1,One\n2,1,1,Question 2,\n',
};

const database = useDatabase();

test('a folder in which every record exists once is loaded', async () => {
  await loadFolder(database.db, folderOf(FOLDER));
  const { files } = await loadFolder(database.db, folderOf(FOLDER), { replace: true, dryRun: true });
  expect(files.map(({ inserted, updated }) => inserted + updated)).toEqual(files.map(() => 0));
});

const fileOf = (name: string) => String(FOLDER[name]);
const withLine = (name: string, line: string): Files => ({ ...FOLDER, [name]: `${fileOf(name)}${line}\n` });

/** Returns why a load is refused; fails if it changes anything. */
async function refusalOf(files: Files, options = {}): Promise<string> {
  const before = await fingerprint(database.db);
  const error = await loadFolder(database.db, folderOf(files), options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DatasetError);
  expect(await fingerprint(database.db)).toEqual(before);
  return (error as DatasetError).message;
}

describe('a load is refused with file and line', () => {
  test.each([
    ['offices.csv', '9,1,JUDGE.,State,Judicial,a', 4, 'office 9', 'office 2 (line 3): the same district, name, level'],
    ['parties.csv', '99,republican', 4, 'party 99', 'party 1 (in the database): the same name'],
    ['officeholders.csv', '9,1,1,Former,2019-01-10,2020-01-01', 6, 'officeholder 9', 'officeholder 1 (line 2)'],
    ['officeholders.csv', '9,2,3,Current,,', 6, 'officeholder 9', 'officeholder 4 (line 5)'],
    ['elections.csv', '9,2022-11-08,General,1,,true', 4, 'election 9', 'election 2 (line 3)'],
    ['races.csv', '9,2,1,2022,Regular,General,1', 4, 'race 9', 'race 2 (line 3): the same election, office, position'],
    ['ballot_measures.csv', '9,1,1,question 1,One', 4, 'ballot measure 9', 'ballot measure 1 (line 2)'],
  ])('%s: %s', async (file, row, line, record, first) => {
    const message = await refusalOf(withLine(file, row));
    expect(message).toContain('nothing was changed (1 error)');
    expect(message).toContain(`  ${file}:${line}: ${record} is the same as ${first}`);
  });

  test('also of a row that repeats one of the database only', async () => {
    const header = fileOf('races.csv').split('\n')[0];
    const message = await refusalOf({ 'races.csv': `${header}\n9,2,1,2022,Regular,General,1\n` });
    expect(message).toContain('races.csv:2: race 9 is the same as race 2 (in the database)');
  });

  test('all of several tables are named, each as often as it is repeated', async () => {
    const files = withLine('races.csv', '8,2,1,2022,Regular,General,1\n9,2,1,2022,Regular,General,1');
    const message = await refusalOf({
      ...files,
      ...withLine('parties.csv', '99,GRANGE'),
      'races.csv': files['races.csv'] ?? null,
    });
    expect(message).toContain('(3 errors)');
    expect(message).toMatch(/parties\.csv:4: .*\n.*races\.csv:4: race 8 .*race 2 .*\n.*races\.csv:5: race 9 .*race 2 /);
  });
});

test('long texts are compared whole', async () => {
  const long = [...Array(4_000).keys()].map((n) => Math.imul(n + 1, 2_654_435_761).toString(36)).join(' ');
  const files = withLine('ballot_measures.csv', `8,1,1,${long} a,${long} a\n9,1,1,${long} a,${long} b`);
  await inOneTransaction(database.db, true, (db) => loadFolder(db, folderOf(files)));
  const row = (id: number) => `${id},2,1,2022,Regular,General,1,${long.slice(0, 2_400)}`;
  const races = `id,election_id,office_id,year,type,stage_type,number_of_seats,office_position\n${row(8)}\n${row(9)}\n`;
  expect(await refusalOf({ 'races.csv': races })).toContain('races.csv:3: race 9 is the same as race 8 (line 2)');
});

describe('the order of writes does not matter:', () => {
  test.each<[string, Files, object]>([
    [
      'two offices exchange their seats and names',
      {
        'offices.csv': fileOf('offices.csv')
          .replace('1,1,Governor,State,Executive,', '1,1,Judge,State,Judicial,A')
          .replace('2,1,Judge,State,Judicial,A', '2,1,Governor,State,Executive,'),
      },
      {},
    ],
    [
      'two races exchange their elections',
      { 'races.csv': fileOf('races.csv').replace('1,1,1,2020', '1,2,1,2022').replace('2,2,1,2022', '2,1,1,2020') },
      {},
    ],
    [
      'two measures exchange their names',
      {
        'ballot_measures.csv': fileOf('ballot_measures.csv')
          .replace('Question 1,One', 'Question 2,')
          .replace('2,1,1,Question 2,', '2,1,1,Question 1,One'),
      },
      {},
    ],
    [
      'records get other ids',
      {
        ...FOLDER,
        'candidates.csv': fileOf('candidates.csv').replace('1,1,2', '1,11,2').replace('2,1,4', '2,11,4'),
        'races.csv': fileOf('races.csv').replace('\n1,1,1', '\n11,1,1'),
      },
      { replace: true },
    ],
    [
      'parties that the schema brings get other ids',
      { ...FOLDER, 'parties.csv': 'id,name\n91,Progressive\n92,Grange\n93,Republican\n' },
      { replace: true },
    ],
  ])('%s', async (_, files, options) => {
    const before = await fingerprint(database.db);
    const run = inOneTransaction(database.db, true, async (db) => {
      const { files: changed } = await loadFolder(db, folderOf(files), options);
      expect(changed.reduce((sum, { inserted, updated }) => sum + inserted + updated, 0)).toBeGreaterThan(0);
      return loadFolder(db, folderOf(files), options);
    });
    const again = await run;
    expect(again.files.every(({ inserted, updated, removed }) => inserted + updated + removed === 0)).toBe(true);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

test('an import of a duplicate is refused with the record of the source, and an audit finds it', async () => {
  const contest = (
    id: string,
    office: string,
  ) => `<CandidateContest id="${id}"><ElectoralDistrictId>ed3</ElectoralDistrictId>
    <Name>Keeper</Name><NumberElected>1</NumberElected><OfficeIds>${office}</OfficeIds></CandidateContest>`;
  const office = `<Office id="off7"><ElectoralDistrictId>ed3</ElectoralDistrictId><Name><Text language="en">Keeper of the Bell</Text></Name></Office>`;
  const more = `${office}${contest('cc6', 'off6')}${contest('cc7', 'off7')}`;
  const feed = feedWith('vip.xml', '<PartyContest ', `${more}<PartyContest `);
  const reason =
    /vip\.xml CandidateContest cc7: race \d+ is the same as race \d+ \(vip\.xml CandidateContest cc6\): the same election, office/;
  const before = await fingerprint(database.db);
  await expect(runImport(database.db, 'vip', [feed])).rejects.toThrow(reason);
  expect(await fingerprint(database.db)).toEqual(before);
  const { findings } = await auditFiles(database.db, 'vip', [feed], { options: {}, today: '2024-06-01', most: 10 });
  const refused = findings.find(({ check }) => check === 'refused');
  expect(refused).toMatchObject({ severity: 'fault' });
  expect(refused?.rows.map(({ file, problem }) => `${file}: ${problem}`).join('\n')).toMatch(reason);
});

describe('a merge of persons', () => {
  const contactsOf = async () => {
    const { rows } = await sql<{ contact: string }>`
      select person_id || ' ' || contact as contact from contacts where person_id in (1, 4) order by 1`.execute(
      database.db,
    );
    return rows.map(({ contact }) => contact);
  };
  const PHONES = ['1 802-555-0101', '4 802-555-0101', '4 dan@example.org'];

  beforeEach(async () => {
    expect(await contactsOf()).toEqual(PHONES);
  });

  test('keeps a contact of both once, also after the next load, and a split gives it to both', async () => {
    await inOneTransaction(database.db, false, (db) => mergeTwoPersons(db, 1, 4));
    const merged = ['1 802-555-0101', '1 dan@example.org'];
    expect(await contactsOf()).toEqual(merged);
    await loadFolder(database.db, folderOf(FOLDER));
    expect(await contactsOf()).toEqual(merged);
    await inOneTransaction(database.db, false, (db) => splitTwoPersons(db, 1, 4));
    expect(await contactsOf()).toEqual(PHONES);
    const { rows } = await sql`
      select from contacts as c where not exists (
        select from record_sources as r where r.kind = 'contact' and r.record_id = c.id)`.execute(database.db);
    expect(rows).toEqual([]);
    const again = await loadFolder(database.db, folderOf(FOLDER));
    expect(again.files.find(({ file }) => file === 'contacts.csv')).toMatchObject({ inserted: 0, removed: 0 });
  });

  test('is refused if both have the same term', async () => {
    await loadFolder(database.db, folderOf(withLine('officeholders.csv', '9,1,4,Former,2019-01-10,2021-01-07')));
    const merge = inOneTransaction(database.db, false, (db) => mergeTwoPersons(db, 1, 4));
    await expect(merge).rejects.toThrow('The terms 1 and 9 are the same: the same office and days.');
  });
});
