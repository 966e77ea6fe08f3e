import { VectorTile } from '@mapbox/vector-tile';
import { sql } from 'kysely';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENT, LAYER, MOST_BYTES } from '../../src/gateway/tiles/encode-tile.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { keyWith } from '../support/rest.ts';
import { createWorld, insert, WORLD } from '../support/world.ts';

type Position = [longitude: number, latitude: number];

const JAGGED = { north: 50, south: 51 };
const STRIPS = { first: 1_000, count: 100 };
const DAY = '2024-11-05';

const database = useDatabase();
const service = useApp(database);

/** A border that follows a parallel with small teeth, from west to east. */
const border = (latitude: number, from: number, to: number, points: number): Position[] =>
  Array.from({ length: points + 1 }, (_, index) => {
    const tooth = Math.sin(index * 12.9898) * 0.03;
    return [from + ((to - from) * index) / points, latitude + (index % points === 0 ? 0 : tooth)];
  });

async function insertDistrict(id: number, type: string, ring: Position[]): Promise<void> {
  await insert(database.db, 'districts', [{ id, type: type as 'County', name: `District ${id}`, state: 'AA' }]);
  const geometry = JSON.stringify({ type: 'MultiPolygon', coordinates: [[[...ring, ring[0]]]] });
  await sql`
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    values (${id}, '2000-01-01', true, ST_SetSRID(ST_GeomFromGeoJSON(${geometry}), 4326), ${`digest ${id}`})`.execute(
    database.db,
  );
}

beforeAll(async () => {
  await createWorld(database.db);
  const between = border(43, -72, -70, 3_000);
  await insertDistrict(JAGGED.north, 'School District', [[-72, 44], ...between, [-70, 44]]);
  await insertDistrict(JAGGED.south, 'School District', [[-70, 42], [-72, 42], ...between].reverse() as Position[]);
  for (let index = 0; index < STRIPS.count; index++) {
    const [low, high] = [index, index + 1].map((line) => border(20 + line * 0.1, -60, -50, 600));
    await insertDistrict(STRIPS.first + index, 'Special District', [...(low ?? []), ...(high ?? []).reverse()]);
  }
  // All at once, as an import does: after each statement, the outlines of the layer are measured.
  await sql`
    insert into boundary_pieces (boundary_id, geometry)
    select id, ST_Subdivide(geometry, 64) from boundaries
    where id not in (select boundary_id from boundary_pieces)`.execute(database.db);
}, 120_000);

const load = (path: string, headers: Record<string, string> = {}) =>
  service.app.inject({ url: path, headers: { 'x-api-key': service.key('full'), ...headers } });

async function layerOf(path: string) {
  const response = await load(path);
  expect(response.statusCode, response.body).toBe(200);
  expect(response.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
  const layer = new VectorTile(new PbfReader(response.rawPayload)).layers[LAYER];
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => {
    const feature = layer?.feature(index);
    if (!feature) throw new Error('no feature');
    return { ...feature.properties, id: feature.id, rings: feature.loadGeometry() };
  });
}

const path = (type: string, z: number, x: number, y: number, day = DAY) => `/tiles/${type}/${day}/${z}/${x}/${y}.pbf`;

/** Returns the position of a coordinate in the units of a zoom, from the north-west corner of the world. */
function unitsAt(z: number, [longitude, latitude]: Position): [x: number, y: number] {
  const size = 2 ** z * EXTENT;
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180));
  return [((longitude + 180) / 360) * size, ((1 - y / Math.PI) / 2) * size];
}
const tileAt = (z: number, position: Position) =>
  unitsAt(z, position).map((unit) => Math.floor(unit / EXTENT)) as [number, number];

