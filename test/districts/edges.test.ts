import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { type ExecuteOptions, request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, createWorld, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();

const [STAR, FAR_WEST, TOWN, BOTH_SIDES] = [400, 401, 402, 403];
type Position = readonly [longitude: number, latitude: number];
const star: Position[] = [];

beforeAll(async () => {
  await createWorld(database.db);
  const types = [
    [STAR, 'Special District'],
    [FAR_WEST, 'Judicial District'],
    [TOWN, 'City-town'],
    [BOTH_SIDES, 'City-town subdivision'],
  ] as const;
  await insert(
    database.db,
    'districts',
    types.map(([id, type]) => ({ id, type, name: `District ${id}` })),
  );
  const random = seeded(11);
  for (let index = 0; index < 24; index++) {
    const [angle, radius] = [(index / 24) * 2 * Math.PI, 0.4 + random() * 1.6];
    star.push([-150 + radius * Math.cos(angle), 61 + (radius / 2) * Math.sin(angle)]);
  }
  const ring = [...star, star[0] as Position].map((each) => each.join(' ')).join(', ');
  await sql`
    with made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      values (${STAR}, '2000-01-01', true, ST_Multi(ST_GeomFromText(${`POLYGON((${ring}))`}, 4326)), 'star') returning id, geometry)
    insert into boundary_pieces (boundary_id, geometry)
    select id, (ST_Dump(part)).geom from made cross join lateral ST_Subdivide(geometry, 8) part`.execute(database.db);
  await boundary(database.db, FAR_WEST, ['2000-01-01', null], [-180, 51, -178, 53]);
  await sql`
    with made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      values (${BOTH_SIDES}, '2000-01-01', true, ST_GeomFromText('MULTIPOLYGON(((179.9 51, 180 51, 180 53, 179.9 53, 179.9 51)),
        ((-180 51, -179.99 51, -179.99 53, -180 53, -180 51)))', 4326), 'both') returning id, geometry)
    insert into boundary_pieces (boundary_id, geometry)
    select id, (ST_Dump(geometry)).geom from made`.execute(database.db);
  await boundary(database.db, TOWN, ['2000-01-01', null], [-98.01, 41.99, -97.99, 42.001], false);
});

interface Edge {
  district: { databaseId: number };
  boundary: { precise: boolean };
  distance: number;
  isCertain: boolean;
  neighbors: { databaseId: number }[];
}

async function edgesOf(points: readonly object[], args = '', options: ExecuteOptions = {}, db = database.db) {
  const source = `query ($points: [PointInput!]!) { locations(points: $points) { nearestLines${args} {
    district { databaseId } boundary { precise } distance isCertain neighbors { databaseId } } } }`;
  const { data, errors } = await request(db, source, { ...options, variables: { points } });
  expect(errors).toBeUndefined();
  return (data as { locations: { nearestLines: Edge[] }[] }).locations.map(({ nearestLines }) => nearestLines);
}

/** The distance of two points on the ellipsoid WGS 84 in metres, by the inverse formula of Vincenty. */
function vincenty([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  const [a, f] = [6_378_137, 1 / 298.257223563];
  const b = a * (1 - f);
  const rad = Math.PI / 180;
  const [u1, u2] = [Math.atan((1 - f) * Math.tan(lat1 * rad)), Math.atan((1 - f) * Math.tan(lat2 * rad))];
  const l = (lon2 - lon1) * rad;
  let lambda = l;
  for (let again = 0; again < 100; again++) {
    const sinSigma = Math.hypot(
      Math.cos(u2) * Math.sin(lambda),
      Math.cos(u1) * Math.sin(u2) - Math.sin(u1) * Math.cos(u2) * Math.cos(lambda),
    );
    if (sinSigma === 0) return 0;
    const cosSigma = Math.sin(u1) * Math.sin(u2) + Math.cos(u1) * Math.cos(u2) * Math.cos(lambda);
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (Math.cos(u1) * Math.cos(u2) * Math.sin(lambda)) / sinSigma;
    const cos2 = 1 - sinAlpha ** 2;
    const cosM = cos2 === 0 ? 0 : cosSigma - (2 * Math.sin(u1) * Math.sin(u2)) / cos2;
    const c = (f / 16) * cos2 * (4 + f * (4 - 3 * cos2));
    const next = l + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * (cosM + c * cosSigma * (2 * cosM ** 2 - 1)));
    if (Math.abs(next - lambda) > 1e-13) {
      lambda = next;
      continue;
    }
    const v = (cos2 * (a ** 2 - b ** 2)) / b ** 2;
    const big = 1 + (v / 16384) * (4096 + v * (-768 + v * (320 - 175 * v)));
    const small = (v / 1024) * (256 + v * (-128 + v * (74 - 47 * v)));
    const delta =
      small *
      sinSigma *
      (cosM +
        (small / 4) *
          (cosSigma * (2 * cosM ** 2 - 1) - (small / 6) * cosM * (4 * sinSigma ** 2 - 3) * (4 * cosM ** 2 - 3)));
    return b * big * (sigma - delta);
  }
  throw new Error('no convergence');
}

/** The distance of a point to a ring whose edges are straight in degrees. */
function distanceToRing(point: Position, ring: readonly Position[]): number {
  const distances = ring.map((from, index) => {
    const to = ring[(index + 1) % ring.length] as Position;
    const at = (share: number): number =>
      vincenty(point, [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    let [low, high] = [0, 1];
    while (high - low > 1e-7) {
      const [one, other] = [low + (high - low) / 3, high - (high - low) / 3];
      if (at(one) < at(other)) high = other;
      else low = one;
    }
    return at(low);
  });
  return Math.min(...distances);
}

describe('the edges of a point', () => {
  it('are as far as an independent geodesic says, within 1 m, in the far north', async () => {
    const random = seeded(12);
    const points = Array.from({ length: 40 }, () => ({
      longitude: -150.3 + random() * 0.6,
      latitude: 60.85 + random() * 0.3,
    }));
    const found = await edgesOf(points, '(types: [SPECIAL_DISTRICT])');
    let compared = 0;
    for (const [index, edges] of found.entries()) {
      const { longitude, latitude } = points[index] as (typeof points)[number];
      for (const { distance } of edges) {
        compared++;
        expect(Math.abs(distance - distanceToRing([longitude, latitude], star))).toBeLessThan(1);
      }
    }
    expect(compared).toBeGreaterThan(25);
  });

  it('name the districts of the same type beyond them', async () => {
    const [edges = []] = await edgesOf([{ latitude: 42, longitude: -95.01 }], '(types: [CONGRESS, STATE, COUNTRY])');
    const byId = new Map(edges.map((edge) => [edge.district.databaseId, edge]));
    // The width of a hundredth of a degree on the 42nd parallel.
    const expected = vincenty([-95.01, 42], [-95, 42]);
    expect(byId.get(WORLD.alphaFirst)?.distance).toBeCloseTo(expected, 0);
    expect(byId.get(WORLD.alphaFirst)?.neighbors).toEqual([{ databaseId: WORLD.alphaSecond }]);
    expect(byId.get(WORLD.country)?.neighbors).toEqual([]);
    expect(edges.map(({ isCertain }) => isCertain)).toEqual([true, true, true]);
  });

  it('are those of the map of the day', async () => {
    const [edges = []] = await edgesOf([{ latitude: 44.99, longitude: -93 }], '(types: [CONGRESS], on: "2022-06-01")');
    expect(edges).toMatchObject([
      { district: { databaseId: WORLD.alphaFirst }, neighbors: [{ databaseId: WORLD.alphaSecond }], isCertain: true },
    ]);
    expect(edges[0]?.distance).toBeGreaterThan(1_100);
    expect(edges[0]?.distance).toBeLessThan(1_115);
  });

  it('are certain only if they are further away than the outline is precise', async () => {
    const near = async (latitude: number) =>
      (await edgesOf([{ latitude, longitude: -98 }], '(types: [CITY_TOWN])'))[0]?.[0];
    expect(await near(42)).toMatchObject({ isCertain: false, boundary: { precise: false } });
    const [precise] = await edgesOf([{ latitude: 42, longitude: -95.0004 }], '(types: [CONGRESS])');
    expect(precise?.[0]).toMatchObject({ isCertain: false, boundary: { precise: true } });
    const [further] = await edgesOf([{ latitude: 42, longitude: -95.001 }], '(types: [CONGRESS])');
    expect(further?.[0]).toMatchObject({ isCertain: true });
  });

  it('are 0 m away on a shared edge, without a district beyond it', async () => {
    const [edges = []] = await edgesOf([POINTS.sharedEdge], '(types: [STATE])');
    expect(
      edges.map(({ district, distance, isCertain, neighbors }) => [
        district.databaseId,
        distance,
        isCertain,
        neighbors,
      ]),
    ).toEqual([
      [WORLD.alpha, 0, false, []],
      [WORLD.beta, 0, false, []],
    ]);
  });

  it('are not at the 180th meridian', async () => {
    const [edges = []] = await edgesOf([{ latitude: 52, longitude: -179.9 }], '(types: [JUDICIAL_DISTRICT])');
    expect(edges[0]?.distance).toBeGreaterThan(110_000);
    expect(edges[0]?.distance).toBeLessThan(112_000);
  });

  it.each([
    ['beyond the 180th meridian, from the east', 179.995, 51.5, [-179.99, 51.5]],
    ['beyond the 180th meridian, from the west', -179.999, 52.999, [-179.999, 53]],
    ['on the same side, from the east', 179.915, 52, [179.9, 52]],
    ['beyond the meridian, from the west', -179.995, 51.001, [-179.995, 51]],
  ] as const)('are %s', async (_, longitude, latitude, nearest) => {
    // A district on both sides of the meridian, which ends soon after it.
    const [edges = []] = await edgesOf([{ latitude, longitude }], '(types: [CITY_TOWN_SUBDIVISION])');
    expect(edges.map(({ district }) => district.databaseId)).toEqual([BOTH_SIDES]);
    expect(Math.abs((edges[0]?.distance ?? 0) - vincenty([longitude, latitude], nearest))).toBeLessThan(1);
  });

  it('need the grant of outlines', async () => {
    expect(await edgesOf([POINTS.beta], '', { grants: ['districts', 'officeholders'] })).toEqual([null]);
  });

  it('take the same statements for any number of points in one statement', async () => {
    const count = async (points: readonly object[]) => {
      const recorded = recordStatements(database);
      await edgesOf(points, '(types: [CONGRESS])', {}, recorded.db);
      return recorded.take().map(nameOf);
    };
    const many = Array.from({ length: 5 }, (_, index) => ({ latitude: 42 + index / 10, longitude: -95.01 }));
    expect(await count(many.slice(0, 1))).toEqual(['districts.edgesOfPoint', 'districts.byId']);
    expect(await count(many)).toEqual(['districts.edgesOfPoint', 'districts.byId']);
  });
});
