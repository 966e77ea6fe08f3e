import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { HEADER, type Imported, importFiles } from './result-rows.ts';

const database = useDatabase();

interface Line {
  office: string;
  candidate: string;
  votes: number;
  party?: string;
  district?: string;
  counties?: readonly string[];
  dataverse?: string;
  magnitude?: number;
  mode?: string;
  special?: boolean;
  stage?: string;
}

const COUNTIES: Record<string, string> = {
  ALBANY: '36001',
  ESSEX: '36031',
  KINGS: '36047',
  JEFFERSON: '22051',
  ORLEANS: '22071',
  CADDO: '22017',
  ADAMS: '17001',
  COOK: '17031',
  LAKE: '17097',
  APPLING: '13001',
  COBB: '13067',
  FULTON: '13121',
};

/** Imports a file of MEDSL whose columns are in another order, with a byte order mark. */
function importState(postal: string, date: string, lines: readonly Line[]): Promise<Imported> {
  const columns = HEADER.split(',').reverse();
  const rows = lines.flatMap(({ counties = [], ...line }) =>
    counties.flatMap((county) =>
      ['1', '2'].map((precinct) => {
        const { office, candidate, votes, party = '', district = '', dataverse = 'STATE', magnitude = 1 } = line;
        const { mode = 'TOTAL', special = false, stage = 'GEN' } = line;
        const cells: Record<string, string | number> = {
          ...{ precinct, office, candidate, votes, party_detailed: party, district, dataverse, magnitude, mode, stage },
          ...{ county_name: county, county_fips: COUNTIES[county] ?? '', jurisdiction_name: county },
          ...{ jurisdiction_fips: COUNTIES[county] ?? '', state_po: postal, date, writein: 'FALSE' },
          special: special ? 'TRUE' : 'FALSE',
        };
        return columns.map((column) => `"${cells[column]}"`).join(',');
      }),
    ),
  );
  return importFiles(database, 'medsl', { 'a.csv': `\uFEFF${[columns.join(','), ...rows].join('\r\n')}\r\n` });
}

const shown = ({ races }: Imported) =>
  Object.fromEntries(
    races.map(({ office, district, position, candidates, won }) => [
      [office, district, position].filter(Boolean).join(' | '),
      [candidates, won.toSorted()],
    ]),
  );

test('New York: candidates of several parties, courts and boards by district, several seats of a town', async () => {
  const all = ['ALBANY', 'ESSEX', 'KINGS'];
  const found = await importState('NY', '2018-11-06', [
    { office: 'GOVERNOR', candidate: 'ANDREW M CUOMO', party: 'DEMOCRATIC', votes: 500, counties: all },
    { office: 'GOVERNOR', candidate: 'ANDREW M CUOMO', party: 'WORKING FAMILIES', votes: 40, counties: all },
    { office: 'GOVERNOR', candidate: "MARC O'NEIL JR", party: 'REPUBLICAN', votes: 300, counties: all },
    { office: 'GOVERNOR', candidate: 'BLANK', votes: 12, counties: all },
    { office: 'GOVERNOR', candidate: 'SCATTERING', votes: 2, counties: all },
    ...['ANN ROE', 'BO MCDOE', 'CY POE'].map((candidate, index) => ({
      office: 'SUPREME COURT JUSTICE',
      ...{ candidate, votes: 300 - index, district: '003', magnitude: 2, counties: ['ALBANY', 'ESSEX'] },
    })),
    ...['AL LOE', 'DI MOE', 'ED NOE'].map((candidate, index) => ({
      office: 'TOWN OF KEENE COUNCIL MEMBER',
      ...{ candidate, votes: 90 - index, magnitude: 2, dataverse: 'LOCAL', counties: ['ESSEX'] },
    })),
    {
      office: 'COUNTY LEGISLATOR',
      candidate: 'FAY GOE',
      votes: 9,
      district: '012',
      dataverse: '',
      counties: ['ALBANY'],
    },
    { office: 'DISTRICT LEADER', candidate: 'HAL KOE', votes: 9, district: '52', dataverse: '', counties: ['KINGS'] },
  ]);
  expect(shown(found)).toEqual({
    'Council Member | Keene': [{ 'Al Loe': 180, 'Di Moe': 178, 'Ed Noe': 176 }, ['Al Loe', 'Di Moe']],
    'County Legislator | Albany County Legislator District 12': [{ 'Fay Goe': 18 }, ['Fay Goe']],
    'District Leader | Kings County District Leader District 52': [{ 'Hal Koe': 18 }, []],
    // Three counties of 62
    'Governor of New York | New York': [{ 'Andrew M. Cuomo': 3240, "Marc O'Neil Jr.": 1800 }, []],
    'Supreme Court Justice | New York Supreme Court District 3': [
      { 'Ann Roe': 1200, 'Bo McDoe': 1196, 'Cy Poe': 1192 },
      ['Ann Roe', 'Bo McDoe'],
    ],
  });
  expect(found.races.find(({ office }) => office.startsWith('Governor'))?.parties['Andrew M. Cuomo']).toEqual([
    'Democratic',
    'Working Families',
  ]);
});