/** Returns the vertices of a district in units of the zoom, as texts, in a part of a tile. */
async function verticesIn(id: number, z: number, [x, y]: [number, number], [from, to]: [number, number]) {
  const features = await layerOf(path('SCHOOL_DISTRICT', z, x, y));
  const found = features.find((feature) => 'district' in feature && feature.district === id);
  const points = (found?.rings ?? [])
    .flat()
    .filter((point) => point.x > from && point.x < to && point.y > 0 && point.y < EXTENT);
  return new Set(points.map((point) => `${x * EXTENT + point.x} ${y * EXTENT + point.y}`));
}

describe('vector tiles', () => {
  it.each([
    ['2020-01-01', 45, 'old'],
    [DAY, 50, 'new'],
  ])('have the boundaries in effect on %s', async (day, north) => {
    const features = await layerOf(path('CONGRESS', 4, 3, 5, day));
    const first = features.find((feature) => 'district' in feature && feature.district === WORLD.alphaFirst);
    expect(first).toMatchObject({ name: 'Congressional District 1', state: 'AA', id: expect.any(Number) });
    const top = Math.min(...(first?.rings ?? []).flat().map(({ y }) => y));
    const [, expected] = unitsAt(4, [-95, north]);
    expect(Math.abs(5 * EXTENT + top - Math.max(expected, 5 * EXTENT - 64))).toBeLessThanOrEqual(4);
  });

  it('have the geometry of the API', async () => {
    const z = 12;
    const at: Position = [-71, 43];
    const [x, y] = tileAt(z, at);
    const features = await layerOf(path('SCHOOL_DISTRICT', z, x, y));
    expect(features.map((feature) => 'district' in feature && feature.district)).toEqual([JAGGED.north, JAGGED.south]);
    for (const { id, rings } of features) {
      const response = await service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full') },
        payload: { query: `{ boundary(databaseId: ${id}) { geometry(tolerance: 0) } }` },
      });
      const [[ring]] = response.json().data.boundary.geometry.coordinates as [[Position[]]];
      const inTile = ring
        .map((position) => unitsAt(z, position))
        .map(([across, down]) => [across - x * EXTENT, down - y * EXTENT] as const)
        .filter(([across, down]) => across > 0 && across < EXTENT && down > 0 && down < EXTENT);
      expect(inTile.length).toBeGreaterThan(50);
      const points = rings.flat();
      for (const [across, down] of inTile) {
        const nearest = Math.min(...points.map((point) => Math.hypot(point.x - across, point.y - down)));
        expect(nearest).toBeLessThan(1.5);
      }
    }
  });

  it.each([5, 7, 9, 12])('have the same vertices on the border of two districts, at zoom %d', async (z) => {
    const tile = tileAt(z, [-71, 43]);
    const [north, south] = await Promise.all(
      [JAGGED.north, JAGGED.south].map((id) => verticesIn(id, z, tile, [0, EXTENT])),
    );
    // Each district has its own corners at 44 and 42 degrees north; the others are on the common border.
    const [, upper] = unitsAt(z, [-71, 43.5]);
    const [, lower] = unitsAt(z, [-71, 42.5]);
    const common = (vertices: Set<string> | undefined) =>
      [...(vertices ?? [])].filter(
        (vertex) => Number(vertex.split(' ')[1]) > upper && Number(vertex.split(' ')[1]) < lower,
      );
    expect(common(north).length).toBeGreaterThan(10);
    expect(common(north).sort()).toEqual(common(south).sort());
  });

  it.each([9, 12])('continue in the next tile, at zoom %d', async (z) => {
    const [x, y] = tileAt(z, [-71.2, 43]);
    const here = await verticesIn(JAGGED.north, z, [x, y], [EXTENT - 60, EXTENT + 60]);
    const next = await verticesIn(JAGGED.north, z, [x + 1, y], [-60, 60]);
    expect(here.size).toBeGreaterThan(0);
    expect(here).toEqual(next);
  });

  it('are not larger than their limit', async () => {
    const [x, y] = tileAt(5, [-55, 25]);
    const detailed = await load(path('SPECIAL_DISTRICT', 5, x, y));
    expect(detailed.rawPayload.length).toBeLessThanOrEqual(MOST_BYTES);
    expect(detailed.rawPayload.length).toBeGreaterThan(MOST_BYTES / 4);
    expect((await layerOf(path('SPECIAL_DISTRICT', 5, x, y))).length).toBeGreaterThan(STRIPS.count / 2);
  });

  it('are empty where there are no districts, and in years without maps', async () => {
    expect(await layerOf(path('STATE', 6, 40, 40))).toEqual([]);
    expect(await layerOf(path('STATE', 1, 0, 0, '0001-01-01'))).toEqual([]);
    expect(await layerOf(path('STATE', 0, 0, 0, '9999-12-31'))).toHaveLength(2);
  });

  it.each([
    ['/tiles/COUNTRIES/2024-11-05/0/0/0.pbf', 400, /type must be one of COUNTRY, CONGRESS/],
    ['/tiles/State/2024-11-05/0/0/0.pbf', 400, /type must be one of/],
    ['/tiles/STATE/2024-02-30/0/0/0.pbf', 400, /date must be an existing day/],
    ['/tiles/STATE/infinity/0/0/0.pbf', 400, /date must be an existing day/],
    ['/tiles/STATE/2024-11-05/13/0/0.pbf', 400, /z must be at most 12/],
    [
      '/tiles/STATE/2024-11-05/1.5/0/-1.pbf',
      400,
      /z must be a whole number without leading zeros; y must be a whole number/,
    ],
    ['/tiles/STATE/2024-11-05/1e1/0/0.pbf', 400, /z must be a whole number/],
    ['/tiles/STATE/2024-11-05/3/8/0.pbf', 404, /x and y of a tile are from 0 to 7/],
    ['/tiles/STATE/2024-11-05/3/0/0.mvt', 404, /nothing at this address/],
    ['/tiles/STATES/yesterday.json', 400, /type must be one of.*date must be/],
  ])('%s is rejected', async (url, status, message) => {
    const response = await load(url);
    expect([response.statusCode, response.json().message]).toEqual([status, expect.stringMatching(message)]);
  });

  it('need a key, and the grants of districts and boundaries', async () => {
    expect((await service.app.inject(path('STATE', 0, 0, 0))).statusCode).toBe(401);
    for (const [grants, missing] of [
      [['districts'], 'Outlines'],
      [['boundaries'], 'Districts'],
    ] as const) {
      const key = await keyWith(database.db, `only-${grants}`, grants);
      for (const url of [path('STATE', 0, 0, 0), `/tiles/STATE/${DAY}.json`]) {
        const response = await load(url, { 'x-api-key': key });
        expect([response.statusCode, response.json().message]).toEqual([
          403,
          `${missing} are not included in this key.`,
        ]);
      }
    }
  });

  it('have a strong tag that changes with the data', async () => {
    const url = path('COUNTY', 0, 0, 0);
    const [first, again] = [await load(url), await load(url)];
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(again.headers.etag).toBe(tag);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    expect(first.headers.vary).toContain('X-API-Key');
    expect((await load(url, { 'if-none-match': tag })).statusCode).toBe(304);
    await database.db.updateTable('districts').set({ name: 'Second County' }).where('id', '=', WORLD.county).execute();
    const changed = await load(url, { 'if-none-match': tag });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(tag);
    expect(await layerOf(url)).toEqual([expect.objectContaining({ name: 'Second County', district: WORLD.county })]);
  });

  it('are described by TileJSON', async () => {
    const response = await load(`/tiles/COUNTY/${DAY}.json`, { host: 'localhost:8080' });
    expect(response.json()).toMatchObject({
      tilejson: '3.0.0',
      tiles: [`/tiles/COUNTY/${DAY}/{z}/{x}/{y}.pbf`],
      minzoom: 0,
      maxzoom: 12,
      vector_layers: [{ id: LAYER, fields: { district: expect.any(String) } }],
    });
  });
});
