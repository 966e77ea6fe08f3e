import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { CONTEST, insertUnplaced } from '../support/unplaced.ts';
import { createVotingWorld } from '../support/voting-world.ts';
import { createWorld, insert } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createWorld(database.db));

interface Layer {
  readonly layer: string;
  readonly kind: string | null;
  readonly records: number;
  readonly covered: number;
  readonly firstDay?: string | null;
  readonly missing: string | null;
}

async function coverageOf(args: string): Promise<Layer[]> {
  const { data, errors } = await request(database.db, `{ coverage(${args}) { layer kind records covered missing } }`);
  expect(errors).toBeUndefined();
  return data?.coverage as Layer[];
}

const layer = (layers: readonly Layer[], name: string, kind: string | null = null) =>
  layers.find((each) => each.layer === name && each.kind === kind);

test('lists for each layer what the database contains, what is missing and why', async () => {
  const layers = await coverageOf('state: "aa"');
  expect(layer(layers, 'districts', 'Congress')).toMatchObject({ records: 2, covered: 2, missing: null });
  expect(layer(layers, 'districts', 'State Legislative (Lower)')).toMatchObject({
    records: 0,
    missing: 'no data set with districts of this type was loaded',
  });
  expect(layer(layers, 'officeholders', 'Federal Legislative')).toMatchObject({
    records: 2,
    covered: 2,
    missing: null,
  });
  expect(layer(layers, 'officeholders', 'Local Executive')).toMatchObject({
    records: 0,
    missing: 'no data set with these offices was loaded',
  });
  expect(layer(layers, 'elections')).toMatchObject({ records: 0, missing: 'no data set with elections was loaded' });
  expect(layer(layers, 'results')?.missing).toBe('no data set with races of past elections was loaded');
});

test('depends on the day', async () => {
  const early = await coverageOf('state: "AA", on: "2010-01-01"');
  expect(layer(early, 'districts', 'Congress')).toMatchObject({
    covered: 0,
    missing: 'the districts have no boundary on this day: no map of this day was loaded',
  });
  expect(layer(early, 'officeholders', 'Federal Legislative')).toMatchObject({
    covered: 0,
    missing: 'no data set with the officeholders of this day was loaded',
  });
  const other = await coverageOf('state: "BB"');
  expect(layer(other, 'officeholders', 'State Executive')).toMatchObject({ records: 1, covered: 0 });
});

test('is empty for a state that the database does not have, and an error for an invalid state', async () => {
  expect(await coverageOf('state: "VT"')).toEqual([]);
  const { errors } = await request(database.db, '{ coverage(state: "Vermont") { layer } }');
  expect(errors?.[0]?.message).toMatch(/two-letter abbreviation/);
});

test('contains only the layers that the package includes', async () => {
  const layersFor = async (...grants: AccessGrant[]) => {
    const { data } = await request(database.db, '{ coverage(state: "AA") { layer } }', { grants });
    return [...new Set((data?.coverage as Layer[] | null)?.map(({ layer }) => layer))];
  };
  expect(await layersFor('districts')).toEqual(['districts']);
  expect(await layersFor('officeholders', 'elections')).toEqual(['officeholders', 'elections']);
  expect(await layersFor('election_dates')).toEqual(['elections']);
  expect(await layersFor('results')).toEqual(['results', 'ballot measures']);
  expect(await layersFor('voting')).toEqual(['voting places', 'deadlines']);
  expect(await layersFor('contact')).toEqual([]);
});

