import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute } from '../../src/gateway/graphql/execution/execute.ts';
import { ResponseSize } from '../../src/graph/builder/response-size.ts';
import { schema } from '../../src/graph/schema.ts';
import type { DistrictType } from '../../src/store/sql/tables.ts';
import { seeded } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { ALL_GRANTS, contextOf, type ExecuteOptions, prepare, request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { createWorld, insert, WORLD } from '../support/world.ts';

const database = useDatabase();

const RING = 50;
const ISLAND = 51;
const STRIP = 52;
const PACIFIC = 53;
const EAST_OF_180 = 54;
const WEST_OF_180 = 55;
/** The number of random districts, and the id of the first one. */
const RANDOM = 12;
const FIRST_RANDOM = 60;

/** Creates a district with a boundary, whose pieces have few vertices. */
async function outline(id: number, wkt: string, type: DistrictType = 'Special District'): Promise<void> {
  await insert(database.db, 'districts', [{ id, type, name: `District ${id}` }]);
  await sql`
    with made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      values (${id}, '2000-01-01', true, ST_Multi(ST_GeomFromText(${wkt}, 4326)), ${wkt}) returning id, geometry)
    insert into boundary_pieces (boundary_id, geometry)
    select id, (ST_Dump(part)).geom from made cross join lateral ST_Subdivide(geometry, 8) part`.execute(database.db);
}

const rectangle = (west: number, south: number, east: number, north: number) =>
  `((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;

beforeAll(async () => {
  await createWorld(database.db);
  await outline(RING, 'POLYGON((10 10, 20 10, 20 20, 10 20, 10 10), (12 12, 18 12, 18 18, 12 18, 12 12))');
  await outline(ISLAND, `POLYGON${rectangle(12, 12, 18, 18)}`);
  // A quarter of it lies in the ring, half of it in the island, and a quarter outside of both.
  await outline(STRIP, `POLYGON${rectangle(8, 14, 16, 15)}`);
  await outline(PACIFIC, `MULTIPOLYGON(${rectangle(170, 30, 180, 40)}, ${rectangle(-180, 30, -170, 40)})`);
  await outline(EAST_OF_180, `POLYGON${rectangle(-180, 32, -175, 33)}`);
  await outline(WEST_OF_180, `POLYGON${rectangle(160, 32, 180, 33)}`);
  const random = seeded(7);
  for (let id = FIRST_RANDOM; id < FIRST_RANDOM + RANDOM; id++) {
    const [x, y, size] = [-60 + random() * 4, -30 + random() * 4, 1 + random() * 2];
    const corners = Array.from({ length: 20 }, (_, index) => {
      const [angle, radius] = [(index / 20) * 2 * Math.PI, size * (0.5 + random())];
      return `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
    });
    await outline(id, `POLYGON((${[...corners, corners[0]].join(', ')}))`);
  }
});

