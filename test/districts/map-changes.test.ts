import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type ExecuteOptions, request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, createWorld, insert, WORLD } from '../support/world.ts';

const database = useDatabase();

/** The wards of a town, whose second map has a third ward, another name for a line, a sliver and a piece of sea. */
const [WEST, EAST, NORTH, RENAMED, SAME, GONE] = [200, 201, 202, 203, 204, 205];
const [OLD_DAY, NEW_DAY] = ['2010-01-01', '2020-05-01'];
const LAST_OLD_DAY = '2020-05-01';

beforeAll(async () => {
  await createWorld(database.db);
  await insert(
    database.db,
    'districts',
    [WEST, EAST, NORTH, RENAMED, SAME, GONE].map((id) => ({
      id,
      type: 'City-town subdivision' as const,
      name: `Ward ${id - WEST + 1}`,
      state: 'AA',
    })),
  );
  const map: [id: number, days: [string, string | null], box: [number, number, number, number]][] = [
    [WEST, [OLD_DAY, LAST_OLD_DAY], [-99, 41, -98, 42]],
    [EAST, [OLD_DAY, LAST_OLD_DAY], [-98, 41, -97, 42]],
    // The line moved by a quarter of a degree, and the west of the new map begins a little later.
    [WEST, [NEW_DAY, null], [-98.9, 41, -97.75, 41.5]],
    [EAST, [NEW_DAY, null], [-97.75, 41, -97, 42]],
    [NORTH, [NEW_DAY, null], [-98.9, 41.5, -97.75, 42]],
    [GONE, [OLD_DAY, LAST_OLD_DAY], [-96, 41, -95, 42]],
    [RENAMED, [NEW_DAY, null], [-96, 41, -95, 42]],
    // Its southern edge was drawn again, 11 m further south.
    [SAME, [OLD_DAY, LAST_OLD_DAY], [-96, 43, -95, 44]],
    [SAME, [NEW_DAY, null], [-96, 42.9999, -95, 44]],
  ];
  for (const each of map) await boundary(database.db, ...each);
});

interface Part {
  areaShare: number;
  otherAreaShare: number | null;
  addressShare: number | null;
  isSliver: boolean;
  district: { databaseId: number } | null;
  boundary: { startDate: string } | null;
}
interface Succession {
  kind: string;
  day: string;
  district: { databaseId: number };
  boundary: { startDate: string } | null;
  parts: Part[];
}

const SUCCESSION = `kind day district { databaseId } boundary { startDate } parts { areaShare otherAreaShare addressShare
  isSliver district { databaseId } boundary { startDate } }`;

async function compared(
  field: 'successors' | 'predecessors',
  id: number,
  on: string = NEW_DAY,
  options: ExecuteOptions = {},
): Promise<Succession> {
  const source = `{ district(databaseId: ${id}) { ${field}(on: "${on}") { ${SUCCESSION} } } }`;
  const { data, errors } = await request(database.db, source, options);
  expect(errors).toBeUndefined();
  return (data as { district: Record<string, Succession> }).district[field] as Succession;
}

/** The parts as pairs of a district and its share. */
const sharesOf = ({ parts }: Succession) => parts.map((part) => [part.district?.databaseId ?? null, part.areaShare]);
const sumOf = ({ parts }: Succession) => parts.reduce((sum, { areaShare }) => sum + areaShare, 0);

/** The area between the equator and a parallel on the ellipsoid WGS 84, up to a factor. */
function areaTo(latitude: number): number {
  const e = 0.0818191908426215;
  const sine = Math.sin((latitude * Math.PI) / 180);
  return sine / (1 - (e * sine) ** 2) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e);
}
/** The share of the height between two parallels that is below a third one. */
const below = (south: number, middle: number, north: number) =>
  (areaTo(middle) - areaTo(south)) / (areaTo(north) - areaTo(south));

