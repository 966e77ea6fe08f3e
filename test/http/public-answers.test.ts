import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { createApiKey, revokeApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { buildApp } from '../../src/gateway/app.ts';
import { graphqlRoutes } from '../../src/gateway/graphql/routes.ts';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import { mcpRoutes } from '../../src/gateway/mcp/routes.ts';
import { restRoutes } from '../../src/gateway/rest/routes.ts';
import { tileRoutes } from '../../src/gateway/tiles/routes.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';

const BALLOT = `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}`;
/** Every route that answers without a key, with an address of it. */
const ROUTES: readonly (readonly [route: string, address: string])[] = [
  ['/tiles/:type/:date/:z/:x/:y.pbf', '/tiles/COUNTY/2024-11-05/3/1/2.pbf'],
  ['/tiles/:type/:date.json', '/tiles/COUNTY/2024-11-05.json'],
  ['/data/elections_by_state', BALLOT],
  ['/data/election_dates/list', '/data/election_dates/list?state=AA'],
];
const GRANTS: readonly AccessGrant[] = ['districts', 'boundaries', 'elections', 'election_dates'];
const PUBLIC = 'public, max-age=0, s-maxage=10, must-revalidate';

const database = useDatabase();
const apps: FastifyInstance[] = [];
const keys: Record<string, string> = {};
const routes = new Set<string>();

/** Notes the routes that answer without a key. */
const noting =
  (each: Routes): Routes =>
  async (app, options) => {
    app.addHook('onRoute', ({ url, config }) => void (config?.withoutKey && routes.add(url)));
    await each(app, options);
  };

async function build(environment: Record<string, string> = {}): Promise<FastifyInstance> {
  const { db, pool } = database;
  const fixed = { TODAY: '2026-07-01', MAX_EVENT_LOOP_DELAY_MS: '0', MAX_PAGES_IN_FLIGHT_PER_ADDRESS: '100' };
  const config = readConfig({ ...fixed, ...environment });
  const app = await buildApp({
    config,
    backend: { kind: 'server', db, pool, ready: async () => ({ ready: true }), close: async () => undefined },
    logger: pino({ level: 'silent' }),
    clock: createClock(config.clock),
    routes: [restRoutes, tileRoutes, graphqlRoutes(), mcpRoutes()].map(noting),
  });
  apps.push(app);
  return app;
}

const publish = (grants: readonly AccessGrant[]) => setPackage(database.db, { name: 'public', grants });

let app: FastifyInstance;
let uncached: FastifyInstance;
/** Sends a request, by default without a key to the gateway with a cache. */
const send = (
  url: string,
  key?: string,
  { to = app, headers = {}, ...others }: InjectOptions & { to?: FastifyInstance } = {},
) => to.inject({ url, ...others, headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) } });

beforeAll(async () => {
  await createElectionWorld(database.db);
  await publish(GRANTS);
  await setPackage(database.db, { name: 'nothing', grants: [] });
  for (const name of ['public', 'full', 'nothing', 'revoked']) {
    keys[name] = await createApiKey(database.db, name === 'revoked' ? 'full' : name);
  }
  await revokeApiKey(database.db, keys.revoked ?? '');
  app = await build();
  uncached = await build({ RESPONSE_CACHE_BYTES: '0' });
});
afterAll(() => Promise.all(apps.map((each) => each.close())));

it('are those of these routes, and of no other', () => {
  expect([...routes].toSorted()).toEqual(ROUTES.map(([route]) => route).toSorted());
});