test('Louisiana: parishes with councils and school boards, wards, divisions of a circuit', async () => {
  const found = await importState('LA', '2018-11-06', [
    {
      office: 'PARISH COUNCIL',
      candidate: 'AL LOE',
      votes: 9,
      district: 'A',
      dataverse: 'LOCAL',
      counties: ['JEFFERSON'],
    },
    { office: 'POLICE JUROR', candidate: 'BO LOE', votes: 9, district: '004', dataverse: 'LOCAL', counties: ['CADDO'] },
    {
      office: 'MEMBER OF SCHOOL BOARD',
      candidate: 'CY LOE',
      votes: 9,
      district: '5',
      dataverse: '',
      counties: ['ORLEANS'],
    },
    {
      office: 'CONSTABLE',
      candidate: 'DI LOE',
      votes: 9,
      district: 'WARD 3',
      dataverse: 'LOCAL',
      counties: ['JEFFERSON'],
    },
    {
      office: 'JUDGE, COURT OF APPEAL, 4TH CIRCUIT, DIVISION B',
      ...{ candidate: 'ED LOE', votes: 9, district: '004', counties: ['ORLEANS'] },
    },
  ]);
  expect(Object.keys(shown(found))).toEqual([
    'Constable | Jefferson Parish Constable Ward 3',
    'Judge, Court of Appeal | Louisiana Court of Appeal District 4 | Division B',
    'Member of School Board | Orleans Parish School District, District 5',
    'Parish Council | Jefferson Parish Council District A',
    'Police Juror | Caddo Parish Police Juror District 4',
  ]);
});

test('Illinois: retentions by the name of the judge, boards of a county, state and county treasurers', async () => {
  const question = (office: string, county: string) => [
    { office, candidate: 'YES', votes: 90, counties: [county] },
    { office, candidate: 'NO', votes: 80, counties: [county] },
  ];
  const found = await importState('IL', '2018-11-06', [
    ...question('RETAIN THOMAS L KILBRIDE - SUPREME COURT', 'ADAMS'),
    ...question('JUDICIAL RETENTION - DEBRA B WALKER', 'COOK'),
    ...question('CIRCUIT COURT JUDGE - COOK COUNTY - DI LOE', 'COOK'),
    {
      office: 'BOARD OF REVIEW COMMISSIONER',
      candidate: 'AL LOE',
      votes: 9,
      district: '2',
      dataverse: '',
      counties: ['COOK'],
    },
    { office: 'COUNTY COMMISSIONER', candidate: 'BO LOE', votes: 9, district: '2', dataverse: '', counties: ['COOK'] },
    { office: 'TREASURER', candidate: 'CY LOE', votes: 9, district: 'STATEWIDE', counties: ['ADAMS', 'COOK', 'LAKE'] },
    { office: 'TREASURER', candidate: 'ED LOE', votes: 9, dataverse: 'LOCAL', counties: ['ADAMS'] },
  ]);
  expect(shown(found)).toEqual({
    'Board of Review Commissioner | Cook County Board of Review Commissioner District 2': [{ 'Al Loe': 18 }, []],
    'Circuit Court Judge | Cook County | Retention of Di Loe': [{ 'Di Loe': 180 }, []],
    'County Commissioner | Cook County Commissioner District 2': [{ 'Bo Loe': 18 }, ['Bo Loe']],
    'Illinois Treasurer | Illinois': [{ 'Cy Loe': 54 }, []],
    'Judge | Cook County | Retention of Debra B. Walker': [{ 'Debra B. Walker': 180 }, []],
    'Justice of the Supreme Court of Illinois | Illinois | Retention of Thomas L. Kilbride': [
      { 'Thomas L. Kilbride': 180 },
      [],
    ],
    'Treasurer | Adams County': [{ 'Ed Loe': 18 }, []],
  });
});

