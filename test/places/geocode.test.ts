import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { box } from '../import/folders.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { createWorld, insert } from '../support/world.ts';
import { useFiles } from './files.ts';

const database = useDatabase();
const write = useFiles();
const lines: string[] = [];
const service = useApp(database, { LOG_LEVEL: 'debug' }, 'server', { write: (line: string) => void lines.push(line) });

// So many digits that no time and no duration in a log is taken for a coordinate.
const [LATITUDE, WEST] = [39.512345, -75.912345];

/** Each address with its place on a line from west to east, a kilometre from the next. */
const ADDRESSES = [
  '149,Robinhood Cir,Dover,DE,19901',
  '149,Maple St,Dover,DE,19901',
  '149,Maple Ave,Dover,DE,19901',
  '12,Main St,Dover,DE,19901',
  '12,Main St,Smyrna,DE,19977',
  '12,E Main St,Smyrna,DE,19977',
  '7,Elm St,Dover,DE,19901',
  '7,Elk St,Smyrna,DE,19977',
  '5,Gove Hill Rd,Norton,DE,19902',
  '9,VT Route 100 S,Saint George,VT,05495',
  '3,Saint Paul St,Saint George,VT,05495',
  '14A,Oak Ln,Dover,DE,19901',
  '8,Broadway,Dover,DE,19901',
  '20,N Main St,West Dover,DE,19903',
  '30,Mill St,Newport,DE,19804',
  '40,Washington St,Dover,DE,19901',
  '5,US Hwy 13,Smyrna,DE,19977',
  '6,Interstate 95 N,Newport,DE,19804',
  '12-34,31st Ave,Newport,DE,19804',
  '12-38,31st Ave,Newport,DE,19804',
  '16,Bridge St,Dover,DE,19901',
  '21,1st Ave,Dover,DE,19901',
  '22 1/2,Elm St,Dover,DE,19901',
  '24,Mt Hope Rd,Dover,DE,19901',
  '25,Road Ln,Miami,FL,33101',
  '6,Hill St,Newport,DE,19804',
  '350,S 200 E,Newport,DE,19804',
  '350,E 200 S,Newport,DE,19804',
  '101,N Fourth St,Newport,DE,19804',
  '101,S Fourth St,Newport,DE,19804',
  '101,Fourth Ave,Newport,DE,19804',
  '500,Oak St,Springfield,DE,19805',
].map((line, index) => {
  const [, state = ''] = /,(VT|FL),/.exec(line) ?? [];
  const point = { VT: '-72.5,44.25', FL: '-80.3,25.8' }[state] ?? `${(WEST + index / 100).toFixed(6)},${LATITUDE}`;
  return `${line},${point}`;
});

