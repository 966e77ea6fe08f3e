import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

const [WEST, EAST, SAME] = [200, 201, 202];
const [OLD_DAY, NEW_DAY] = ['2010-01-01', '2020-05-01'];
const WARDS = `state: "AA", type: CITY_TOWN_SUBDIVISION, on: "${NEW_DAY}"`;

beforeEach(async () => {
  const { db } = database;
  await sql`truncate districts, compared_maps restart identity cascade`.execute(db);
  await insert(db, 'districts', [{ id: 10, type: 'State', name: 'Alpha', state: 'AA' }]);
  const wards = [WEST, EAST, SAME].map((id) => ({
    id,
    type: 'City-town subdivision' as const,
    name: `${id}`,
    state: 'AA',
  }));
  await insert(db, 'districts', wards);
  await boundary(db, WEST, [OLD_DAY, NEW_DAY], [-99, 41, -98, 42]);
  await boundary(db, EAST, [OLD_DAY, NEW_DAY], [-98, 41, -97, 42]);
  await boundary(db, SAME, [OLD_DAY, null], [-96, 43, -95, 44]);
  await boundary(db, WEST, [NEW_DAY, null], [-99, 41, -97.75, 42]);
  await boundary(db, EAST, [NEW_DAY, null], [-97.75, 41, -97, 42]);
});

/** Stores the comparisons, as an import does at its end. */
const store = () => sql`select ballotgraph_compare_maps(array(select id from districts))`.execute(database.db);

async function read(source: string): Promise<Record<string, unknown>> {
  const { data, errors } = await request(database.db, source);
  expect(errors).toBeUndefined();
  return data as Record<string, unknown>;
}

const SUCCESSION = 'kind district { databaseId } parts { areaShare otherAreaShare isSliver district { databaseId } }';
const changes = () => read(`{ mapChanges(${WARDS}) { successors { ${SUCCESSION} } predecessors { ${SUCCESSION} } } }`);
const successors = (id: number) =>
  read(`{ district(databaseId: ${id}) { successors(on: "${NEW_DAY}") { ${SUCCESSION} } } }`);

async function rowsOf(name: 'map_overlaps' | 'computed_map_overlaps', only = sql``) {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.id(name)}(${NEW_DAY}, 'City-town subdivision', 'AA'${only}) order by old_boundary, new_boundary`.execute(
    database.db,
  );
  return rows;
}

async function isStored(): Promise<boolean> {
  const { coverage } = await read('{ coverage(state: "AA") { kind mapDays { day isStored } } }');
  const layers = coverage as { kind: string | null; mapDays: { day: string; isStored: boolean }[] }[];
  const [map, ...others] = layers.find(({ kind }) => kind === 'City-town subdivision')?.mapDays ?? [];
  expect([map?.day, others]).toEqual([NEW_DAY, []]);
  return map?.isStored ?? false;
}

describe('a stored comparison of two maps', () => {
  it('is what is computed without it, for the maps and for each district', async () => {
    const computed = [await changes(), await successors(WEST), await successors(SAME)];
    expect(await isStored()).toBe(false);
    await store();
    expect(await isStored()).toBe(true);
    expect([await changes(), await successors(WEST), await successors(SAME)]).toEqual(computed);
    expect((await rowsOf('map_overlaps')).length).toBe(10);
    for (const only of [sql``, sql`, only_old => ${WEST}`, sql`, only_new => ${EAST}`, sql`, only_old => ${SAME}`]) {
      expect(await rowsOf('map_overlaps', only)).toEqual(await rowsOf('computed_map_overlaps', only));
    }
  });

  it('is read, and costs no work', async () => {
    await store();
    await sql`update compared_map_parts set area = area / 2 where old_id <> new_id`.execute(database.db);
    const computed = await rowsOf('computed_map_overlaps');
    const read = await rowsOf('map_overlaps');
    expect(read).not.toEqual(computed);
    expect(read.map((row) => row.new_boundary)).toEqual(computed.map((row) => row.new_boundary));
  });

  it.each([
    [
      'pieces of a boundary were written',
      `update boundary_pieces set geometry = ST_MakeEnvelope(-98, 41, -97.5, 42, 4326)
      where boundary_id = (select min(id) from boundaries where district_id = ${EAST})`,
    ],
    [
      'a boundary was removed',
      `delete from boundaries where id = (select max(id) from boundaries where district_id = ${WEST})`,
    ],
    [
      'a boundary ends earlier',
      `update boundaries set end_date = '2015-01-01' where id = (select min(id) from boundaries where district_id = ${WEST})`,
    ],
    ['a district is of another state', `update districts set state = 'BB' where id = ${WEST}`],
  ])('is not read after %s, and stored anew by the next import', async (_, statement) => {
    await store();
    await sql.raw(statement).execute(database.db);
    expect(await isStored()).toBe(false);
    const computed = await rowsOf('computed_map_overlaps');
    expect(await rowsOf('map_overlaps')).toEqual(computed);
    await store();
    expect(await isStored()).toBe(true);
    expect(await rowsOf('map_overlaps')).toEqual(computed);
  });

  it('has the precision that the boundaries have now', async () => {
    await store();
    await sql`update boundaries set precise = false where district_id = ${WEST}`.execute(database.db);
    expect(await isStored()).toBe(true);
    expect(await rowsOf('map_overlaps')).toEqual(await rowsOf('computed_map_overlaps'));
  });
});
