import { describe, expect, test } from 'vitest';
import { countyCount } from '../../src/importers/results/county-counts.ts';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();
const HEADER = 'county,precinct,office,district,party,candidate,votes\n';

/** Imports files of counties, by the parts of their names after `general`, with the rows of one precinct each. */
async function importCounties(day: string, state: string, files: Readonly<Record<string, readonly string[]>>) {
  return importFiles(
    database,
    'openelections',
    Object.fromEntries(
      Object.entries(files).map(([name, rows]) => [
        `${day}__${state}__general__${name}.csv`,
        HEADER + rows.map((row) => `${row.replace(',', ',1,')}\n`).join(''),
      ]),
    ),
  );
}

describe('files of single counties', () => {
  const header = 'county,precinct,office,district,party,candidate,votes\n';
  const adams = `${header}Adams,1,Governor,,DEM,Ann Roe,70
Adams,1,Governor,,REP,Bo Doe,50
Adams,1,State Comptroller,,DEM,Cy Poe,60
Adams,1,State Assembly,12,DEM,Ed Koe,60
Adams,1,State's Attorney,,DEM,Di Loe,60
Adams,1,Constitutional Amendment 2,,,Yes,60
Adams,1,Constitutional Amendment 2,,,No,20
Adams,1,Library Levy,,,Yes,60
Adams,1,Library Levy,,,No,20
`;
  const clay = `${header}Clay,1,Governor,,DEM,Ann Roe,10
Clay,1,Governor,,REP,Bo Doe,55
Clay,1,State's Attorney,,DEM,Fay Moe,40
`;

  test('have parts of the contests of the state and its districts, which are added up without an outcome', async () => {
    const { races, measures, reasons } = await importFiles(database, 'openelections', {
      '20201103__ne__general__adams__precinct.csv': adams,
      '20201103__ne__general__clay__precinct.csv': clay,
    });
    expect(races.map(({ office: name, district, candidates, won }) => [name, district, candidates, won])).toEqual([
      ['Governor of Nebraska', 'Nebraska', { 'Ann Roe': 80, 'Bo Doe': 105 }, []],
      ['Nebraska Comptroller', 'Nebraska', { 'Cy Poe': 60 }, []],
      [expect.stringContaining('12'), expect.stringContaining('12'), { 'Ed Koe': 60 }, []],
      ["State's Attorney", 'Adams County', { 'Di Loe': 60 }, ['Di Loe']],
      ["State's Attorney", 'Clay County', { 'Fay Moe': 40 }, ['Fay Moe']],
    ]);
    expect(measures.map(({ name, district, status }) => [name, district, status])).toEqual([
      ['Constitutional Amendment 2', 'Nebraska', null],
      ['Library Levy', 'Adams County', null],
    ]);
    expect(reasons).toContain('GOVERNOR: the files are of single counties');
  });

  test('join the spellings of a candidate in several counties', async () => {
    const { races, reasons } = await importCounties('20201103', 'pa', {
      butler__precinct: [
        'BUTLER,PRESIDENT,,D,ROE / KOE,300',
        'BUTLER,PRESIDENT,,R,DOE / LOE,600',
        'BUTLER,ATTORNEY GENERAL,,D,FAY MOE,310',
        'BUTLER,SHERIFF,,R,MIKE POE,400',
      ],
      elk__precinct: [
        'Elk,President,,Democratic,Ann Roe,100',
        'Elk,President,,Republican,Bo Doe and Cy Loe,200',
        'Elk,Attorney General,,Democratic,"Moe, Fay",90',
        'Elk,Sheriff,,Republican,Mike Poe,70',
      ],
      erie__precinct: ['Erie,President,,DEM,"Ann R. Roe",500', 'Erie,Attorney General,,DEM,Fay Moe,510'],
    });
    expect(races.map(({ office, district, candidates, won }) => [office, district, candidates, won])).toEqual([
      ['Attorney General of Pennsylvania', 'Pennsylvania', { 'Fay Moe': 910 }, []],
      ['President', 'United States', { 'Ann R. Roe': 900, 'Bo Doe': 800 }, []],
      ['Sheriff', 'Butler County', { 'Mike Poe': 400 }, ['Mike Poe']],
      ['Sheriff', 'Elk County', { 'Mike Poe': 70 }, ['Mike Poe']],
    ]);
    expect(reasons).toMatch(/ROE \/ KOE: is another spelling of Ann R. Roe: its 300 votes are added/);
  });

  test('have the outcome of all contests if no county of the state is missing', async () => {
    const rows = (county: string, votes: number) => [
      `${county},U.S. House,,DEM,Ann Roe,${votes}`,
      `${county},U.S. House,,REP,Bo Doe,${votes - 10}`,
      `${county},Sheriff,,REP,Cy ${county.slice(0, 4)},${votes}`,
      `${county},Question 1,,,Yes,${votes}`,
      `${county},Question 1,,,No,10`,
    ];
    const counties = { kent: rows('Kent', 20), new_castle: rows('New Castle', 30), sussex: rows('Sussex', 40) };
    const all = await importCounties('20221108', 'de', counties);
    expect(all.races.map(({ office, candidates, won }) => [office, candidates, won])).toEqual([
      ['Sheriff', { 'Cy Kent': 20 }, ['Cy Kent']],
      ['Sheriff', { 'Cy New': 30 }, ['Cy New']],
      ['Sheriff', { 'Cy Suss': 40 }, ['Cy Suss']],
      ['U.S. House Delaware At-large District', { 'Ann Roe': 90, 'Bo Doe': 60 }, ['Ann Roe']],
    ]);
    expect(all.measures).toMatchObject([{ name: 'Question 1', district: 'Delaware', status: 'Approved' }]);
    const { kent, sussex } = counties;
    const some = await importCounties('20221108', 'de', { kent, sussex });
    expect(some.races.at(-1)).toMatchObject({ candidates: { 'Ann Roe': 60, 'Bo Doe': 40 }, won: [] });
    expect(some.measures).toMatchObject([{ name: 'Question 1', district: 'Delaware', status: null }]);
  });

  test('do not make the courts and boards of a state those of a county', async () => {
    const { races, measures, reasons } = await importCounties('20221108', 'pa', {
      forest__precinct: [
        'Forest,Judge of the Superior Court,,DEM,Ann Roe,70',
        'Forest,Judge of the Commonwealth Court,,DEM,Bo Doe,70',
        'Forest,Judge of the Superior Court - CY POE,,,Yes,60',
        'Forest,Judge of the Superior Court - CY POE,,,No,20',
        'Forest,Judicial Retention - DI LOE,,,Yes,60',
        'Forest,Judicial Retention - DI LOE,,,No,20',
        'Forest,"Member, State Board of Education",10,,Ed Koe,50',
        'Forest,Port Commissioner - Port of Erie,,,Fay Moe,50',
        'Forest,Proposal 20-1,,,Yes,50',
        'Forest,Proposal 20-1,,,No,40',
        'Forest,Measure H,,,Yes,50',
        'Forest,Measure H,,,No,40',
      ],
    });
    expect(races.map(({ office, district, won }) => [office, district, won])).toEqual([
      ['Judge of the Commonwealth Court of Pennsylvania', 'Pennsylvania', []],
      ['Judge of the Superior Court of Pennsylvania', 'Pennsylvania', []],
      ['Judge of the Superior Court of Pennsylvania', 'Pennsylvania', []],
      ['Member, State Board of Education', 'Pennsylvania Member, State Board of Education District 10', []],
      ['Port Commissioner - Port of Erie', 'Port of Erie', []],
    ]);
    expect(measures.map(({ name, district }) => [name, district])).toEqual([
      ['Measure H', 'Forest County'],
      ['Proposal 20-1', 'Pennsylvania'],
    ]);
    expect(reasons).toContain('the source does not name the district of the court: yes 60, no 20');
  });

  test('are no part if their name says which contest they have', async () => {
    const { races } = await importCounties('20081125', 'wy', {
      state_house__22: ['Teton,State House,22,R,Ann Roe,166', 'Teton,State House,22,D,Bo Doe,326'],
    });
    expect(races).toMatchObject([{ candidates: { 'Bo Doe': 326, 'Ann Roe': 166 }, won: ['Bo Doe'] }]);
  });

  test('of one county twice are not added up', async () => {
    const rows = ['Elk,Governor,,DEM,Ann Roe,100', 'Elk,Sheriff,,DEM,Bo Doe,100'];
    const { races, reasons } = await importCounties('20221108', 'pa', {
      elk: rows,
      elk__precinct: [...rows, 'Elk,Coroner,,DEM,Cy Poe,100'],
    });
    expect(races.map(({ candidates }) => candidates)).toEqual([
      { 'Cy Poe': 100 },
      { 'Ann Roe': 100 },
      { 'Bo Doe': 100 },
    ]);
    expect(reasons).toContain('elk__precinct.csv | Sheriff: 20221108__pa__general__elk.csv has the contest too');
  });
});