test('Georgia: modes of voting with their total, marks of incumbents, a special election', async () => {
  const modes = (candidate: string, votes: number) =>
    [1, 2, 3].map((times) => ({
      office: 'PUBLIC SERVICE COMMISSION',
      ...{ candidate, votes: votes * times, mode: ['ABSENTEE', 'ELECTION DAY', 'TOTAL'][times - 1] ?? '' },
      ...{ district: '003', counties: ['APPLING', 'COBB', 'FULTON'] },
    }));
  const found = await importState('GA', '2018-11-06', [
    ...modes('LINDY MILLER', 100),
    ...modes('CHUCK EATON (I)', 110),
    { office: 'STATE SENATE', candidate: 'ANN ROE', votes: 9, district: '006', special: true, counties: ['COBB'] },
  ]);
  expect(shown(found)).toEqual({
    'Georgia Public Service Commission | Georgia | Position 3': [{ 'Lindy Miller': 1800, 'Chuck Eaton': 1980 }, []],
    'Georgia State Senate District 6 | Georgia State Senate District 6': [{ 'Ann Roe': 18 }, ['Ann Roe']],
  });
  expect(found.races.map(({ kind }) => kind)).toEqual(['Regular', 'Special']);
});

test('a runoff of OpenElections is one, in January for the seat of the year before', async () => {
  const counties = ['Appling', 'Cobb', 'Fulton'];
  const text = [
    'county,precinct,office,district,party,candidate,election_day,votes',
    ...counties.map((county) => `${county},1,U.S. Senate,,R,David A. Perdue (I),10,30`),
    ...counties.map((county) => `${county},1,U.S. Senate,,D,Jon Ossoff,10,40`),
  ].join('\n');
  const { races } = await importFiles(database, 'openelections', {
    '20210105__ga__general__runoff__precinct.csv': `${text}\n`,
  });
  expect(races.map(({ office, candidates, won }) => [office, candidates, won])).toEqual([
    ['U.S. Senate Georgia', { 'David A. Perdue': 90, 'Jon Ossoff': 120 }, []],
  ]);
});

test('a race with more votes than its ballots and seats allow has no winner, unless a body has as many seats as candidates', async () => {
  const counties = ['ADAMS', 'COOK', 'LAKE'];
  const { races } = await importState('IL', '2018-11-06', [
    { office: 'US HOUSE', candidate: 'ANN ROE', votes: 60, district: '1', dataverse: 'HOUSE', counties },
    { office: 'SHERIFF', candidate: 'BO DOE', votes: 60, dataverse: 'LOCAL', counties: ['ADAMS'] },
    { office: 'SHERIFF', candidate: 'CY POE', votes: 30, dataverse: 'LOCAL', counties: ['ADAMS'] },
    { office: 'COUNTY BOARD', candidate: 'DI LOE', votes: 45, dataverse: 'LOCAL', counties: ['ADAMS'] },
    { office: 'COUNTY BOARD', candidate: 'ED MOE', votes: 40, dataverse: 'LOCAL', counties: ['ADAMS'] },
    { office: 'CITY COUNCIL', candidate: 'FAY NOE', votes: 45, dataverse: 'LOCAL', counties: ['COOK'] },
    { office: 'CITY COUNCIL', candidate: 'GUS GOE', votes: 40, dataverse: 'LOCAL', counties: ['COOK'] },
    { office: 'CITY COUNCIL', candidate: 'HAL KOE', votes: 10, dataverse: 'LOCAL', counties: ['COOK'] },
  ]);
  expect(races.map(({ seats, won }) => [seats, won])).toEqual([
    // Nobody states how many.
    [null, []],
    [null, ['Di Loe', 'Ed Moe']],
    // A county has one sheriff.
    [1, []],
    [1, ['Ann Roe']],
  ]);
});

