import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { everywhere, importRows, line, type Row } from './result-rows.ts';

const database = useDatabase();
const imported = (
  rows: readonly (Row | string)[],
  options: ImportOptions = {},
  others: Record<string, string> = {},
): ReturnType<typeof importRows> => importRows(database, rows, options, others);

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
    // Four counties of Nebraska do not show who won an office of the state.
    const undecided = races.filter(({ won }) => won.join() !== 'Ann Roe');
    expect(undecided.map(({ office }) => office)).toEqual(["Nebraska People's Counsel"]);
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
      { name: 'Green Bonds - $50,000,000', district: 'Nebraska', type: 'State', yes: 240, no: 160, status: null },
    ]);
    expect(races).toMatchObject([
      { office: 'Judge', kind: 'Retention', position: 'Retention of Ann Roe', candidates: { 'Ann Roe': 12 } },
    ]);
  });

  test('about an authority are questions of the town or county that votes', async () => {
    const { measures } = await imported(
      ['4. CANNABIS ACT; MUNICIPAL AUTHORITY', '5. CANNABIS ACT - LOCAL AUTHORITY'].flatMap((office) => [
        { office, candidate: 'YES', votes: 5 },
        { office, candidate: 'NO', votes: 7 },
      ]),
    );
    expect(measures.map(({ district, type }) => [district, type])).toEqual([
      ['Adams County', 'County'],
      ['Adams County', 'County'],
    ]);
  });

  test('that an operator assigns get the office and district of the office map', async () => {
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

  test('a total of the state without a county is not added, although it is not the sum', async () => {
    const { races, reasons } = await imported([
      ...precincts('COUNTY TREASURER'),
      { office: 'COUNTY TREASURER', precinct: 'TOTAL', county: '', candidate: 'ANN ROE', votes: 153 },
      { office: 'COUNTY TREASURER', precinct: 'TOTAL', county: '', candidate: 'BO DOE', votes: 37 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 150, 'Bo Doe': 36 }]);
    expect(reasons).toContain('is a subtotal by its name');
  });

  test('precincts that are listed twice are replaced by the stated total of the county', async () => {
    const { races, reasons } = await imported([
      ...precincts('SHERIFF'),
      { office: 'SHERIFF', precinct: '1 Ward A', candidate: 'ANN ROE', votes: 20 },
      { office: 'SHERIFF', precinct: '1 Ward B', candidate: 'ANN ROE', votes: 10 },
      { office: 'SHERIFF', precinct: '1 Ward B', candidate: 'BO DOE', votes: 11 },
      { office: 'SHERIFF', precinct: 'ADAMS Total', candidate: 'ANN ROE', votes: 150 },
      { office: 'SHERIFF', precinct: 'ADAMS Total', candidate: 'BO DOE', votes: 36 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 150, 'Bo Doe': 36 }]);
    expect(reasons).toContain('add up to more than its stated total');
  });

  test('a total of the county that lacks a name replaces no precincts', async () => {
    const { races } = await imported([
      ...precincts('SHERIFF'),
      { office: 'SHERIFF', precinct: 'ADAMS Total', candidate: 'ANN ROE', votes: 140 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 150, 'Bo Doe': 36 }]);
  });

  test('votes for a name that only a total has are counted once', async () => {
    const { races } = await imported([
      ...precincts('SHERIFF'),
      ...['Total', 'ADAMS Total'].flatMap((precinct) => [
        { office: 'SHERIFF', precinct, candidate: 'ROE, ANN', votes: 150 },
        { office: 'SHERIFF', precinct, candidate: 'BO DOE', votes: 36 },
        { office: 'SHERIFF', precinct, candidate: 'CY POE', votes: 7 },
      ]),
      { office: 'SHERIFF', precinct: 'State Total', county: '', candidate: 'CY POE', votes: 7 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 150, 'Bo Doe': 36, 'Cy Poe': 7 }]);
  });

  test('a contest under another spelling of its district is not a second race', async () => {
    const contest = { office: 'STATE SENATE', dataverse: 'STATE' };
    const { races, reasons } = await imported([
      { ...contest, district: '031', candidate: 'ANN ROE', votes: 30 },
      { ...contest, district: '031', candidate: 'BO DOE', votes: 20 },
      { ...contest, district: 'SD31', candidate: 'ANN ROE', votes: 12 },
      { ...contest, district: 'SD31', candidate: 'BO DOE', votes: 9 },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 30, 'Bo Doe': 20 }]);
    expect(reasons).toContain('the source repeats a contest');
  });

  test('answers of one meaning are added', async () => {
    const { measures } = await imported([
      { office: 'LIBRARY LEVY', candidate: 'IN FAVOR OF', votes: 5 },
      { office: 'LIBRARY LEVY', candidate: 'AGAINST', votes: 2 },
      { office: 'LIBRARY LEVY', candidate: 'YES', votes: 7, precinct: '2' },
      { office: 'LIBRARY LEVY', candidate: 'NO', votes: 1, precinct: '2' },
      { office: 'ORDINANCE ON SHOPS', candidate: 'FOR PERMITTING SHOPS', votes: 4 },
      { office: 'ORDINANCE ON SHOPS', candidate: 'AGAINST PERMITTING SHOPS', votes: 3 },
      { office: 'SCHOOL BOND', candidate: 'YES (FOR THE BOND ISSUE)', votes: 8 },
      { office: 'SCHOOL BOND', candidate: 'NO (AGAINST THE BOND ISSUE)', votes: 6 },
    ]);
    expect(measures.map(({ name, yes, no }) => [name, yes, no])).toEqual([
      ['Library Levy', 12, 3],
      ['Ordinance on Shops', 4, 3],
      ['School Bond', 8, 6],
    ]);
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
    expect(bad.races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': null }]);
    expect(bad.reasons).toContain(
      'SHERIFF | ADAMS | 1 | ANN ROE: has a total that is not the sum of its modes of voting: 31 and 10',
    );
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
    expect(board).toMatchObject({ seats: null, won: [] });
    expect(reasons).toContain('more than 1 votes per ballot');
  });
});

