import { describe, expect, test } from 'vitest';
import { countyCount } from '../../src/importers/results/county-counts.ts';
import { branchOf } from '../../src/importers/results/offices.ts';
import { useDatabase } from '../support/database.ts';
import { HEADER, type Imported, importFiles } from './result-rows.ts';

const database = useDatabase();

/** The fields that all lines of a state have. */
interface Setting {
  state: string;
  counties: readonly string[];
  date?: string;
  level?: 'STATE' | 'LOCAL';
  special?: boolean;
}

/** Imports lines `office | district | candidate | party | votes` of a file of MEDSL, in each of the counties. */
function importLines(setting: Setting, lines: readonly string[], others: readonly string[] = []): Promise<Imported> {
  const { state, counties, date = '2022-11-08', level = 'STATE', special = false } = setting;
  const quoted = (cells: readonly unknown[]) =>
    cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',');
  const row = (county: string, line: string, of: string) => {
    const [office, district, candidate, party, votes] = line.split('|').map((each) => each.trim());
    return quoted(
      HEADER.split(',').map((name) => {
        const cells: Record<string, unknown> = {
          ...{ precinct: '1', office, district, candidate, party_detailed: party, votes, mode: 'TOTAL', magnitude: 1 },
          ...{ county_name: county, jurisdiction_name: county, dataverse: of, stage: 'GEN', writein: 'FALSE' },
          ...{ special: special ? 'TRUE' : 'FALSE', state_po: state, date },
        };
        return cells[name] ?? '';
      }),
    );
  };
  const rows = [
    ...counties.flatMap((county) => lines.map((line) => row(county, line, level))),
    // Offices of the whole state have votes in all counties.
    ...[...counties, ...othersOf(state, counties.length)].flatMap((county) =>
      ['GOVERNOR||ANN GOV|DEMOCRAT|900', ...others].map((line) => row(county, line, 'STATE')),
    ),
  ];
  return importFiles(database, 'medsl', { 'a.csv': `${[HEADER, ...rows].join('\n')}\n` });
}

/** Returns names of the other counties of a state. */
function othersOf(state: string, count: number): string[] {
  return Array.from({ length: Math.max(4, (countyCount(state) ?? 0) - count) }, (_, index) => `OTHER ${index}`);
}

const shown = ({ races }: Imported) =>
  races
    .filter(({ office }) => !office.startsWith('Governor of'))
    .map(({ office, district, type, position }) =>
      [office, `${type}: ${district}`, position].filter(Boolean).join(' | '),
    )
    .toSorted();

describe('a leader without a majority', () => {
  const winners = async (setting: Setting, lines: readonly string[]) => {
    const { races, reasons } = await importLines(setting, lines);
    expect(reasons.includes('no candidate has the majority')).toBe(races.some(({ won }) => won.length === 0));
    return races.filter(({ office }) => !office.startsWith('Governor of')).flatMap(({ won }) => won);
  };
  const three = (office: string, parties: readonly string[], votes = [45, 40, 15]) =>
    ['ANN ROE', 'BO POE', 'CY LOE'].map((name, index) => `${office}||${name}|${parties[index] ?? ''}|${votes[index]}`);
  const PARTIES = ['DEMOCRAT', 'REPUBLICAN', 'LIBERTARIAN'];
  const inCounty = { state: 'OH', counties: ['ALLEN'], level: 'LOCAL' } as const;

  test('is elected in a partisan election, of the states that have no runoff for it', async () => {
    expect(await winners(inCounty, three('SHERIFF', PARTIES))).toEqual(['Ann Roe']);
    expect(await winners({ state: 'TX', counties: ['HARRIS'] }, three('STATE HOUSE|134', PARTIES))).toHaveLength(0);
  });

  test('is not known to be elected without parties, and is with a majority', async () => {
    expect(await winners(inCounty, three('MAYOR OF LIMA', []))).toEqual([]);
    expect(await winners(inCounty, three('MAYOR OF LIMA', [], [60, 30, 10]))).toEqual(['Ann Roe']);
  });

  test('is not known to be elected in an election of all parties together', async () => {
    expect(await winners(inCounty, three('SHERIFF', ['DEMOCRAT', 'DEMOCRAT', 'REPUBLICAN']))).toEqual([]);
    expect(await winners(inCounty, three('SHERIFF', ['INDEPENDENT', 'INDEPENDENT', 'REPUBLICAN']))).toEqual([
      'Ann Roe',
    ]);
  });

  test('has a runoff where the law says so', async () => {
    expect(await winners({ ...inCounty, state: 'GA' }, three('SHERIFF', PARTIES))).toEqual([]);
    expect(await winners({ ...inCounty, state: 'LA' }, three('SHERIFF', PARTIES))).toEqual([]);
    expect(await winners({ ...inCounty, state: 'AR' }, three('SHERIFF', PARTIES))).toEqual([]);
  });
});