describe('a district that was redrawn', () => {
  it('is divided among the districts of the newer map and what is in none of them', async () => {
    const found = await compared('successors', WEST);
    expect(found).toMatchObject({ kind: 'REDRAWN', day: NEW_DAY, boundary: { startDate: OLD_DAY } });
    const south = below(41, 41.5, 42);
    expect(found.parts.map(({ district, boundary }) => [district?.databaseId, boundary?.startDate])).toEqual([
      [WEST, NEW_DAY],
      [NORTH, NEW_DAY],
      [undefined, undefined],
    ]);
    const [west, north, none] = found.parts.map(({ areaShare }) => areaShare);
    expect(west).toBeCloseTo(0.9 * south, 7);
    expect(north).toBeCloseTo(0.9 * (1 - south), 7);
    expect(none).toBeCloseTo(0.1, 7);
    expect(found.parts.map(({ isSliver }) => isSliver)).toEqual([false, false, false]);
    expect(sumOf(found)).toBeCloseTo(1, 7);
    // The other way around, the older district is the greater part of the newer one.
    expect(found.parts[0]?.otherAreaShare).toBeCloseTo(0.9 / 1.15, 7);
    expect(found.parts[2]?.otherAreaShare).toBeNull();
  });

  it('was made of districts of the older map', async () => {
    const found = await compared('predecessors', NORTH);
    expect(found).toMatchObject({ kind: 'REDRAWN', boundary: { startDate: NEW_DAY } });
    expect(sharesOf(found).map(([id]) => id)).toEqual([WEST, EAST]);
    expect(found.parts[0]?.areaShare).toBeCloseTo(0.9 / 1.15, 7);
    expect(found.parts[1]?.areaShare).toBeCloseTo(0.25 / 1.15, 7);
    expect(found.parts.map(({ boundary }) => boundary?.startDate)).toEqual([OLD_DAY, OLD_DAY]);
  });

  it('has the inverse shares of its predecessors', async () => {
    for (const id of [WEST, EAST]) {
      for (const part of (await compared('successors', id)).parts) {
        if (!part.district) continue;
        const back = (await compared('predecessors', part.district.databaseId)).parts;
        const same = back.find(({ district }) => district?.databaseId === id);
        expect(same).toMatchObject({ areaShare: part.otherAreaShare, otherAreaShare: part.areaShare });
      }
    }
  });
});

describe('a district whose line did not move', () => {
  it('has another name', async () => {
    const found = await compared('successors', GONE);
    expect(found.kind).toBe('OTHER_NAME');
    expect(sharesOf(found)).toEqual([[RENAMED, 1]]);
    expect((await compared('predecessors', RENAMED)).kind).toBe('OTHER_NAME');
  });

  it('keeps its line if its outline was drawn again', async () => {
    expect((await compared('successors', SAME)).kind).toBe('SAME_LINE');
    const back = await compared('predecessors', SAME);
    expect(back.kind).toBe('SAME_LINE');
    // The strip that the older map does not have.
    expect(back.parts[1]).toMatchObject({ district: null, isSliver: true });
    expect(sumOf(back)).toBeCloseTo(1, 7);
  });

  it('has the same boundary between two maps', async () => {
    const found = await compared('successors', WEST, '2015-01-01');
    expect(found.kind).toBe('SAME_BOUNDARY');
    expect(sharesOf(found)).toEqual([[WEST, 1]]);
    expect((await compared('successors', WORLD.alpha, NEW_DAY)).kind).toBe('SAME_BOUNDARY');
  });
});

