import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions, type ReportEntry, runImport } from '../../src/import/import.ts';
import { useDatabase } from '../support/database.ts';

const HEADER =
  'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';

interface Row {
  office: string;
  candidate: string;
  votes: string | number;
  precinct?: string;
  county?: string;
  fips?: string;
  district?: string;
  dataverse?: string;
  mode?: string;
  magnitude?: number;
  town?: string;
  stage?: string;
  party?: string;
}

/** A row of a file of Nebraska, a state that no rule names. */
const line = (row: Row): string => {
  const { precinct = '1', county = 'ADAMS', fips = '31001', district = '', dataverse = '', mode = 'TOTAL' } = row;
  const { magnitude = 1, town = county, stage = 'GEN', party = '' } = row;
  const cells = [precinct, row.office, party, mode, row.votes, county, fips, town, fips, row.candidate, district];
  return [...cells, magnitude, dataverse, stage, 'FALSE', 'FALSE', 'NE', '2022-11-08']
    .map((cell) => `"${String(cell).replaceAll('"', '""')}"`)
    .join(',');
};

const database = useDatabase();

interface Stored {
  office: string;
  district: string;
  type: string;
  position: string | null;
  kind: string;
  seats: number;
  candidates: Record<string, number | null>;
  won: string[];
}