describe('a question that needs more than a majority', () => {
  const statusOf = async (state: string, question: string, yes: number, no: number, local = false) => {
    const lines = [`${question}||YES||${yes}`, `${question}||NO||${no}`];
    const setting = { state, counties: ['LAKE'], level: 'LOCAL' } as const;
    const { measures } = local ? await importLines(setting, lines) : await importLines(setting, [], lines);
    return measures.map(({ status }) => status);
  };

  test('is an amendment of a constitution in some states', async () => {
    expect(await statusOf('FL', 'AMENDMENT NO. 1', 57, 43)).toEqual(['Defeated']);
    expect(await statusOf('FL', 'AMENDMENT NO. 1', 61, 39)).toEqual(['Approved']);
    expect(await statusOf('CO', 'AMENDMENT D', 53, 47)).toEqual([null]);
    expect(await statusOf('CO', 'PROPOSITION 121', 53, 47)).toEqual(['Approved']);
    expect(await statusOf('MN', 'CONSTITUTIONAL AMENDMENT 1', 90, 10)).toEqual([null]);
    expect(await statusOf('MN', 'CONSTITUTIONAL AMENDMENT 1', 40, 60)).toEqual(['Defeated']);
    expect(await statusOf('GA', 'CONSTITUTIONAL AMENDMENT 1', 51, 49)).toEqual(['Approved']);
  });

  test('is about bonds in some states', async () => {
    expect(await statusOf('CA', 'LAKE SCHOOL DISTRICT BONDS', 54, 46, true)).toEqual([null]);
    expect(await statusOf('CA', 'LAKE SCHOOL DISTRICT BONDS', 68, 32, true)).toEqual(['Approved']);
    expect(await statusOf('CA', 'LAKE SCHOOL DISTRICT BONDS', 44, 56, true)).toEqual(['Defeated']);
    expect(await statusOf('TX', 'LAKE SCHOOL DISTRICT BONDS', 54, 46, true)).toEqual(['Approved']);
  });
});