describe('a line that moved', () => {
  const TYPE = 'Judicial District';
  // Each pair of a large and a small district, with the line between them on the older and on the newer map.
  const cases = [
    { what: 'lost', large: 240, small: 241, south: 41, before: -89, after: -89.005 },
    { what: 'gained', large: 242, small: 243, south: 43, before: -89.005, after: -89 },
  ];
  beforeAll(async () => {
    const ids = cases.flatMap(({ large, small }) => [large, small]);
    await insert(
      database.db,
      'districts',
      ids.map((id) => ({ id, type: TYPE, name: `${id}`, state: 'AA' }) as const),
    );
    for (const { large, small, south, before, after } of cases) {
      for (const [days, line] of [[[OLD_DAY, LAST_OLD_DAY], before] as const, [[NEW_DAY, null], after] as const]) {
        await boundary(database.db, large, days, [-99, south, line, south + 1]);
        await boundary(database.db, small, days, [line, south, -88.9, south + 1]);
      }
    }
  });

  it.each(cases)('is that of both districts, also if what the larger one $what is little of it', async (pair) => {
    for (const id of [pair.large, pair.small]) {
      for (const field of ['successors', 'predecessors'] as const) {
        expect((await compared(field, id)).kind, `${field} of ${id}`).toBe('REDRAWN');
      }
    }
  });

  it('is that of both districts in the matrix of the maps', async () => {
    const source = `{ mapChanges(state: "AA", type: JUDICIAL_DISTRICT, on: "${NEW_DAY}") {
      redrawnCount successors { kind } predecessors { kind } } }`;
    const { data } = await request(database.db, source);
    const redrawn = Array(4).fill({ kind: 'REDRAWN' });
    expect(data).toEqual({ mapChanges: { redrawnCount: 4, successors: redrawn, predecessors: redrawn } });
  });
});

describe('what is not known', () => {
  it.each([
    ['successors', WEST, OLD_DAY],
    ['predecessors', WEST, OLD_DAY],
    ['successors', WEST, '1990-01-01'],
  ] as const)('is no unchanged map: %s of %i on %s', async (field, id, on) => {
    expect(await compared(field, id, on)).toMatchObject({ kind: 'NO_DATA', parts: [] });
  });

  it('is no line that moved: nothing of the district is in those of the other map', async () => {
    const [next, gone, added] = [230, 231, 232];
    const areas = [next, gone, added].map((id) => ({
      id,
      type: 'Special District' as const,
      name: `${id}`,
      state: 'AA',
    }));
    await insert(database.db, 'districts', areas);
    await boundary(database.db, next, [OLD_DAY, LAST_OLD_DAY], [-98, 41, -97, 42]);
    await boundary(database.db, gone, [OLD_DAY, LAST_OLD_DAY], [-99, 41, -98, 42]);
    // Its western line was drawn again, 8 m further west: a sliver of the district that is gone.
    await boundary(database.db, next, [NEW_DAY, null], [-98.0001, 41, -97, 42]);
    await boundary(database.db, added, [NEW_DAY, null], [-96, 41, -95, 42]);
    expect((await compared('successors', next)).kind).toBe('SAME_LINE');
    const found = await compared('successors', gone);
    expect(found.kind).toBe('IN_NO_DISTRICT');
    expect(sharesOf(found).map(([id]) => id)).toEqual([next, null]);
    expect(found.parts[1]?.areaShare).toBeCloseTo(0.9999, 6);
    expect(await compared('predecessors', added)).toMatchObject({
      kind: 'IN_NO_DISTRICT',
      parts: [{ district: null, areaShare: 1, addressShare: null }],
    });
  });

  it('differs from a district that the map does not have', async () => {
    expect(await compared('successors', NORTH)).toMatchObject({ kind: 'NOT_ON_MAP', boundary: null, parts: [] });
    expect(await compared('predecessors', GONE)).toMatchObject({ kind: 'NOT_ON_MAP', boundary: null, parts: [] });
  });

  it('is null without the grant; outlines need another one than shares', async () => {
    const source = `{ district(databaseId: ${WEST}) { successors(on: "${NEW_DAY}") { kind } } }`;
    const without = await request(database.db, source, { grants: ['officeholders'] });
    expect(without.data).toEqual({ district: null });
    const { data } = await request(database.db, source, { grants: ['districts'] });
    expect(data).toEqual({ district: { successors: { kind: 'REDRAWN' } } });
  });
});