describe.each(ROUTES)('%s without a key', (_route, address) => {
  it('has the bytes and the tag that a key of the package `public` gets, and may be shared; nothing else may be', async () => {
    const plain = await send(address, keys.public);
    expect(plain.statusCode, plain.body).toBe(200);
    expect(plain.headers['cache-control']).toBe('private, no-cache');
    const open = await send(address);
    expect(open.rawPayload.equals(plain.rawPayload)).toBe(true);
    expect(open.headers).toMatchObject({ 'cache-control': PUBLIC, etag: plain.headers.etag });
    for (const { headers } of [plain, open]) expect(String(headers.vary).toLowerCase()).toContain('x-api-key');
    for (const [name, status] of [
      ['nothing', 403],
      ['revoked', 401],
    ] as const) {
      const refused = await send(address, keys[name]);
      expect([refused.statusCode, refused.headers['cache-control']]).toEqual([status, 'no-store']);
    }
    expect((await send(address, '')).statusCode).toBe(401);
  });

  it('depends neither on the date nor on the cache', async () => {
    const later = await build({ TODAY: '2031-02-03' });
    const bodies = [];
    for (const to of [app, later, uncached]) bodies.push((await send(address, undefined, { to })).rawPayload);
    expect(bodies[0]?.length).toBeGreaterThan(20);
    for (const body of bodies) expect(body.equals(bodies[0] as Buffer)).toBe(true);
  });

  it('answers HEAD and If-None-Match', async () => {
    const headers = { 'accept-encoding': 'br' };
    const whole = await send(address, undefined, { headers });
    const head = await send(address, undefined, { method: 'HEAD', headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['cache-control', 'etag', 'content-type', 'content-encoding', 'vary'])
      expect(head.headers[name], name).toEqual(whole.headers[name]);
    const known = await send(address, undefined, {
      headers: { ...headers, 'if-none-match': String(whole.headers.etag) },
    });
    expect([known.statusCode, known.body, known.headers['cache-control']]).toEqual([304, '', PUBLIC]);
  });

  it('rejects a parameter that it does not know', async () => {
    const url = `${address}${address.includes('?') ? '&' : '?'}cachebuster=1`;
    const rejected = await send(url);
    expect([rejected.statusCode, rejected.headers['cache-control']]).toEqual([400, 'no-store']);
    expect(rejected.json().message).toContain('cachebuster');
    expect((await send(url, keys.full)).statusCode).toBe(200);
  });

  it('needs a key without a package `public` that has the grants', async () => {
    await publish(['results']);
    try {
      expect((await send(address, undefined, { to: await build() })).statusCode).toBe(401);
      await sql`update packages set name = 'renamed' where name = 'public'`.execute(database.db);
      const refused = await send(address, undefined, { to: await build() });
      expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'no-store']);
      await sql`update packages set name = 'public' where name = 'renamed'`.execute(database.db);
    } finally {
      await publish(GRANTS);
    }
  });
});

it('has the data of the grants alone', async () => {
  expect((await send(BALLOT)).body).not.toContain('"votes"');
  await publish([...GRANTS, 'results']);
  try {
    const more = await build();
    expect((await send(BALLOT, undefined, { to: more })).body).toBe((await send(BALLOT, keys.full)).body);
  } finally {
    await publish(GRANTS);
  }
});

it('has one address for a tile', async () => {
  for (const key of [undefined, keys.full])
    expect((await send('/tiles/COUNTY/2024-11-05/03/01/2.pbf', key)).statusCode).toBe(400);
});

it('never has two bodies under a tag, nor one of no version, while the data change', async () => {
  const bodies = new Map<string, Set<string>>();
  const expected = new Map<string, Set<string>>(ROUTES.map(([route]) => [route, new Set()]));
  const note = async () => {
    for (const [route, address] of ROUTES)
      expected.get(route)?.add((await send(address, keys.public, { to: uncached })).rawPayload.toString('base64'));
  };
  let isChanging = true;
  let answered = 0;
  const found: (readonly [string, string])[] = [];

  async function read(to: FastifyInstance): Promise<void> {
    while (isChanging) {
      for (const [route, address] of ROUTES) {
        const { statusCode, headers, rawPayload } = await send(address, undefined, { to });
        expect(statusCode).toBe(200);
        answered++;
        const body = rawPayload.toString('base64');
        found.push([route, body]);
        const key = `${route} ${headers.etag}`;
        bodies.set(key, (bodies.get(key) ?? new Set()).add(body));
      }
    }
  }

  await note();
  const readers = [app, app, uncached, uncached].map(read);
  for (let change = 0; change < 15; change++) {
    await sql`update districts set name = name || '.' where state = 'AA'`.execute(database.db);
    await note();
  }
  isChanging = false;
  await Promise.all(readers);
  expect(answered).toBeGreaterThan(20);
  for (const [key, each] of bodies) expect(each.size, key).toBe(1);
  for (const [route, body] of found) expect(expected.get(route)?.has(body), route).toBe(true);
}, 60_000);