describe('the retention of a judge', () => {
  const retained = async (state: string, counties: readonly string[], office: string, district = '') => {
    const answers = (text: string) => [`${text}|${district}|YES||50`, `${text}|${district}|NO||40`];
    const isStatewide = counties.length === 0;
    const { races, measures } = await importLines(
      { state, counties },
      isStatewide ? [] : answers(office),
      isStatewide ? answers(office) : [],
    );
    expect(measures).toEqual([]);
    return races
      .filter(({ kind }) => kind === 'Retention')
      .map(({ office: name, district: of, candidates }) => [name, of, ...Object.keys(candidates)].join(' | '));
  };

  test('in a county whose name has parentheses, which are no part of a pattern', async () => {
    const [found] = await retained(
      'IL',
      ['COOK (PART)'],
      'RETENTION - COOK (PART) COUNTY JUDICIAL CIRCUIT - JANE E ROE',
    );
    expect(found).toContain('Jane E. Roe');
  });

  test('in a county whose name is no valid pattern', async () => {
    const [found] = await retained('IL', ['COOK (PART'], 'RETENTION - COOK (PART COUNTY JUDICIAL CIRCUIT - JANE E ROE');
    expect(found).toContain('Jane E. Roe');
  });

  test.each([
    [
      'CA',
      [],
      'ASSOCIATE JUSTICE OF THE SUPREME COURT JANE ROE',
      'Associate Justice of the Supreme Court of California | California | Jane Roe',
    ],
    [
      'CA',
      ['LAKE'],
      'ASSOCIATE JUSTICE COURT OF APPEAL DISTRICT 1 DIVISION 1 JANE ROE',
      'Associate Justice Court of Appeal District 1 Division 1 | California Court of Appeal District 1 | Jane Roe',
    ],
    [
      'CA',
      [],
      'SHALL ASSOCIATE JUSTICE JANE M. ROE BE ELECTED TO THE OFFICE FOR THE TERM PROVIDED BY LAW?',
      'California Associate Justice | California | Jane M. Roe',
    ],
    ['AZ', [], 'SUPREME COURT - ROE, JANE', 'Justice of the Supreme Court of Arizona | Arizona | Jane Roe'],
    [
      'AZ',
      ['LAKE'],
      'CT APPEALS DIV 1 - ROE, JANE',
      'Judge of the Court of Appeals Division 1 | Arizona Court of Appeals Division 1 | Jane Roe',
    ],
    [
      'AZ',
      ['LAKE', 'POLK'],
      'COURT OF APPEALS DIVISION II - ROE, JANE L',
      'Judge of the Court of Appeals Division II | Arizona Court of Appeals Division II | Jane L. Roe',
    ],
    ['MO', [], 'JUDGE W. JOHN ROE - SUPREME COURT', 'Missouri Judge - Supreme Court | Missouri | W. John Roe'],
    [
      'MD',
      ['LAKE'],
      'JUDGE, COURT OF APPEALS APPELLATE CIRCUIT 3 JANE ROE',
      'Judge, Court of Appeals Appellate Circuit 3 | Maryland Court of Appeals Circuit 3 | Jane Roe',
    ],
    [
      'FL',
      ['LAKE', 'POLK'],
      'RETENTION COURT OF APPEAL FIRST DISTRICT JUDGE JANE D ROE',
      'Court of Appeal 1st District Judge | Florida Court of Appeal District 1 | Jane D. Roe',
    ],
    [
      'IL',
      ['COOK'],
      'RETENTION - COOK COUNTY JUDICIAL CIRCUIT - JANE E ROE',
      'Judge of the Cook County Judicial Circuit | Cook County | Jane E. Roe',
    ],
    ['IN', [], 'RETAIN JANE M ROE SUPREME COURT', 'Justice of the Supreme Court of Indiana | Indiana | Jane M. Roe'],
    [
      'OK',
      [],
      'RETENTION OF JANE ROE (SUPREME COURT)',
      'Justice of the Supreme Court of Oklahoma | Oklahoma | Jane Roe',
    ],
    [
      'OK',
      [],
      'COURT OF CIVIL APPEALS DISTRICT 6 OFFICE 2 JANE P ROE',
      'Judge of the Court of Civil Appeals District 6 Office 2 of Oklahoma | Oklahoma | Jane P. Roe',
    ],
    [
      'NE',
      ['LAKE'],
      'JUDGE OF THE COUNTY COURT - DIST 3 - JANE A ROE',
      'Judge of County Court - District 3 | Nebraska County Court District 3 | Jane A. Roe',
    ],
    [
      'NE',
      ['LAKE'],
      'JUDGE OF THE DISTRICT COURT, DISTRICT 3 - JANE S. ROE',
      'Judge of District Court, District 3 | Judicial District 3 | Jane S. Roe',
    ],
    ['CO', ['ADAMS'], 'COUNTY JUDGE - ADAMS JANE ROE', 'County Judge | Adams County | Jane Roe'],
  ] as const)('of %s in %j: %s', async (state, counties, office, expected) => {
    expect(await retained(state, counties, office)).toEqual([
      expected.replace(/(?<=\| )Judicial District 3/, 'Nebraska Judicial District 3'),
    ]);
  });

  test('names the judges in the answers, and the district in its column', async () => {
    const office = 'DISTRICT COURT OF APPEAL JUDGE RETENTION|001';
    const { races } = await importLines(
      { state: 'FL', counties: ['LEON', 'DUVAL'] },
      ['JANE ROE', 'JOHN POE'].flatMap((name) => [`${office}|${name} - YES||50`, `${office}|${name} - NO||40`]),
    );
    expect(
      races.filter(({ kind }) => kind === 'Retention').map(({ district, candidates }) => [district, candidates]),
    ).toEqual([
      ['Florida Court of Appeal District 1', { 'Jane Roe': 100 }],
      ['Florida Court of Appeal District 1', { 'John Poe': 100 }],
    ]);
  });

  const answers = (office: string, yes = 50) => [`${office}|YES||${yes}`, `${office}|NO||40`];

  test('is a ballot measure of the district of the court if the source does not name the judge', async () => {
    const { races, measures, reasons } = await importLines({ state: 'MT', counties: ['LAKE'] }, [
      ...answers('DISTRICT COURT JUDGE|DISTRICT 8, DEPT. 2'),
      ...answers('DISTRICT COURT JUDGE|DISTRICT 8, DEPT. 3', 60),
      ...answers('COURT OF APPEALS JUDGE|001'),
      ...answers('COURT OF APPEALS JUDGE|002'),
      ...answers('SUPREME COURT JUSTICE|'),
    ]);
    expect(races.map(({ office }) => office)).toEqual(['Governor of Montana']);
    const counts = { yes: 50, no: 40, status: null };
    const ofState = { district: 'Montana', type: 'State', ...counts };
    const ofDistrict = { district: 'Montana Judicial District 8', type: 'Judicial District', ...counts };
    expect(measures).toEqual([
      { name: 'Court of Appeals Judge, Position 1', ...ofState },
      { name: 'Court of Appeals Judge, Position 2', ...ofState },
      { name: 'District Court Judge, District 8, Dept. 2', ...ofDistrict },
      { name: 'District Court Judge, District 8, Dept. 3', ...ofDistrict, yes: 60 },
      { name: 'Supreme Court Justice', ...ofState },
    ]);
    expect(reasons).toContain('the source does not name the judge: the retention is a ballot measure');
  });

  test('is left out if the source names neither the judge nor the district of the court', async () => {
    const { races, measures, reasons } = await importLines(
      { state: 'MT', counties: ['LAKE'] },
      answers('DISTRICT COURT JUDGE|DEPT. 2'),
    );
    expect([races.map(({ office }) => office), measures]).toEqual([['Governor of Montana'], []]);
    expect(reasons).toContain('the source names neither the judge nor the district of the court: yes 50, no 40');
  });

  test('by the last name of the judge after a court with a number in words', async () => {
    expect(await retained('UT', ['WEBER'], 'SECOND DISTRICT COURT ROE')).toEqual([
      'Judge of the 2nd District Court | Utah Judicial District 2 | Roe',
    ]);
  });

  test('in a district whose number has a letter', async () => {
    expect(await retained('IA', ['POLK', 'STORY'], 'DISTRICT ASSOCIATE JUDGE 5C JANE ROE')).toEqual([
      'District Associate Judge 5C | Iowa Judicial District 5C | Jane Roe',
    ]);
  });

  test('is not what a question about a court is about', async () => {
    const { races, measures } = await importLines({ state: 'OH', counties: ['LAKE'], level: 'LOCAL' }, [
      'COUNTY COURT FEE INCREASE||YES||50',
      'COUNTY COURT FEE INCREASE||NO||40',
    ]);
    expect(races.filter(({ kind }) => kind === 'Retention')).toEqual([]);
    expect(measures.map(({ name }) => name)).toEqual(['County Court Fee Increase']);
  });
});

