import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Imported, importFiles } from './result-rows.ts';

const database = useDatabase();

/** `office | district | candidate | party | votes`, in each of the counties */
function importLines(name: string, counties: readonly string[], lines: readonly string[]): Promise<Imported> {
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const rows = counties.flatMap((county) =>
    lines.flatMap((line) => {
      const [office = '', district = '', candidate = '', party = '', votes = ''] = line
        .split('|')
        .map((each) => each.trim());
      return votes
        .split('/')
        .map((count, index) => quoted([county, String(index + 1), office, district, candidate, party, count]));
    }),
  );
  const header = 'county,precinct,office,district,candidate,party,votes';
  return importFiles(database, 'openelections', { [name]: `${[header, ...rows].join('\n')}\n` });
}

const shown = ({ races }: Imported) =>
  races.map(({ office, district, type, position }) =>
    [office, `${type}: ${district}`, position].filter(Boolean).join(' | '),
  );

const FOUR = ['Adams', 'Benton', 'Chelan', 'Clark'];

describe('a primary of all parties', () => {
  const lines = ['Governor||Ann Roe|Democratic|50', 'Governor||Bo Poe|Republican|60', 'Governor||Cy Loe|Green|5'];

  test('is one race without a party', async () => {
    const { races } = await importLines('20200804__wa__primary__county.csv', FOUR, lines);
    expect(races.map(({ candidates, stageParty }) => [candidates, stageParty])).toEqual([
      [{ 'Ann Roe': 200, 'Bo Poe': 240, 'Cy Loe': 20 }, null],
    ]);
  });

  test('is one of each party before the law, for president, and in other states', async () => {
    const parties = async (name: string, of = lines) =>
      (await importLines(name, FOUR, of)).races.map(({ stageParty }) => stageParty).toSorted();
    const each = ['Democratic', 'Green', 'Republican'];
    expect(await parties('20040914__wa__primary__county.csv')).toEqual(each);
    expect(await parties('20200804__or__primary__county.csv')).toEqual(each);
    const ofPresident = lines.map((line) => line.replace('Governor', 'President'));
    expect(await parties('20200310__wa__primary__county.csv', ofPresident)).toEqual(each);
  });
});

describe('the files of some counties', () => {
  const governor = ['Governor||Ann Roe|DEM|90/80', 'Governor||Bo Roe|REP|60/70'];
  const treasurer = ['Treasurer||Al Loe|DEM|80/70', 'Treasurer||Bo Loe|REP|70/60'];

  test('have a treasurer of whom they do not say whether the state or the county elects him', async () => {
    const { races, reasons } = await importLines(
      '20181106__ca__general__alpine__precinct.csv',
      ['Alpine'],
      [...governor, ...treasurer, 'Secretary of Agriculture||Cy Loe|DEM|80/70', 'Senator|3|Di Loe|DEM|80/70'],
    );
    expect(races.map(({ office, won }) => [office, won])).toEqual([
      ['California Secretary of Agriculture', []],
      ['Governor of California', []],
    ]);
    expect(reasons).toContain('SENATOR | Alpine | 3: the source does not say whether the office is in Congress');
    expect(reasons).toContain('TREASURER | Alpine: the source does not say whether the state or the county elects it');
  });

  test.each([
    ['State Auditor||Ed Noe|DEM|80/70', 'Treasurer | County: Alpine County'],
    ['County Clerk||Ed Noe|DEM|80/70', 'California Treasurer | State: California'],
  ])('have one whom the names of other offices show: %s', async (other, expected) => {
    const found = await importLines(
      '20181106__ca__general__alpine__precinct.csv',
      ['Alpine'],
      [...governor, ...treasurer, other],
    );
    expect(shown(found)).toContain(expected);
  });

  test('have numbers of a highest court that are seats if a county votes on several', async () => {
    const found = await importLines(
      '20181106__tx__general__harris__precinct.csv',
      ['Harris'],
      [
        'Supreme Court|2|Ann Roe|REP|50',
        'Supreme Court|4|Bo Roe|REP|60',
        'Court of Criminal Appeals|7|Cy Roe|REP|60',
        'Justice, Supreme Court|Place 6|Di Roe|REP|60',
        '1st Court of Appeals|5|Ed Roe|REP|60',
        'JUDGE CT OF CRIM APPEALS PL 3||Flo Roe|REP|60',
        'CHIEF JUSTICE 3RD CT OF APPEALS DIST||Gus Roe|REP|60',
      ],
    );
    expect(shown(found).toSorted()).toEqual([
      'Chief Justice Court of Appeals | Judicial District: Texas Court of Appeals District 3',
      'Court of Appeals | Judicial District: Texas Court of Appeals District 1 | Position 5',
      'Texas Judge Court of Criminal Appeals | State: Texas | Place 3',
      'Texas Justice, Supreme Court | State: Texas | Place 6',
      'Texas Supreme Court | State: Texas | Position 2',
      'Texas Supreme Court | State: Texas | Position 4',
    ]);
    expect(found.reasons).toContain('whether the number is that of a district or of a seat: 1 names with 60 votes');
  });
});