it.each([
  ['by 2 % are imprecise where they are generalised', false, 0.02, 1],
  ['by 2 % overlap on purpose where they are precise', true, 0.02, 1.02],
  ['by 0.5 % are imprecise', true, 0.005, 1],
  ['by half overlap on purpose', false, 0.5, 1.5],
])('districts of the other map that overlap %s', async (_, precise, overlap, sum) => {
  const ids = [240, 241, 242] as const;
  const type = 'Judicial District' as const;
  await database.db.deleteFrom('districts').where('id', 'in', ids).execute();
  await insert(
    database.db,
    'districts',
    ids.map((id) => ({ id, type, name: `${id}`, state: 'AA' })),
  );
  const [old, west, east] = ids;
  await boundary(database.db, old, [OLD_DAY, LAST_OLD_DAY], [-99, 41, -98, 42]);
  await boundary(database.db, west, [NEW_DAY, null], [-99, 41, -98.5 + overlap / 2, 42], precise);
  await boundary(database.db, east, [NEW_DAY, null], [-98.5 - overlap / 2, 41, -98, 42], precise);
  const found = await compared('successors', old);
  expect(sharesOf(found).map(([id]) => id)).toEqual([west, east]);
  expect(sumOf(found)).toBeCloseTo(sum, 6);
});

it('a sliver along a line is marked, and a strip of the same share that is wide is not', async () => {
  const [low, high, narrow] = [210, 211, 212];
  const wards = [low, high, narrow].map((id) => ({
    id,
    type: 'School district subdivision' as const,
    name: `Zone ${id}`,
    state: 'AA',
  }));
  await insert(database.db, 'districts', wards);
  await boundary(database.db, low, [OLD_DAY, LAST_OLD_DAY], [-99, 41, -98, 42]);
  await boundary(database.db, high, [OLD_DAY, LAST_OLD_DAY], [-99, 42, -98, 43]);
  // 33 m further north, 0.0003 of the district: the same line. And a square of the same area.
  await boundary(database.db, low, [NEW_DAY, null], [-99, 41, -98, 42.0003]);
  await boundary(database.db, high, [NEW_DAY, null], [-99, 42.0003, -98, 42.9]);
  await boundary(database.db, narrow, [NEW_DAY, null], [-99, 42.9827, -98.9827, 43]);
  const { parts } = await compared('successors', high);
  const found = new Map(parts.map((part) => [part.district?.databaseId ?? null, part]));
  expect(found.get(low)).toMatchObject({ isSliver: true });
  expect(found.get(narrow)).toMatchObject({ isSliver: false });
  expect(found.get(low)?.areaShare).toBeCloseTo(0.0003, 5);
  expect(found.get(narrow)?.areaShare).toBeCloseTo(0.0003, 5);
});

it('a district on both sides of the 180th meridian, whose outline is cut there, has the shares of both parts', async () => {
  const [across, west] = [220, 221];
  const types = [across, west].map((id) => ({
    id,
    type: 'Judicial district subdivision' as const,
    name: `Area ${id}`,
    state: 'AA',
  }));
  await insert(database.db, 'districts', types);
  const parts = async (id: number, days: [string, string | null], degrees: readonly (readonly [number, number])[]) => {
    const boxes = degrees.map(([from, to]) => `((${from} 51, ${to} 51, ${to} 53, ${from} 53, ${from} 51))`);
    await sql`
      with made as (
        insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
        values (${id}, ${days[0]}, ${days[1]}, true, ST_GeomFromText(${`MULTIPOLYGON(${boxes.join(',')})`}, 4326), ${boxes.join()})
        returning id, geometry)
      insert into boundary_pieces (boundary_id, geometry)
      select made.id, part.geom from made cross join lateral ST_Dump(made.geometry) part`.execute(database.db);
  };
  const fromEast = [179, 180] as const;
  await parts(across, [OLD_DAY, LAST_OLD_DAY], [fromEast, [-180, -177]]);
  await parts(across, [NEW_DAY, null], [fromEast, [-180, -179]]);
  await parts(west, [NEW_DAY, null], [[-179, -177]]);
  expect(sharesOf(await compared('successors', across))).toEqual([
    [across, 0.5],
    [west, 0.5],
  ]);
  expect(sharesOf(await compared('predecessors', west))).toEqual([[across, 1]]);
});