describe('the names of offices of the nation', () => {
  const importCounties = (name: string, lines: readonly string[]) =>
    importFiles(database, 'openelections', {
      [name]: `${['county,office,district,party,candidate,votes', ...lines].join('\n')}\n`,
    });

  test('are the same office in the counties that write them differently', async () => {
    const { races, reasons } = await importCounties('20201103__il__general__county.csv', [
      'Adams,U.S. House,1,DEM,Ann Roe,10',
      'Adams,U.S. House,1,REP,Bo Roe,20',
      'Bond,Representative in Congress,1st,DEM,Ann Roe,30',
      'Bond,Representative in Congress,1st,REP,Bo Roe,5',
      'Clark,President,,DEM,Cy Roe,10',
      'Bond,President and Vice President of the United States,,DEM,Cy Roe,12',
      'Adams,Presidential Electors,,DEM,Cy Roe,12',
      'Adams,State Rep,100,DEM,Di Roe,10',
      'Bond,State Representative,100,DEM,Di Roe,11',
      'Adams,United States Senator,,DEM,Ed Roe,10',
      'Bond,U.S. Senate,,DEM,Ed Roe,11',
    ]);
    expect(races.map(({ office, position, candidates }) => [office, position, candidates])).toEqual([
      ['Illinois House of Representatives District 100', null, { 'Di Roe': 21 }],
      ['President', null, { 'Cy Roe': 34 }],
      ['U.S. House Illinois District 1', null, { 'Ann Roe': 40, 'Bo Roe': 25 }],
      ['U.S. Senate Illinois', null, { 'Ed Roe': 21 }],
    ]);
    expect(reasons.replaceAll(/^.*counties are missing: the outcome is unknown$/gm, '').trim()).toBe('');
  });

  test('are no offices of a county', async () => {
    const { races, measures } = await importCounties('20161108__az__general__greenlee__precinct.csv', [
      'Greenlee,Presidential Electors,,REP,"ROE, POE",13',
      'Greenlee,Presidential Electors,,DEM,"LOE, MOE",2',
      'Greenlee,U.S. Rep in Congress Dist. 1,,REP,"ROE, ANN",11',
      'Greenlee,Congressional District 2,,REP,"ROE, BO",11',
      'Greenlee,Member of Congress,3,REP,"ROE, CY",11',
      'Greenlee,Prop 206,,,YES,12',
      'Greenlee,Prop 206,,,NO,2',
    ]);
    expect(races.map(({ office, candidates }) => [office, candidates])).toEqual([
      ['President', { Roe: 13, Loe: 2 }],
      ['U.S. House Arizona District 1', { 'Ann Roe': 11 }],
      ['U.S. House Arizona District 2', { 'Bo Roe': 11 }],
      ['U.S. House Arizona District 3', { 'Cy Roe': 11 }],
    ]);
    expect(measures.map(({ district }) => district)).toEqual(['Arizona']);
  });

  test('of districts without a state have the whole district', async () => {
    const { races } = await importLines({ state: 'DC', counties: ['DISTRICT OF COLUMBIA'], date: '2020-11-03' }, [
      'DELEGATE TO THE US HOUSE OF REPRESENTATIVES|STATEWIDE|ANN ROE|DEMOCRAT|50',
      'WARD 2 MEMBER OF THE STATE BOARD OF EDUCATION||BO ROE||50',
    ]);
    expect(races.map(({ office, district }) => [office, district])).toContainEqual([
      'U.S. House District of Columbia At-large District',
      'District of Columbia At-large District',
    ]);
    expect(races.map(({ office, district }) => [office, district])).toContainEqual([
      'Member of the State Board of Education',
      'District of Columbia Council Ward 2',
    ]);
  });
});

