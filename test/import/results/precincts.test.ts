import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { type ImportOptions, runImport, type SourceName } from '../../../src/importers/import.ts';
import { withdrawSource } from '../../../src/importers/load/editions/withdraw.ts';
import { useDatabase } from '../../support/database.ts';
import { lines } from '../feed-stores.ts';
import { folderOf } from '../folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers, import_editions cascade`.execute(
    database.db,
  );
});

const FILE = '20231107__pa__general__erie__precinct.csv';
const HEADER = 'county,precinct,office,district,party,candidate,votes';
/** Rows of the sheriff's race: `A Ann Roe 100`. */
const file = (...rows: readonly string[]) =>
  [HEADER, ...rows.map((row) => row.replace(/^(\w*) (.+) (\S+)$/, 'Erie,$1,Sheriff,,,$2,$3')), ''].join('\n');
const TWO = ['A Ann Roe 100', 'A Bob Doe 60', 'B Ann Roe 40', 'B Bob Doe 70'];
const STORED = ['Erie A: Ann Roe 100, Bob Doe 60', 'Erie B: Ann Roe 40, Bob Doe 70'];

const imported = (
  content: string,
  options: ImportOptions = { precincts: true },
  source: SourceName = 'openelections',
) => runImport(database.db, source, [folderOf({ [FILE]: content })], options);

const stored = () =>
  lines(
    database.db,
    `select u.county || ' ' || u.precinct || ': ' || string_agg(p.name || ' ' || coalesce(v.votes::text, '?'), ', ' order by p.name) as line
     from precinct_results as u cross join unnest(u.candidate_ids, u.votes) as v(candidate_id, votes)
     join candidates as c on c.id = v.candidate_id join persons as p on p.id = c.person_id group by u.id order by 1`,
  );
const ids = () => lines(database.db, 'select id::text as line from precinct_results order by id');
const sums = () =>
  lines(
    database.db,
    `select p.name || ' ' || coalesce(c.votes_for_cand::text, '?') as line
     from candidates as c join persons as p on p.id = c.person_id order by 1`,
  );

test('votes by precinct are stored only if the import asks for them', async () => {
  await imported(file(...TWO), {});
  expect(await stored()).toEqual([]);
  await imported(file(...TWO));
  expect(await stored()).toEqual(STORED);
  expect(await sums()).toEqual(['Ann Roe 140', 'Bob Doe 130']);
});

test('importing a file again changes nothing', async () => {
  await imported(file(...TWO));
  const before = await ids();
  await imported(file(...TWO));
  expect(await ids()).toEqual(before);
});

test.each([
  [
    'has other votes',
    () => imported(file(...TWO.slice(0, 3), 'B Bob Doe 71')),
    ['Erie A: Ann Roe 100, Bob Doe 60', 'Erie B: Ann Roe 40, Bob Doe 71'],
  ],
  [
    'has another name',
    () => imported(file(...TWO.map((row) => row.replace('Bob Doe', 'Bob Dow')))),
    STORED.map((line) => line.replace('Doe', 'Dow')),
  ],
  ['lacks a precinct', () => imported(file(...TWO.slice(0, 2))), STORED.slice(0, 1)],
  [
    'lacks the race',
    () =>
      imported(
        file(...TWO)
          .replaceAll('Sheriff', 'Coroner')
          .replaceAll('Roe', 'Poe')
          .replaceAll('Doe', 'Low'),
      ),
    STORED.map((line) => line.replace('Roe', 'Poe').replace('Doe', 'Low')),
  ],
  ['is imported without precincts', () => imported(file(...TWO, 'C Ann Roe 9'), {}), []],
  ['is withdrawn', () => withdrawSource(database.db, 'openelections', {}), []],
  [
    'is withdrawn for the day',
    () => withdrawSource(database.db, 'openelections', { state: 'PA', date: '2023-11-07' }),
    [],
  ],
])('a file that %s takes the place of the older one', async (name, change, expected) => {
  await imported(file(...TWO));
  await change();
  expect(await stored()).toEqual(expected);
  const sources = await lines(database.db, 'select name as line from sources');
  expect(sources).toHaveLength(name.includes('withdrawn') ? 0 : 1);
});

test.each([
  [
    'a hidden count is not known',
    [...TWO, 'C Ann Roe *', 'C Bob Doe 5'],
    ['Erie C: Ann Roe ?, Bob Doe 5'],
    ['Ann Roe ?', 'Bob Doe 135'],
  ],
  [
    'votes without a precinct are of none',
    [...TWO, ' Ann Roe 300', ' Bob Doe 200'],
    [],
    ['Ann Roe 300', 'Bob Doe 200'],
  ],
  [
    'votes that only a total has are of none',
    [...TWO, 'TOTAL Ann Roe 147', 'TOTAL Bob Doe 137'],
    [],
    ['Ann Roe 147', 'Bob Doe 137'],
  ],
  ['a total is no precinct', [...TWO, 'TOTAL Ann Roe 140', 'TOTAL Bob Doe 130'], [], ['Ann Roe 140', 'Bob Doe 130']],
])('%s', async (_, rows, more, race) => {
  await imported(file(...rows));
  expect(await sums()).toEqual(race);
  expect(await stored()).toEqual([...STORED, ...more]);
});

test('another source of the race leaves them, and replaces them with its own', async () => {
  await imported(file(...TWO));
  const medsl = [
    'precinct,office,party_detailed,mode,votes,county_name,candidate,district,magnitude,stage,special,writein,state_po,date',
    ...TWO.map((row) =>
      row.replace(/^(\w) (.+) (\d+)$/, '$1,SHERIFF,,TOTAL,1$3,ERIE,$2,,1,GEN,FALSE,FALSE,PA,2023-11-07'),
    ),
    '',
  ].join('\n');
  await imported(medsl, {}, 'medsl');
  expect(await stored()).toEqual(STORED);
  await imported(medsl, { precincts: true }, 'medsl');
  expect(await stored()).toEqual(['ERIE A: Ann Roe 1100, Bob Doe 160', 'ERIE B: Ann Roe 140, Bob Doe 170']);
});
