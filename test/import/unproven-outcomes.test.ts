import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Imported, importFiles, importRows, line } from './result-rows.ts';

const database = useDatabase();

const HEADER =
  'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';

/** Imports lines `county | office | district | candidate | party | votes of precincts`, in the form of MEDSL. */
function importMedsl(state: string, dataverse: string, lines: readonly string[]): Promise<Imported> {
  const rows = lines.flatMap((line) => {
    const [county = '', office = '', district = '', candidate = '', party = '', votes = ''] = line
      .split('|')
      .map((each) => each.trim());
    return votes.split('/').map((count, index) => {
      const writeIn = /^WRITE-?IN/.test(candidate) ? 'TRUE' : 'FALSE';
      const cells = [`P${index}`, office, party, 'TOTAL', count, county, '', county, '', candidate, district];
      const rest = ['1', dataverse, 'GEN', 'FALSE', writeIn, state, '2018-11-06'];
      return [...cells, ...rest].map((cell) => `"${cell}"`).join(',');
    });
  });
  return importFiles(database, 'medsl', { 'a.csv': `${[HEADER, ...rows].join('\n')}\n` });
}

/** Imports rows `county,precinct,office,district,party,candidate,votes`, in the form of OpenElections. */
function importOpen(
  name: string,
  rows: readonly string[],
  header = 'county,precinct,office,district,party,candidate,votes',
) {
  return importFiles(database, 'openelections', { [name]: `${[header, ...rows].join('\n')}\n` });
}

const districtsOf = ({ races }: Imported) => races.map(({ district, candidates, won }) => [district, candidates, won]);