test('replace is the other answer to retain', async () => {
  const { races } = await importLines({ state: 'TN', counties: ['KNOX', 'LAKE'] }, [
    'RETAIN JANE ROE - COURT OF CRIMINAL APPEALS||RETAIN||50',
    'RETAIN JANE ROE - COURT OF CRIMINAL APPEALS||REPLACE||40',
  ]);
  expect(races.filter(({ kind }) => kind === 'Retention').map(({ candidates }) => candidates)).toEqual([
    { 'Jane Roe': expect.any(Number) },
  ]);
});

test('answers of two words are those of a question', async () => {
  const { races, measures } = await importLines(
    { state: 'CO', counties: [] },
    [],
    ['AMENDMENT 73||YES/FOR||50', 'AMENDMENT 73||NO/AGAINST||60'],
  );
  expect(races.map(({ office }) => office)).toEqual(['Governor of Colorado']);
  expect(measures.map(({ name, yes, no, status }) => [name, yes, no, status])).toEqual([
    ['Amendment 73', 64 * 50, 64 * 60, 'Defeated'],
  ]);
});

test('the district of a seat of Congress may follow `from the`', async () => {
  const found = await importLines({ state: 'TN', counties: ['KNOX'] }, [
    'US HOUSE FROM THE FIFTH DISTRICT||ANN ROE|DEMOCRAT|50',
  ]);
  expect(shown(found)).toEqual(['U.S. House Tennessee District 5 | Congress: Tennessee District 5']);
});

test.each(['CLERK OF CIRCUIT COURT', 'CLERK OF THE CIRCUIT COURT', 'CIRCUIT COURT CLERK', 'CLERK OF SUPERIOR COURT'])(
  'a clerk executes: %s',
  (office) => {
    expect(branchOf(office)).toBe('Executive');
  },
);

test('judicial districts in words are those in digits, also in one county', async () => {
  const found = await importLines({ state: 'CO', counties: ['LAKE'], level: 'LOCAL' }, [
    'DISTRICT COURT JUDGE|TWENTY-THIRD JUDICIAL DISTRICT|ANN ROE||50',
    'DISTRICT ATTORNEY|EIGHTEENTH JUDICIAL DISTRICT|BO ROE||50',
  ]);
  expect(shown(found)).toEqual([
    'District Attorney | Judicial District: Colorado Prosecutorial District 18',
    'District Court Judge | Judicial District: Colorado Judicial District 23',
  ]);
});