describe('bad rows', () => {
  const governor: Row[] = [
    { office: 'GOVERNOR', candidate: 'ANN ROE', votes: 10, dataverse: 'STATE' },
    { office: 'SHERIFF', candidate: 'BO DOE', votes: 20 },
    { office: 'SHERIFF', candidate: 'CY POE', votes: 10 },
  ];

  test('without a valid number of votes make the votes of their candidate null, and are reported with their line', async () => {
    const { races, reasons } = await imported([
      ...governor,
      { office: 'SHERIFF', precinct: '2', candidate: 'BO DOE', votes: -1 },
    ]);
    expect(races.find(({ office }) => office === 'Sheriff')).toMatchObject({
      candidates: { 'Bo Doe': null, 'Cy Poe': 10 },
      // At least 20 votes, and so more than 10
      won: ['Bo Doe'],
    });
    expect(races.find(({ office }) => office === 'Governor of Nebraska')?.candidates).toEqual({ 'Ann Roe': 10 });
    expect(reasons).toContain('line 5: votes: "-1" is not a number of votes');
  });

  test('with a wrong number of cells exclude their contest', async () => {
    const { races, reasons } = await imported([
      ...governor,
      '"2","SHERIFF","x"',
      line({ office: 'CLERK', candidate: 'DI LOE', votes: 3 }),
    ]);
    expect(races.map(({ office }) => office)).toEqual(['Clerk', 'Governor of Nebraska']);
    expect(reasons).toContain('a.csv:5: has 3 cells');
    expect(reasons).toContain('SHERIFF | ADAMS: line 5 has 3 cells');
  });

  test('with a name divided by a comma are read with the shifted cells corrected', async () => {
    const plain = (row: Row) => line(row).replaceAll('"', '');
    const { races, reasons } = await imported([
      ...governor.map(plain),
      plain({ office: 'SHERIFF', precinct: '2', candidate: 'DOE, BO', votes: 7 }),
    ]);
    expect(races.find(({ office }) => office === 'Sheriff')?.candidates).toEqual({ 'Bo Doe': 27, 'Cy Poe': 10 });
    expect(reasons).toContain('a.csv:5: shifted cells are read as');
  });

  test('with a quote in a cell that is not quoted are read as written', async () => {
    const text = line({ office: 'CLERK', candidate: 'BEV', votes: 3 })
      .replaceAll('"', '')
      .replace('BEV', 'BEV "B" LOE');
    const { races } = await imported([text, line({ office: 'CLERK', candidate: 'DI LOE', votes: 2 })]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Bev "B" Loe': 3, 'Di Loe': 2 }]);
  });

  test('with backslashes, tabs and line breaks in cells are read whole', async () => {
    const rows = [
      { office: 'CLERK', candidate: 'AN\\NA ROE', votes: 3, precinct: 'C:\\new\\' },
      { office: 'CLERK', candidate: 'AN\\NA ROE', votes: 4, precinct: '\\.' },
      { office: 'CLERK', candidate: 'BO\tDOE', votes: 2, precinct: 'A\r\nB' },
    ];
    const { races } = await imported(rows);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Anna Roe': 7, 'Bo Doe': 2 }]);
  });

  test('a file that cannot be read ends the import, or with keepGoing is skipped', async () => {
    const others = { 'b.csv': 'precinct,office\n1,SHERIFF\n' };
    await expect(imported(governor, {}, others)).rejects.toThrow(ImportError);
    const { races, reasons } = await imported(governor, { keepGoing: true }, others);
    expect(races).toHaveLength(2);
    expect(reasons).toMatch(/b\.csv: the file is skipped: line 1: the column .* is missing/);
  });
});
