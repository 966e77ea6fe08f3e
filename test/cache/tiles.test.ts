import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { findFootprints, type Tile, tileOf } from '../../src/gateway/cache/footprint.store.ts';
import { useDatabase } from '../support/database.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();
const SIDE = 1 / 256;
/** The south-west corner of a map section of 16 by 16 tiles. */
const [WEST, SOUTH] = [-98, 42];

beforeAll(async () => {
  await insert(
    database.db,
    'districts',
    [1, 2, 3, 4].map((id) => ({ id, type: 'County', name: `District ${id}` })),
  );
  const all = WEST + 16 * SIDE;
  await boundary(database.db, 1, ['2000-01-01', null], [WEST - 1, SOUTH - 1, all + 1, SOUTH + 1]);
  // Its edges are edges of tiles.
  await boundary(
    database.db,
    2,
    ['2000-01-01', null],
    [WEST + 4 * SIDE, SOUTH + 4 * SIDE, WEST + 8 * SIDE, SOUTH + 8 * SIDE],
  );
  await boundary(
    database.db,
    3,
    ['2000-01-01', null],
    [WEST + 9.5 * SIDE, SOUTH - 1, WEST + 12.2 * SIDE, SOUTH + 10.7 * SIDE],
  );
  // A circle, split into pieces.
  await sql`
    with circle as (select ST_Buffer(ST_SetSRID(ST_MakePoint(${WEST + 6.3 * SIDE}, ${SOUTH + 9.1 * SIDE}), 4326), ${5 * SIDE}, 64) as outline),
    made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      select 4, '2000-01-01', true, ST_Multi(outline), 'circle' from circle returning id)
    insert into boundary_pieces (boundary_id, geometry) select id, ST_Subdivide(outline, 16) from made, circle`.execute(
    database.db,
  );
});

it('reports one set of boundaries for a tile only if it applies to each point of it, also on corners and edges', async () => {
  const tiles: Tile[] = Array.from({ length: 256 }, (_, n) => ({
    west: WEST + (n % 16) * SIDE,
    south: SOUTH + Math.floor(n / 16) * SIDE,
  }));
  let uniform = 0;
  for (const tile of tiles) {
    const points = Array.from({ length: 40 }, (_, n) => pointIn(tile, n));
    for (const point of points) expect(tileOf(point)).toEqual(tile);
    const [first, ...others] = await findFootprints(
      database.db,
      points.map((point, n) => ({ ...point, withTile: n === 0 })),
    );
    expect(others.map((other) => other?.coversTile)).toEqual(others.map(() => false));
    if (!first?.coversTile) continue;
    uniform++;
    expect(others.map((other) => other?.boundaries)).toEqual(others.map(() => first.boundaries));
  }
  // Most tiles are uniform, and the circle's outline alone crosses more than thirty.
  expect(uniform).toBeGreaterThan(100);
  expect(uniform).toBeLessThan(226);
});

/** Returns the south-west corner, the last numbers before the other edges, or a random point of a tile. */
function pointIn({ west, south }: Tile, n: number) {
  const last = SIDE * (1 - 2 ** -36);
  const [eastward, northward] = [
    [0, 0],
    [last, 0],
    [0, last],
    [last, last],
  ][n] ?? [Math.random() * last, Math.random() * last];
  return { longitude: west + (eastward ?? 0), latitude: south + (northward ?? 0) };
}