test('the numbers of counties are those of the Census', () => {
  expect([countyCount('TX'), countyCount('pa'), countyCount('DE'), countyCount('AK')]).toEqual([254, 67, 3, undefined]);
});

describe('files of single towns', () => {
  const town = (name: string, rows: readonly string[]) => ({
    [`20161108__ma__general__${name.toLowerCase()}__precinct.csv`]: [
      'county,town,precinct,party,office,district,candidate,votes',
      ...rows.flatMap((row) => [`Barnstable,${name},1,,${row}`, `Barnstable,${name},2,,${row}`]),
      '',
    ].join('\n'),
  });

  test('have a part of the contests of their county, which are added up without an outcome', async () => {
    const { races, reasons } = await importFiles(database, 'openelections', {
      ...town('Falmouth', [
        'Sheriff,,Ann Roe,50',
        'Councillor,1,Bo Roe,50',
        'State House,Barnstable 3,Cy Roe,60',
        'Town Clerk,,Di Roe,40',
      ]),
      ...town('Bourne', ['Sheriff,,Ann Roe,30', 'Councillor,1,Bo Roe,20']),
    });
    expect(races.map(({ office, district, candidates, won }) => [office, district, candidates, won])).toEqual([
      ['Councillor', 'Massachusetts Councillor District 1', { 'Bo Roe': 140 }, []],
      [
        'Massachusetts House of Representatives 3rd Barnstable District',
        'Massachusetts House of Representatives 3rd Barnstable District',
        { 'Cy Roe': 120 },
        [],
      ],
      ['Sheriff', 'Barnstable County', { 'Ann Roe': 160 }, []],
      ['Town Clerk', 'Falmouth', { 'Di Roe': 80 }, ['Di Roe']],
    ]);
    expect(reasons).toContain('SHERIFF | Barnstable: the files are of single counties or towns');
  });

  test('are left out where the file of the county has the contest', async () => {
    const { races, reasons } = await importFiles(database, 'openelections', {
      ...town('Bourne', ['Sheriff,,Ann Roe,30']),
      '20161108__ma__general__z_barnstable__precinct.csv': `${HEADER}Barnstable,1,Sheriff,,,Ann Roe,300\n`,
    });
    expect(races.map(({ office, candidates }) => [office, candidates])).toEqual([['Sheriff', { 'Ann Roe': 300 }]]);
    expect(reasons).toContain('z_barnstable__precinct.csv has the contest too');
  });
});

