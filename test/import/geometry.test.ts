import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { coveringBoundaries } from '../../src/graph/districts/districts.store.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { checkGeometry, GeometryError } from '../../src/importers/read/geometry.ts';
import { useDatabase } from '../support/database.ts';
import { box, feature, folderOf } from './folders.ts';

const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });
const square = box(-72, 43, -71, 44);

describe('the check of a geometry', () => {
  test.each<[what: string, geometry: unknown, reason: RegExp]>([
    ['none', null, /^is missing$/],
    ['a text', 'POLYGON((0 0))', /^is missing$/],
    ['a point', { type: 'Point', coordinates: [1, 2] }, /is a Point; it must be a Polygon or MultiPolygon/],
    ['a collection', { type: 'GeometryCollection', geometries: [] }, /is a GeometryCollection/],
    ['no polygon', { type: 'MultiPolygon', coordinates: [] }, /has no polygon/],
    ['no ring', polygon(), /polygon without rings/],
    [
      'three positions',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
      /ring of 3 positions; a closed ring has 4 or more/,
    ],
    [
      'an open ring',
      polygon([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
      /ring that is not closed/,
    ],
    [
      'an open hole',
      polygon(square, [
        [-71.9, 43.1],
        [-71.8, 43.1],
        [-71.8, 43.2],
        [-71.9, 43.2],
      ]),
      /ring that is not closed/,
    ],
    ['a longitude beyond', polygon(box(-181, 43, -71, 44)), /longitude -181, which is out of range/],
    ['a latitude beyond', polygon(box(-72, 43, -71, 91)), /latitude 91, which is out of range/],
    [
      'longitude and latitude swapped',
      polygon(box(43, -172, 44, -171)),
      /latitude -172, which is out of range \(longitude comes first\)/,
    ],
    ['metres', polygon(box(500_000, 4_000_000, 500_100, 4_000_100)), /longitude 500000, which is out of range/],
    [
      'infinity',
      polygon([
        [0, 0],
        [Number.POSITIVE_INFINITY, 0],
        [1, 1],
        [0, 0],
      ]),
      /coordinates are not numbers/,
    ],
    [
      'texts',
      polygon([
        ['0', 0],
        [1, 0],
        [1, 1],
        ['0', 0],
      ]),
      /coordinates are not numbers/,
    ],
    ['a bare number', polygon([0, 1, 2, 0]), /not \[longitude, latitude\]/],
    [
      'nesting without end',
      JSON.parse(`{"type":"Polygon","coordinates":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
      /ring of 1 positions/,
    ],
    [
      'a pole',
      polygon([
        [-120, 80],
        [0, 80],
        [120, 80],
        [-120, 80],
      ]),
      /encloses a pole/,
    ],
  ])('rejects %s', (_, geometry, reason) => {
    expect(() => checkGeometry(geometry)).toThrow(GeometryError);
    expect(() => checkGeometry(geometry)).toThrow(reason);
  });

  test('drops heights, and reports whether the antimeridian is crossed', () => {
    const flat = checkGeometry(polygon(square));
    expect(checkGeometry(polygon(square.map((position) => [...position, 100]))).ewkb).toEqual(flat.ewkb);
    expect(flat).toMatchObject({ wraps: false, points: 5 });
    expect(checkGeometry(polygon(box(170, 50, -170, 54))).wraps).toBe(true);
    expect(checkGeometry(polygon(box(-90, 50, 90, 54))).wraps).toBe(false);
  });
});

describe('boundaries in the database', () => {
  const database = useDatabase();

  async function load(coordinates: unknown, type = 'Polygon') {
    const folder = folderOf({
      'districts.csv': 'id,type,name\n1,County,Test\n',
      'boundaries.geojsonl': feature({ district_id: 1, start_date: '2020-01-01', precise: true }, coordinates, type),
    });
    return loadFolder(database.db, folder, { replace: true });
  }

  async function covers(longitude: number, latitude: number): Promise<boolean> {
    const { rows } = await sql<{ whole: boolean; pieces: boolean }>`
      select
        exists (select from boundaries where ST_Covers(geometry, ST_Point(${longitude}, ${latitude}, 4326))) as whole,
        exists (select from boundary_pieces where ST_Covers(geometry, ST_Point(${longitude}, ${latitude}, 4326))) as pieces`.execute(
      database.db,
    );
    expect(rows[0]?.pieces).toBe(rows[0]?.whole);
    return rows[0]?.whole ?? false;
  }

  const area = async () =>
    (await sql<{ area: number }>`select ST_Area(geometry) as area from boundaries`.execute(database.db)).rows[0]?.area;

  test.each<[string, unknown, string]>([
    ['a polygon with an edge over 180 degrees', [box(170, 50, -170, 54)], 'Polygon'],
    ['the other way round', [box(170, 50, -170, 54).toReversed()], 'Polygon'],
    [
      'starting beyond the antimeridian',
      [
        [
          [-170, 50],
          [-170, 54],
          [170, 54],
          [170, 50],
          [-170, 50],
        ],
      ],
      'Polygon',
    ],
    ['cut at it already', [[box(170, 50, 180, 54)], [box(-180, 50, -170, 54)]], 'MultiPolygon'],
  ])('%s is on both sides of the antimeridian and nowhere else', async (_, coordinates, type) => {
    await load(coordinates, type);
    expect(await covers(175, 52)).toBe(true);
    expect(await covers(-175, 52)).toBe(true);
    expect(await covers(180, 52)).toBe(true);
    expect(await covers(-180, 52)).toBe(true);
    expect(await covers(0, 52)).toBe(false);
    expect(await covers(165, 52)).toBe(false);
    const { rows } = await sql<{
      width: number;
    }>`select max(ST_XMax(geometry) - ST_XMin(geometry)) as width from boundary_pieces`.execute(database.db);
    expect(rows[0]?.width).toBe(10);
    expect(await area()).toBeCloseTo(80, 9);
  });

  test('a hole across the antimeridian remains a hole, from either side', async () => {
    for (const hole of [
      [
        [178, 51],
        [178, 53],
        [-178, 53],
        [-178, 51],
        [178, 51],
      ],
      [
        [-178, 51],
        [178, 51],
        [178, 53],
        [-178, 53],
        [-178, 51],
      ],
    ]) {
      await load([box(170, 50, -170, 54), hole]);
      expect(await covers(179, 52)).toBe(false);
      expect(await covers(-179, 52)).toBe(false);
      expect(await covers(175, 52)).toBe(true);
      expect(await area()).toBeCloseTo(72, 9);
    }
  });

  test('a polygon with an edge of exactly 180 degrees is not treated as crossing', async () => {
    await load([box(-90, 50, 90, 54)]);
    expect(await covers(0, 52)).toBe(true);
    expect(await covers(175, 52)).toBe(false);
  });

  test.each<[string, unknown, string, number]>([
    [
      'a spike',
      [
        [
          [-72, 43],
          [-71, 43],
          [-71, 43.5],
          [-70.5, 43.5],
          [-71, 43.5],
          [-71, 44],
          [-72, 44],
          [-72, 43],
        ],
      ],
      'Polygon',
      1,
    ],
    [
      'a ring that touches itself',
      [
        [
          [-72, 43],
          [-71, 43],
          [-71, 44],
          [-71.5, 43],
          [-72, 44],
          [-72, 43],
        ],
      ],
      'Polygon',
      0.5,
    ],
    [
      'an island without area',
      [
        [square],
        [
          [
            [-70, 43],
            [-69, 43],
            [-70, 43],
            [-70, 43],
          ],
        ],
      ],
      'MultiPolygon',
      1,
    ],
    ['a hole outside of a size that does not matter', [square, box(-70, 43, -69.99, 43.01)], 'Polygon', 1],
  ])('repairs %s', async (_, coordinates, type, expected) => {
    const summary = await load(coordinates, type);
    expect(summary.files.find(({ file }) => file === 'boundaries.geojsonl')).toMatchObject({
      repaired: 1,
    });
    expect(await area()).toBeCloseTo(expected, 3);
  });

  test('the largest accepted repair changes 0.1 % of the area', async () => {
    // Two overlapping squares count their overlap twice: 2 in all, of which the repair takes away the overlap.
    const overlapping = (overlap: number) => [[box(-72, 43, -71, 44)], [box(-71 - overlap, 43, -70 - overlap, 44)]];
    await load(overlapping(0.0019), 'MultiPolygon');
    expect(await area()).toBeCloseTo(2 - 0.0019, 6);
    await expect(load(overlapping(0.0021), 'MultiPolygon')).rejects.toThrow(/would change its area by 0\.1\d* %/);
  });

  test('duplicate points are valid', async () => {
    const summary = await load([
      [
        [-72, 43],
        [-72, 43],
        [-71, 43],
        [-71, 44],
        [-71, 44],
        [-72, 44],
        [-72, 43],
      ],
    ]);
    expect(summary.files.find(({ file }) => file === 'boundaries.geojsonl')).toMatchObject({
      repaired: 0,
    });
  });

  test('a boundary of many points is covered by small pieces, also at its edge and corners', async () => {
    const ring = Array.from({ length: 3000 }, (_, index) => {
      const angle = (2 * Math.PI * index) / 3000;
      const radius = 1 + 0.2 * Math.sin(angle * 30);
      return [-71 + radius * Math.cos(angle), 43 + radius * Math.sin(angle)];
    });
    const first = ring[0] ?? [];
    await load([[...ring, first], box(-71.1, 42.9, -70.9, 43.1).toReversed()]);
    const { rows } = await sql<{
      pieces: number;
      most: number;
      area: number;
      whole: number;
      corners: number;
      differing: number;
    }>`
      with points as (
        select ST_Point(-72.3 + x * 0.02, 41.7 + y * 0.02, 4326) as point
        from generate_series(0, 130) as x, generate_series(0, 130) as y
      )
      select
        (select count(*) from boundary_pieces) as pieces,
        (select max(ST_NPoints(geometry)) from boundary_pieces) as most,
        (select sum(ST_Area(geometry)) from boundary_pieces) as area,
        ST_Area(b.geometry) as whole,
        (select count(*) from ST_DumpPoints(b.geometry) as corner
          where not exists (select from boundary_pieces as p where ST_Covers(p.geometry, corner.geom))) as corners,
        (select count(*) from points
          where ST_Covers(b.geometry, point)
            <> exists (select from boundary_pieces as p where ST_Covers(p.geometry, point))) as differing
      from boundaries as b`.execute(database.db);
    const [found] = rows;
    expect(found?.pieces).toBeGreaterThan(20);
    expect(found?.most).toBeLessThanOrEqual(129);
    expect(found?.area).toBeCloseTo(found?.whole ?? 0, 12);
    expect(found?.corners).toBe(0);
    expect(found?.differing).toBe(0);
  });

  test('points exactly on an edge are covered, where the subdivision cuts the edge as well', async () => {
    // Both longitude and latitude of k/1024 of the way along the diagonal are exact binary numbers.
    const [west, south, width, height] = [175, 57, 1.25, 0.8125];
    const wave = Array.from({ length: 900 }, (_, index) => [
      west + width - (width * (index + 1)) / 901,
      south + height - (height * (index + 1)) / 901 + 0.1 + 0.05 * Math.sin(index),
    ]);
    await load([[[west, south], [west + width, south + height], ...wave, [west, south]]]);
    const point = { longitude: sql.ref<number>('diagonal.longitude'), latitude: sql.ref<number>('diagonal.latitude') };
    const { rows } = await sql<{ points: number; covered: number; found: number }>`
      with diagonal as (
        select ${west}::float8 + ${width}::float8 * k / 1024 as longitude, ${south}::float8 + ${height}::float8 * k / 1024 as latitude
        from generate_series(0, 1024) as k
      )
      select count(*) as points,
        count(*) filter (where exists (
          select from boundaries where ST_Covers(geometry, ST_Point(longitude, latitude, 4326)))) as covered,
        count(*) filter (where exists (select from ${coveringBoundaries(point)} covering)) as found
      from diagonal`.execute(database.db);
    expect(rows[0]).toEqual({ points: 1025, covered: 1025, found: 1025 });
  });
});
