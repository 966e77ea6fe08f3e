import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { readPageDocuments } from '../../src/gateway/pages/page-documents.ts';
import { readDataVersion } from '../../src/store/reading/data-version.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { freePort } from '../support/free-port.ts';
import { type HeldDatabase, holdStatements } from '../support/held-database.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { createVotingWorld } from '../support/voting-world.ts';
import { WORLD } from '../support/world.ts';

// Stops each surface before each of its statements, commits a change of lines, names, people and votes there, and asks for a
// neighbour: at the same gateway, at another one with the same Redis, and at a standby that is still behind. Both points are in
// one tile and in one district before the change; it moves the line between them, so that an answer about the first from
// after the change, kept for the boundaries of before, would be true of the neighbour in no version.

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}
const [FIRST, NEIGHBOUR] = [
  { latitude: 42.001, longitude: -97.999 },
  { latitude: 42.003, longitude: -97.997 },
] as const;
const LINE = -97.998;
const OTHER = { latitude: 42, longitude: -85 };
const IN_BOTH = (point: Point) => `lat=${point.latitude}&long=${point.longitude}`;

const graphql = (query: string, variables: object = {}): InjectOptions => ({
  method: 'POST',
  url: '/graphql',
  payload: { query, variables },
});
const DISTRICTS = 'districts { id name offices { name officeholders { person { name } } } }';
const PAGE = readPageDocuments().get('Place');

const SURFACES: Readonly<Record<string, (point: Point) => InjectOptions>> = {
  'GraphQL, whole': () =>
    graphql('{ people(first: 9) { edges { node { name } } } districts(first: 9) { edges { node { name } } } }'),
  'GraphQL, by point': (point) =>
    graphql(
      `query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { ${DISTRICTS} } }`,
      {
        ...{ lat: point.latitude, long: point.longitude },
      },
    ),
  'GraphQL, by point, in one statement': (point) =>
    graphql(
      'query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { districts { name type } } }',
      { lat: point.latitude, long: point.longitude },
    ),
  'GraphQL, ballot of a point': (point) =>
    graphql(
      `query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { ballot(electionDate: "${VOTE.date2022}") { districts { district { name } races { candidates { votes person { name } } } } } } }`,
      { lat: point.latitude, long: point.longitude },
    ),
  'GraphQL, where one votes': (point) =>
    graphql(
      `query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { voting(on: "${VOTE.date2024}") { state precinct { name } places { distance place { name } } deadlines { kind day } election { votingPlaces(first: 9) { nodes { name } } } } } }`,
      { lat: point.latitude, long: point.longitude },
    ),
  'GraphQL, list of points': (point) =>
    graphql(`query ($points: [PointInput!]!) { locations(points: $points) { ${DISTRICTS} } }`, { points: [point] }),
  'GraphQL, list that is cached in part': (point) =>
    graphql(`query ($points: [PointInput!]!) { locations(points: $points) { districts { name type } } }`, {
      points: [OTHER, point],
    }),
  'GraphQL, nodes': () =>
    graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on District { name boundary { area } } } }`, { ids: IDS }),
  'REST, districts': (point) => ({ url: `/data/districts/point?${IN_BOTH(point)}` }),
  'REST, officeholders': (point) => ({ url: `/data/officeholders?${IN_BOTH(point)}` }),
  'REST, ballot': (point) => ({ url: `/data/elections_by_point?${IN_BOTH(point)}&election_date=${VOTE.date2022}` }),
  'REST, state': () => ({ url: `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}` }),
  'REST, where one votes': (point) => ({ url: `/data/voting?${IN_BOTH(point)}&on=${VOTE.date2024}` }),
  'REST, geocode': () => ({ url: '/data/geocode?text=First%20County' }),
  tiles: () => ({ url: '/tiles/CONGRESS/2024-11-05/3/1/2.pbf' }),
  'map comparison': () =>
    graphql(
      `{ mapChanges(state: "AA", type: CONGRESS, on: "${WORLD.redrawn}") { redrawnCount successors { district { name } parts { district { name } areaShare } } } }`,
    ),
  MCP: (point) => ({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_represents', arguments: point } },
  }),
  'document of the page': (point) => ({
    method: 'POST',
    url: '/graphql',
    payload: { documentId: PAGE?.id, variables: { ...point, from: '2022-01-01', to: '2024-12-31' } },
  }),
};
const IDS: string[] = [];

const database = useDatabase();
/** The same data as before each change. An embedded database has no standby. */
const behind = inject('backend').kind === 'server' ? useDatabase() : undefined;
const port = existsSync(REDIS) ? await freePort() : undefined;
let redis: ChildProcess | undefined;
let client: Redis | undefined;
let held: HeldDatabase;
const apps: Record<'gateway' | 'another' | 'standby' | 'plain', FastifyInstance | undefined> = {
  ...{ gateway: undefined, another: undefined, standby: undefined, plain: undefined },
};
const keys = new Map<Database, string>();

/** Added to the clock of the gateways: what they know of the data version is then old. */
let skippedMs = 0;
const realNow = performance.now.bind(performance);

beforeAll(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skippedMs);
  if (port !== undefined) {
    redis = startRedis(port);
    client = new Redis(`redis://127.0.0.1:${port}`, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await client.ping();
  }
  const patient = {
    REDIS_URL: `redis://127.0.0.1:${port}/?commandTimeout=none&maxRetriesPerRequest=none&enableOfflineQueue=yes`,
  };
  const cached = { RESPONSE_CACHE_BYTES: '1000000', ...(port !== undefined && patient) };
  for (const each of [database, ...(behind ? [behind] : [])]) {
    await createVotingWorld(each.db);
    keys.set(each.db, await createApiKey(each.db, 'full'));
  }
  knowDocuments(PAGE ? [PAGE.text] : []);
  held = holdStatements(database.pool);
  apps.gateway = await buildDatabaseApp(held, cached);
  apps.another = await buildDatabaseApp(database, cached);
  apps.plain = await buildDatabaseApp(database, { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' });
  if (behind) {
    const { rows } = await sql<Record<string, unknown>>`select * from shared_secret`.execute(database.db);
    await sql`update shared_secret set secret = ${rows[0]?.secret}`.execute(behind.db);
    apps.standby = await buildDatabaseApp(behind, cached);
  }
  const { data } = (await ask('plain', graphql('{ districts(first: 9) { edges { node { id } } } }'))).json();
  IDS.push(...data.districts.edges.map(({ node }: { node: { id: string } }) => node.id));
});
afterAll(async () => {
  await Promise.all(Object.values(apps).map((app) => app?.close()));
  client?.disconnect();
  redis?.kill('SIGKILL');
  vi.restoreAllMocks();
});