async function imported(
  rows: readonly (Row | string)[],
  options: ImportOptions = {},
  others: Record<string, string> = {},
): Promise<{ races: Stored[]; measures: Record<string, unknown>[]; report: readonly ReportEntry[]; reasons: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'contests-'));
  const text = [HEADER, ...rows.map((row) => (typeof row === 'string' ? row : line(row))), ''].join('\n');
  for (const [name, content] of Object.entries({ ...others, 'a.csv': text }))
    writeFileSync(join(folder, name), content);
  let races: Stored[] = [];
  let measures: Record<string, unknown>[] = [];
  let report: readonly ReportEntry[] = [];
  class Undo extends Error {}
  const work = database.db.transaction().execute(async (db) => {
    ({ report } = await runImport(db, 'medsl', [folder], options));
    const found = await sql<Stored>`
      select o.name as office, d.name as district, d.type, r.office_position as position, r.type as kind,
        r.number_of_seats as seats, json_object_agg(p.name, c.votes_for_cand) as candidates,
        coalesce(json_agg(p.name) filter (where c.cand_status = 'Won'), '[]') as won
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join candidates as c on c.race_id = r.id join persons as p on p.id = c.person_id
      group by r.id, o.id, d.id order by o.name, d.name, r.office_position`.execute(db);
    races = found.rows;
    const ofMeasures = await sql<Record<string, unknown>>`
      select m.name, d.name as district, d.type, m.yes_votes_total as yes, m.no_votes_total as no, m.status
      from ballot_measures as m join districts as d on d.id = m.district_id order by m.name, d.name`.execute(db);
    measures = ofMeasures.rows;
    throw new Undo();
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return { races, measures, report, reasons: report.map(({ record, reason }) => `${record}: ${reason}`).join('\n') };
}

const COUNTIES = { ADAMS: '31001', BANNER: '31007', CLAY: '31035', DUNDY: '31057' };
const everywhere = (row: Row): Row[] =>
  Object.entries(COUNTIES).map(([county, fips]) => ({ ...row, county, fips, votes: Number(row.votes) }));

describe('contests that no list has', () => {
  test('are offices with the name as written, of the district that the row names', async () => {
    const race = (row: Omit<Row, 'candidate' | 'votes'>): Row[] => [
      { ...row, candidate: 'ANN ROE', votes: 30 },
      { ...row, candidate: 'BO DOE', votes: 20 },
    ];
    const { races } = await imported([
      ...race({ office: 'COUNTY WEED SUPERINTENDENT' }),
      ...race({ office: "PEOPLE'S COUNSEL", dataverse: 'STATE', district: 'STATEWIDE' }).flatMap(everywhere),
      ...race({ office: 'MAYOR - HASTINGS' }),
      ...race({ office: 'CITY OF JUNIATA CITY COUNCIL', district: '002' }),
      ...race({ office: 'KENESAW SCHOOL DISTRICT TRUSTEE', district: 'B' }),
      ...race({ office: 'LITTLE BLUE WATER DISTRICT DIRECTOR' }),
      ...race({ office: 'COUNTY COMMISSIONER', district: 'A' }),
      ...race({ office: 'COUNTY COMMISSIONER', district: 'B' }),
      ...race({ office: 'DISTRICT COURT JUDGE', district: '010, DEPT 3', dataverse: 'STATE' }),
      ...race({ office: 'UNIVERSITY REGENT', district: '005', dataverse: 'STATE' }),
    ]);
    expect(races.map(({ office, district, type, position }) => [office, district, type, position])).toEqual([
      ['City Council', 'Juniata City Council District 2', 'City-town subdivision', null],
      ['County Commissioner', 'Adams County Commissioner District A', 'County subdivision', null],
      ['County Commissioner', 'Adams County Commissioner District B', 'County subdivision', null],
      ['County Weed Superintendent', 'Adams County', 'County', null],
      ['District Court Judge', 'Nebraska Judicial District 10', 'Judicial District', 'Dept 3'],
      ['Kenesaw School District Trustee', 'Kenesaw School District, District B', 'School district subdivision', null],
      ['Little Blue Water District Director', 'Little Blue Water District', 'Special District', null],
      ['Mayor', 'Hastings', 'City-town', null],
      ["Nebraska People's Counsel", 'Nebraska', 'State', null],
      ['University Regent', 'Nebraska University Regent District 5', 'State subdivision', null],
    ]);
    expect(races.every(({ won }) => won.join() === 'Ann Roe')).toBe(true);
  });

  test('of counties without a candidate in common are races of each county', async () => {
    const { races } = await imported([
      { office: 'COUNTY SURVEYOR', candidate: 'ANN ROE', votes: 40 },
      { office: 'COUNTY SURVEYOR', candidate: 'BO DOE', votes: 30, county: 'CLAY', fips: '31035' },
      { office: 'POWER DISTRICT DIRECTOR', candidate: 'CY POE', votes: 40, dataverse: '' },
      { office: 'POWER DISTRICT DIRECTOR', candidate: 'CY POE', votes: 2, county: 'CLAY', fips: '31035' },
    ]);
    expect(races.map(({ district, candidates }) => [district, candidates])).toContainEqual([
      'Adams County',
      { 'Ann Roe': 40 },
    ]);
    expect(races.map(({ district, candidates }) => [district, candidates])).toContainEqual([
      'Clay County',
      { 'Bo Doe': 30 },
    ]);
    expect(races.find(({ candidates }) => 'Cy Poe' in candidates)?.candidates).toEqual({ 'Cy Poe': 42 });
  });

  test('with two answers are measures wherever they are, and of judges retention races', async () => {
    const { races, measures } = await imported([
      ...[
        ['APPROVE', 60],
        ['REJECT', 40],
      ].flatMap(([candidate, votes]) =>
        everywhere({
          office: 'GREEN BONDS - $50,000,000',
          candidate: String(candidate),
          votes: Number(votes),
          dataverse: 'STATE',
        }),
      ),
      { office: 'FIRE LEVY', candidate: 'FOR', votes: 5 },
      { office: 'FIRE LEVY', candidate: 'AGAINST', votes: 7 },
      { office: 'FIRE LEVY', candidate: 'FOR', votes: 9, county: 'CLAY', fips: '31035' },
      { office: 'FIRE LEVY', candidate: 'AGAINST', votes: 8, county: 'CLAY', fips: '31035' },
      { office: 'SHALL JUDGE ANN ROE BE RETAINED IN OFFICE?', candidate: 'YES', votes: 12 },
      { office: 'SHALL JUDGE ANN ROE BE RETAINED IN OFFICE?', candidate: 'NO', votes: 3 },
    ]);
    expect(measures).toEqual([
      { name: 'Fire Levy', district: 'Adams County', type: 'County', yes: 5, no: 7, status: null },
      { name: 'Fire Levy', district: 'Clay County', type: 'County', yes: 9, no: 8, status: null },
      { name: 'Green Bonds - $50,000,000', district: 'Nebraska', type: 'State', yes: 240, no: 160, status: 'Approved' },
    ]);
    expect(races).toMatchObject([
      { office: 'Judge', kind: 'Retention', position: 'Retention of Ann Roe', candidates: { 'Ann Roe': 12 } },
    ]);
  });

  test('that an operator places go where the office map says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'map-'));
    const officeMap = join(folder, 'map.csv');
    writeFileSync(
      officeMap,
      'state,office,name,district_type,district_name\nNE,BOARD MEMBER,Ditch Rider,Special District,North Ditch\n',
    );
    const { races } = await imported([{ office: 'BOARD MEMBER', candidate: 'ANN ROE', votes: 4 }], { officeMap });
    expect(races).toMatchObject([{ office: 'Ditch Rider', district: 'North Ditch', type: 'Special District' }]);
    writeFileSync(officeMap, 'state,office,district_type,district_name\nNE,BOARD MEMBER,Ditch,North Ditch\n');
    await expect(imported([], { officeMap })).rejects.toThrow(/map\.csv:2: district_type: /);
  });
});