beforeAll(async () => {
  await createWorld(database.db);
  const csv = ['NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT', ...ADDRESSES].join('\n');
  await runImport(database.db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
  const zip = {
    type: 'Feature',
    properties: { ZCTA5CE20: '19901' },
    geometry: { type: 'Polygon', coordinates: [box(-76, 39, -75, 40)] },
  };
  await runImport(database.db, 'zcta', [write('z.geojson', JSON.stringify(zip))], { name: 'Areas' });
  const source = database.db
    .insertInto('sources')
    .values({ name: 'Towns', license: 'none' })
    .returning('id as source_id');
  const town = { county: null, longitude: -72, latitude: 42, ...(await source.executeTakeFirstOrThrow()) };
  await insert(database.db, 'town_points', [{ ...town, name: 'Springfield', state: 'MA' }]);
  await insert(database.db, 'districts', [
    { id: 70, type: 'City-town', name: 'Dover', state: 'DE' },
    { id: 71, type: 'County subdivision', name: 'Dover city', state: 'DE' },
    { id: 72, type: 'County', name: 'Kent County', state: 'DE' },
    { id: 73, type: 'County', name: 'Kent County', state: 'MD' },
  ]);
  for (const [id, west] of [
    [70, -76],
    [71, -76],
    [72, -76],
    [73, -77],
  ] as const) {
    await sql`
      with made as (
        insert into boundaries (district_id, start_date, precise, geometry, digest)
        values (${id}, '2000-01-01', true, ST_Multi(ST_MakeEnvelope(${west}, 39, ${west + 1}, 40, 4326)), ${`p${id}`})
        returning id, geometry)
      insert into boundary_pieces (boundary_id, geometry) select id, (ST_Dump(geometry)).geom from made`.execute(
      database.db,
    );
  }
});

interface Found {
  ambiguous: boolean;
  matches: { label: string; kind: string; confidence: number; source: { name: string } | null }[];
}

async function geocode(text: string, first = 5): Promise<Found> {
  const source =
    'query ($text: String!, $first: Int) { geocode(text: $text, first: $first) { ambiguous addressesLoaded matches { label kind confidence point { latitude longitude } source { name } } } }';
  const { data, errors } = await request(database.db, source, { variables: { text, first } });
  expect(errors).toBeUndefined();
  return (data as { geocode: Found }).geocode;
}

const labels = ({ matches }: Found) => matches.map(({ label }) => label);
const certain = ({ ambiguous, matches }: Found) => !ambiguous && (matches[0]?.confidence ?? 0) >= 0.8;

describe('an address', () => {
  it.each([
    ['149 Robinhood Cir, Dover, DE 19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 robinhood circle dover delaware', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 ROBINHOOD CRCLE DOVER DE 19901-1234 USA', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood, Dover', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir 19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Apt 4, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir #4B, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 robnihood cir, dover de', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 robinhood cir, dvoer de 19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 robinhood crl, dover de', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 robinhood cir, dover dx 19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir, Dover, DE 19999', '149 Robinhood Cir, Dover, DE 19901'],
    ['7 Elm St, Dover DE', '7 Elm St, Dover, DE 19901'],
    ['7 Elk St, Smyrna DE', '7 Elk St, Smyrna, DE 19977'],
    ['12 E. Main Street, Smyrna', '12 E Main St, Smyrna, DE 19977'],
    ['5 gove hill, norton', '5 Gove Hill Rd, Norton, DE 19902'],
    ['9 Vermont Rte 100 South, St. George', '9 VT Route 100 S, Saint George, VT 05495'],
    ['3 st paul st st george vt', '3 Saint Paul St, Saint George, VT 05495'],
    ['14a Oak Lane Dover', '14A Oak Ln, Dover, DE 19901'],
    ['8 broadway dover', '8 Broadway, Dover, DE 19901'],
    ['20 n main st, west dover', '20 N Main St, West Dover, DE 19903'],
    // Units: Publication 28, appendix C2.
    ['149 Robinhood Cir, Apt B-2, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Apt # 3, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Bldg A Apt 3, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Bsmt, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir, Rear, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Trlr 4 Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['9 VT Route 100 S Upper, Saint George VT', '9 VT Route 100 S, Saint George, VT 05495'],
    ['Unit 5, 149 Robinhood Cir, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['25 Road Ln, Miami, FL 33101', '25 Road Ln, Miami, FL 33101'],
    // The house number elsewhere.
    ['Jane Roe\n149 Robinhood Cir\nDover DE 19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['No. 149 Robinhood Cir, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['Robinhood Cir 149, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['Robinhood Cir, 149, Dover DE', '149 Robinhood Cir, Dover, DE 19901'],
    // House numbers that are more than digits.
    ['14 A, Oak Ln, Dover', '14A Oak Ln, Dover, DE 19901'],
    ['14 A Oak Ln, Dover', '14A Oak Ln, Dover, DE 19901'],
    ['22½ Elm St, Dover DE', '22 1/2 Elm St, Dover, DE 19901'],
    ['22-1/2 Elm St, Dover DE', '22 1/2 Elm St, Dover, DE 19901'],
    ['12-34 31st Ave, Newport DE', '12-34 31st Ave, Newport, DE 19804'],
    ['12-34 Thirty-First Avenue, Newport DE', '12-34 31st Ave, Newport, DE 19804'],
    // Punctuation, ZIP+4 and country.
    ['149,Robinhood Cir,Dover,DE,19901', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir., Dover, D.E. 199011234', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir Dover DE 19901 1234 US', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir, City of Dover, DE', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir, Dover, Delawre', '149 Robinhood Cir, Dover, DE 19901'],
    ['149 Robinhood Cir, Dover, MD 19901', '149 Robinhood Cir, Dover, DE 19901'],
    // Numbered roads.
    ['9 VT-100 S, Saint George VT', '9 VT Route 100 S, Saint George, VT 05495'],
    ['9 VT100 S, Saint George VT', '9 VT Route 100 S, Saint George, VT 05495'],
    ['9 SR 100 S, Saint George VT', '9 VT Route 100 S, Saint George, VT 05495'],
    ['9 State Hihgway 100 S, Saint George VT', '9 VT Route 100 S, Saint George, VT 05495'],
    ['5 US 13, Smyrna DE', '5 US Hwy 13, Smyrna, DE 19977'],
    ['5 Rt 13, Smyrna DE', '5 US Hwy 13, Smyrna, DE 19977'],
    ['6 I-95 N, Newport DE', '6 Interstate 95 N, Newport, DE 19804'],
    // Names that are those of states, saints, mountains and numbers.
    ['40 Wahsington St, Dover DE', '40 Washington St, Dover, DE 19901'],
    ['3 Siant Paul St, Saint George VT', '3 Saint Paul St, Saint George, VT 05495'],
    ['24 Mount Hope Road, Dover DE', '24 Mt Hope Rd, Dover, DE 19901'],
    ['21 First Ave, Dover DE', '21 1st Ave, Dover, DE 19901'],
    // Two streets of a grid.
    ['350 South 200 East, Newport DE', '350 S 200 E, Newport, DE 19804'],
    ['350 E 200 S Newport DE 19804', '350 E 200 S, Newport, DE 19804'],
    // What settles a question about another street, or another town of the name.
    ['101 4th Ave, Newport DE', '101 Fourth Ave, Newport, DE 19804'],
    ['500 Oak St, Springfield, DE', '500 Oak St, Springfield, DE 19805'],
    ['500 Oak St, Springfield 19805', '500 Oak St, Springfield, DE 19805'],
  ])('%s is certain', async (text, label) => {
    const found = await geocode(text);
    expect([labels(found)[0], certain(found)], JSON.stringify(found.matches)).toEqual([label, true]);
    expect(found.matches[0]).toMatchObject({ kind: 'ADDRESS', source: { name: 'OpenAddresses' } });
  });

  it.each([
    ['12 Main St, DE', ['12 Main St, Dover, DE 19901', '12 Main St, Smyrna, DE 19977']],
    ['149 Maple, Dover', ['149 Maple Ave, Dover, DE 19901', '149 Maple St, Dover, DE 19901']],
    ['12 Main St, Dover, DE 19977', ['12 Main St, Dover, DE 19901', '12 Main St, Smyrna, DE 19977']],
    ['149 Robinhood Cir', ['149 Robinhood Cir, Dover, DE 19901']],
    ['150 Robinhood Cir, Dover, DE', ['149 Robinhood Cir, Dover, DE 19901']],
    ['5 Gove Hill Rd, Morton', ['5 Gove Hill Rd, Norton, DE 19902']],
    ['20 N Main St, Dover', ['20 N Main St, West Dover, DE 19903']],
    ['7 Elk St, Dover, DE', ['7 Elm St, Dover, DE 19901']],
    // What is no address.
    ['PO Box 149, Dover, DE 19901', []],
    ['149 Robinhood Cir, PO Box 12, Dover, DE', ['149 Robinhood Cir, Dover, DE 19901']],
    ['149 Robinhood Cir, Dover, Morris County', ['149 Robinhood Cir, Dover, DE 19901']],
    // Another house number, street or class of road than any that is loaded.
    ['12-36 31st Ave, Newport, DE 19804', ['12-34 31st Ave, Newport, DE 19804', '12-38 31st Ave, Newport, DE 19804']],
    // A number with a hyphen is no part of the number before it.
    ['12 31st Ave, Newport, DE 19804', ['12-34 31st Ave, Newport, DE 19804', '12-38 31st Ave, Newport, DE 19804']],
    // The suffix is left open: it may be that of a street with a direction.
    [
      '101 4th, Newport DE',
      ['101 Fourth Ave, Newport, DE 19804', '101 N Fourth St, Newport, DE 19804', '101 S Fourth St, Newport, DE 19804'],
    ],
    // A town of the name is known in a state of which no addresses are loaded.
    ['500 Oak St, Springfield', ['500 Oak St, Springfield, DE 19805']],
    // The street exists as it is typed, and another house number of a similar street.
    ['6 Mill St, Newport, DE', ['6 Hill St, Newport, DE 19804', '30 Mill St, Newport, DE 19804']],
    ['14B Oak Ln, Dover, DE 19901', ['14A Oak Ln, Dover, DE 19901']],
    ['16 Blue Rdg, Dover, DE 19901', []],
    ['12 S Main St, Smyrna, DE', ['12 Main St, Smyrna, DE 19977', '12 E Main St, Smyrna, DE 19977']],
    ['5 State Hwy 13, Smyrna, DE', ['5 US Hwy 13, Smyrna, DE 19977']],
    ['149 Robinhood St, Dover, DE', ['149 Robinhood Cir, Dover, DE 19901']],
    // Two wrong letters, which only the search of similar names finds.
    ['149 Rabinhod Cir, Dover, DE', ['149 Robinhood Cir, Dover, DE 19901']],
    ['149 robi', ['149 Robinhood Cir, Dover, DE 19901']],
    ['robinhood cir dover', ['149 Robinhood Cir, Dover, DE 19901']],
  ])('%s is left to the person who typed it', async (text, expected) => {
    const found = await geocode(text);
    expect(labels(found)).toEqual(expect.arrayContaining(expected));
    // A letter in the street may be wrong, but the town is the one that was typed.
    if (text.startsWith('7 Elk')) expect(labels(found)[0]).toBe(expected[0]);
    else expect([found.ambiguous, certain(found)]).toEqual([true, false]);
  });

  it('with another house number has the nearest one on the street that agrees best first', async () => {
    expect(labels(await geocode('148 Maple Ave, Dover, DE')).slice(0, 2)).toEqual([
      '149 Maple Ave, Dover, DE 19901',
      '149 Maple St, Dover, DE 19901',
    ]);
    const { matches } = await geocode('148 Maple Ave, Dover, DE');
    expect(matches.every(({ confidence }) => confidence <= 0.35)).toBe(true);
  });

  it('that resembles nothing has no matches', async () => {
    expect(await geocode('4711 Xyzzyx Parkway, Nowhere')).toMatchObject({ ambiguous: false, matches: [] });
  });

  it('has as many matches as requested', async () => {
    expect((await geocode('12 main', 1)).matches).toHaveLength(1);
    for (const first of [0, -1, 21]) {
      const { errors } = await request(database.db, `{ geocode(text: "x", first: ${first}) { ambiguous } }`);
      expect(errors?.[0]?.message).toBe(`first must be from 1 to 20, not ${first}.`);
    }
  });
});

describe('a place', () => {
  it.each([
    ['19901', { kind: 'ZIP', label: '19901' }, false],
    ['Dover, DE', { kind: 'PLACE', label: 'Dover, DE' }, false],
    ['dover delaware', { kind: 'PLACE', label: 'Dover, DE' }, false],
    ['Kent County, MD', { kind: 'PLACE', label: 'Kent County, MD' }, false],
    ['kent county', { kind: 'PLACE', label: 'Kent County, DE' }, true],
    ['Alpha', { kind: 'PLACE', label: 'Alpha' }, false],
    ['Alpa', { kind: 'PLACE', label: 'Alpha' }, true],
  ])('%s is found', async (text, match, ambiguous) => {
    const found = await geocode(text);
    expect(found.matches[0], JSON.stringify(found)).toMatchObject(match);
    expect(found.ambiguous).toBe(ambiguous);
  });

  it('needs a grant for districts', async () => {
    const { data } = await request(database.db, '{ geocode(text: "Dover, DE") { matches { kind } } }', { grants: [] });
    expect(JSON.stringify(data)).not.toContain('PLACE');
  });
});

describe('location(address:)', () => {
  const location = (args: string) =>
    request(database.db, `{ location${args} { latitude longitude districts { name } } }`);

  it('is the point of a certain address', async () => {
    const { data, errors } = await location('(address: "149 Robinhood Cir, Dover DE")');
    expect(errors).toBeUndefined();
    expect(data?.location).toMatchObject({ latitude: LATITUDE, longitude: WEST });
    expect(JSON.stringify(data)).toContain('Kent County');
  });

  it('is an error with the matches if the address is not certain', async () => {
    const { data, errors } = await location('(address: "12 Main St, DE")');
    const match = { kind: 'ADDRESS', confidence: 0.7, latitude: LATITUDE };
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_PARAMETER',
      ambiguous: true,
      matches: [
        { ...match, label: '12 Main St, Dover, DE 19901', longitude: -75.882345 },
        { ...match, label: '12 Main St, Smyrna, DE 19977', longitude: -75.872345 },
        { label: '12 E Main St, Smyrna, DE 19977', kind: 'ADDRESS' },
      ],
    });
  });

  it('never takes a ZIP code or a town for an address', async () => {
    for (const text of ['19901', 'Dover, DE']) {
      const { errors } = await location(`(address: "${text}")`);
      expect(errors?.[0]?.extensions).toMatchObject({
        ambiguous: true,
        matches: [{ label: text, kind: text === '19901' ? 'ZIP' : 'PLACE', confidence: expect.any(Number) }],
      });
    }
  });

  it('says that nothing was found', async () => {
    const { errors } = await location('(address: "4711 Xyzzyx Parkway, Nowhere")');
    expect(errors?.[0]).toMatchObject({
      message: 'No address that is loaded resembles this one.',
      extensions: { code: 'NOT_FOUND' },
    });
  });

  it.each([
    '',
    '(latitude: 42)',
    '(longitude: -98)',
    '(latitude: 42, longitude: -98, address: "1 Main St")',
    '(latitude: 42, address: "1 Main St")',
    '(latitude: null, longitude: null, address: null)',
  ])('takes a point or an address: %s', async (args) => {
    const { errors } = await location(args);
    expect(errors?.[0]?.message).toBe('location takes either latitude and longitude, or address.');
  });
});

describe('over HTTP', () => {
  const CANARY = '149 Robinhood Cir, Dover, DE 19901';
  const post = (query: string, variables: object) =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': service.key('full') },
      payload: { query, variables },
    });

  it('GET /data/geocode has the envelope of the other paths', async () => {
    const { status, body } = await get(service, `/data/geocode?text=${encodeURIComponent(CANARY)}`);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          ambiguous: false,
          addresses_loaded: true,
          missing: [],
          reason: null,
          loaded_states: [],
          districts: null,
          matches: [
            {
              label: CANARY,
              kind: 'ADDRESS',
              district_type: null,
              confidence: 1,
              lat: LATITUDE,
              long: WEST,
              source: 'OpenAddresses',
            },
          ],
        },
        message: null,
      },
    ]);
  });

  it('GET /data/geocode has the districts of an area with their shares and officeholders, and no point', async () => {
    const { status, body } = await get(service, '/data/geocode?text=Alpha');
    expect([status, body.data.matches[0]]).toMatchObject([
      200,
      { label: 'Alpha', kind: 'PLACE', lat: null, long: null },
    ]);
    const { districts } = body.data as { districts: { name: string; area_share: number; is_whole: boolean }[] };
    expect(
      districts.map(({ name, area_share, is_whole }) => [name, Math.round(area_share * 100) / 100, is_whole]),
    ).toEqual([
      ['Country', 1, true],
      ['Congressional District 1', 0.5, false],
      ['Congressional District 2', 0.5, false],
      ['Alpha', 1, true],
      ['First County', 0.26, false],
    ]);
    expect(districts[1]).toMatchObject({ type: 'Congress', officeholders: [{ name: 'Dan Dog' }] });
  });

  it.each([
    '',
    '?text=',
    '?text=%20',
    `?text=${'a'.repeat(201)}`,
    '?text=a%00b',
    '?text=x&text=y',
    '?text=x&first=0',
    '?text=x&first=21',
  ])('GET /data/geocode%s is rejected', async (query) => {
    const { status, body } = await get(service, `/data/geocode${query}`);
    expect([status, body.success]).toEqual([400, false]);
  });

  it('texts of any kind are harmless', async () => {
    const texts = [
      '%',
      '_',
      '\\',
      "'; drop table districts; --",
      '1',
      '12',
      '0 x',
      '99999999999 Main St',
      '1 '.repeat(99),
      'a '.repeat(99),
      '💥',
      '١٢ شارع',
      '12 \u202eMain',
      '-',
      ',,,,',
      '12,',
      '#',
      '12 #',
      'VT',
      'N',
      '12 N',
      'st',
      '5 st st st st',
      '1/2',
      '12 1/2',
      '12-14 Main',
      'x'.repeat(200),
      `${'ab '.repeat(66)}c`,
    ];
    for (const text of texts) {
      const response = await post('query ($text: String!) { geocode(text: $text) { ambiguous matches { label } } }', {
        text,
      });
      expect([text, response.statusCode, response.json().errors]).toEqual([text, 200, undefined]);
    }
    const long = await post('query ($text: String!) { geocode(text: $text) { ambiguous } }', { text: 'a'.repeat(201) });
    expect(long.json().errors[0].message).toMatch(/at most 200 characters/);
  });

  it('an address is neither logged nor cached', async () => {
    const query =
      'query ($a: String!) { location(address: $a) { districts { name } } geocode(text: $a) { matches { label } } }';
    const single = 'query ($a: String!) { location(address: $a) { districts { name } } }';
    const places = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from districts`.execute(database.db);
      return rows[0]?.count;
    };
    expect(await places()).toBeGreaterThan(0);
    for (const each of [query, single, single]) expect((await post(each, { a: CANARY })).statusCode).toBe(200);
    expect((await post(single, { a: '12 Main St Canaryville' })).json().errors).toHaveLength(1);
    // A cached response would survive a change that raises no data version.
    await sql`alter table address_points disable trigger user`.execute(database.db);
    await sql`delete from address_points where number = 149`.execute(database.db);
    expect((await post(single, { a: CANARY })).json().errors[0].extensions.ambiguous ?? 'not found').toBeTruthy();
    expect((await get(service, `/data/geocode?text=${encodeURIComponent(CANARY)}`)).body.data.ambiguous).not.toBe(
      false,
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => /robinhood|canaryville|39\.5123|75\.9123/i.test(line))).toEqual([]);
  });
});

describe('without addresses', () => {
  it('says how to load them', async () => {
    await sql`truncate address_points, address_ranges`.execute(database.db);
    const { data, errors } = await request(
      database.db,
      '{ geocode(text: "1 Xyz St") { addressesLoaded matches { kind } } }',
    );
    expect([data, errors]).toEqual([{ geocode: { addressesLoaded: false, matches: [] } }, undefined]);
    const { errors: [error] = [] } = await request(database.db, '{ location(address: "1 Xyz St") { id } }');
    expect(error?.message).toMatch(
      /No addresses are loaded: an operator loads them with `npm run import -- address-points`/,
    );
  });
});
