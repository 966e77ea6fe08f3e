import { VectorTile } from '@mapbox/vector-tile';
import { sql } from 'kysely';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { LAYER, MOST_BYTES } from '../../src/gateway/tiles/encode-tile.ts';
import { DISTRICT_TYPES } from '../../src/graph/districts/district-type.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

/** Squares of half a degree next to each other, as many as the country has districts of one type. */
const [COLUMNS, ROWS] = [100, 50];
const FIRST_ID = 10_000;
const [WEST, SOUTH, SIDE] = [-120, 25, 0.5];

const database = useDatabase();
const service = useApp(database);

beforeAll(async () => {
  await createWorld(database.db);
  await sql`
    insert into districts (id, type, name, state) overriding system value
    select ${FIRST_ID} + n, 'School District', 'District ' || n, 'AA'
    from generate_series(0, ${COLUMNS * ROWS - 1}::int) n`.execute(database.db);
  await sql`
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select ${FIRST_ID} + n, '2000-01-01', true, ST_Multi(ST_MakeEnvelope(
      ${WEST} + n % ${COLUMNS}::int * ${SIDE}::float8, ${SOUTH} + n / ${COLUMNS}::int * ${SIDE}::float8,
      ${WEST} + (n % ${COLUMNS}::int + 1) * ${SIDE}::float8, ${SOUTH} + (n / ${COLUMNS}::int + 1) * ${SIDE}::float8, 4326)),
      'digest ' || n
    from generate_series(0, ${COLUMNS * ROWS - 1}::int) n`.execute(database.db);
  await sql`
    insert into boundary_pieces (boundary_id, geometry)
    select id, (ST_Dump(geometry)).geom from boundaries where district_id >= ${FIRST_ID}`.execute(database.db);
}, 120_000);

/** The tiles of a zoom with a part of the squares, in which they are widest. */
const TILES: readonly (readonly [z: number, x: number, y: number])[] = [
  [0, 0, 0],
  [1, 0, 0],
  [2, 0, 1],
  [3, 1, 3],
  [4, 3, 6],
];

async function load(type: string, [z, x, y]: readonly [number, number, number], day: string) {
  const url = `/tiles/${type}/${day}/${z}/${x}/${y}.pbf`;
  const response = await service.app.inject({ url, headers: { 'x-api-key': service.key('full') } });
  // A statement that compares each boundary with all pieces takes longer than the deadline of a request.
  expect([response.statusCode, response.statusCode === 200 ? '' : response.payload]).toEqual([200, '']);
  expect(response.rawPayload.length).toBeLessThanOrEqual(MOST_BYTES);
  const layer = new VectorTile(new PbfReader(response.rawPayload)).layers[LAYER];
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index));
}

describe.each(TILES)('a tile of zoom %i with thousands of districts', (...tile) => {
  it.each(DISTRICT_TYPES.map(([type]) => type))('of type %s', async (type) => {
    const features = await load(type, tile, '2024-11-05');
    if (type === 'SCHOOL_DISTRICT') expect(features.length).toBeGreaterThan(300);
  });

  it('has neighbors with the same edges', async () => {
    const extents = new Map<number, { left: number; right: number }>();
    for (const feature of await load('SCHOOL_DISTRICT', tile, '2024-11-06')) {
      const across =
        feature
          ?.loadGeometry()
          .flat()
          .map(({ x }) => x) ?? [];
      extents.set(Number(feature?.properties.district), { left: Math.min(...across), right: Math.max(...across) });
    }
    let compared = 0;
    for (const [id, { right }] of extents) {
      const index = id - FIRST_ID;
      const others = Array.from({ length: COLUMNS - 1 - (index % COLUMNS) }, (_, after) => extents.get(id + 1 + after));
      // Those that are narrower than a cell of the grid are omitted.
      const next = others.find((other) => other !== undefined);
      // At the edge of the tile, outlines are cut.
      if (!next || next.left <= 0 || right >= 4_096) continue;
      expect([id, next.left]).toEqual([id, right]);
      compared++;
    }
    expect(compared).toBeGreaterThan(100);
  });
});
