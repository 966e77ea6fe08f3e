import { describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box } from './folders.ts';
import { GOOD_SOURCES, geojson, SQUARE, useGoodSources } from './good-sources.ts';

// Invalid boundaries, through an importer.

const database = useDatabase();
const { importOf, rejectionOf, expectUnchanged } = useGoodSources(database);

describe('an invalid boundary', () => {
  const COUNTY = GOOD_SOURCES['districts-geojson'];
  const [ring = []] = SQUARE;
  // Too deep for JSON.stringify.
  const DEEP = 'deep';
  test.each<[what: string, coordinates: unknown, reason: RegExp]>([
    ['a ring that is not closed', [ring.slice(0, 4)], /has a ring that is not closed/],
    ['a ring of three points', [ring.slice(0, 3)], /has a ring of 3 positions/],
    [
      'a bow-tie',
      [
        [
          [-73, 43],
          [-72, 44],
          [-72, 43],
          [-73, 44],
          [-73, 43],
        ],
      ],
      /Self-intersection/,
    ],
    [
      'no area',
      [
        [
          [-73, 43],
          [-72, 43],
          [-73, 43],
          [-73, 43],
        ],
      ],
      /Too few points/,
    ],
    ['a hole outside', [ring, box(-70, 43, -69, 44)], /is invalid/],
    ['latitude and longitude swapped', [ring.map(([x = 0, y = 0]) => [y, x])], /not in the United States|out of range/],
    ['metres', [ring.map(([x = 0, y = 0]) => [x * 10_000, y * 10_000])], /longitude -730000, which is out of range/],
    ['small metres', [ring.map(([x = 0, y = 0]) => [x / 10, y / 10])], /not in the United States/],
    [
      'once round the pole',
      [
        [
          [-180, 70],
          [-60, 70],
          [60, 70],
          [180, 70],
          [-180, 70],
        ],
      ],
      /pole|United States/,
    ],
    ['text for numbers', [ring.map((position) => position.map(String))], /coordinates are not numbers/],
    ['20,000 lists in lists', DEEP, /has a (ring|polygon)/],
  ])('(%s) is skipped and reported with its location', async (_, coordinates, reason) => {
    const files = { [COUNTY.file]: geojson(coordinates).replace('"deep"', '['.repeat(20_000) + ']'.repeat(20_000)) };
    expect(await rejectionOf(importOf(COUNTY, files))).toMatch(/county\.geojson#1 \(50001\): geometry: /);
    const { report } = await importOf(COUNTY, files, { partial: true });
    expect(report).toEqual([
      expect.objectContaining({ record: 'county.geojson#1 (50001)', reason: expect.stringMatching(reason) }),
    ]);
    await expectUnchanged();
  });

  const spike = [
    [-73, 43],
    [-72, 43],
    [-72, 43.5],
    [-71.9, 43.5],
    [-72, 43.5],
    [-72, 44],
    [-73, 44],
    [-73, 43],
  ];
  const doubled = ring.flatMap((position) => [position, position]);
  test.each([
    ['a spike', [spike]],
    ['points twice', [doubled]],
  ])('(%s) is repaired if the area remains the same', async (_, coordinates) => {
    const { files, report } = await importOf(COUNTY, { [COUNTY.file]: geojson(coordinates) }, { dryRun: true });
    expect(report).toEqual([]);
    expect(files.find(({ file }) => file === 'boundaries.geojsonl')).toMatchObject({ updated: 1 });
    await expectUnchanged();
  });

  test.each<[what: string, files: Readonly<Record<string, string>>, options: ImportOptions, message: RegExp]>([
    [
      'another coordinate system',
      { a: geojson(SQUARE, 'Polygon', { crs: { type: 'name', properties: { name: 'EPSG:3857' } } }) },
      {},
      /coordinate system EPSG:3857/,
    ],
    ['an end before the start', {}, { to: '1999-12-31' }, /^--to .*: is before --from /],
    ['an unknown type', {}, { type: 'Village' }, /--type must be one of/],
    ['a day that does not exist', {}, { from: '2023-02-30' }, /^--from 2023-02-30: is not a date YYYY-MM-DD/],
  ])('%s is rejected', async (_, { a }, options, message) => {
    expect(await rejectionOf(importOf(COUNTY, { [COUNTY.file]: a ?? COUNTY.content }, options))).toMatch(message);
  });

  test('a district twice in one file, and two boundaries at once, are reported, and the first is kept', async () => {
    const twice = geojson(SQUARE)
      .replace(/(\{"type":"Feature".*\})\n\]/, '$1,\n$1\n]')
      .replace(/-72,44(?![\s\S]*-72,44)/, '-72,44.5');
    const { report } = await importOf(COUNTY, { [COUNTY.file]: twice }, { dryRun: true, partial: true });
    expect(report.map(({ reason }) => reason).join()).toMatch(/is used in county\.geojson#1 .* already/);
    const overlapping = await importOf(COUNTY, undefined, {
      from: '1990-01-01',
      to: '2010-01-01',
      dryRun: true,
      partial: true,
    });
    expect(overlapping.report.map(({ reason }) => reason).join()).toMatch(
      /the district has a boundary from 2000-01-01 on/,
    );
    await expectUnchanged();
  });
});
