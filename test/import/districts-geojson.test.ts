import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { ImportError, type ImportOptions, type ImportSummary, reportCsv, runImport } from '../../src/import/import.ts';
import { useDatabase } from '../support/database.ts';
import { contentsOf } from './contents.ts';
import { box, counts, fingerprint, folderOf } from './folders.ts';

const CRS = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4269' } };

function feature(
  properties: object,
  west: number,
  geometry: object = { type: 'Polygon', coordinates: [box(west, 43, west + 1, 44)] },
) {
  return { type: 'Feature', properties, geometry };
}

function collection(features: object[], more: object = {}): string {
  return JSON.stringify({ type: 'FeatureCollection', name: 'features', ...more, features });
}

const cds2016 = () =>
  folderOf({
    'NH-1/shape.geojson': JSON.stringify(feature({ Code: 'NH-01', District: 'New Hampshire 1st' }, -107)),
    'NH-2/shape.geojson': JSON.stringify(feature({ Code: 'NH-02', District: 'New Hampshire 2nd' }, -106)),
    'VT-0/shape.geojson': JSON.stringify(feature({ Code: 'VT-AL', District: 'Vermont At-Large' }, -73)),
  });

const census = (fips: string, code: string, west: number) =>
  feature(
    { STATEFP20: fips, GEOID20: `${fips}${code}`, CD118FP: code, NAMELSAD20: `Congressional District ${code}` },
    west,
  );

const cd118 = () =>
  folderOf({
    'cd118_us.geojson': collection(
      [census('33', '01', -107.5), census('33', '02', -106.5), census('50', '00', -73), census('17', 'ZZ', -87)],
      { crs: CRS },
    ),
  });

const OLD: ImportOptions = { from: '2013-01-03', to: '2023-01-03', precise: true };
const NEW: ImportOptions = { from: '2023-01-03' };

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

function importOf(paths: string | string[], options: ImportOptions): Promise<ImportSummary> {
  return runImport(database.db, 'districts-geojson', [paths].flat(), options);
}