/** Imports lines `office,district,candidate` of a file of OpenElections of one county. */
const importCounty = async (file: string, county: string, lines: readonly string[]) => {
  const rows = ['Governor,,Ann Gov', ...lines].map((line) => `${county},1,DEM,50,${line}`);
  const text = ['county,precinct,party,votes,office,district,candidate', ...rows, ''].join('\n');
  const found = await importFiles(database, 'openelections', { [file]: text });
  expect(found.races.flatMap(({ won }) => won)).toEqual([]);
  return shown(found);
};

test('regional commissioners of a state have its districts in the file of a county', async () => {
  const found = await importCounty('20191105__ms__general__hinds__precinct.csv', 'Hinds', [
    'Transportation Commissioner,Central,Bo Roe',
    'Public Service Commissioner - Northern District,,Cy Roe',
  ]);
  expect(found).toEqual([
    'Public Service Commissioner | State subdivision: Mississippi Public Service Commissioner Northern District',
    'Transportation Commissioner | State subdivision: Mississippi Transportation Commissioner Central District',
  ]);
});

test('directors of bodies with initials, and of transit, are not of the county of the file', async () => {
  const found = await importCounty('20181106__ca__general__alameda__precinct.csv', 'Alameda', [
    'BART Director,4,Bo Roe',
    'AC Transit Director,At-Large,Cy Roe',
    '"Director, AC Transit Ward 4",,Di Roe',
  ]);
  expect(found).toEqual([
    'AC Transit Director | Special District: AC Transit | At-large',
    'BART Director | Special district subdivision: BART, District 4',
    'Director, AC Transit | Special district subdivision: AC Transit, Ward 4',
  ]);
});

test('a numbered district of a court is one in all of its counties, whose other numbers are in one county', async () => {
  const setting = { state: 'CT', counties: ['HARTFORD', 'TOLLAND'], level: 'LOCAL' } as const;
  const found = await importLines(setting, [
    'JUDGE OF PROBATE|011|ANN ROE|DEMOCRAT|500',
    'JUDGE OF PROBATE TO FILL VACANCY|011|BO ROE|DEMOCRAT|300',
    'REGISTRAR OF VOTERS||CY POE|DEMOCRAT|300',
  ]);
  const ofProbate = found.races.filter(({ office }) => /Probate/.test(office));
  expect(ofProbate.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    {
      office: 'Judge of Probate',
      district: 'Connecticut Probate District 11',
      candidates: { 'Ann Roe': 1000 },
    },
    { office: 'Judge of Probate', kind: 'Special', candidates: { 'Bo Roe': 600 } },
  ]);
});

test('justices of the peace have the districts of their county', async () => {
  const found = await importLines({ state: 'AR', counties: ['PULASKI'], level: 'LOCAL' }, [
    'QUORUM COURT JUSTICE OF THE PEACE DISTRICT 5|005|ANN ROE|DEMOCRAT|50',
    'JUSTICE OF THE PEACE|006|BO ROE|DEMOCRAT|50',
  ]);
  expect(shown(found)).toEqual([
    'Justice of the Peace | County subdivision: Pulaski County Justice of the Peace District 6',
    'Quorum Court Justice of the Peace | County subdivision: Pulaski County Quorum Court Justice of the Peace District 5',
  ]);
});

test('an office of one holder has one seat, whatever the votes are', async () => {
  const lines = ['DISTRICT ATTORNEY||ANN ROE|NONPARTISAN|800', 'DISTRICT ATTORNEY||BO ROE|NONPARTISAN|700'];
  const { races, reasons } = await importLines({ state: 'CA', counties: ['LAKE'], level: 'LOCAL' }, lines);
  expect(races.filter(({ office }) => office === 'District Attorney').map(({ seats, won }) => [seats, won])).toEqual([
    [1, []],
  ]);
  expect(reasons).toContain('has more votes than ballots for an office of one holder: the outcome is unknown');
});

