import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { STATES } from '../../src/base/words/states.ts';
import { ImportError, type ImportSummary, runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { topoFeatures } from '../../src/importers/read/topojson.ts';
import { useDatabase } from '../support/database.ts';
import { box, counts, fingerprint, folderOf } from './folders.ts';

describe('the installed package', () => {
  const database = useDatabase();
  let summary: ImportSummary;

  beforeAll(async () => {
    summary = await runImport(database.db, 'us-atlas', []);
  });

  test('contains the country, 56 states and territories and 3,231 counties, each with a boundary', async () => {
    expect(counts(summary)).toEqual({ 'districts.csv': [3288, 0, 0, 0], 'boundaries.geojsonl': [3288, 0, 0, 0] });
    const { rows } = await sql<{ type: string; districts: number; boundaries: number; pieces: number }>`
      select d.type, count(distinct d.id) as districts, count(distinct b.id) as boundaries, count(distinct p.boundary_id) as pieces
      from districts as d left join boundaries as b on b.district_id = d.id left join boundary_pieces as p on p.boundary_id = b.id
      group by d.type order by d.type`.execute(database.db);
    expect(rows).toEqual([
      { type: 'Country', districts: 1, boundaries: 1, pieces: 1 },
      { type: 'State', districts: 56, boundaries: 56, pieces: 56 },
      { type: 'County', districts: 3231, boundaries: 3231, pieces: 3231 },
    ]);
    const periods = await sql`select distinct start_date, end_date, precise from boundaries`.execute(database.db);
    expect(periods.rows).toEqual([{ start_date: '2000-01-01', end_date: null, precise: false }]);
  });

  test('loses none of the counties that are not valid polygons', () => {
    expect(summary.report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'county 51610: has collapsed to a line on the grid of the source and is replaced by the grid cells along it',
    ]);
    expect(summary.files.find(({ file }) => file === 'boundaries.geojsonl')?.repaired).toBeGreaterThan(15);
  });

  test('names states by code, OCD id and GEOID', async () => {
    const states = await database.db
      .selectFrom('districts')
      .select(['name', 'state', 'ocdid', 'geo_id'])
      .where('type', '=', 'State')
      .orderBy('geo_id')
      .execute();
    expect(states).toHaveLength(56);
    expect(states.filter(({ state }) => ['AK', 'DC', 'PR'].includes(state ?? ''))).toEqual([
      { name: 'Alaska', state: 'AK', ocdid: 'ocd-division/country:us/state:ak', geo_id: '0400000US02' },
      {
        name: 'District of Columbia',
        state: 'DC',
        ocdid: 'ocd-division/country:us/district:dc',
        geo_id: '0400000US11',
      },
      { name: 'Puerto Rico', state: 'PR', ocdid: 'ocd-division/country:us/territory:pr', geo_id: '0400000US72' },
    ]);
    expect(new Set(states.map(({ state }) => state)).size).toBe(56);
    expect(STATES).toHaveLength(56);
    const country = await database.db
      .selectFrom('districts')
      .select(['name', 'state', 'ocdid', 'geo_id'])
      .where('type', '=', 'Country')
      .execute();
    expect(country).toEqual([
      { name: 'United States', state: 'US', ocdid: 'ocd-division/country:us', geo_id: '0100000US' },
    ]);
  });

  test.each([
    ['0500000US50001', 'Addison County', 'state:vt/county:addison'],
    ['0500000US35013', 'Doña Ana County', 'state:nm/county:doña_ana'],
    ['0500000US36061', 'New York County', 'state:ny/county:new_york'],
    ['0500000US22071', 'Orleans Parish', 'state:la/parish:orleans'],
    // The name alone is ambiguous: borough or census area, city or county, diacritics, the islands.
    ['0500000US02188', 'Northwest Arctic Borough', null],
    ['0500000US02110', 'Juneau City and Borough', null],
    ['0500000US02290', 'Yukon-Koyukuk Census Area', null],
    ['0500000US51600', 'Fairfax city', null],
    ['0500000US32510', 'Carson City', null],
    ['0500000US24033', "Prince George's County", null],
    ['0500000US29189', 'St. Louis County', null],
    ['0500000US29510', 'St. Louis city', null],
    ['0500000US11001', 'District of Columbia', null],
    ['0500000US72127', 'San Juan Municipio', null],
  ])('the county %s is %s, with the OCD id %s', async (geoId, name, ocdid) => {
    const county = await database.db
      .selectFrom('districts')
      .select(['name', 'ocdid'])
      .where('geo_id', '=', geoId)
      .execute();
    expect(county).toEqual([{ name, ocdid: ocdid && `ocd-division/country:us/${ocdid}` }]);
  });

  test('puts the Aleutians on both sides of the antimeridian', async () => {
    const { rows } = await sql<{ name: string; width: number }>`
      select d.name, max(ST_XMax(p.geometry) - ST_XMin(p.geometry)) as width
      from boundary_pieces as p join boundaries as b on b.id = p.boundary_id join districts as d on d.id = b.district_id
      where d.geo_id in ('0500000US02016', '0400000US02', '0100000US') group by d.name`.execute(database.db);
    for (const { width } of rows) expect(width).toBeLessThan(60);
  });

  test('imported again changes nothing, not one row', async () => {
    const before = await fingerprint(database.db);
    await runImport(database.db, 'us-atlas', []);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('with existing districts', () => {
  const database = useDatabase();
  /** A layer with a square for each object. */
  const layerOf = (layer: string, names: Readonly<Record<string, string>>) => {
    const ids = Object.keys(names);
    const geometries = ids.map((id, at) => ({ type: 'Polygon', arcs: [[at]], id, properties: { name: names[id] } }));
    const arcs = ids.map((_, at) => box(-73 - at, 43, -72 - at, 44));
    return JSON.stringify({ type: 'Topology', arcs, objects: { [layer]: { type: 'GeometryCollection', geometries } } });
  };
  const atlas = () =>
    folderOf({
      'states-10m.json': layerOf('states', { '02': 'Alaska', 30: 'Montana', 50: 'Vermont' }),
      'counties-10m.json': layerOf('counties', { 50001: 'Addison', 50003: 'Bennington' }),
    });

  test('matches them by OCD id or GEOID, fills empty fields, and sets the state of at-large districts', async () => {
    const { db } = database;
    await loadFolder(
      db,
      folderOf({
        'districts.csv': [
          'id,type,name,state,ocdid,geo_id',
          '1,State,The Last Frontier,AK,ocd-division/country:us/state:ak,',
          '2,State,Vermont,,,50',
          '3,County,Addison County,VT,,50001',
          '4,Congress,Alaska at large,AK,ocd-division/country:us/state:ak/cd:at-large,',
          '5,Congress,Montana at large,MT,ocd-division/country:us/state:mt/cd:at-large,',
          '6,Congress,Montana 1,MT,ocd-division/country:us/state:mt/cd:1,',
          '',
        ].join('\n'),
      }),
    );
    const summary = await runImport(db, 'us-atlas', [atlas()], { atLarge: true, from: '1990-01-01' });
    expect(counts(summary)).toEqual({ 'districts.csv': [2, 3, 0, 0], 'boundaries.geojsonl': [6, 0, 0, 0] });
    const districts = await db
      .selectFrom('districts')
      .select(['id', 'name', 'state', 'ocdid', 'geo_id'])
      .where('id', '<', 4)
      .orderBy('id')
      .execute();
    expect(districts).toEqual([
      {
        id: 1,
        name: 'The Last Frontier',
        state: 'AK',
        ocdid: 'ocd-division/country:us/state:ak',
        geo_id: '0400000US02',
      },
      { id: 2, name: 'Vermont', state: 'VT', ocdid: 'ocd-division/country:us/state:vt', geo_id: '50' },
      {
        id: 3,
        name: 'Addison County',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/county:addison',
        geo_id: '50001',
      },
    ]);
    const boundaries = await sql<{ id: number }>`
      select district_id as id from boundaries where district_id between 4 and 6 and start_date = '1990-01-01'
        and digest = (select digest from boundaries where district_id = 1)`.execute(db);
    expect(boundaries.rows).toEqual([{ id: 4 }]);
  });
});

describe('TopoJSON', () => {
  const topology = (arcs: number[][][], polygon: number[][]) => ({
    type: 'Topology',
    transform: { scale: [0.01, 0.01], translate: [-72, 43] },
    arcs,
    objects: {
      counties: {
        type: 'GeometryCollection',
        geometries: [{ type: 'Polygon', arcs: polygon, id: '50001', properties: {} }],
      },
    },
  });

  test('a ring that ends one grid step from its start is closed', () => {
    const [feature] = topoFeatures(
      topology(
        [
          [
            [0, 0],
            [100, 0],
            [0, 100],
            [-100, 0],
            [0, -99],
          ],
        ],
        [[0]],
      ),
      'counties',
    );
    expect(feature).toMatchObject({
      geometry: {
        coordinates: [
          [
            [
              [-72, 43],
              [-71, 43],
              [-71, 44],
              [-72, 44],
              [-72, 43.01],
              [-72, 43],
            ],
          ],
        ],
      },
    });
  });

  test('a ring that ends further away is unchanged, and the check rejects it', () => {
    const [feature] = topoFeatures(
      topology(
        [
          [
            [0, 0],
            [100, 0],
            [0, 100],
            [-100, 0],
            [0, -90],
          ],
        ],
        [[0]],
      ),
      'counties',
    );
    expect(feature).toMatchObject({
      geometry: {
        coordinates: [
          [
            [
              [-72, 43],
              [-71, 43],
              [-71, 44],
              [-72, 44],
              [-72, 43.1],
            ],
          ],
        ],
      },
    });
  });

  test.each<[string, unknown, RegExp]>([
    ['something else', { type: 'FeatureCollection', features: [] }, /is not TopoJSON/],
    ['another layer', topology([[[0, 0]]], [[0]]), /has no layer states/],
  ])('%s is rejected', (_, value, message) => {
    expect(() => topoFeatures(value, 'states')).toThrow(message);
  });
});

describe('unusable paths', () => {
  const database = useDatabase();

  test.each<[string, () => string, RegExp]>([
    ['a file of another name', () => '/nowhere/x.json', /us-atlas consists of nation-10m\.json/],
    ['a folder without them', () => folderOf({ 'a.txt': '' }), /contains none of nation-10m\.json/],
    [
      'a file that is cut off',
      () => folderOf({ 'nation-10m.json': '{"type":"Topology","objects":{' }),
      /nation-10m\.json:1: is not JSON, or is cut off/,
    ],
  ])('%s', async (_, path, message) => {
    const error = await runImport(database.db, 'us-atlas', [path()]).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
  });
});
