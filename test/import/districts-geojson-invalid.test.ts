import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions, type ImportSummary, runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, fingerprint, folderOf } from './folders.ts';
import { census, collection, feature } from './geojson-features.ts';

const NEW: ImportOptions = { from: '2023-01-03' };

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

function importOf(path: string, options: ImportOptions): Promise<ImportSummary> {
  return runImport(database.db, 'districts-geojson', [path], options);
}

describe('invalid districts are skipped and reported, the others imported', () => {
  const bad = (geometry: object, properties: object = { GEOID20: '3302', CD118FP: '02' }) =>
    folderOf({ 'x.geojson': collection([census('33', '01', -107), feature(properties, 0, geometry)]) });

  test.each<[what: string, folder: () => string, record: string, reason: RegExp]>([
    [
      'an open ring',
      () => bad({ type: 'Polygon', coordinates: [box(-106, 43, -105, 44).slice(0, 4)] }),
      'x.geojson#2 (3302)',
      /^geometry: has a ring that is not closed$/,
    ],
    [
      'a bow-tie',
      () =>
        bad({
          type: 'Polygon',
          coordinates: [
            [
              [-106, 43],
              [-105, 44],
              [-105, 43],
              [-106, 44],
              [-106, 43],
            ],
          ],
        }),
      'x.geojson#2 (3302)',
      /^geometry: is invalid and cannot be repaired/,
    ],
    [
      'longitude and latitude swapped',
      () => bad({ type: 'Polygon', coordinates: [box(43, -73, 44, -72)] }),
      'x.geojson#2 (3302)',
      /^geometry: has the position \[43, -73\], which is not in the United States$/,
    ],
    [
      'metres',
      () => bad({ type: 'Polygon', coordinates: [box(100_000, 4_000_000, 200_000, 4_100_000)] }),
      'x.geojson#2 (3302)',
      /^geometry: has the longitude 100000, which is out of range$/,
    ],
    ['no geometry', () => bad({}), 'x.geojson#2 (3302)', /^geometry: is a geometry without a type/],
    [
      'no state',
      () => bad({ type: 'Polygon', coordinates: [box(-106, 43, -105, 44)] }, { GEOID20: '9902', CD118FP: '02' }),
      'x.geojson#2',
      /GEOID 9902 is not that of a Congress district/,
    ],
    [
      'the same district again',
      () => bad({ type: 'Polygon', coordinates: [box(-106, 43, -105, 44)] }, { GEOID20: '3301', CD118FP: '01' }),
      'x.geojson#2 (3301)',
      /^id: is used in x\.geojson#1 \(3301\) already$/,
    ],
  ])('%s', async (_, folder, record, reason) => {
    const summary = await importOf(folder(), { ...NEW, partial: true });
    expect(summary.report[0]).toMatchObject({ record, reason: expect.stringMatching(reason) });
    const { rows } = await sql<{ west: number }>`select ST_XMin(geometry) as west from boundaries`.execute(database.db);
    expect(rows).toEqual([{ west: -107 }]);
  });
});

describe('unusable files and options are rejected, and nothing is changed', () => {
  const good = feature({ Code: 'VT-AL' }, -73);
  test.each<[what: string, files: Record<string, string | Buffer>, options: ImportOptions, message: RegExp]>([
    [
      'another projection',
      {
        'x.geojson': collection([good], { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } } }),
      },
      NEW,
      /x\.geojson: is in the coordinate system urn:ogc:def:crs:EPSG::3857; WGS 84 or NAD 83/,
    ],
    [
      'another projection, named at the end',
      {
        'x.geojson': `{"type":"FeatureCollection","features":[${JSON.stringify(good)}],"crs":{"type":"name","properties":{"name":"EPSG:26918"}}}`,
      },
      NEW,
      /coordinate system EPSG:26918/,
    ],
    [
      'a projection without a name',
      { 'x.geojson': collection([good], { crs: { type: 'link' } }) },
      NEW,
      /a coordinate system without a name/,
    ],
    [
      'a file that is cut off',
      { 'x.geojson': collection([good, good]).slice(0, -30) },
      NEW,
      /x\.geojson:1: is not JSON, or is cut off/,
    ],
    ['garbage after the end', { 'x.geojson': `${collection([good])}]` }, NEW, /x\.geojson:1: is not JSON/],
    [
      'a Feature that is not JSON',
      { 'x.geojson': collection([good]).replace('"Code":', 'Code:') },
      NEW,
      /x\.geojson:1: is not JSON/,
    ],
    [
      'a number among the Features',
      { 'x.geojson': '{"type":"FeatureCollection","features":[1 2]}' },
      NEW,
      /x\.geojson:1: is not JSON/,
    ],
    [
      'a bare line',
      { 'x.geojson': JSON.stringify({ type: 'LineString', coordinates: box(-73, 43, -72, 44) }) },
      NEW,
      /is neither a GeoJSON Feature nor a FeatureCollection/,
    ],
    [
      'UTF-16',
      { 'x.geojson': Buffer.from(`\uFEFF${collection([good])}`, 'utf16le') },
      NEW,
      /x\.geojson:1: the file is UTF-16/,
    ],
    ['no file', { 'x.txt': '' }, NEW, /there is no \.geojson/],
    ['no start', { 'x.geojson': collection([good]) }, {}, /needs --from/],
    [
      'a start that does not exist',
      { 'x.geojson': collection([good]) },
      { from: '2023-02-30' },
      /^--from 2023-02-30: is not a date YYYY-MM-DD/,
    ],
    [
      'an end before the start',
      { 'x.geojson': collection([good]) },
      { from: '2023-01-03', to: '2022-01-03' },
      /^--to 2022-01-03: is before --from 2023-01-03/,
    ],
    [
      'an unknown type',
      { 'x.geojson': collection([good]) },
      { ...NEW, type: 'congress' },
      /--type must be one of: Country, Congress/,
    ],
  ])('%s', async (_, files, options, message) => {
    const before = await fingerprint(database.db);
    const error = await importOf(folderOf(files), options).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('an unknown source', async () => {
    await expect(runImport(database.db, 'toString' as 'us-atlas', [])).rejects.toThrow(
      /There is no source toString\. The sources are: us-atlas, congress-legislators, districts-geojson/,
    );
  });
});