describe('an outcome', () => {
  test('is unknown where a council may elect several members, and for two candidates of a party in a lower house', async () => {
    const found = await importLines(
      '20171107__nj__general__county.csv',
      ['Atlantic', 'Bergen', 'Camden'],
      [
        'General Assembly|2|Ann Roe|Democratic|90',
        'General Assembly|2|Bo Roe|Democratic|80',
        'General Assembly|2|Cy Roe|Republican|70',
        'State Senate|2|Di Roe|Democratic|90',
        'State Senate|2|Ed Roe|Republican|80',
      ],
    );
    expect(found.races.map(({ district, won }) => [district, won])).toEqual([
      ['New Jersey General Assembly District 2', []],
      ['New Jersey State Senate District 2', ['Di Roe']],
    ]);
    const council = await importLines(
      '20191105__pa__general__erie__precinct.csv',
      ['Erie'],
      [
        'Erie City Council||Ann Poe|DEM|80/70',
        'Erie City Council||Bo Poe|REP|70/60',
        'Mayor of Corry||Cy Poe|DEM|30/40',
        'Mayor of Corry||Di Poe|REP|20/30',
      ],
    );
    expect(council.races.map(({ won }) => won)).toEqual([[], ['Cy Poe']]);
    expect(council.reasons).toContain('the contest may elect several members, and the source has no magnitude');
  });
});

describe('texts', () => {
  test('of districts: schools without a noun or with a number before the name, parks, townships, parts of special districts', async () => {
    const found = await importLines(
      '20191105__wa__general__county.csv',
      ['Adams'],
      [
        'SCHOOL DISTRICT 147 - OTHELLO Director District 2||Ann Roe||50',
        'Warden School Dist #146 SCHOOL DIRECTOR #02||Bo Roe||50',
        'OTHELLO PARK AND RECREATION 1 Commissioner Position 3||Cy Roe||50',
        'PORT DISTRICT 1 Commissioner District 2||Di Roe||50',
        'CITY OF OTHELLO Council Position  5||Ed Roe||50',
        'SCHOOL DIRECTOR FORT LEBOEUF REGION A||Flo Roe||50',
        'SUPERVISOR MILLCREEK TOWNSHIP||Gus Roe||50',
      ],
    );
    expect(shown(found).toSorted()).toEqual([
      'Council | City-town: Othello | Position 5',
      'Othello Park and Recreation 1 Commissioner | Special District: Othello Park and Recreation District 1 | Position 3',
      'Port District 1 Commissioner | Special district subdivision: Adams Port District 1, District 2',
      'School Director Region A | School district subdivision: Fort Leboeuf School District, Region A',
      'School Director | School district subdivision: Othello School District 147, District 2',
      'Supervisor | County subdivision: Millcreek Township, Adams County',
      'Warden School District #146 School Director | School District: Warden School District 146 | Position 2',
    ]);
  });

  test('of HTML, in parentheses, abbreviated, and for counts of ballots', async () => {
    const { races, measures } = await importLines('20181106__ga__general__county.csv', FOUR, [
      'Lt. Governor||Miguel &quot;Mike&quot; Roe|(REP|50',
      'Lt. Governor||Ann  Poe|(DEM)|40',
      'Lt. Governor||WriteinVotes||2',
      'Lt. Governor||OverVotes||1',
      'Statewide Referendum A <br>Provides for an exemption||YES||50',
      'Statewide Referendum A <br>Provides for an exemption||NO||40',
    ]);
    expect(races.map(({ office, candidates, parties }) => [office, candidates, parties])).toEqual([
      [
        'Lieutenant Governor of Georgia',
        { 'Miguel "Mike" Roe': 200, 'Ann Poe': 160 },
        { 'Miguel "Mike" Roe': ['Republican'], 'Ann Poe': ['Democratic'] },
      ],
    ]);
    expect(measures.map(({ name }) => name)).toEqual(['Statewide Referendum A Provides for an Exemption']);
  });

  test('of judges to retain, and of a court of several counties', async () => {
    const retained = await importLines(
      '20201103__fl__general__liberty__precinct.csv',
      ['Liberty'],
      ['1st District Court of Appeal Joseph Roe Jr.||Yes||50', '1st District Court of Appeal Joseph Roe Jr.||No||40'],
    );
    expect(shown(retained)).toEqual([
      'Judge of the 1st District Court of Appeal | Judicial District: Florida Court of Appeal District 1 | Retention of Joseph Roe Jr.',
    ]);
    const several = await importLines(
      '20201103__wa__general__county.csv',
      ['Asotin', 'Columbia'],
      ['Asotin, Columbia Superior Court Judge Position 1||Ann Roe||50'],
    );
    expect(several.races.map(({ type }) => type)).toEqual(['Judicial District']);
  });
});

test('the words of a question are no school district', async () => {
  const { measures } = await importLines(
    '20201103__ri__general__providence__precinct.csv',
    ['Providence'],
    ['4. School Renovations||Approve||50', '4. School Renovations||Reject||40'],
  );
  expect(measures.map(({ district }) => district)).toEqual(['Providence County School District']);
});

