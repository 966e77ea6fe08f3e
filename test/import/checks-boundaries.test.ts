import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { box, feature, fixtureWith } from './folders.ts';
import { added, SQUARE, useRejections, WEST } from './rejections.ts';

const database = useDatabase();
const rejectionOf = useRejections(database);

describe('an invalid boundary rejects the load, and is reported', () => {
  test.each<[what: string, line: string, problem: string]>([
    [
      'no JSON',
      '{"type":"Feature"',
      'is not JSON (each line must contain one whole Feature): "{\\"type\\":\\"Feature\\""',
    ],
    ['something after it', `${feature(WEST, SQUARE)},`, 'is not JSON'],
    ['another type', '{"type":"FeatureCollection","features":[]}', 'is not a GeoJSON Feature'],
    ['a list', '[]', 'is not a GeoJSON Feature'],
    ['an unknown member', '{"type":"Feature","style":{},"properties":{},"geometry":null}', 'unknown member "style"'],
    ['no properties', '{"type":"Feature","geometry":null}', 'properties: are missing'],
    [
      'an unknown property',
      feature({ ...WEST, name: 'West' }, SQUARE),
      'unknown property "name"; valid properties are district_id, start_date, end_date, precise',
    ],
    ['no district', feature({ ...WEST, district_id: null }, SQUARE), 'district_id: is missing'],
    [
      'a district that is a text',
      feature({ ...WEST, district_id: 'West' }, SQUARE),
      'district_id: "West" is not a whole number',
    ],
    ['no start', feature({ ...WEST, start_date: undefined }, SQUARE), 'start_date: is missing'],
    ['precise as a text', feature({ ...WEST, precise: 'yes' }, SQUARE), 'precise: "yes" is neither true nor false'],
    [
      'no geometry',
      '{"type":"Feature","properties":{"district_id":2,"start_date":"2030-01-01","precise":true},"geometry":null}',
      'geometry: is missing',
    ],
    [
      'another coordinate system',
      feature(WEST, SQUARE).replace('{', '{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},'),
      'crs: "EPSG:3857" is not WGS 84',
    ],
    ['an open ring', feature(WEST, [box(-72, 43, -71, 44).slice(0, 4)]), 'geometry: has a ring that is not closed'],
    [
      'a latitude out of range',
      feature(WEST, [box(-72, 43, -71, 100)]),
      'geometry: has the latitude 100, which is out of range',
    ],
    [
      'a bow-tie',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 44],
          [-71, 43],
          [-72, 44],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid and cannot be repaired: Self-intersection',
    ],
    [
      'two lobes of different size',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 44],
          [-71, 43.5],
          [-72, 44],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid, and repairing it would change its area by',
    ],
    [
      'no area',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 43],
          [-72, 43],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid and cannot be repaired: Too few points',
    ],
    ['a hole outside', feature(WEST, [box(-72, 43, -71, 44), box(-70, 43, -69, 44)]), 'geometry: is invalid'],
    [
      'nesting without end',
      `{"type":"Feature","properties":{"district_id":2,"start_date":"2030-01-01","precise":true},"geometry":{"type":"Polygon","coordinates":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'geometry: has a ring of 1 positions',
    ],
    [
      'nesting without end in a property',
      feature(WEST, SQUARE).replace('true', '['.repeat(20_000) + ']'.repeat(20_000)),
      'precise: "(not a plain value)" is neither',
    ],
  ])('%s', async (_, line, problem) => {
    const files = added('boundaries.geojsonl', line);
    files['boundaries.geojsonl'] = (files['boundaries.geojsonl'] ?? '').replace(
      '{"district_id":2,"start_date":"2022-12-31"',
      '{"district_id":2,"end_date":"2029-01-01","start_date":"2022-12-31"',
    );
    expect(await rejectionOf(fixtureWith(files))).toContain(`\n  boundaries.geojsonl:5: ${problem}`);
  });
});
