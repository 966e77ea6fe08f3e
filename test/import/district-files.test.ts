import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions, runImport, type SourceName } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { dbfOf, NAD_83, type ShapeRecord, shpOf } from '../support/shapefile.ts';
import { zipOf } from '../support/zip.ts';
import { contentsOf } from './contents.ts';
import { box, folderOf } from './folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const RECORDS: readonly ShapeRecord[] = [
  { GEOID: '5010675', NAMELSAD: 'Burlington city', west: -73 },
  { GEOID: '3522650', NAMELSAD: 'Española city', west: -107 },
];

function shapefile(files: Record<string, Buffer | null> = {}, records = RECORDS): string {
  const all: Record<string, Buffer | null> = {
    'tl.shp': shpOf(records),
    'tl.dbf': dbfOf(records),
    'tl.prj': Buffer.from(NAD_83),
    'tl.cpg': Buffer.from('UTF-8'),
    ...files,
  };
  const entries = Object.entries(all).flatMap(([name, content]) => (content ? [{ name, content }] : []));
  return folderOf({ 'tl_2022_50_place.zip': zipOf(entries) });
}

/** Three squares in a row that share their edges, as TopoJSON with two layers. */
function topology(names: readonly string[]): string {
  const arcs = names.map((_, index) => box(-73 + index, 43, -72 + index, 44));
  const geometries = names.map((town, index) => ({
    type: 'Polygon',
    arcs: [[index]],
    properties: { town, county: 7 },
  }));
  return JSON.stringify({
    type: 'Topology',
    arcs,
    objects: {
      towns: { type: 'GeometryCollection', geometries: [...geometries, geometries[0]] },
      lake: { type: 'GeometryCollection', geometries: [] },
    },
  });
}