it('the share of addresses is that of the loaded points, and null without any', async () => {
  expect((await compared('successors', EAST)).parts.map(({ addressShare }) => addressShare)).toEqual([
    null,
    null,
    null,
  ]);
  const [{ id: source }] = (
    await sql<{ id: number }>`insert into sources (name) values ('addresses') returning id`.execute(database.db)
  ).rows as [{ id: number }];
  const [{ id: street }] = (
    await sql<{ id: number }>`insert into address_streets (core, label, state, town, town_label, words)
      values ('main', 'Main Street', 'AA', '', '', 'main street') returning id`.execute(database.db)
  ).rows as [{ id: number }];
  const points = [
    [-97.9, 41.2],
    [-97.9, 41.7],
    [-97.9, 41.8],
    [-97.5, 41.5],
    [-98.95, 41.5],
  ] as const;
  for (const [index, [x, y]] of points.entries()) {
    await sql`insert into address_points (key, number, number_suffix, point, priority, source_id, street_id)
      values (${`point ${index}`}, ${index + 1}, '', ST_SetSRID(ST_MakePoint(${x}, ${y}), 4326), 1, ${source}, ${street})`.execute(
      database.db,
    );
  }
  // As after an import. With statistics of both tables, the embedded PostGIS cannot estimate how they join.
  await sql`analyze address_points, boundary_pieces`.execute(database.db);
  const east = await compared('successors', EAST);
  expect(new Map(east.parts.map((part) => [part.district?.databaseId, part.addressShare]))).toEqual(
    new Map([
      [EAST, 0.25],
      [WEST, 0.25],
      [NORTH, 0.5],
    ]),
  );
  const west = await compared('successors', WEST);
  expect(west.parts.map((part) => [part.district?.databaseId ?? null, part.addressShare])).toEqual([
    [WEST, 0],
    [NORTH, 0],
    [null, 1],
  ]);
  expect((await compared('successors', SAME)).parts[0]?.addressShare).toBeNull();
});

describe('the matrix of a state', () => {
  const read = async (args: string) => {
    const source = `{ mapChanges(${args}) { day isKnown oldDistrictCount newDistrictCount redrawnCount
      successors { ${SUCCESSION} } predecessors { ${SUCCESSION} } } }`;
    const { data, errors } = await request(database.db, source);
    expect(errors).toBeUndefined();
    return (data as { mapChanges: Record<'successors' | 'predecessors', Succession[]> }).mapChanges;
  };

  it('has what each district has', async () => {
    const matrix = await read(`state: "aa", type: CITY_TOWN_SUBDIVISION, on: "${NEW_DAY}"`);
    expect(matrix).toMatchObject({ isKnown: true, oldDistrictCount: 4, newDistrictCount: 5, redrawnCount: 2 });
    expect(matrix.successors.map(({ district }) => district.databaseId)).toEqual([WEST, EAST, SAME, GONE]);
    expect(matrix.predecessors.map(({ district }) => district.databaseId)).toEqual([WEST, EAST, NORTH, RENAMED, SAME]);
    for (const field of ['successors', 'predecessors'] as const) {
      for (const row of matrix[field]) {
        expect(row).toEqual(await compared(field, row.district.databaseId));
        expect(sumOf(row)).toBeCloseTo(1, 6);
      }
    }
  });

  it('is not known without one of the maps', async () => {
    const matrix = await read(`state: "AA", type: CITY_TOWN_SUBDIVISION, on: "${OLD_DAY}"`);
    expect(matrix).toMatchObject({ isKnown: false, oldDistrictCount: 0, redrawnCount: null, successors: [] });
  });

  it('refuses what is no state', async () => {
    const { errors } = await request(
      database.db,
      `{ mapChanges(state: "Alpha", type: COUNTY, on: "${NEW_DAY}") { isKnown } }`,
    );
    expect(errors?.[0]).toMatchObject({ message: 'state must have two letters.' });
  });

  it('takes the same statements for any number of districts', async () => {
    const recorded = recordStatements(database);
    const source = `{ mapChanges(state: "AA", type: CITY_TOWN_SUBDIVISION, on: "${NEW_DAY}") {
      successors { kind parts { areaShare district { name } boundary { startDate } } } } }`;
    await request(recorded.db, source);
    expect(recorded.take().map(nameOf).sort()).toEqual(
      ['districts.comparisonOfMaps', 'districts.overlapsOfMaps', 'districts.byId', 'districts.boundaryById'].sort(),
    );
  });
});
