import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type ImportOptions, type ImportSummary, runImport } from '../../src/importers/import.ts';
import { runCheck } from '../../src/operate/integrity/check.ts';
import { VOTING_CHECKS } from '../../src/operate/integrity/voting.store.ts';
import { box, feature, folderOf } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';

const database = useDatabase();
const DAY = '2018-11-06';
const POINT = { longitude: -72.995, latitude: 43.55 };
const POINT_TEXT = { longitude: '-72.995', latitude: '43.55' };

/** Two precincts of Vermont; the first one was split on 2020-01-01. */
const PRECINCTS = [
  ['1-A', -73, '2012-01-01', '2019-12-31'],
  ['2-B', -72.98, '2012-01-01', undefined],
  ['1-A North', -73, '2020-01-01', undefined],
] as const;

beforeAll(async () => {
  const map = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'map-')), 'map.geojsonl');
    writeFileSync(file, `${text}\n`);
    return [file];
  };
  const vermont = feature({ NAME: 'Vermont', GEOID: '50' }, [box(-73.4, 42.7, -71.5, 45)]);
  const properties = { name: 'NAME', geoid: 'GEOID' };
  await runImport(database.db, 'districts-geojson', map(vermont), {
    type: 'State',
    from: '2000-01-01',
    state: 'VT',
    properties,
  });
  await sql`update districts set ocdid = 'ocd-division/country:us/state:vt'`.execute(database.db);
  for (const [name, west, from, to] of PRECINCTS) {
    const file = map(feature({ name }, [box(west, 43.5, west + 0.01, 43.6)]));
    const options = { type: 'Precinct', state: 'VT', from, to, properties: { name: 'name' } };
    await runImport(database.db, 'districts-geojson', file, options);
  }
});
beforeEach(async () => {
  await sql`truncate voting_places, deadlines, elections, import_editions cascade`.execute(database.db);
  await sql`delete from external_identifiers where kind in ('voting_place', 'election', 'deadline')`.execute(
    database.db,
  );
  await sql`delete from record_sources where kind in ('voting_place', 'election', 'deadline')`.execute(database.db);
});

const COLUMNS = ['date', 'state', 'kind', 'name', 'address', 'precinct', 'hours', 'intervals', 'time-zone'] as const;
const MORE = ['longitude', 'latitude', 'status', 'moved-to'] as const;
type Row = Partial<Record<(typeof COLUMNS | typeof MORE)[number], string>>;
const USUAL: Row = {
  date: DAY,
  state: 'VT',
  kind: 'Election day',
  name: 'Hall',
  address: '1 Main Street',
  precinct: '1-A',
};
const SECOND: Row = { name: 'School', address: '2 Main Street', precinct: '2-B' };

function imported(rows: readonly Row[], options: ImportOptions = {}): Promise<ImportSummary> {
  const all = [...COLUMNS, ...MORE];
  const body = rows.map((row) => all.map((column) => ({ ...USUAL, ...row })[column] ?? '').join(','));
  return runImport(
    database.db,
    'voting-places',
    [folderOf({ 'places.csv': [all.join(','), ...body, ''].join('\n') })],
    {
      fields: Object.fromEntries(all.filter((column) => column !== 'precinct').map((column) => [column, column])),
      join: { precinct: 'Precinct' },
      electionType: 'General',
      asOf: '2018-10-01',
      name: 'Places',
      ...options,
    },
  );
}

/** Adds a deadline of Vermont, for the stored election or for all. */
const deadline = (columns: string, values: string) =>
  sql
    .raw(`insert into deadlines (district_id, ${columns}) select d.id, ${values}
    from districts as d left join elections as e on e.district_id = d.id where d.type = 'State' and d.state = 'VT'`)
    .execute(database.db);

const rules = (texts: Readonly<Record<string, string>>) =>
  runImport(
    database.db,
    'vote-gov',
    [
      folderOf({
        'states.json': '{"vt": {"more_info_link": "https://vt.example/"}}',
        ...Object.fromEntries(
          Object.entries(texts).map(([language, text]) => [
            `translations/${language}/state-data.json`,
            JSON.stringify({ vt: { default_online_deadline: text } }),
          ]),
        ),
      }),
    ],
    { asOf: '2018-10-01' },
  );