test('first names of two initials stay in capitals', async () => {
  const { races } = await importLines({ state: 'OH', counties: ['LAKE'], level: 'LOCAL' }, [
    'SHERIFF||JB ROE|DEMOCRAT|50',
    'SHERIFF||MARY "MJ" POE|REPUBLICAN|40',
  ]);
  expect(races.flatMap(({ candidates }) => Object.keys(candidates))).toEqual(
    expect.arrayContaining(['JB Roe', 'Mary "MJ" Poe']),
  );
});

describe('a district', () => {
  test('has a name without the words for its members and for the question before it', async () => {
    const found = await importLines({ state: 'OH', counties: ['LAKE'], level: 'LOCAL' }, [
      'BOARD MEMBER ERIE PUBLIC SCHOOLS COMMUNITY DISTRICT||ANN ROE||50',
      'GOVERNING BOARD MEMBER ERIE COMMUNITY COLLEGE DISTRICT SEAT 2||BO ROE||50',
      'DISTRICT LIBRARY BOARD MEMBER MENTOR AVON||CY ROE||50',
      'EDUCATIONAL SERVICE UNIT 18 DISTRICT 1||DI ROE||50',
      'EDUCATIONAL SERVICE UNIT 5 DISTRICT 1||ED ROE||50',
      'TOWN OF MADISON TOWN JUSTICE||FLO ROE||50',
      'PERRY SCHOOL DISTRICT ONE BOARD OF TRUSTEES||GUS ROE||50',
      'SOIL AND WATER CONSERVATION DIRECTOR NORTHERN LAKES DISTRICT||HAL ROE||50',
      'WATERSHED CONSERVATION DISTRICT DIRECTOR CLEAR CREEK||IDA ROE||50',
      'COUNTY COMMISSIONER MIDDLE DISTRICT||JO ROE||50',
      'ISSUE 32 PERRY LOCAL SCHOOL DISTRICT RENEWAL LEVY||YES||50',
      'ISSUE 32 PERRY LOCAL SCHOOL DISTRICT RENEWAL LEVY||NO||40',
      'ISSUE 24 - CITY OF MENTOR PROPOSED CHARTER AMENDMENT||YES||50',
      'ISSUE 24 - CITY OF MENTOR PROPOSED CHARTER AMENDMENT||NO||40',
    ]);
    expect(shown(found)).toEqual([
      'Board Member Erie Public Schools Community District | School District: Erie Public Schools Community District',
      'County Commissioner Middle District | County: Lake County',
      'District Library Board Member Mentor Avon | County: Lake County',
      'Educational Service Unit 18 District 1 | Special District: Educational Service Unit 18',
      'Educational Service Unit 5 District 1 | Special District: Educational Service Unit 5',
      'Governing Board Member Erie Community College District | Special District: Erie Community College District | Seat 2',
      'Perry School District One Board of Trustees | School District: Perry School District One',
      'Soil and Water Conservation Director Northern Lakes District | Special District: Northern Lakes Soil and Water Conservation District',
      'Town Justice | City-town: Madison',
      'Watershed Conservation District Director Clear Creek | Special District: Lake Watershed Conservation District',
    ]);
    expect(found.measures.map(({ district }) => district)).toEqual(['Mentor', 'Perry Local School District']);
  });

  test('has its number in words, after another word for its members, or beside the name of a place', async () => {
    const found = await importLines({ state: 'FL', counties: ['LAKE'], level: 'LOCAL' }, [
      'STATE ATTORNEY, SECOND JUDICIAL CIRCUIT||ANN ROE||50',
      'EUSTIS ISD TRUSTEE DISTRICT IX||BO ROE||50',
      'BOARD OF REVIEW 1ST DISTRICT||CY ROE||50',
      'JUSTICE OF THE PEACE|2ND JUSTICE COURT|DI ROE||50',
      'SCHOOL BOARD MEMBER CLAY TOWNSHIP DISTRICT 2||ED ROE||50',
      'CITY COMMISSIONER SEAT 2 EUSTIS||FLO ROE||50',
    ]);
    expect(shown(found)).toEqual([
      'Board of Review | County subdivision: Lake County Board of Review District 1',
      'City Commissioner | City-town: Eustis | Seat 2',
      'Eustis ISD Trustee | School district subdivision: Eustis ISD, District IX',
      'Justice of the Peace | County subdivision: Lake County Justice of the Peace 2nd Justice Court',
      'School Board Member | School district subdivision: Clay Township School District, District 2',
      'State Attorney | Judicial District: Florida Prosecutorial District 2',
    ]);
  });
});