async function boundaries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' | ', d.name, d.ocdid, d.geo_id, b.start_date, coalesce(b.end_date::text, 'open'), b.precise, ST_XMin(b.geometry)) as line
    from districts as d left join boundaries as b on b.district_id = d.id order by d.state, d.ocdid, b.start_date`.execute(
    db,
  );
  return rows.map(({ line }) => line.replace('ocd-division/country:us/', ''));
}

describe('the three shapes', () => {
  test('two maps of Congress districts are one row each, with two boundaries, in either order', async () => {
    const expected = [
      'Congressional District 1 | state:nh/cd:1 | 5001800US3301 | 2013-01-03 | 2023-01-03 | t | -107',
      'Congressional District 1 | state:nh/cd:1 | 5001800US3301 | 2023-01-03 | open | f | -107.5',
      'Congressional District 2 | state:nh/cd:2 | 5001800US3302 | 2013-01-03 | 2023-01-03 | t | -106',
      'Congressional District 2 | state:nh/cd:2 | 5001800US3302 | 2023-01-03 | open | f | -106.5',
      'Congressional District (at Large) | state:vt/cd:at-large | 5001800US5000 | 2013-01-03 | 2023-01-03 | t | -73',
      'Congressional District (at Large) | state:vt/cd:at-large | 5001800US5000 | 2023-01-03 | open | f | -73',
    ];
    const first = await importOf(cds2016(), OLD);
    expect(counts(first)).toEqual({ 'districts.csv': [3, 0, 0, 0], 'boundaries.geojsonl': [3, 0, 0, 0] });
    const second = await importOf(cd118(), NEW);
    expect(counts(second)).toEqual({ 'districts.csv': [0, 0, 3, 0], 'boundaries.geojsonl': [3, 0, 0, 0] });
    expect([...first.report, ...second.report].map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'cd118_us.geojson#4: ZZ means waters without a congressional district',
    ]);
    expect(await boundaries(database.db)).toEqual(expected);
    const inOrder = await contentsOf(database.db);

    await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
    await importOf(cd118(), NEW);
    await importOf(cds2016(), OLD);
    expect(await contentsOf(database.db)).toEqual(inOrder);
  });

  test('imported again nothing changes, not one row, and every id stays', async () => {
    const [older, newer] = [cds2016(), cd118()];
    await importOf(older, { ...OLD, name: 'older' });
    await importOf(newer, { ...NEW, name: 'newer' });
    const before = await fingerprint(database.db);
    await importOf(older, { ...OLD, name: 'older' });
    await importOf(newer, { ...NEW, name: 'newer' });
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('OCD ids determine the state and the type', async () => {
    const folder = folderOf({
      'AK/sldl/1.geojson': JSON.stringify(
        feature({ ocdid: 'ocd-division/country:us/state:ak/sldl:1', type: 'sldl', state: 'ak', name: '1' }, -150),
      ),
      'VT/sldu/w.geojson': JSON.stringify(
        feature(
          { ocdid: 'ocd-division/country:us/state:vt/sldu:washington', type: 'sldu', state: 'vt', name: 'washington' },
          -73,
        ),
      ),
    });
    const summary = await importOf(folder, OLD);
    expect(summary.report).toEqual([]);
    const districts = await database.db
      .selectFrom('districts')
      .select(['type', 'name', 'state', 'ocdid'])
      .orderBy('state')
      .execute();
    expect(districts).toEqual([
      {
        type: 'State Legislative (Lower)',
        name: 'State House District 1',
        state: 'AK',
        ocdid: 'ocd-division/country:us/state:ak/sldl:1',
      },
      {
        type: 'State Legislative (Upper)',
        name: 'State Senate District Washington',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/sldu:washington',
      },
    ]);
  });

  test('other shapes require the type and the names of their properties', async () => {
    const folder = folderOf({
      'places.json': collection([
        feature(
          { CODE: '5010675', TITLE: 'Burlington', DIVISION: 'ocd-division/country:us/state:vt/place:burlington' },
          -73.5,
        ),
      ]),
    });
    const unknown = await importOf(folder, { ...NEW, partial: true });
    expect(unknown.report).toMatchObject([
      {
        source: 'districts-geojson',
        record: 'places.json#1',
        reason: 'the format of its properties is unknown; set their names with --properties',
      },
    ]);
    const properties = { geoid: 'CODE', name: 'TITLE', ocdid: 'DIVISION' };
    const summary = await importOf(folder, { ...NEW, type: 'City-town', properties });
    expect(summary.report).toEqual([]);
    const districts = await database.db
      .selectFrom('districts')
      .select(['type', 'name', 'state', 'ocdid', 'geo_id'])
      .execute();
    expect(districts).toEqual([
      {
        type: 'City-town',
        name: 'Burlington',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/place:burlington',
        geo_id: '1600000US5010675',
      },
    ]);
  });
});

describe('periods', () => {
  const one = (west: number) => folderOf({ 'map.geojson': collection([census('50', '00', west)]) });
  const periods = async () =>
    (
      await sql<{
        period: string;
      }>`select start_date || ' ' || coalesce(end_date::text, 'open') as period from boundaries order by start_date`.execute(
        database.db,
      )
    ).rows.map(({ period }) => period);

  test('a map ends where the next begins, in either order', async () => {
    for (const order of [
      ['2003-01-03', '2013-01-03', '2023-01-03'],
      ['2023-01-03', '2003-01-03', '2013-01-03'],
      ['2013-01-03', '2023-01-03', '2003-01-03'],
    ]) {
      await sql`truncate districts cascade`.execute(database.db);
      for (const from of order) await importOf(one(Number(from.slice(2, 4)) / 100 - 107), { from });
      expect(await periods()).toEqual(['2003-01-03 2013-01-03', '2013-01-03 2023-01-03', '2023-01-03 open']);
    }
  });

  test('one that actually overlaps another is skipped and reported', async () => {
    await importOf(one(-107), { from: '2013-01-03', to: '2023-01-03' });
    const { report, files } = await importOf(one(-106), {
      from: '2020-01-01',
      to: '2024-01-01',
      partial: true,
    });
    expect(report).toMatchObject([
      {
        source: 'districts-geojson',
        record: 'map.geojson#1 (5000)',
        reason: 'start_date: the district has a boundary from 2013-01-03 to 2023-01-03 in the database',
      },
    ]);
    expect(files.find(({ file }) => file === 'boundaries.geojsonl')).toMatchObject({ inserted: 0, updated: 0 });
    expect(await periods()).toEqual(['2013-01-03 2023-01-03']);
  });

  test('of two sources with the same first day, the precise boundary is kept, otherwise the first', async () => {
    const west = async () =>
      (await sql<{ west: number }>`select ST_XMin(geometry) as west from boundaries`.execute(database.db)).rows;
    await importOf(one(-107), { ...NEW, name: 'first' });
    const second = await importOf(one(-106), { ...NEW, name: 'second' });
    expect(second.report).toHaveLength(1);
    expect(await west()).toEqual([{ west: -107 }]);
    await importOf(one(-105), { ...NEW, name: 'third', precise: true });
    expect(await west()).toEqual([{ west: -105 }]);
    const again = await importOf(one(-107), { ...NEW, name: 'first' });
    expect(again.report[0]?.reason).toContain(
      'the district has a boundary of another source from the same day on, which stays',
    );
    expect(await west()).toEqual([{ west: -105 }]);
    await importOf(one(-104), { ...NEW, name: 'first', precise: true, asOf: '2025-01-01' });
    expect(await west()).toEqual([{ west: -104 }]);
  });
});

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
    ['garbage behind', { 'x.geojson': `${collection([good])}]` }, NEW, /x\.geojson:1: is not JSON/],
    [
      'a Feature that is no JSON',
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
    ['no file', { 'x.txt': '' }, NEW, /there is no \.geojson or \.json file/],
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
      /There is no source toString; the sources are us-atlas, congress-legislators, districts-geojson/,
    );
  });
});

test('a file is split into Features for any chunking', async () => {
  const tricky = feature(
    { Code: 'VT-AL', District: '"features":[{ \\" }] é\u{1F5F3}', features: [{ features: [] }] },
    -73,
  );
  const padding = ' '.repeat(256 * 1024 - 40);
  const text = `{"type":"FeatureCollection","meta":{"features":[{"a":1}]},${padding}"features" : [${JSON.stringify(tricky)},${padding}\n${JSON.stringify(feature({ Code: 'AK-AL' }, -107))}]}`;
  const summary = await importOf(folderOf({ 'x.geojson': text }), NEW);
  expect(summary.report).toEqual([]);
  expect(counts(summary)['boundaries.geojsonl']).toEqual([2, 0, 0, 0]);
});

test('the report as CSV', () => {
  expect(reportCsv([{ source: 's', record: 'a "b"', reason: 'c, d', kind: 'c, d' }])).toBe(
    'source,record,reason\ns,"a ""b""","c, d"\n',
  );
});