test('Idaho, Washington and Nebraska: seats of one district, a legislature of one chamber', async () => {
  const seat = (office: string, district: string, candidate: string): Line => ({
    ...{ office, district, candidate, votes: 9, counties: ['ADAMS'] },
  });
  const stored = async (postal: string, lines: readonly Line[]) =>
    Object.keys(shown(await importState(postal, '2022-11-08', lines)));
  const house = 'Idaho House of Representatives District 10';
  expect(await stored('ID', [seat('STATE HOUSE', '10A', 'ANN ROE'), seat('STATE HOUSE', '10B', 'BO DOE')])).toEqual([
    `${house} | ${house} | Seat A`,
    `${house} | ${house} | Seat B`,
  ]);
  const positions = [1, 2].map((n) => seat(`STATE REPRESENTATIVE POS. ${n}`, '001', `${n === 1 ? 'ANN' : 'BO'} ROE`));
  const washington = 'Washington House of Representatives District 1';
  expect(await stored('WA', positions)).toEqual([
    `${washington} | ${washington} | Position 1`,
    `${washington} | ${washington} | Position 2`,
  ]);
  const nebraska = 'Nebraska Legislature District 3';
  expect(await stored('NE', [seat('MEMBER OF THE LEGISLATURE', 'DISTRICT 03', 'ANN ROE')])).toEqual([
    `${nebraska} | ${nebraska}`,
  ]);
});

test('District of Columbia: a delegate, members of the Council by ward, offices of the whole district', async () => {
  const of = (office: string, candidate: string, dataverse = 'LOCAL'): Line => ({
    ...{ office, candidate, dataverse, votes: 9, counties: ['DISTRICT OF COLUMBIA'] },
  });
  const found = await importState('DC', '2022-11-08', [
    of('DELEGATE TO THE HOUSE OF REPRESENTATIVES', 'ANN ROE', 'HOUSE'),
    of('UNITED STATES SENATOR', 'BO DOE', 'SENATE'),
    of('WARD THREE MEMBER OF THE COUNCIL OF THE DISTRICT OF COLUMBIA', 'CY POE'),
    of('MAYOR OF THE DISTRICT OF COLUMBIA', 'DI MOE'),
  ]);
  expect(found.races.map(({ office, district }) => [office, district])).toEqual([
    ['District of Columbia Council Ward 3', 'District of Columbia Council Ward 3'],
    ['District of Columbia US Senator', 'District of Columbia'],
    ['Mayor of the District of Columbia', 'District of Columbia'],
    ['U.S. House District of Columbia At-large District', 'District of Columbia At-large District'],
  ]);
});

const SHERIFF: Line = { office: 'SHERIFF', candidate: 'CY POE', votes: 9, dataverse: 'LOCAL', counties: ['ADAMS'] };

test('a seat of Congress needs a district that the state has', async () => {
  const house = (district: string): Line => ({
    ...{ office: 'US HOUSE', candidate: 'ANN ROE', votes: 9, dataverse: 'HOUSE', counties: ['ADAMS'], district },
  });
  for (const district of ['', '18']) {
    const why = district ? 'the state has 17 districts of Congress' : 'does not name the district';
    const { races, reasons } = await importState('IL', '2022-11-08', [SHERIFF, house(district)]);
    expect(races.map(({ office }) => office)).toEqual(['Sheriff']);
    expect(reasons).toContain(why);
    await expect(importState('IL', '2022-11-08', [house(district)])).rejects.toThrow(why);
  }
  for (const district of ['AT LARGE', '000', '001', 'STATEWIDE', '']) {
    const { races } = await importState('WY', '2022-11-08', [house(district)]);
    expect(races.map((race) => race.district)).toEqual(['Wyoming At-large District']);
  }
});

test('OpenElections: seats of legislatures and numbered districts of a state under the names of several states', async () => {
  const stored = async (postal: string, contests: readonly (readonly [office: string, district: string])[]) => {
    const rows = contests.flatMap(([office, district]) =>
      ['Adams', 'Butler', 'Clark', 'Dane', 'Essex', 'Fayette']
        .slice(0, district === '' ? 1 : 2)
        .map((county) => `${county},1,"${office}",${district},DEM,Ann Roe,9`),
    );
    const text = ['county,precinct,office,district,party,candidate,votes', ...rows].join('\n');
    const { races } = await importFiles(database, 'openelections', {
      [`20201103__${postal}__general__precinct.csv`]: `${text}\n`,
    });
    return races.map(({ office, district, type }) => [office, district, type]);
  };
  const lower = 'State Legislative (Lower)';
  const house = 'Pennsylvania House of Representatives District';
  const found = await stored('pa', [
    ['General Assembly', '21'],
    ['Representative in the General Assembly', '22'],
    ['Mayor of Easton', ''],
  ]);
  expect(found).toEqual([
    ['Mayor', 'Easton', 'City-town'],
    [`${house} 21`, `${house} 21`, lower],
    [`${house} 22`, `${house} 22`, lower],
  ]);
  expect(
    await stored('oh', [
      ['House District 6', ''],
      ['Senate', '7'],
    ]),
  ).toEqual([
    ['Ohio House of Representatives District 6', 'Ohio House of Representatives District 6', lower],
    ['Ohio State Senate District 7', 'Ohio State Senate District 7', 'State Legislative (Upper)'],
  ]);
  const assembly = 'Wisconsin State Assembly District 37';
  expect(await stored('wi', [['Assembly', '37']])).toEqual([[assembly, assembly, lower]]);
  expect(await stored('la', [['Public Service Commission', '5']])).toEqual([
    ['Public Service Commission', 'Louisiana Public Service Commission District 5', 'State subdivision'],
  ]);
  expect(await stored('oh', [['Judge of the Court of Appeals', '4']])).toEqual([
    ['Judge of the Court of Appeals', 'Ohio Court of Appeals District 4', 'Judicial District'],
  ]);
});