describe('the counties of a contest', () => {
  test('are apart for an officer of each county, although a name is equal', async () => {
    const found = await importMedsl('KY', 'LOCAL', [
      'FRANKLIN | PROPERTY VALUATION ADMINISTRATOR | | KARLA LANE | DEMOCRAT | 444/255',
      'FRANKLIN | PROPERTY VALUATION ADMINISTRATOR | | BILLY STONE | REPUBLICAN | 265/171',
      'GREENUP | PROPERTY VALUATION ADMINISTRATOR | | BILLY STONE | DEMOCRAT | 344/366',
    ]);
    expect(districtsOf(found)).toEqual([
      ['Franklin County', { 'Karla Lane': 699, 'Billy Stone': 436 }, ['Karla Lane']],
      ['Greenup County', { 'Billy Stone': 710 }, ['Billy Stone']],
    ]);
    expect(found.races.map(({ basis }) => basis)).toEqual(['Law', 'Law']);
  });

  test('are not joined by the initial of a name', async () => {
    const found = await importMedsl('KY', 'LOCAL', [
      'GRAYSON | MEMBER BOARD OF EDUCATION | 005 | L BRENT ASHBY | | 186/104',
      'HENRY | MEMBER BOARD OF EDUCATION | 005 | LENA ASHBY | | 92/242',
    ]);
    expect(districtsOf(found).map(([, candidates, won]) => [candidates, won])).toEqual([
      [{ 'L. Brent Ashby': 290 }, []],
      [{ 'Lena Ashby': 334 }, []],
    ]);
    expect(found.races.map(({ basis }) => basis)).toEqual(['County', 'County']);
    expect(found.reasons).toContain('its county is assumed: the outcome is unknown');
    expect(found.reasons).not.toContain('another spelling');
  });

  test('vote together if all candidates and their parties are the same, not if only some are', async () => {
    const lines = (other: string, party = 'DEMOCRAT') => [
      'FRANKLIN | LAKE WARDEN | | ANN ROE | DEMOCRAT | 60/50',
      'FRANKLIN | LAKE WARDEN | | BO POE | REPUBLICAN | 40/30',
      `GREENUP | LAKE WARDEN | | ANN ROE | ${party} | 20/30`,
      `GREENUP | LAKE WARDEN | | ${other} | REPUBLICAN | 70/10`,
    ];
    const together = await importMedsl('KY', 'LOCAL', lines('BO POE'));
    expect(together.races.map(({ basis, candidates, won }) => [basis, candidates, won])).toEqual([
      ['Same candidates', { 'Ann Roe': 160, 'Bo Poe': 150 }, ['Ann Roe']],
    ]);
    for (const apart of [lines('CY LOE'), lines('BO POE', 'LIBERTARIAN')]) {
      const { races } = await importMedsl('KY', 'LOCAL', apart);
      expect(races.map(({ basis, won }) => [basis, won])).toEqual([
        ['County', []],
        ['County', []],
      ]);
    }
  });

  test('of two circuits with a district of the same number are two districts', async () => {
    const found = await importMedsl('MS', 'STATE', [
      'HARRISON | CIRCUIT COURT | 002, PLACE 1 | ADA DRAKE | NONPARTISAN | 572/326',
      'STONE | CIRCUIT COURT | 002, PLACE 1 | ADA DRAKE | NONPARTISAN | 197/751',
      'TATE | CIRCUIT COURT | 002, PLACE 1 | BEN IRIS | NONPARTISAN | 349/1154',
      'PANOLA | CIRCUIT COURT | 002, PLACE 1 | BEN IRIS | NONPARTISAN | 100/200',
    ]);
    expect(districtsOf(found)).toEqual([
      ['Mississippi Circuit Court District 2 (Harrison, Stone)', { 'Ada Drake': 1846 }, ['Ada Drake']],
      ['Mississippi Circuit Court District 2 (Panola, Tate)', { 'Ben Iris': 1803 }, ['Ben Iris']],
    ]);
  });

  test('have a court of their own where the district contradicts the court of the text', async () => {
    const found = await importMedsl('ND', 'STATE', [
      'ADAMS | JUSTICE OF THE SUPREME COURT | SOUTHWEST JUDICIAL DISTRICT | ADA ALDER | NONPARTISAN | 817',
      'ADAMS | JUSTICE OF THE SUPREME COURT | SOUTHWEST JUDICIAL DISTRICT | BEN BIRCH | NONPARTISAN | 818',
      'BOWMAN | JUSTICE OF THE SUPREME COURT | SOUTHWEST JUDICIAL DISTRICT | ADA ALDER | NONPARTISAN | 86',
      'BOWMAN | JUSTICE OF THE SUPREME COURT | SOUTHWEST JUDICIAL DISTRICT | BEN BIRCH | NONPARTISAN | 90',
    ]);
    expect(found.races.map(({ office, type, district }) => [office, type, district])).toEqual([
      ['Judge of the Southwest Judicial District', 'Judicial District', 'North Dakota Southwest Judicial District'],
    ]);
    expect(found.reasons).toContain('a judge of the part is stored');
  });

  test('vote on each division of a court, which is a seat of its district', async () => {
    const found = await importMedsl('KY', 'STATE', [
      'ADAIR | JUDGE OF THE COURT OF APPEALS | 3RD APPELLATE DISTRICT 1ST DIVISION | ADA DRAKE | | 90',
      'ADAIR | JUDGE OF THE COURT OF APPEALS | 3RD APPELLATE DISTRICT 2ND DIVISION | BEN IRIS | | 90',
      'ALLEN | JUDGE OF THE COURT OF APPEALS | 2ND APPELLATE DISTRICT 1ST DIVISION | CARA NETTLE | | 181',
    ]);
    expect(found.races.map(({ district, position }) => [district, position])).toEqual([
      ['Kentucky Court of Appeals District 2', 'Division 1'],
      ['Kentucky Court of Appeals District 3', 'Division 1'],
      ['Kentucky Court of Appeals District 3', 'Division 2'],
    ]);
  });
});

test('a seat of Congress is one contest in all of its counties, also where the legislature numbers its districts by county', async () => {
  const { races } = await importMedsl('NH', 'HOUSE', [
    'BELKNAP | US HOUSE | 001 | ANN ROE | DEMOCRAT | 30/30',
    'BELKNAP | US HOUSE | 001 | BO POE | REPUBLICAN | 40/40',
    'CARROLL | US HOUSE | 001 | ANN ROE | DEMOCRAT | 90/90',
    'CARROLL | US HOUSE | 001 | BO POE | REPUBLICAN | 20/20',
  ]);
  expect(races.map(({ candidates, won }) => [candidates, won])).toEqual([
    [{ 'Ann Roe': 240, 'Bo Poe': 120 }, ['Ann Roe']],
  ]);
});

test('a seat of a legislature is one contest in all of its counties, by whatever name', async () => {
  const { races } = await importMedsl('WV', '', [
    'BERKELEY | HOUSE OF DELEGATES | 90 | GEORGE MILLER | REPUBLICAN | 700/653',
    'MORGAN | HOUSE OF DELEGATES | 90 | GEORGE MILLER | REPUBLICAN | 3000/693',
  ]);
  expect(races.map(({ candidates }) => candidates)).toEqual([{ 'George Miller': 5046 }]);
});

