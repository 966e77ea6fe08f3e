import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { groundOf, type Square, squareOf } from '../../src/cache/footprint.store.ts';
import { useStore } from '../support/store.ts';
import { boundary, insert } from '../support/world.ts';

const store = useStore();
const SIDE = 1 / 256;
/** A part of the map of 16 squares by 16. */
const [WEST, SOUTH] = [-98, 42];

beforeAll(async () => {
  await insert(
    store.db,
    'districts',
    [1, 2, 3, 4].map((id) => ({ id, type: 'County', name: `District ${id}` })),
  );
  const all = WEST + 16 * SIDE;
  await boundary(store.db, 1, ['2000-01-01', null], [WEST - 1, SOUTH - 1, all + 1, SOUTH + 1]);
  // Its edges are those of squares.
  await boundary(
    store.db,
    2,
    ['2000-01-01', null],
    [WEST + 4 * SIDE, SOUTH + 4 * SIDE, WEST + 8 * SIDE, SOUTH + 8 * SIDE],
  );
  await boundary(
    store.db,
    3,
    ['2000-01-01', null],
    [WEST + 9.5 * SIDE, SOUTH - 1, WEST + 12.2 * SIDE, SOUTH + 10.7 * SIDE],
  );
  // A circle, in pieces.
  await sql`
    with circle as (select ST_Buffer(ST_SetSRID(ST_MakePoint(${WEST + 6.3 * SIDE}, ${SOUTH + 9.1 * SIDE}), 4326), ${5 * SIDE}, 64) as outline),
    made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      select 4, '2000-01-01', true, ST_Multi(outline), 'circle' from circle returning id)
    insert into boundary_pieces (boundary_id, geometry) select id, ST_Subdivide(outline, 16) from made, circle`.execute(
    store.db,
  );
});

it('what holds in a square holds for each of its points, its corners and edges among them', async () => {
  const { footings } = groundOf(store.db);
  const squares: Square[] = Array.from({ length: 256 }, (_, n) => ({
    west: WEST + (n % 16) * SIDE,
    south: SOUTH + Math.floor(n / 16) * SIDE,
  }));
  let holding = 0;
  for (const square of squares) {
    const points = Array.from({ length: 40 }, (_, n) => pointIn(square, n));
    for (const point of points) expect(squareOf(point)).toEqual(square);
    const [first, ...others] = await footings(points.map((point, n) => ({ ...point, withSquare: n === 0 })));
    expect(others.map((other) => other?.holdsInSquare)).toEqual(others.map(() => false));
    if (!first?.holdsInSquare) continue;
    holding++;
    expect(others.map((other) => other?.boundaries)).toEqual(others.map(() => first.boundaries));
  }
  // Most do, and the pieces of the circle alone cross more than thirty.
  expect(holding).toBeGreaterThan(100);
  expect(holding).toBeLessThan(226);
});

/** Its corner in the south-west, the last numbers before its other edges, or any point. */
function pointIn({ west, south }: Square, n: number) {
  const last = SIDE * (1 - 2 ** -36);
  const [across, up] = [
    [0, 0],
    [last, 0],
    [0, last],
    [last, last],
  ][n] ?? [Math.random() * last, Math.random() * last];
  return { longitude: west + (across ?? 0), latitude: south + (up ?? 0) };
}