test('counts the contests that are not placed for the layer of results, and for no package without it', async () => {
  const FIELDS = 'layer unplaced unplacedVotes unplacedNote';
  const read = async (args: string, grants?: AccessGrant[]) => {
    const document = `{ coverage(${args}) { ${FIELDS} } }`;
    const { data, errors } = await request(database.db, document, grants && { grants });
    expect(errors).toBeUndefined();
    return data?.coverage as { layer: string }[];
  };
  const version = async () =>
    (await sql<{ state: string }>`select state from data_version`.execute(database.db)).rows[0]?.state;
  const none = { layer: 'results', unplaced: 0, unplacedVotes: 0, unplacedNote: null };
  expect(await read('state: "AA"')).toContainEqual(none);
  const before = await version();
  const { id } = await database.db
    .insertInto('sources')
    .values({ name: 'Tables' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const between = await version();
  const later = { ...CONTEST, date: '2024-11-05', names: [['CY POE', '', 5]] } as const;
  await insertUnplaced(database.db, id, [CONTEST, later, { ...later, state: 'BB' }]);
  // A cached response would survive a change that raises no data version.
  expect(new Set([before, between, await version()]).size).toBe(3);
  const layers = await read('state: "AA"');
  expect(layers).toContainEqual({
    layer: 'results',
    unplaced: 2,
    unplacedVotes: 3_000_000_025,
    unplacedNote:
      '2 contests with 3,000,000,025 votes are not placed: their office or district is not known, so that they are no races.',
  });
  const empty = { unplaced: null, unplacedVotes: null, unplacedNote: null };
  for (const each of layers) if (each.layer !== 'results') expect(each).toMatchObject(empty);
  expect(await read('state: "AA", on: "2022-11-08"')).toContainEqual({
    layer: 'results',
    unplaced: 1,
    unplacedVotes: 3_000_000_020,
    unplacedNote:
      '1 contest with 3,000,000,020 votes is not placed: its office or district is not known, so that it is no race.',
  });
  expect(await read('state: "AA", on: "2022-11-07"')).toContainEqual(none);
  expect(JSON.stringify(await read('state: "AA"', ['elections', 'districts']))).not.toContain('not placed');
  // Contests go with their source.
  await database.db.deleteFrom('sources').where('id', '=', id).execute();
  expect(await read('state: "AA"')).toContainEqual(none);
});

test.each(['NE', 'DC', 'GU', 'VI'])(
  'does not list a lower chamber as missing where the law has one: %s',
  async (state) => {
    const { id } = await database.db
      .insertInto('districts')
      .values({ type: 'State', name: state, state })
      .returning('id')
      .executeTakeFirstOrThrow();
    const kinds = async () => {
      const layers = await coverageOf(`state: "${state}"`);
      return layers.flatMap(({ kind }) => (kind?.startsWith('State Legislative (') ? [kind] : []));
    };
    expect(await kinds()).toEqual(['State Legislative (Upper)']);
    // What the data contain is listed all the same.
    await insert(database.db, 'districts', [{ type: 'State Legislative (Lower)', name: 'Ward', state }]);
    expect(await kinds()).toEqual(['State Legislative (Upper)', 'State Legislative (Lower)']);
    await database.db.deleteFrom('districts').where('state', '=', state).where('id', '>=', id).execute();
  },
);

test('is the same in SQL for one state and for all states', async () => {
  const { rows: all } = await sql<{ state: string }>`select * from coverage_on('2026-07-01')`.execute(database.db);
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['AA', 'BB']));
  for (const state of ['AA', 'BB']) {
    const { rows } = await sql`select * from coverage_on('2026-07-01', ${state})`.execute(database.db);
    const own = all.filter((row) => row.state === state);
    expect(rows).toHaveLength(own.length);
    expect(rows).toEqual(expect.arrayContaining(own));
  }
});

describe('the layers of voting', () => {
  const voting = useDatabase();
  beforeAll(() => createVotingWorld(voting.db));

  const layersOn = async (day: string) => {
    const FIELDS = 'layer records covered firstDay lastDay missing';
    const { data, errors } = await request(voting.db, `{ coverage(state: "AA", on: "${day}") { ${FIELDS} } }`);
    expect(errors).toBeUndefined();
    return ((data?.coverage ?? []) as Layer[]).filter(
      ({ layer }) => layer === 'voting places' || layer === 'deadlines',
    );
  };

  test('count the election days with places or held by mail, and with deadlines, and name the next day without', async () => {
    const [places, deadlines] = await layersOn('2026-07-01');
    const days = { records: 4, firstDay: '2022-11-08' };
    const missing = '2 election days have no places to vote in the data sets, the next of them on 2026-11-03';
    expect(places).toEqual({ layer: 'voting places', ...days, covered: 2, lastDay: '2024-11-05', missing });
    expect(deadlines).toEqual({ layer: 'deadlines', ...days, covered: 4, lastDay: '2026-11-03', missing: null });
    const [later] = await layersOn('2026-11-04');
    expect(later?.missing).toBe('2 election days have no places to vote in the data sets');
    await voting.db.updateTable('elections').set({ voting: 'By mail only' }).where('date', '=', '2026-11-03').execute();
    expect((await layersOn('2026-07-01'))[0]).toMatchObject({ covered: 3, lastDay: '2026-11-03' });
  });

  test('say that nothing was loaded', async () => {
    await voting.db.deleteFrom('voting_places').execute();
    await voting.db.deleteFrom('deadlines').execute();
    await voting.db.updateTable('elections').set({ voting: null }).execute();
    expect(
      (await layersOn('2026-07-01')).map(({ covered, firstDay, missing }) => [covered, firstDay, missing]),
    ).toEqual([
      [0, null, 'no data set with places to vote was loaded for an election of this state'],
      [0, null, 'no data set with deadlines was loaded for an election of this state'],
    ]);
  });
});