test('an office of the state has no winner from a part of its counties', async () => {
  const lines = (county: string) => [
    `${county} | GOVERNOR | | JAN JAY | DEMOCRAT | 30/30`,
    `${county} | GOVERNOR | | KIM KEY | REPUBLICAN | 20/20`,
  ];
  for (const rows of [lines('ADDISON'), [...lines('ADDISON'), ...lines('RUTLAND')]]) {
    const { races, reasons } = await importMedsl('VT', 'STATE', rows);
    expect(races.map(({ office, district, won }) => [office, district, won])).toEqual([
      ['Governor of Vermont', 'Vermont', []],
    ]);
    expect(reasons).toContain('counties are missing: the outcome is unknown');
  }
});

describe('a text in place of a name', () => {
  test('that ends with an answer is a retention election of its judge, and no person', async () => {
    const found = await importMedsl('AZ', 'STATE', [
      'PINAL | RETENTION SUPREME COURT JUSTICE | | ADA ALDER - YES | NONPARTISAN | 681/9',
      'PINAL | RETENTION SUPREME COURT JUSTICE | | ADA ALDER - NO | NONPARTISAN | 301/5',
      'PINAL | RETENTION SUPREME COURT JUSTICE | | ADA ALDER - UNDERVOTES | NONPARTISAN | 188/1',
      'PINAL | RETENTION SUPREME COURT JUSTICE | | ADA ALDER - OVERVOTES | NONPARTISAN | 0/0',
      'PINAL | RETENTION SUPREME COURT JUSTICE | | BEN BIRCH - YES | NONPARTISAN | 580/8',
      'PINAL | RETENTION SUPREME COURT JUSTICE | | BEN BIRCH - NO | NONPARTISAN | 283/4',
    ]);
    expect(found.races.map(({ kind, candidates }) => [kind, candidates])).toEqual([
      ['Retention', { 'Ada Alder': 690 }],
      ['Retention', { 'Ben Birch': 588 }],
    ]);
  });

  test.each([
    'Voids/Blanks',
    'Voids',
    'Affidavit',
    'Federal',
    'Absentee / Military',
    'Manually Counted Emergency',
    'Unrecorded',
    'NO CANDIDATE FILED',
    'No Valid Petition Filed',
    'Vacancy',
    'Early Voting',
    'Mail-in',
    'Not Qualified',
    'Write-In Votes Not Assigned',
    'Ann Oak - Undervotes',
    'Recount',
    'Inactive ballots',
    'Recap',
  ])('%s is a count, and in the report', async (label) => {
    const { races, reasons } = await importOpen('20221108__nm__general__precinct.csv', [
      'Taos,1,Governor,,DEM,Ann Oak,900',
      'Taos,1,Governor,,REP,Bob Elm,800',
      `Taos,1,Governor,,,${label},7`,
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Oak': 900, 'Bob Elm': 800 }]);
    expect(reasons).toContain(`${label} 7`);
  });

  test('that no word explains is no person if it has no party in several contests, or one word beside full names', async () => {
    const rows = ['Governor', 'State Auditor', 'Attorney General'].flatMap((office) => [
      `Taos,1,${office},,DEM,Ann ${office},90`,
      `Taos,1,${office},,REP,Bob ${office},80`,
      `Taos,1,${office},,,Mopsy Tally,7`,
      `Taos,1,${office},,,Odds,3`,
    ]);
    const { races, reasons } = await importOpen('20221108__nm__general__precinct.csv', rows);
    expect(
      races.flatMap(({ candidates }) => Object.keys(candidates)).filter((name) => /Mopsy|Odds/.test(name)),
    ).toEqual([]);
    expect(reasons).toContain(
      'Mopsy Tally: is no name of a person, as far as the file shows: it is not stored; votes: 7',
    );
    expect(reasons).toContain('Odds: is no name of a person');
    expect(reasons).toContain('votes: 540 in contests: 510 stored, 30 in this report');
  });

  test('that is an answer beside names is none of them, and a newspaper is no office', async () => {
    const found = await importMedsl('IA', 'LOCAL', [
      'PAGE | TOWNSHIP TRUSTEE - AMITY | | ADA DRAKE | | 27/29',
      'PAGE | TOWNSHIP TRUSTEE - AMITY | | YES | | 9/18',
      'PAGE | TOWNSHIP TRUSTEE - AMITY | | NO | | 18/22',
      'PAGE | COUNTY OFFICIAL NEWSPAPER | | THE CAPITAL TRIBUNE | NONPARTISAN | 593',
    ]);
    expect(found.races.map(({ candidates }) => candidates)).toEqual([{ 'Ada Drake': 56 }]);
    expect(found.reasons).toContain('is a choice of a newspaper');
  });

  test('in the column of the office is a count too', async () => {
    const { races } = await importOpen('20201103__pa__general__cambria__precinct.csv', [
      'Cambria,Adams 1,President,,DEM,Joe Ark,400',
      'Cambria,Adams 1,President,,REP,Don Elk,390',
      'Cambria,Adams 1,Write-ins,,LIB,Jo Jar,9',
      'Cambria,Adams 1,Registered Voters,,LIB,Libertarian,31',
      'Cambria,Adams 1,Ballots Cast - Blank,,,,3',
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Joe Ark': 400, 'Don Elk': 390 }]);
  });

  test('is one in whatever letter case, also a choice that is no person', async () => {
    const { races } = await importOpen('20221108__nv__general__precinct.csv', [
      'Clark,1,Governor,,REP,Flo Ford,390',
      'Clark,1,Governor,,,None Of These Candidates,41',
      'Washoe,1,Governor,,REP,FLO FORD,49',
      'Washoe,1,Governor,,,NONE OF THESE CANDIDATES,22',
      'Elko,1,Governor,,REP,Flo Ford,9',
      'Elko,1,Governor,,,None of these candidates,5',
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Flo Ford': 448, 'None Of These Candidates': 68 }]);
  });
});

describe('totals', () => {
  const TOWNS = { Belknap: ['Alton', 'Gilford'], Carroll: ['Conway', 'Eaton'], Cheshire: ['Keene', 'Troy'] };
  /** The rows of the towns of three counties for two candidates, with those of their counties and of the state. */
  const rows = (county: (name: string) => string, state: readonly [string, string]) =>
    [
      { name: 'Ada Drake', party: 'REP', votes: 100 },
      { name: 'Ben Iris', party: 'DEM', votes: 130 },
    ].flatMap(({ name, party, votes }) => {
      const line = (of: string, precinct: string, count: number) =>
        `${of},${precinct},U.S. Senate,,${party},${name},${count}`;
      const counties = Object.entries(TOWNS).flatMap(([of, towns], index) => [
        ...towns.map((town, at) => line(of, town, votes + index + at)),
        line(of, county(of), 2 * votes + 2 * index + 1),
      ]);
      return [...counties, line(state[0], state[1], 6 * votes + 9)];
    });

  test.each([
    ['TOTALS', 'TOTALS'],
    ['NEW HAMPSHIRE', 'NEW HAMPSHIRE'],
  ])('of counties, with %s in the column of the county, are not added', async (...state) => {
    for (const county of [(name: string) => name, (name: string) => `${name.toUpperCase()} NH`]) {
      const { races } = await importOpen('20201103__nh__general__precinct.csv', rows(county, state));
      expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ada Drake': 609, 'Ben Iris': 789 }]);
    }
  });

  test('of the state are votes from overseas if they are not the sum of the counties', async () => {
    const { races } = await importOpen('20201103__me__general__precinct.csv', [
      'MAINE,STATE UOCAVA,President,,DEM,Joe Ark,45',
      'MAINE,STATE UOCAVA,President,,REP,Don Elk,13',
      ...['Knox', 'Waldo', 'York'].flatMap((county) => [
        `${county},1,President,,DEM,Joe Ark,400`,
        `${county},1,President,,REP,Don Elk,390`,
      ]),
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Joe Ark': 1245, 'Don Elk': 1183 }]);
  });

  test('of a town among its precincts are not added', async () => {
    const { races, reasons } = await importOpen('20221108__ny__general__essex__precinct.csv', [
      'Essex,Ticonderoga 1,State Senate,45,REP,Cal Cole,100',
      'Essex,Ticonderoga 2,State Senate,45,REP,Cal Cole,50',
      'Essex,Ticonderoga,State Senate,45,REP,Cal Cole,150',
      'Essex,Moriah 1,State Senate,45,REP,Cal Cole,30',
      'Essex,Ticonderoga 1,State Senate,45,DEM,Dot Dial,60',
      'Essex,Ticonderoga 2,State Senate,45,DEM,Dot Dial,70',
      'Essex,Ticonderoga,State Senate,45,DEM,Dot Dial,130',
      'Essex,Moriah 1,State Senate,45,DEM,Dot Dial,31',
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Cal Cole': 180, 'Dot Dial': 161 }]);
    expect(reasons).toContain(
      'Ticonderoga: is a subtotal: it equals the sum of the others; its 2 counts with 280 votes are not added',
    );
  });

  test('of a town stand for its precincts in a contest without them', async () => {
    const wards = (office: string, votes: readonly number[]) =>
      votes.flatMap((count, index) => [
        `Kennebec,Augusta Ward ${index + 1},${office},,DEM,Ann Roe,${count}`,
        `Kennebec,Augusta Ward ${index + 1},${office},,REP,Bo Poe,${count + 9}`,
      ]);
    const town = (office: string, votes: number, other: number) => [
      `Kennebec,Augusta,${office},,DEM,Ann Roe,${votes}`,
      `Kennebec,Augusta,${office},,REP,Bo Poe,${other}`,
    ];
    const { races } = await importOpen('20201103__me__general__precinct.csv', [
      ...wards('President', [100, 120]),
      ...town('President', 220, 238),
      ...town('Register of Deeds', 200, 230),
    ]);
    expect(races.map(({ office, candidates }) => [office, candidates])).toEqual([
      ['President', { 'Ann Roe': 220, 'Bo Poe': 238 }],
      ['Register of Deeds', { 'Ann Roe': 200, 'Bo Poe': 230 }],
    ]);
  });

  test('that no rule finds are refused where no other contest of the voters has nearly as many votes', async () => {
    const { races, reasons } = await importOpen('20201103__oh__general__precinct.csv', [
      'Adams,1,President,,DEM,Joe Ark,400',
      'Adams,1,President,,REP,Don Elk,390',
      'Adams,1,U.S. House,2,DEM,Ada Drake,950',
      'Adams,1,U.S. House,2,REP,Ben Iris,900',
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Joe Ark': 400, 'Don Elk': 390 }]);
    expect(reasons).toContain('has 1850 votes where no other contest of the same voters has more than 790');
  });
});

test('a row that repeats another one is reported with its line, and not added', async () => {
  const { races, reasons } = await importOpen('20221108__nm__general__precinct.csv', [
    'Taos,1,Governor,,DEM,Ann Oak,900',
    'Taos,1,Governor,,REP,Bob Elm,800',
    'Taos,1,Governor,,DEM,Ann Oak,900',
  ]);
  expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Oak': 900, 'Bob Elm': 800 }]);
  expect(reasons).toContain(
    '20221108__nm__general__precinct.csv:4 | Governor | Ann Oak: repeats another row of the file',
  );
});

test('a hidden count takes an outcome only if it can turn it', async () => {
  const rows = (lead: number) => [
    'Taos,1,U.S. House,2,DEM,Ann Oak,900',
    `Taos,1,U.S. House,2,REP,Bob Elm,${900 - lead}`,
    'Taos,2,U.S. House,2,DEM,Ann Oak,20',
    'Taos,2,U.S. House,2,REP,Bob Elm,*',
    'Taos,2,Governor,,REP,Cy Fir,30',
  ];
  const found = async (lead: number) => (await importOpen('20221108__nm__general__precinct.csv', rows(lead))).races;
  const ofHouse = (races: Imported['races']) => races.find(({ type }) => type === 'Congress');
  expect(ofHouse(await found(300))).toMatchObject({
    candidates: { 'Ann Oak': 920, 'Bob Elm': null },
    won: ['Ann Oak'],
  });
  expect(ofHouse(await found(5))).toMatchObject({ candidates: { 'Ann Oak': 920, 'Bob Elm': null }, won: [] });
});

describe('a file', () => {
  test('with carriage returns at the ends of its lines is read', async () => {
    const text = [
      'county,office,district,party,candidate,votes',
      'Pima,U.S. House,8,DEM,Ada Drake,95',
      'Pima,U.S. House,8,REP,Cara Oak,78',
    ];
    const { races } = await importFiles(database, 'openelections', {
      '20120612__az__special__general__house__8.csv': `${text.join('\r')}\r`,
    });
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ada Drake': 95, 'Cara Oak': 78 }]);
  });

  test('without a record is refused', async () => {
    await expect(importOpen('20221108__nm__general__precinct.csv', [])).rejects.toThrow('no record');
  });

  test.each([
    ['20221206__ga__general_runoff__precinct.csv', 'General Runoff', 'Regular'],
    ['20120605__wi__general-recall.csv', 'General', 'Special'],
    ['20130507__sc__special_general__us_house__1.csv', 'General', 'Special'],
    ['20130117__ga__special__state__house__45.csv', 'General', 'Special'],
  ])('%s is one of the stage %s', async (name, stage, kind) => {
    const { races } = await importOpen(name, [
      'Adams,1,State House,45,DEM,Ada Drake,95',
      'Adams,1,State House,45,REP,Cara Oak,78',
    ]);
    expect(races.map((race) => [race.stage, race.kind])).toEqual([[stage, kind]]);
  });

  test('with a column for each mode of voting has their sum', async () => {
    const { races } = await importOpen(
      '20241105__ga__general__county-level.csv',
      [
        'Dade,not available,State House,1,Democrat,Ben Juniper,336,780,91,1',
        'Dade,not available,State House,1,Republican,Cara Oak,2192,4330,137,10',
      ],
      'county,precinct,office,district,party,candidate,election_day_votes,advanced_votes,absentee_by_mail_votes,provisional_votes',
    );
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ben Juniper': 1208, 'Cara Oak': 6669 }]);
  });

  test('of Wisconsin with a short header is read', async () => {
    const header =
      'precinct,office,party,mode,votes,jurisdiction,county,candidate,district,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic';
    const row = (candidate: string, party: string, votes: number) =>
      `Ward 2,State Senate,${party},total,${votes},Chippewa,Chippewa,${candidate},23,state,2018,gen,Wisconsin,FALSE,FALSE,WI,55,35,25`;
    const text = [header, row('EVA ELM', 'democrat', 427), row('FAY FIR', 'republican', 520), ''].join('\n');
    const { races } = await importFiles(database, 'medsl', { 'a.csv': text });
    expect(races.map(({ district, date, candidates }) => [district, date, candidates])).toEqual([
      ['Wisconsin State Senate District 23', '2018-11-06', { 'Eva Elm': 427, 'Fay Fir': 520 }],
    ]);
  });

  test('with the state in the column of the county has counties in the next one', async () => {
    const { races } = await importOpen(
      '20180828__az__primary__county.csv',
      [
        'Arizona,Apache,U.S. Senate,,Ada Drake,REP,10',
        'Arizona,Cochise,U.S. Senate,,Ada Drake,REP,20',
        'Arizona,TOTAL,U.S. Senate,,Ada Drake,REP,30',
      ],
      'county,precinct,office,district,candidate,party,votes',
    );
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ada Drake': 30 }]);
    const { rows } = await sql<{ name: string }>`select name from districts where name = 'Arizona County'`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
  });
});

test('the magnitude of a district is that of its county, whatever districts of other counties with the same number have', async () => {
  const house = (county: string, magnitude: number, candidate: string, votes: number): string => {
    const row = {
      office: 'STATE HOUSE',
      district: '007',
      dataverse: 'STATE',
      county,
      candidate,
      votes,
      magnitude,
      party: 'DEMOCRAT',
    };
    return line({ ...row, fips: county === 'BELKNAP' ? '33001' : '33013' }).replaceAll('"NE"', '"NH"');
  };
  const { races } = await importRows(database, [
    ...[400, 390, 380, 90].map((votes, index) => house('BELKNAP', 3, `ANN ${'BCDF'[index]}OE`, votes)),
    ...[300, 290, 280, 70].map((votes, index) => house('MERRIMACK', 2, `BEN ${'BCDF'[index]}OE`, votes)),
  ]);
  expect(races.map(({ district, seats, won }) => [district, seats, won.length])).toEqual([
    ['New Hampshire House of Representatives Belknap 7 District', 3, 3],
    ['New Hampshire House of Representatives Merrimack 7 District', 2, 2],
  ]);
});

test('a town of Connecticut elects the registrars of two parties', async () => {
  const row = {
    office: 'REGISTRAR OF VOTERS',
    county: 'MIDDLESEX',
    fips: '09007',
    town: 'CHESTER',
    dataverse: 'LOCAL',
  };
  const { races } = await importRows(
    database,
    [
      { ...row, candidate: 'ADA ALDER', party: 'DEMOCRAT', votes: 300 },
      { ...row, candidate: 'BEN BIRCH', party: 'REPUBLICAN', votes: 200 },
    ].map((each) => line(each).replaceAll('"NE"', '"CT"')),
  );
  expect(races.map(({ seats, won }) => [seats, won])).toEqual([[2, ['Ada Alder', 'Ben Birch']]]);
});