/** Returns the checks that find a fault, and what they find. */
async function faults(): Promise<string[]> {
  const found: string[] = [];
  for (const check of VOTING_CHECKS)
    for (const { problem } of (await runCheck(database.db, check, { today: '2018-10-01' })).violations)
      found.push(`${check.name}: ${problem}`);
  return found;
}

/** Returns the places, or the deadlines, of a day at a point of the first precinct, as one text; `none` without an election. */
async function answer(what: 'places' | 'deadlines', on: string = DAY): Promise<string> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $on: Date!) { location(latitude: $latitude, longitude: $longitude) {
    voting(on: $on) { state places { place { name status movedTo timeZone } } deadlines(language: "es") { kind day phrase { text language } } } } }`;
  const { data, errors } = await request(database.db, query, { variables: { ...POINT, on } });
  expect(errors).toBeUndefined();
  const { voting } = (data as { location: { voting: Record<string, never> | null } }).location;
  return voting ? JSON.stringify(what === 'places' ? [voting.state, voting.places] : voting.deadlines) : 'none';
}

interface Fault {
  readonly name: string;
  /** What is imported or stored. */
  readonly plant: () => Promise<ImportSummary | unknown>;
  /** What the report of the import says. */
  readonly told?: string;
  /** What a check finds. */
  readonly found?: string | readonly string[];
  /** What the answer for a point in the first precinct has, and has not. */
  readonly answered?: readonly [what: 'places' | 'deadlines', has: string, hasNot: string];
}

const NO_DISTRICT = 'no district has this name or GEOID: it is listed for the election, and for no district';
const HOURS = `${DAY}T07:00/${DAY}T19:00`;

const FAULTS: readonly Fault[] = [
  {
    name: 'a place of another year',
    plant: () =>
      imported([
        { ...SECOND, precinct: '1-A' },
        { date: '2016-11-08', name: 'Old Hall' },
      ]),
    answered: ['places', 'School', 'Old Hall'],
  },
  {
    name: 'a precinct that was split',
    plant: () => imported([{ date: '2020-11-03' }]),
    told: `${NO_DISTRICT}`,
  },
  {
    name: 'two places of one precinct',
    plant: () => imported([{}, { ...SECOND, precinct: '1-A' }]),
    told: 'the district has several places on election day: 2',
    found: 'several-places-of-a-precinct: 1-A, VT, has 2 places on election day 2018-11-06',
  },
  {
    name: 'hours of early voting at a place of election day',
    plant: () => imported([{ intervals: '2018-11-01T09:00/2018-11-01T17:00' }]),
    found:
      'hours-of-another-day: Election day, Hall: open 2018-11-01T09:00/2018-11-01T17:00, the election is on 2018-11-06',
  },
  {
    name: 'a place without a precinct',
    plant: () => imported([{}, { ...SECOND, precinct: '' }]),
    told: 'not all rows and districts have each other: 1 of 1 rows have a district, 1 of 2 districts have a place',
    found: 'places-without-districts: School, 2018-11-06',
    answered: ['places', 'Hall', 'School'],
  },
  {
    name: 'coordinates exchanged',
    plant: () => imported([{ longitude: '43.55', latitude: '-72.995' }]),
    found: 'places-outside-their-state: Hall at -72.995, 43.55 is not in VT',
  },
  {
    name: 'a deadline after the election',
    plant: async () => {
      await imported([{}]);
      await deadline('election_id, kind, day', "e.id, 'Register online', '2018-11-07'");
    },
    found: 'deadlines-after-election: Register online until 2018-11-07, after the election of 2018-11-06',
  },
  {
    name: 'another time zone',
    plant: () => imported([{ intervals: HOURS, 'time-zone': 'America/Los_Angeles' }]),
    found: 'time-zones-of-other-states: Hall, VT: America/Los_Angeles',
    answered: ['places', 'America/Los_Angeles', 'America/New_York'],
  },
  {
    name: 'a rule that is changed in one language',
    plant: async () => {
      await imported([{}]);
      return rules({ en: '15 days before Election Day', es: '20 días antes de la elección' });
    },
    told: 'the translation has other numbers than the English text: 20 días antes de la elección',
    answered: [
      'deadlines',
      '"day":"2018-10-22","phrase":{"text":"15 days before Election Day","language":"en"}',
      '20'.concat(' días'),
    ],
  },
  {
    name: 'a number that is another one in the digits of a translation',
    plant: async () => {
      await imported([{}]);
      return rules({ en: '15 days before Election Day', ar: 'قبل ١٦ يومًا من يوم الانتخابات', hi: 'चुनाव से १५ दिन पहले' });
    },
    told: 'the translation has other numbers than the English text: قبل ١٦ يومًا من يوم الانتخابات',
  },
  {
    name: 'a closed place that is still listed as open',
    plant: () => imported([{}, { status: 'Closed' }]),
    found: 'places-listed-twice: Hall (open) is also the place',
    answered: ['places', '"status":"CLOSED"', 'School'],
  },
  {
    name: 'a place that has moved to one that does not exist',
    plant: () => imported([{ status: 'Moved', 'moved-to': 'the old mill' }, SECOND]),
    found: 'moved-to-unknown-places: Hall has moved to the old mill',
    answered: ['places', '"status":"MOVED","movedTo":"the old mill"', 'School'],
  },
  {
    name: 'a place twice, of two data sets',
    plant: async () => {
      await imported([{ hours: '7 to 7' }]);
      return imported([{ name: 'HALL', hours: '7am-7pm' }], { name: 'Other places' });
    },
    found: ['several-places-of-a-precinct: 1-A, VT, has 2 places', '(open) is also the place'],
  },
  {
    name: 'hours that end before they begin',
    plant: () => imported([{ intervals: `${DAY}T19:00/${DAY}T07:00` }, SECOND]),
    told: 'open_intervals',
    answered: ['places', 'NOT_IN_DATA', 'Hall'],
  },
  {
    name: 'an unknown kind',
    plant: () => imported([{ kind: 'Kiosk' }, SECOND]),
    told: 'its kind is not known: Kiosk',
    answered: ['places', 'NOT_IN_DATA', 'Hall'],
  },
  {
    name: 'an election that does not exist',
    plant: () => imported([{}], { electionType: undefined }),
    told: 'the state has no election on the day: --election-type says which election the places are of',
    answered: ['places', 'none', 'Hall'],
  },
  {
    name: 'a precinct of another state',
    plant: () => imported([{ state: 'NH' }, SECOND]),
    told: NO_DISTRICT,
    answered: ['places', 'NOT_IN_DATA', 'Hall'],
  },
  {
    name: 'hours outside of the period of early voting',
    plant: async () => {
      await imported([{ kind: 'Early voting', intervals: '2018-10-01T09:00/2018-10-01T17:00' }]);
      await deadline('election_id, kind, day', "e.id, 'Early voting from', '2018-10-10'");
    },
    found:
      'hours-of-another-day: Early voting, Hall: open 2018-10-01T09:00/2018-10-01T17:00, the election is on 2018-11-06',
  },
  {
    name: 'a time zone that does not exist',
    plant: () => imported([{ 'time-zone': 'America/Montpelier' }, SECOND]),
    told: 'is not a time zone such as America/New_York',
    answered: ['places', 'NOT_IN_DATA', 'Hall'],
  },
  {
    name: 'a deadline with neither a rule nor a day',
    plant: async () => {
      await imported([{}]);
      return rules({ en: 'Ask your town clerk' });
    },
    told: 'the rule is not understood, and kept as its text: Ask your town clerk',
    answered: ['deadlines', '"day":null,"phrase":{"text":"Ask your town clerk","language":"en"}', '2018'],
  },
];

test('there are twenty faults', () => expect(FAULTS).toHaveLength(20));

test('without a fault nothing is found, and the place is answered', async () => {
  const summary = await imported([{ intervals: HOURS, 'time-zone': 'America/New_York', ...POINT_TEXT }, SECOND]);
  expect([summary.report, await faults()]).toEqual([[], []]);
  expect(await answer('places')).toContain('"name":"Hall"');
});

test.each(FAULTS)('$name is found, refused or answered truly', async ({ plant, told = '', found, answered }) => {
  const planted = await plant();
  const report = (planted as ImportSummary | undefined)?.report ?? [];
  expect(report.map(({ reason }) => reason).join('\n')).toContain(told);
  const all = await faults();
  if (found === undefined) expect(all.filter((each) => !each.startsWith('places-without-districts'))).toEqual([]);
  else expect(all).toEqual([found].flat().map((each) => expect.stringContaining(each)));
  const [what = 'places', has = '', hasNot] = answered ?? [];
  const text = await answer(what);
  expect(text).toContain(has);
  if (hasNot !== undefined) expect(text).not.toContain(hasNot);
});