async function boundaries(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' | ', d.type, d.name, d.state, d.geo_id, b.start_date, coalesce(b.end_date::text, 'open'), b.precise,
      ST_XMin(b.geometry)) as line
    from districts as d left join boundaries as b on b.district_id = d.id order by d.state, d.name, b.start_date`.execute(
    database.db,
  );
  return rows.map(({ line }) => line);
}

const importOf = (source: SourceName, path: string, options: ImportOptions) =>
  runImport(database.db, source, [path], options);

describe('a shapefile', () => {
  test('is read from its zip, properties in the encoding that it states', async () => {
    const { report } = await importOf('districts-shapefile', shapefile(), { type: 'City-town', from: '2022-01-01' });
    expect(report).toEqual([]);
    expect(await boundaries()).toEqual([
      'City-town | Española city | NM | 1600000US3522650 | 2022-01-01 | open | f | -107',
      'City-town | Burlington city | VT | 1600000US5010675 | 2022-01-01 | open | f | -73',
    ]);
  });

  test('and GeoJSON of the same districts become one row each, in either order', async () => {
    const geojson = folderOf({
      'vt.json': JSON.stringify({
        type: 'Feature',
        properties: { GEOID: '5010675', NAMELSAD: 'Burlington city' },
        geometry: { type: 'Polygon', coordinates: [box(-73.5, 43, -73, 44)] },
      }),
    });
    const older: ImportOptions = { preset: 'places-2019', to: '2022-01-01', name: 'older' };
    const newer: ImportOptions = { type: 'City-town', from: '2022-01-01', name: 'newer' };
    await importOf('districts-geojson', geojson, older);
    await importOf('districts-shapefile', shapefile(), newer);
    const inOrder = await contentsOf(database.db);
    expect((await boundaries()).slice(1)).toEqual([
      'City-town | Burlington city | VT | 1600000US5010675 | 2000-01-01 | 2022-01-01 | t | -73.5',
      'City-town | Burlington city | VT | 1600000US5010675 | 2022-01-01 | open | f | -73',
    ]);
    await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
    await importOf('districts-shapefile', shapefile(), newer);
    await importOf('districts-geojson', geojson, older);
    expect(await contentsOf(database.db)).toEqual(inOrder);
  });

  test('skip places that exist for statistics only', async () => {
    const place = (GEOID: string, NAMELSAD: string, FUNCSTAT: string, west: number) => ({
      type: 'Feature',
      properties: { GEOID, NAMELSAD, FUNCSTAT },
      geometry: { type: 'Polygon', coordinates: [box(west, 43, west + 0.5, 44)] },
    });
    const features = [
      place('5010675', 'Burlington city', 'A', -73),
      place('5000475', 'Albany village', 'I', -72),
      place('5030700', 'Grafton CDP', 'S', -72.5),
    ];
    const folder = folderOf({ 'vt.json': JSON.stringify({ type: 'FeatureCollection', features }) });
    const { report } = await importOf('districts-geojson', folder, { preset: 'places-2019' });
    expect((await boundaries()).map((line) => line.split(' | ')[1])).toEqual(['Albany village', 'Burlington city']);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'vt.json#3: is a census-designated place: a statistical area without an elected government',
    ]);
  });

  test('of Congress have the periods of their state', async () => {
    const features = [
      ['NC-13', -80],
      ['PA-08', -75],
      ['VA-04', -77],
      ['VT-AL', -73],
    ].map(([Code, west]) => ({
      type: 'Feature',
      properties: { Code },
      geometry: { type: 'Polygon', coordinates: [box(Number(west), 40, Number(west) + 0.5, 41)] },
    }));
    const folder = folderOf({ 'cds.geojson': JSON.stringify({ type: 'FeatureCollection', features }) });
    await importOf('districts-geojson', folder, { preset: 'congress-113', partial: true });
    expect((await boundaries()).map((line) => line.split(' | ').slice(2, 6).join(' '))).toEqual([
      'NC 5001800US3713 2017-01-03 2021-01-03',
      'PA 5001800US4208 2013-01-03 2019-01-03',
      'VA 5001800US5104 2017-01-03 2023-01-03',
      'VT 5001800US5000 2013-01-03 2023-01-03',
    ]);
  });

  test('of the 119th Congress begin with it only in the states that drew new ones', async () => {
    const features = [
      ['3713', -80],
      ['5000', -73],
    ].map(([GEOID, west]) => ({
      type: 'Feature',
      properties: { CD119FP: String(GEOID).slice(2), GEOIDFQ: `5001900US${GEOID}`, GEOID },
      geometry: { type: 'Polygon', coordinates: [box(Number(west), 40, Number(west) + 0.5, 41)] },
    }));
    const folder = folderOf({ 'cd119.geojson': JSON.stringify({ type: 'FeatureCollection', features }) });
    await importOf('districts-geojson', folder, { preset: 'congress-119', partial: true });
    expect((await boundaries()).map((line) => line.split(' | ').slice(2, 6).join(' '))).toEqual([
      'NC 5001800US3713 2025-01-03 open',
      'VT 5001800US5000 2023-01-03 open',
    ]);
  });

  const UTM = 'PROJCS["NAD_1983_UTM_Zone_18N",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983"]]]';
  const NAD_27 = 'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4]]]';
  test.each<[what: string, files: Record<string, Buffer | null>, message: RegExp]>([
    ['in metres', { 'tl.prj': Buffer.from(UTM) }, /tl\.prj: is in the coordinate system NAD_1983_UTM_Zone_18N;/],
    ['on an older datum', { 'tl.prj': Buffer.from(NAD_27) }, /in the coordinate system GCS_North_American_1927;/],
    ['without a projection', { 'tl.prj': null }, /tl\.shp: the \.prj file is missing in the same folder/],
    ['without properties', { 'tl.dbf': null }, /tl\.shp: the \.dbf file is missing in the same folder/],
    ['without shapes', { 'tl.shp': null }, /there is no \.shp file/],
    ['that is cut off', { 'tl.shp': shpOf(RECORDS).subarray(0, 250) }, /tl\.shp: is not a shapefile, or is cut off/],
    ['that is not a shapefile', { 'tl.shp': Buffer.from('hello') }, /tl\.shp: is not a shapefile, or is cut off/],
    ['in an unknown encoding', { 'tl.cpg': Buffer.from('Klingon') }, /tl\.cpg: Klingon is not a character encoding/],
  ])('%s is rejected', async (_, files, message) => {
    const error = await importOf('districts-shapefile', shapefile(files), {
      type: 'City-town',
      from: '2022-01-01',
    }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
    expect(await boundaries()).toEqual([]);
  });
});

describe('TopoJSON', () => {
  const path = () => folderOf({ 'vermont.json': topology(['BUEL’S GORE', 'CANAAN', 'ST. ALBANS']) });
  const options: ImportOptions = {
    type: 'County subdivision',
    state: 'VT',
    from: '2013-01-01',
    layer: 'towns',
    properties: { name: 'town', county: 'county' },
  };

  test('is read by layer; duplicates count once', async () => {
    const { report } = await importOf('districts-topojson', path(), options);
    expect(report).toEqual([]);
    expect(await boundaries()).toEqual([
      'County subdivision | Buel’s Gore | VT | 2013-01-01 | open | f | -73',
      'County subdivision | Canaan | VT | 2013-01-01 | open | f | -72',
      'County subdivision | St. Albans | VT | 2013-01-01 | open | f | -71',
    ]);
    const again = await importOf('districts-topojson', path(), options);
    expect(again.files.map(({ inserted, updated }) => [inserted, updated])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('skips and reports the second of two shapes with the same name', async () => {
    const file = folderOf({ 'a.topojson': topology(['Ira', 'Ira', 'Kirby']) });
    const { report } = await importOf('districts-topojson', file, options);
    expect((await boundaries()).filter((line) => line.includes('| 2013'))).toHaveLength(2);
    expect(report.map(({ record }) => record)).toContain('a.topojson#2 (Ira)');
  });

  test.each<[what: string, content: string, options: ImportOptions, message: RegExp]>([
    [
      'no choice of a layer',
      topology(['A', 'B', 'C']),
      { ...options, layer: undefined },
      /has the layers towns, lake; choose one with --layer/,
    ],
    ['no such layer', topology(['A', 'B', 'C']), { ...options, layer: 'sea' }, /no layer sea/],
    ['other JSON', '{}', options, /not TopoJSON/],
    [
      'a file that is cut off',
      topology(['A', 'B', 'C']).slice(0, 99),
      options,
      /a\.topojson:1: is not JSON, or is cut off/,
    ],
    ['an unknown preset', '{}', { preset: 'moon' }, /There is no preset moon; the presets are congress-113, /],
  ])('%s is rejected', async (_, content, given, message) => {
    const error = await importOf('districts-topojson', folderOf({ 'a.topojson': content }), given).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
  });
});