test('each state has its own race of electors of the president, in whichever order files are imported', async () => {
  const file = (votes: number) =>
    [
      'county,precinct,office,district,party,candidate,votes',
      `Adams,1,President,,DEM,Joe Biden,${votes}`,
      'Adams,1,Sheriff,,,Ann Roe,1',
      '',
    ].join('\n');
  const files = {
    '20201103__il__general__precinct.csv': file(7),
    '20201103__ga__general__precinct.csv': file(5),
  };
  const { races } = await importFiles(database, 'openelections', files);
  const president = races.filter(({ office }) => office === 'President');
  expect(president.map(({ position, candidates }) => [position, candidates])).toEqual([
    [null, { 'Joe Biden': expect.any(Number) }],
    [null, { 'Joe Biden': expect.any(Number) }],
  ]);
  expect(president.map(({ candidates }) => candidates['Joe Biden']).toSorted()).toEqual([5, 7]);
});

test('OpenElections: columns, file names, capitals, answers, special elections and districts as states write them', async () => {
  const rows = ['King', 'Pierce', 'Yakima'].flatMap((county) => [
    `${county},1,Referendum Measure No. 90,,,Approved,"1,040"`,
    `${county},1,Referendum Measure No. 90,,,Rejected,30`,
    `${county},1,Registered Voters,,,,900`,
    `${county},1,Governor,,WOR,Ann Roe,70`,
    `${county},1,State Representative,2nd Representative District,DEM,Bo Doe,70`,
  ]);
  const local = ['King,1,BART Director District 3,,,Cy Poe,5', 'King,1,Mayor of DeKalb - Special,,,Di Loe,5'];
  const text = ['County,Precinct,Office,District,Party,Candidate,Total Votes', ...rows, ...local].join('\n');
  const { races, measures, reasons } = await importFiles(database, 'openelections', {
    '20201103__WA__General__king-county__precinct.csv': `${text}\n`,
  });
  expect(races.map(({ office, district, kind }) => [office, district, kind])).toEqual([
    ['BART Director', 'BART, District 3', 'Regular'],
    ['Governor of Washington', 'Washington', 'Regular'],
    ['Mayor', 'DeKalb', 'Special'],
    ['Washington House of Representatives District 2', 'Washington House of Representatives District 2', 'Regular'],
  ]);
  expect(measures).toEqual([
    { name: 'Referendum Measure No. 90', district: 'Washington', type: 'State', yes: 3120, no: 90, status: null },
  ]);
  expect(reasons).not.toContain('a few written-in votes');
});

test('a retention that the text of a court names is a race', async () => {
  const { races } = await importState('IL', '2018-11-06', [
    ...['YES', 'NO'].map((candidate, index) => ({
      office: 'DISTRICT COURT OF APPEAL, 1ST DISTRICT - RETAIN JUDGE ANN ROE',
      ...{ candidate, votes: 9 - index, counties: ['ADAMS', 'COOK', 'LAKE'] },
    })),
  ]);
  expect(races.map(({ kind, position, candidates }) => [kind, position, candidates])).toEqual([
    ['Retention', 'Retention of Ann Roe', { 'Ann Roe': 54 }],
  ]);
});

test('a row without an office is left out and reported', async () => {
  const { races, reasons } = await importState('IL', '2018-11-06', [
    { office: '', district: 'HD12', candidate: 'ANN ROE', votes: 9, counties: ['COOK'] },
    SHERIFF,
  ]);
  expect(races.map(({ office }) => office)).toEqual(['Sheriff']);
  expect(reasons).toContain('the source does not name the office: 1 names with 18 votes');
});