test('a mark in place of counts shows that a precinct does not vote on the contest', async () => {
  const rows = (candidate: string, counts: readonly string[]) =>
    counts.map((votes, index) => `Adams,${index},State Senate,37,,${candidate},${votes}`);
  const { races } = await importFiles(database, 'openelections', {
    '20191105__ms__general__adams__precinct.csv': [
      HEADER.trim(),
      ...rows('Ann Roe', ['10', 'X', '12', '5']),
      ...rows('Bo Roe', ['20', 'X', '22', 'X']),
      '',
    ].join('\n'),
  });
  expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 27, 'Bo Roe': null }]);
});

test('the Board of Equalization of California is not one of the county of a file', async () => {
  const { races } = await importCounties('20181106', 'ca', {
    sierra: ['Sierra,Board of Equalization,1,REP,Ann Roe,26'],
  });
  expect(races.map(({ district, won }) => [district, won])).toEqual([
    ['California Board of Equalization District 1', []],
  ]);
});

describe('a file of OpenElections without the column of the party', () => {
  const lines = ['county,office,district,candidate,votes', 'Adams,Sheriff,,Ann Roe,26', 'Adams,Sheriff,,Bo Roe,20', ''];
  const read = (kind: string) =>
    importFiles(database, 'openelections', { [`20181106__ms__${kind}__adams__county.csv`]: lines.join('\n') });

  test('has candidates without a party', async () => {
    const { races } = await read('general');
    expect(races.map(({ candidates, parties }) => [candidates, parties])).toEqual([
      [
        { 'Ann Roe': 26, 'Bo Roe': 20 },
        { 'Ann Roe': [], 'Bo Roe': [] },
      ],
    ]);
  });

  test('is rejected for a primary: a contest of each party would be one', async () => {
    await expect(read('primary')).rejects.toThrow('primary__adams__county.csv:1: the column party is missing');
  });
});

test('a numbered question is one of the state if at least half of the counties in the files vote on it', async () => {
  const { measures } = await importCounties('20201103', 'or', {
    lane__precinct: [
      'Lane,Measure 109,,,Yes,60',
      'Lane,Measure 109,,,No,40',
      'Lane,Measure 7,,,Yes,9',
      'Lane,Measure 7,,,No,8',
    ],
    linn__precinct: ['Linn,Measure 109,,,Yes,30', 'Linn,Measure 109,,,No,35'],
    polk__precinct: ['Polk,MEASURE 109,,,YES,10', 'Polk,MEASURE 109,,,NO,11'],
    coos__precinct: ['Coos,State Measure 3,,,Yes,5', 'Coos,State Measure 3,,,No,4'],
    lake__precinct: ['Lake,State Measure 3,,,Yes,3', 'Lake,State Measure 3,,,No,2'],
  });
  expect(measures.map(({ name, district, yes, no }) => [name, district, yes, no])).toEqual([
    ['Measure 109', 'Oregon', 100, 86],
    ['Measure 7', 'Lane County', 9, 8],
    ['State Measure 3', 'Oregon', 8, 6],
  ]);
});
