import { describe, expect, test } from 'vitest';
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
    // Offices of the whole state show how many counties the file has.
    ...['EAST', 'WEST', 'NORTH', 'SOUTH', ...counties].flatMap((county) =>
      ['GOVERNOR||ANN GOV|DEMOCRAT|900', ...others].map((line) => row(county, line, 'STATE')),
    ),
  ];
  return importFiles(database, 'medsl', { 'a.csv': `${[HEADER, ...rows].join('\n')}\n` });
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
    expect(reasons.includes('nobody has the majority')).toBe(races.some(({ won }) => won.length === 0));
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

  test('is not what a question about a court is about', async () => {
    const { races, measures } = await importLines({ state: 'OH', counties: ['LAKE'], level: 'LOCAL' }, [
      'COUNTY COURT FEE INCREASE||YES||50',
      'COUNTY COURT FEE INCREASE||NO||40',
    ]);
    expect(races.filter(({ kind }) => kind === 'Retention')).toEqual([]);
    expect(measures.map(({ name }) => name)).toEqual(['County Court Fee Increase']);
  });
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
      'ISSUE 32 PERRY LOCAL SCHOOL DISTRICT RENEWAL LEVY||YES||50',
      'ISSUE 32 PERRY LOCAL SCHOOL DISTRICT RENEWAL LEVY||NO||40',
      'ISSUE 24 - CITY OF MENTOR PROPOSED CHARTER AMENDMENT||YES||50',
      'ISSUE 24 - CITY OF MENTOR PROPOSED CHARTER AMENDMENT||NO||40',
    ]);
    expect(shown(found)).toEqual([
      'Board Member Erie Public Schools Community District | School District: Erie Public Schools Community District',
      'District Library Board Member Mentor Avon | County: Lake County',
      'Educational Service Unit 18 District 1 | Special District: Educational Service Unit 18',
      'Educational Service Unit 5 District 1 | Special District: Educational Service Unit 5',
      'Governing Board Member Erie Community College District | Special District: Erie Community College District | Seat 2',
      'Town Justice | City-town: Madison',
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