function ask(at: keyof typeof apps, request: InjectOptions) {
  const key = keys.get(at === 'standby' && behind ? behind.db : database.db);
  const headers = { ...request.headers, 'x-api-key': key };
  return (apps[at] as FastifyInstance).inject({ ...request, headers });
}

async function answer(at: keyof typeof apps, request: InjectOptions): Promise<string> {
  const response = await ask(at, request);
  expect(response.statusCode, response.body).toBe(200);
  expect(response.body).not.toContain('"errors"');
  // Tiles are bytes. Each commit is at another time, and what it committed is told by the rest.
  return response.rawPayload.toString('latin1').replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":""');
}

/** Commits the version of the data before the change, or after it, in one transaction. */
async function commit(version: 'before' | 'after'): Promise<void> {
  const isAfter = version === 'after';
  const name = sql.raw(`replace(name, ' (new)', '')${isAfter ? " || ' (new)'" : ''}`);
  const area = (district: number) => {
    const [west, east] =
      (district === WORLD.alphaFirst) === isAfter ? [isAfter ? LINE : -95, -90] : [-100, isAfter ? LINE : -95];
    return sql`ST_MakeEnvelope(${west}::float8, 40, ${east}::float8, 50, 4326)`;
  };
  await database.db.transaction().execute(async (db) => {
    for (const district of [WORLD.alphaFirst, WORLD.alphaSecond]) {
      const ids = sql`select id from boundaries where district_id = ${district} and start_date = ${WORLD.redrawn}`;
      await sql`update boundaries set geometry = ST_Multi(${area(district)}) where id in (${ids})`.execute(db);
      await sql`update boundary_pieces set geometry = ${area(district)} where boundary_id in (${ids})`.execute(db);
    }
    for (const table of ['districts', 'persons', 'voting_places'])
      await sql`update ${sql.table(table)} set name = ${name}`.execute(db);
    await sql`update candidates set votes_for_cand = votes_for_cand % 10000 + ${isAfter ? 10_000 : 0} where votes_for_cand is not null`.execute(
      db,
    );
  });
}

describe.each(Object.entries(SURFACES))('%s', (surface, requestAt) => {
  const allowed = new Map<Point, string[]>();

  beforeAll(async () => {
    for (const version of ['after', 'before'] as const) {
      await commit(version);
      for (const point of [FIRST, NEIGHBOUR])
        allowed.set(point, [...(allowed.get(point) ?? []), await answer('plain', requestAt(point))]);
    }
  });

  it('is never given with data of another version, whenever a commit falls between its reads', async () => {
    expect(new Set(allowed.get(FIRST)).size, 'the change is seen').toBe(2);
    for (let statement = 1, count = 1; statement <= count; statement++) {
      await commit('before');
      if (behind) {
        const { state } = await readDataVersion(database.db);
        await sql`update data_version set state = ${state}`.execute(behind.db);
      }
      skippedMs += 600;
      // What of a list is cached before.
      if (surface.includes('in part')) await answer('gateway', requestAt(OTHER));
      await held.quiet();
      let isCommitted = false;
      held.holdAt(statement, async () => {
        isCommitted = true;
        await commit('after');
      });
      const where = `held before statement ${statement}`;
      expect(allowed.get(FIRST), where).toContain(await answer('gateway', requestAt(FIRST)));
      await held.quiet();
      await client?.ping();
      count = isCommitted ? Math.max(count, statement + 1) : statement;
      for (const at of ['gateway', 'another'] as const)
        for (const point of [NEIGHBOUR, FIRST])
          expect(allowed.get(point), `${where}, at ${at}`).toContain(await answer(at, requestAt(point)));
      if (behind)
        for (const point of [NEIGHBOUR, FIRST])
          expect(await answer('standby', requestAt(point)), `${where}, at the standby`).toBe(allowed.get(point)?.[1]);
    }
  });
});