interface Containment {
  totalCount: number;
  edges: { cursor: string; areaShare: number; node: { databaseId: number } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

type Field = 'contains' | 'containedIn';

async function containment(field: Field, id: number, args = '', options: ExecuteOptions = {}): Promise<Containment> {
  const source = `{ district(databaseId: ${id}) { ${field}${args && `(${args})`} { totalCount
    edges { cursor areaShare node { databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const { data, errors } = await request(database.db, source, options);
  expect(errors).toBeUndefined();
  return (data as { district: Record<Field, Containment> }).district[field];
}

const idsOf = ({ edges }: Containment) => edges.map(({ node }) => node.databaseId);

/** The ids of the districts in list order, with their shares. */
async function shares(field: Field, id: number, args = '') {
  const { totalCount, edges } = await containment(field, id, args);
  expect(totalCount).toBe(edges.length);
  return edges.map(({ node, areaShare }) => [node.databaseId, areaShare]);
}

/** The area between the equator and a parallel on the ellipsoid WGS 84, up to a factor. */
function areaTo(latitude: number): number {
  const e = 0.0818191908426215;
  const sine = Math.sin((latitude * Math.PI) / 180);
  return sine / (1 - (e * sine) ** 2) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e);
}

describe('a district', () => {
  it('lies in the districts around it, from the country down, and not in those that it touches', async () => {
    const around = [
      [WORLD.country, 1],
      [WORLD.alphaFirst, 1],
      [WORLD.alpha, 1],
    ];
    expect(await shares('containedIn', WORLD.county)).toEqual(around);
    expect(await shares('containedIn', WORLD.county, 'minimumShare: 0.001')).toEqual(around);
    expect(await shares('containedIn', WORLD.country, 'minimumShare: 0.51')).toEqual([]);
  });

  it('contains the districts in it, and not those that it touches', async () => {
    const inAlpha = [
      [WORLD.alphaFirst, 1],
      [WORLD.alphaSecond, 1],
      [WORLD.county, 1],
    ];
    // Half of the country lies in Alpha.
    expect(await shares('contains', WORLD.alpha)).toEqual([[WORLD.country, 0.5], ...inAlpha]);
    expect(await shares('contains', WORLD.alpha, 'minimumShare: 0.51')).toEqual(inAlpha);
    expect(await shares('contains', WORLD.alpha, 'types: [COUNTY, STATE]')).toEqual([[WORLD.county, 1]]);
    expect(await shares('contains', WORLD.alpha, 'types: []')).toEqual([]);
    expect(await shares('contains', WORLD.beta, 'minimumShare: 0.001, types: [STATE]')).toEqual([]);
    expect(await shares('contains', WORLD.alphaSecond, 'minimumShare: 0.51')).toEqual([]);
  });

  it('has the area of the ellipsoid', async () => {
    const share = (areaTo(45) - areaTo(40)) / (areaTo(50) - areaTo(40));
    const [first] = (await containment('contains', WORLD.county, 'types: [CONGRESS]')).edges;
    expect(first?.node.databaseId).toBe(WORLD.alphaFirst);
    expect(first?.areaShare).toBeCloseTo(share, 5);
    const quarter = await containment('contains', WORLD.county, 'types: [STATE], minimumShare: 0.1');
    expect(quarter.edges[0]?.areaShare).toBeCloseTo(share / 2, 5);
  });

  it('is compared on the requested day, also on the day of a new map', async () => {
    const inMap = (on: string) =>
      shares('containedIn', WORLD.county, `types: [CONGRESS], minimumShare: 0.001, on: "${on}"`);
    expect(await inMap('2022-06-01')).toEqual([[WORLD.alphaFirst, 1]]);
    expect(await shares('contains', WORLD.alphaFirst, 'on: "2022-06-01", minimumShare: 0.6')).toEqual([
      [WORLD.county, 1],
    ]);
    const second = (on: string) => shares('containedIn', WORLD.alphaSecond, `types: [STATE], on: "${on}"`);
    expect(await second('2022-06-01')).toEqual([[WORLD.alpha, 1]]);
    expect(await inMap(WORLD.redrawn)).toEqual([[WORLD.alphaFirst, 1]]);
    expect(await shares('containedIn', WORLD.county, 'on: "2012-01-01"')).toEqual([
      [WORLD.country, 1],
      [WORLD.alpha, 1],
    ]);
    expect(await shares('containedIn', WORLD.county, 'on: "1999-12-31"')).toEqual([]);
    const today = await containment('containedIn', WORLD.county, '', { today: '2012-01-01' });
    expect(idsOf(today)).toEqual([WORLD.country, WORLD.alpha]);
  });

  it('does not lie in a hole', async () => {
    expect(await shares('contains', RING, 'minimumShare: 0.001')).toEqual([[STRIP, 0.25]]);
    expect(await shares('containedIn', ISLAND, 'minimumShare: 0.001')).toEqual([
      [STRIP, expect.closeTo((4 / 6) * ((areaTo(15) - areaTo(14)) / (areaTo(18) - areaTo(12))), 5)],
    ]);
    expect(await shares('containedIn', STRIP, 'minimumShare: 0.001')).toEqual([
      [RING, 0.25],
      [ISLAND, 0.5],
    ]);
  });

  it('may cross the 180th meridian', async () => {
    expect(await shares('contains', PACIFIC, 'minimumShare: 0.001')).toEqual([
      [EAST_OF_180, 1],
      [WEST_OF_180, 0.5],
    ]);
    expect(await shares('containedIn', EAST_OF_180, 'minimumShare: 0.001')).toEqual([[PACIFIC, 1]]);
  });

  it.each(Array.from({ length: RANDOM }, (_, index) => FIRST_RANDOM + index))(
    'of any outline (%i) has the shares of the whole geometries',
    async (id) => {
      // The edges of geography are geodesics: they are straight on the map only between many vertices.
      const area = (geometry: string) => `ST_Area(ST_Segmentize(${geometry}, 0.01)::geography)`;
      const { rows } = await sql<{ id: number; inner: number; outer: number }>`
        select other.district_id as id,
          ${sql.raw(area('ST_Intersection(own.geometry, other.geometry)'))} / ${sql.raw(area('own.geometry'))} as inner,
          ${sql.raw(area('ST_Intersection(own.geometry, other.geometry)'))} / ${sql.raw(area('other.geometry'))} as outer
        from boundaries own join boundaries other on other.district_id <> own.district_id
        where own.district_id = ${id} and ST_Area(ST_Intersection(own.geometry, other.geometry)) > 0`.execute(
        database.db,
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const [field, share] of [
        ['containedIn', 'inner'],
        ['contains', 'outer'],
      ] as const) {
        const { edges } = await containment(field, id, 'minimumShare: 0.001, first: 100');
        const found = new Map(edges.map(({ node, areaShare }) => [node.databaseId, areaShare]));
        const expected = rows.filter((row) => row[share] >= 0.001);
        // A share near the smallest one may be on either side of it.
        expect(rows.filter((row) => Math.abs(row[share] - 0.001) < 0.0001)).toEqual([]);
        expect([...found.keys()].sort()).toEqual(expected.map((row) => row.id).sort());
        for (const row of expected) expect(found.get(row.id)).toBeCloseTo(row[share], 3);
      }
    },
  );
});

describe('the pages', () => {
  const ARGS = 'minimumShare: 0.001';
  const id = FIRST_RANDOM;

  it.each([1, 2, 3])('of %i have all districts once, in both directions', async (size) => {
    const all = await containment('contains', id, ARGS);
    expect(all.edges.length).toBeGreaterThan(3);
    expect(idsOf(all)).toEqual(idsOf(all).toSorted());
    for (const isBackward of [false, true]) {
      const [edge, bound] = isBackward ? ['last', 'before'] : ['first', 'after'];
      const found: number[] = [];
      for (let cursor = ''; ; ) {
        const page = await containment('contains', id, `${ARGS}, ${edge}: ${size} ${cursor}`);
        expect(page.totalCount).toBe(all.totalCount);
        if (isBackward) found.unshift(...idsOf(page));
        else found.push(...idsOf(page));
        if (!(isBackward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break;
        cursor = `${bound}: "${isBackward ? page.pageInfo.startCursor : page.pageInfo.endCursor}"`;
      }
      expect(found).toEqual(idsOf(all));
    }
  });

  it('end at both cursors', async () => {
    const { edges } = await containment('contains', id, ARGS);
    const between = `after: "${edges[0]?.cursor}", before: "${edges.at(-1)?.cursor}"`;
    expect(idsOf(await containment('contains', id, `${ARGS}, ${between}`))).toEqual(
      edges.slice(1, -1).map(({ node }) => node.databaseId),
    );
  });

  it.each([
    ['minimumShare: 0', 'minimumShare must be from 0.001 to 1, not 0.'],
    ['minimumShare: 1.1', 'minimumShare must be from 0.001 to 1'],
    ['first: -1', 'first must be from 0 to 100'],
    ['first: 1, last: 1', 'Give first or last, not both.'],
    ['after: "no"', 'after must be a cursor'],
  ])('reject %s', async (args, message) => {
    for (const field of ['contains', 'containedIn']) {
      const source = `{ district(databaseId: 10) { ${field}(${args}) { totalCount } } }`;
      const { data, errors } = await request(database.db, source);
      expect(data).toEqual({ district: { [field]: null } });
      expect(errors?.[0]?.message).toContain(message);
    }
  });
});

describe('the detailed boundary of a state, whose shares are stored', () => {
  const DETAILED = 200;
  const INSIDE = 201;
  const ACROSS = 202;
  const circle = (x: number, radius: number, corners: number) => {
    const points = Array.from({ length: corners }, (_, index) => {
      const angle = (index / corners) * 2 * Math.PI;
      return `${x + radius * Math.cos(angle)} ${-60 + radius * Math.sin(angle)}`;
    });
    return `POLYGON((${[...points, points[0]].join(', ')}))`;
  };
  const stored = async () => {
    const { rows } = await sql<{ outer: number; inner: number; share: number }>`
      select o.district_id as outer, i.district_id as inner, share from boundary_shares s
      join boundaries o on o.id = s.outer_id join boundaries i on i.id = s.inner_id
      order by 1, 2`.execute(database.db);
    return rows.map(({ outer, inner, share }) => [outer, inner, share]);
  };

  it('has the shares of the whole geometries, whichever of both boundaries was written first', async () => {
    await outline(INSIDE, `POLYGON${rectangle(99, -61, 101, -59)}`);
    await outline(DETAILED, circle(100, 5, 1_000), 'State');
    await outline(ACROSS, `POLYGON${rectangle(98, -80, 102, -60)}`);
    const { rows } = await sql<{ id: number; inner: number; outer: number }>`
      with o as (select geometry from boundaries where district_id = ${DETAILED})
      select i.district_id as id,
        ST_Area(ST_Transform(ST_Intersection(o.geometry, i.geometry), 6933)) / ST_Area(ST_Transform(i.geometry, 6933)) as inner,
        ST_Area(ST_Transform(ST_Intersection(o.geometry, i.geometry), 6933)) / ST_Area(ST_Transform(o.geometry, 6933)) as outer
      from o, boundaries i where i.district_id in (${INSIDE}, ${ACROSS}) order by 1`.execute(database.db);
    const [inside, across] = rows;
    expect(await stored()).toEqual([
      [DETAILED, INSIDE, 1],
      [DETAILED, ACROSS, expect.closeTo(across?.inner ?? 0, 5)],
      [INSIDE, DETAILED, expect.closeTo(inside?.outer ?? 0, 5)],
      [ACROSS, DETAILED, expect.closeTo(across?.outer ?? 0, 5)],
    ]);
    expect(await shares('contains', DETAILED, 'minimumShare: 0.001')).toEqual([
      [INSIDE, 1],
      [ACROSS, expect.closeTo(across?.inner ?? 0, 5)],
    ]);
    expect(await shares('containedIn', INSIDE)).toEqual([[DETAILED, 1]]);
    // Neither is a state: compared when requested.
    expect(await shares('containedIn', INSIDE, 'minimumShare: 0.001')).toContainEqual([ACROSS, expect.closeTo(0.5, 1)]);
  });

  it('follows a new outline, one that is no longer detailed, and a removed boundary', async () => {
    const before = await stored();
    const replace = async (wkt: string) => {
      await sql`delete from boundary_pieces where boundary_id = (select id from boundaries where district_id = ${DETAILED})`.execute(
        database.db,
      );
      await sql`insert into boundary_pieces (boundary_id, geometry)
        select id, (ST_Dump(part)).geom from boundaries
        cross join lateral ST_Subdivide(ST_GeomFromText(${wkt}, 4326), 8) part
        where district_id = ${DETAILED}`.execute(database.db);
    };
    await replace(circle(200, 5, 1_000));
    expect(await stored()).toEqual([]);
    await replace(circle(100, 5, 20));
    expect(await stored()).toEqual([]);
    expect(await shares('containedIn', INSIDE)).toEqual([[DETAILED, 1]]);
    await replace(circle(100, 5, 1_000));
    expect(await stored()).toEqual(before);
    await sql`delete from districts where id = ${ACROSS}`.execute(database.db);
    expect((await stored()).flat()).not.toContain(ACROSS);
  });

  it('is rejected before it is compared if it is too much work', async () => {
    const responseSize = new ResponseSize({ bytes: 1e9, objects: 10 });
    const comparison = '{ district(databaseId: 60) { contains(minimumShare: 0.001) { totalCount } } }';
    const execute = createExecute(schema);
    const recorded = recordStatements(database);
    await expect(
      execute({ prepared: prepare(comparison), contextValue: { ...contextOf(recorded.db), responseSize } }),
    ).rejects.toThrow('The operation takes more work than 10 records.');
    expect(recorded.take().map(nameOf)).toEqual(['districts.byId', 'districts.comparison']);
  });
});

it('compares any number of districts in few statements', async () => {
  const recorded = recordStatements(database);
  for (const first of [1, 2]) {
    const of = async (selection: string) => {
      await request(recorded.db, `{ districts(first: ${first}) { edges { node { ${selection} } } } }`);
      return recorded.take().map(nameOf).sort();
    };
    const names = ['districts.comparison', 'districts.districts', 'districts.districtsWithin'];
    expect(await of('contains { edges { areaShare node { name } } }')).toEqual(names);
    expect(await of('contains { totalCount edges { cursor } }')).toEqual([...names, 'districts.districtsWithinCount']);
    expect(await of('containedIn { edges { areaShare } } contains { edges { node { name } } }')).toEqual([
      'districts.comparison',
      'districts.districts',
      'districts.districtsAround',
      'districts.districtsWithin',
    ]);
  }
});

it('is null without the grant boundaries, and nothing is read', async () => {
  const grants = ALL_GRANTS.filter((grant) => grant !== 'boundaries');
  const source = `{ district(databaseId: ${WORLD.alpha}) { contains { totalCount } containedIn { edges { areaShare } } } }`;
  const recorded = recordStatements(database);
  const { data } = await request(recorded.db, source, { grants });
  expect(data).toEqual({ district: { contains: null, containedIn: null } });
  expect(recorded.take().map(nameOf)).toEqual(['districts.byId']);
  expect(prepare(source).analysis.findNotInPackage({}, new Set(grants))).toEqual({
    notInPackage: [
      {
        grant: 'boundaries',
        paths: [
          ['district', 'contains'],
          ['district', 'containedIn'],
        ],
      },
    ],
  });
});