test('courts with a number after them, independent school districts, and a judge after the name of the state', async () => {
  const minnesota = await importLines(
    '20201103__mn__general__aitkin__precinct.csv',
    ['Aitkin'],
    [
      'Associate Justice - Supreme Court 4||Ann Roe||50',
      'Judge - 9th District Court 2||Bo Roe||50',
      'School Board Member (ISD #1) (Elect 3)||Cy Roe||50',
      'Commissioner Eastern District||Di Roe||50',
    ],
  );
  expect(shown(minnesota).toSorted()).toEqual([
    'Commissioner Eastern District | County: Aitkin County',
    'Judge District Court | Judicial District: Minnesota Judicial District 9 | Position 2',
    'Minnesota Associate Justice - Supreme Court | State: Minnesota | Position 4',
    'School Board Member (ISD #1) | School District: Independent School District 1',
  ]);
  const missouri = await importLines(
    '20201103__mo__general__adair__precinct.csv',
    ['Adair'],
    ['Missouri Supreme Court Judge - Ann Roe||YES||50', 'Missouri Supreme Court Judge - Ann Roe||NO||40'],
  );
  expect(missouri.races.map(({ kind, type }) => [kind, type])).toEqual([['Retention', 'State']]);
});

test('an empty count in a precinct without any count of the contest is none', async () => {
  const { races } = await importLines(
    '20181106__tx__general__caldwell__precinct.csv',
    ['Caldwell'],
    [
      'County Commissioner, Precinct 1||Ann Roe|REP|50//40',
      'County Commissioner, Precinct 1||Bo Roe|DEM|60//30',
      'County Commissioner, Precinct 3||Cy Roe|DEM|/60/',
      'County Commissioner, Precinct 3||Di Roe|REP|/70/',
      'Sheriff||Ed Roe|REP|50/60/',
      'Sheriff||Flo Roe|DEM|50/50/40',
    ],
  );
  expect(races.map(({ candidates }) => candidates)).toEqual([
    { 'Ann Roe': 90, 'Bo Roe': 90 },
    { 'Cy Roe': 60, 'Di Roe': 70 },
    { 'Ed Roe': null, 'Flo Roe': 140 },
  ]);
});

test('the party of a primary may be in the name of the file, and a special election without a stage is a general one', async () => {
  const rows = 'county,office,district,candidate,votes\nKings,U.S. House,1,Ann Roe,50\nQueens,U.S. House,1,Bo Roe,60\n';
  const withParty = rows.replace('votes', 'votes,party').replaceAll(/(?<=[56]0)$/gm, ',DEM');
  const files = {
    '20120424__ny__republican__primary__county.csv': rows,
    '20190212_ny_special_county.csv': withParty,
  };
  const { races } = await importFiles(database, 'openelections', files);
  expect(races.map(({ kind, stageParty }) => [kind, stageParty]).toSorted()).toEqual([
    ['Regular', 'Republican'],
    ['Special', null],
  ]);
});

test('a city with a part in a county without results has no outcome', async () => {
  const boundaries = [
    {
      type: 'County',
      name: 'Harris County',
      ocdid: 'ocd-division/country:us/state:tx/county:harris',
      from: -95,
      to: -94,
    },
    {
      type: 'County',
      name: 'Waller County',
      ocdid: 'ocd-division/country:us/state:tx/county:waller',
      from: -96,
      to: -95,
    },
    { type: 'City-town', name: 'Katy', ocdid: 'ocd-division/country:us/state:tx/place:katy', from: -95.2, to: -94.5 },
    {
      type: 'City-town',
      name: 'Humble',
      ocdid: 'ocd-division/country:us/state:tx/place:humble',
      from: -94.6,
      to: -94.5,
    },
  ];
  for (const { type, name, ocdid, from, to } of boundaries)
    await sql`
      with district as (
          insert into districts (type, name, state, ocdid) values (${type}, ${name}, 'TX', ${ocdid}) returning id),
        rectangle as (
          select ST_MakeEnvelope(${from}::float8, 29, ${to}::float8, 29.5, 4326) as geometry),
        made as (
          insert into boundaries (district_id, start_date, precise, geometry, digest)
          select district.id, '2013-01-01', true, ST_Multi(geometry), ${name} from district, rectangle
          returning id)
      insert into boundary_pieces (boundary_id, geometry) select made.id, geometry from made, rectangle`.execute(
      database.db,
    );
  const lines = ['Mayor of Katy', 'Mayor of Humble', 'Mayor of Baytown'].flatMap((office) => [
    `${office}||Ann Roe||50`,
    `${office}||Bo Roe||40`,
  ]);
  const { races } = await importLines('20181106__tx__general__harris__precinct.csv', ['Harris'], lines);
  expect(Object.fromEntries(races.map(({ district, won }) => [district, won]))).toEqual({
    Katy: [],
    Humble: ['Ann Roe'],
    Baytown: ['Ann Roe'],
  });
});