describe('false data', () => {
  const precincts = (office: string): Row[] =>
    [
      ['1', 30, 11],
      ['2', 50, 12],
      ['3', 70, 13],
    ].flatMap(([precinct, roe, doe]) => [
      { office, precinct: String(precinct), candidate: 'ANN ROE', votes: Number(roe) },
      { office, precinct: String(precinct), candidate: 'BO DOE', votes: Number(doe) },
    ]);

  test.each(['COUNTY TOTAL', 'Total', 'ADAMS Totals', '9'])('a subtotal called %j is not added', async (precinct) => {
    const { races, reasons } = await imported([
      ...precincts('SHERIFF'),
      { office: 'SHERIFF', precinct, candidate: 'ANN ROE', votes: 150 },
      { office: 'SHERIFF', precinct, candidate: 'BO DOE', votes: 36 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 150, 'Bo Doe': 36 }]);
    expect(reasons).toContain('is a subtotal');
  });

  test('a county that is the sum of the others is a subtotal', async () => {
    const rows = ['ADAMS', 'BANNER', 'CLAY'].flatMap((county, index) => [
      { office: 'GOVERNOR', county, candidate: 'ANN ROE', votes: 30 + index },
      { office: 'GOVERNOR', county, candidate: 'BO DOE', votes: 20 + 2 * index },
    ]);
    const total = [
      { office: 'GOVERNOR', county: 'NEBRASKA', candidate: 'ANN ROE', votes: 93 },
      { office: 'GOVERNOR', county: 'NEBRASKA', candidate: 'BO DOE', votes: 66 },
    ];
    const { races } = await imported([...rows, ...total].map((row) => ({ ...row, dataverse: 'STATE' })));
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 93, 'Bo Doe': 66 }]);
  });

  test('totals in addition to modes of voting are checked for each candidate', async () => {
    const row = { office: 'SHERIFF' };
    const good = await imported([
      { ...row, candidate: 'ANN ROE', votes: 10, mode: 'ABSENTEE' },
      { ...row, candidate: 'ANN ROE', votes: 20, mode: 'MACHINE' },
      { ...row, candidate: 'ANN ROE', votes: 30, mode: 'TOTAL' },
      { ...row, candidate: 'BO DOE', votes: 7, mode: 'TOTAL' },
    ]);
    expect(good.races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 30, 'Bo Doe': 7 }]);
    const bad = await imported([
      { ...row, candidate: 'ANN ROE', votes: 10, mode: 'ABSENTEE' },
      { ...row, candidate: 'ANN ROE', votes: 31, mode: 'TOTAL' },
    ]);
    expect(bad.races).toEqual([]);
    expect(bad.reasons).toContain('are not the sums of their modes of voting');
  });

  test('more votes than ballots show that more are elected than the source says', async () => {
    const { races, reasons } = await imported([
      { office: 'GOVERNOR', candidate: 'GO VERN', votes: 100, dataverse: 'STATE' },
      ...['ANN ROE', 'BO DOE', 'CY POE', 'DI LOE'].map((candidate, index) => ({
        office: 'TOWN BOARD',
        candidate,
        votes: 70 - index,
      })),
    ]);
    const board = races.find(({ office }) => office === 'Town Board');
    expect(board).toMatchObject({ seats: 3, won: [] });
    expect(reasons).toContain('more than 1 votes per ballot');
  });
});

describe('bad rows', () => {
  const governor: Row[] = [
    { office: 'GOVERNOR', candidate: 'ANN ROE', votes: 10, dataverse: 'STATE' },
    { office: 'SHERIFF', candidate: 'BO DOE', votes: 20 },
    { office: 'SHERIFF', candidate: 'CY POE', votes: 10 },
  ];

  test('with no number of votes cost the votes of their candidate, and are reported with their line', async () => {
    const { races, reasons } = await imported([
      ...governor,
      { office: 'SHERIFF', precinct: '2', candidate: 'BO DOE', votes: -1 },
    ]);
    expect(races.find(({ office }) => office === 'Sheriff')).toMatchObject({
      candidates: { 'Bo Doe': null, 'Cy Poe': 10 },
      won: [],
    });
    expect(races.find(({ office }) => office === 'Governor')?.candidates).toEqual({ 'Ann Roe': 10 });
    expect(reasons).toContain('line 5: votes: "-1" is not a number of votes');
  });

  test('with a wrong number of cells cost their contest', async () => {
    const { races, reasons } = await imported([
      ...governor,
      '"2","SHERIFF","x"',
      line({ office: 'CLERK', candidate: 'DI LOE', votes: 3 }),
    ]);
    expect(races.map(({ office }) => office)).toEqual(['Clerk', 'Governor']);
    expect(reasons).toContain('a.csv:5: has 3 cells');
    expect(reasons).toContain('SHERIFF | ADAMS: line 5 has 3 cells');
  });

  test('with a quote in a cell that is not quoted are read as written', async () => {
    const text = line({ office: 'CLERK', candidate: 'BEV', votes: 3 })
      .replaceAll('"', '')
      .replace('BEV', 'BEV "B" LOE');
    const { races } = await imported([text, line({ office: 'CLERK', candidate: 'DI LOE', votes: 2 })]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Bev "B" Loe': 3, 'Di Loe': 2 }]);
  });

  test('a file that cannot be read ends the import, or with keepGoing is skipped', async () => {
    const others = { 'b.csv': 'precinct,office\n1,SHERIFF\n' };
    await expect(imported(governor, {}, others)).rejects.toThrow(ImportError);
    const { races, reasons } = await imported(governor, { keepGoing: true }, others);
    expect(races).toHaveLength(2);
    expect(reasons).toMatch(/b\.csv: the file is skipped: line 1: the column .* is missing/);
  });
});
