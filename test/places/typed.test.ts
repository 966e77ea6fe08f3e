import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import type { DistrictType } from '../../src/store/sql/tables.ts';
import { box } from '../import/folders.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { boundary, insert } from '../support/world.ts';
import { useFiles } from './files.ts';

const database = useDatabase();
const write = useFiles();
const service = useApp(database);
let client: Client;
beforeAll(async () => {
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

/** Three states: Maine with towns, Vermont with addresses of one town, Rhode Island with a ZIP area; and counties of the others. */
const DISTRICTS: [type: DistrictType, name: string, state: string, west: number][] = [
  ['State', 'Maine', 'ME', -70],
  ['State', 'Vermont', 'VT', -73],
  ['State', 'Rhode Island', 'RI', -71],
  ['State', 'Virginia', 'VA', -79],
  ['State', 'New Jersey', 'NJ', -75],
  ['County', 'Kennebec County', 'ME', -70],
  ['County', 'Augusta County', 'VA', -79],
  ['County', 'Burlington County', 'NJ', -75],
  ['County', 'Anchorage Municipality', 'VA', -79],
  ['City-town', 'Anchorage municipality', 'VA', -79],
  ['City-town', 'Montpelier city', 'VT', -73],
  ['School District', 'Montpelier School District', 'VT', -73],
  ['City-town', 'Bath city', 'ME', -70],
  ['County', 'Bath County', 'VA', -79],
  ['County', 'Cortland County', 'NJ', -75],
  ['City-town', 'Bristol town', 'RI', -71],
  ['City-town', 'Bristol town', 'VT', -73],
];

beforeAll(async () => {
  await insert(database.db, 'districts', [{ id: 1, type: 'Country', name: 'United States', state: 'US' }]);
  await boundary(database.db, 1, ['2000-01-01', null], [-80, 40, -69, 41]);
  for (const [index, [type, name, state, west]] of DISTRICTS.entries()) {
    await insert(database.db, 'districts', [{ id: index + 10, type, name, state }]);
    await boundary(database.db, index + 10, ['2000-01-01', null], [west, 40, west + 1, 41]);
  }
  const csv = [
    'NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT',
    '100,Church St,Barton,VT,05822,-72.5,44.25',
    '1,Main St,Barton,VT,05822,-72.4,44.25',
  ].join('\n');
  await runImport(database.db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
  const zip = {
    type: 'Feature',
    properties: { ZCTA5CE20: '02806', STATEFP20: '44' },
    geometry: { type: 'Polygon', coordinates: [box(-70.9, 40.1, -70.8, 40.2)] },
  };
  await runImport(
    database.db,
    'zcta',
    [write('z.geojson', JSON.stringify({ type: 'FeatureCollection', features: [zip] }))],
    { name: 'Areas' },
  );
}, 60_000);

/** What each text gives: the labels of all matches, and the layer that is missing. */
const SIMILAR = 'No place with this name is loaded: the matches have similar names.';
const ELSEWHERE = 'Burlington County, NJ is not where the ZIP code 02806 is. Correct one of them, or choose one.';
const TEXTS: readonly [
  text: string,
  labels: readonly string[],
  missing?: string | undefined,
  loaded?: readonly string[],
  reason?: string,
][] = [
  ['Augusta, ME', [], 'TOWNS?'],
  ['Augusta ME', []],
  ['Augusta, Maine', []],
  ['Augusta, VA', ['Augusta County, VA']],
  ['Augusta County, VA', ['Augusta County, VA']],
  ['Burlington, VT 05401', []],
  ['Burlington, Vermont', []],
  ['Burlington, NJ', ['Burlington County, NJ'], 'TOWNS', ['ME', 'RI', 'VA', 'VT']],
  ['Burlington County', ['Burlington County, NJ']],
  [
    '100 Church St, Burlington, VT',
    [],
    'ADDRESSES',
    ['VT'],
    'Neither the addresses nor the outline of this town are loaded on this server. Loaded are addresses of VT; cities and towns of ME, RI, VA, VT.',
  ],
  ...['100 Church St, Bath, ME', '100 Church St Bath ME 04530'].map(
    (text) =>
      [
        text,
        text.includes(',') ? ['Bath city, ME'] : [],
        'ADDRESSES',
        ['VT'],
        'Bath city, ME is known, but its addresses are not loaded on this server. Loaded are addresses of VT.',
      ] as [string, string[], string, string[], string],
  ),
  [
    '1 Elm St, Bristol',
    ['Bristol town, RI', 'Bristol town, VT'],
    'ADDRESSES',
    ['VT'],
    'Bristol town, RI and Bristol town, VT are known, but their addresses are not loaded on this server. Loaded are addresses of VT.',
  ],
  ['Bristol, 02806', ['Bristol town, RI', '02806']],
  ['Burlington 02806', ['02806', 'Burlington County, NJ'], undefined, [], ELSEWHERE],
  ['Burlington, NJ 02806', ['02806', 'Burlington County, NJ'], undefined, [], ELSEWHERE],
  ['Bristol, RI 02806', ['Bristol town, RI', '02806']],
  ['Portland', []],
  ['Portland County', ['Cortland County, NJ'], undefined, [], SIMILAR],
  ['Portland, NJ', [], 'TOWNS', ['ME', 'RI', 'VA', 'VT']],
  ['Portland, ME', []],
  ['100 Church St Burlington VT', [], 'ADDRESSES', ['VT']],
  ['100 Church St, Burlington, VT 05401', [], 'ADDRESSES', ['VT']],
  ['1 Main St, Woodstock VT', [], 'ADDRESSES', ['VT']],
  ['1 Main St, Barton, ME', [], 'ADDRESSES', ['VT']],
  ['1 Main St, Barton, VT', ['1 Main St, Barton, VT 05822']],
  ['1 Main St, Barton, VT 05822', ['1 Main St, Barton, VT 05822']],
  ['100 Church St Barton VT', ['100 Church St, Barton, VT 05822']],
  ['100 Church St, 05822', ['100 Church St, Barton, VT 05822']],
  ['100 Church St, 05401', [], 'ADDRESSES', ['VT']],
  ['1 Main St 05401', [], 'ADDRESSES', ['VT']],
  ['1 Main St, Bartn, VT 05401', [], 'ADDRESSES', ['VT']],
  ['1 Main St, Barton, VT 05401', ['1 Main St, Barton, VT 05822']],
  ['1 Main St, Bartn, VT 05822', ['1 Main St, Barton, VT 05822']],
  ['02806', ['02806']],
  ['05602', [], 'ZIP_CODES', ['RI']],
  ['02806-1234', ['02806']],
  ['Montpelier, VT', ['Montpelier city, VT']],
  ['Montpelier', ['Montpelier city, VT']],
  ['Montpelier School District', ['Montpelier School District, VT']],
  ['Anchorage, VA', ['Anchorage municipality, VA']],
  ['Anchorage Municipality, VA', ['Anchorage municipality, VA']],
  ['Bath, ME', ['Bath city, ME']],
  ['Bath, VA', ['Bath County, VA']],
  ['Vermont', ['Vermont']],
  ['Nowhere, NJ', [], 'TOWNS', ['ME', 'RI', 'VA', 'VT']],
];

describe.each(TEXTS)('%s', (text, labels, missing, loaded = [], reason = undefined) => {
  it('is the same by GraphQL, REST and MCP', async () => {
    const { data, errors } = await request(
      database.db,
      'query ($text: String!) { geocode(text: $text) { matches { label district { type } } missing loadedStates reason } }',
      { variables: { text } },
    );
    expect(errors).toBeUndefined();
    const found = data?.geocode as {
      matches: { label: string }[];
      missing: string[];
      loadedStates: string[];
      reason: string | null;
    };
    expect(found.matches.map(({ label }) => label)).toEqual(labels);
    if (!missing?.endsWith('?')) {
      expect(found.missing).toEqual(missing === undefined ? [] : [missing]);
      expect(found.loadedStates).toEqual(loaded);
    }
    if (reason) expect(found.reason).toBe(reason);
    for (const state of found.loadedStates) expect(found.reason).toContain(state);
    const { body } = await get(service, `/data/geocode?text=${encodeURIComponent(text)}`);
    const { matches, ...rest } = (body as { data: Record<string, unknown> }).data as {
      matches: { label: string }[];
      reason: string | null;
      loaded_states: string[];
    };
    expect([matches.map(({ label }) => label), rest.reason, rest.loaded_states]).toEqual([
      labels,
      found.reason,
      found.loadedStates,
    ]);
    const { structured } = await call(client, 'find_place', { text });
    const { place, choices, notKnown } = structured as {
      place?: string;
      choices: { label: string }[];
      notKnown: string[];
    };
    expect(place === undefined ? choices.map(({ label }) => label) : [place]).toEqual(
      place === undefined ? labels : labels.slice(0, 1),
    );
    if (place === undefined && labels.length === 0) expect(notKnown[0]).toContain('No place that is loaded');
    if (found.reason) expect(notKnown).toContain(found.reason);
  });
});

it.each([
  [40.5, -69.5, false],
  [-69.5, 40.5, true],
  [0, 0, false],
  [40.5, -150, false],
])('%f, %f look exchanged: %s', async (latitude, longitude, expected) => {
  const { data } = await request(
    database.db,
    'query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) { looksExchanged } }',
    { variables: { latitude, longitude } },
  );
  expect(data?.location).toEqual({ looksExchanged: expected });
  const paths = ['districts/point', 'officeholders', 'election_dates/point', 'elections_by_point'];
  for (const path of paths) {
    const query = `lat=${latitude}&long=${longitude}${path === 'elections_by_point' ? '&election_date=2026-11-03' : ''}`;
    // The second response is from the cache, which has one for all points without districts.
    for (const _ of [1, 2]) {
      const { body } = await get(service, `/data/${path}?${query}`);
      expect(body.message, path).toEqual(
        expected
          ? `lat and long look exchanged: no district contains this point, but lat=${longitude} and long=${latitude} are in the data.`
          : null,
      );
    }
  }
  const byPoint = await service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': service.key('full') },
    payload: {
      query:
        'query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) { looksExchanged } }',
      variables: { latitude, longitude },
    },
  });
  expect(byPoint.json().data.location.looksExchanged).toBe(expected);
});

it('says what can be typed, with examples that are found', async () => {
  const { data, errors } = await request(database.db, '{ findable { layer states examples } }');
  expect(errors).toBeUndefined();
  const findable = data?.findable as { layer: string; states: string[]; examples: string[] }[];
  expect(findable).toEqual([
    { layer: 'ADDRESSES', states: ['VT'], examples: [] },
    {
      layer: 'TOWNS',
      states: ['ME', 'RI', 'VA', 'VT'],
      examples: ['Bath city, ME', 'Bristol town, RI', 'Anchorage municipality, VA', 'Bristol town, VT'],
    },
    { layer: 'ZIP_CODES', states: ['RI'], examples: ['02806'] },
    {
      layer: 'COUNTIES',
      states: ['ME', 'NJ', 'VA'],
      examples: ['Kennebec County, ME', 'Burlington County, NJ', 'Anchorage Municipality, VA'],
    },
  ]);
  for (const text of findable.flatMap(({ examples }) => examples)) {
    const found = await request(
      database.db,
      'query ($text: String!) { geocode(text: $text) { ambiguous matches { label } } }',
      { variables: { text } },
    );
    const [label] = found.data?.geocode ? (found.data.geocode as { matches: { label: string }[] }).matches : [];
    expect(found.data?.geocode).toMatchObject({ ambiguous: false });
    expect(label?.label.toLowerCase()).toBe(text.toLowerCase());
  }
});
