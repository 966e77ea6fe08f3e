import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, revokeApiKey, setPackage } from '../../src/access/access.store.ts';
import { buildApp } from '../../src/app.ts';
import { createClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AccessGrant } from '../../src/database/tables.ts';
import type { Routes } from '../../src/http/route-types.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import { tileRoutes } from '../../src/tiles/routes.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';

/** Every route with an immutable form, with an address of it. */
const ROUTES: readonly (readonly [route: string, address: string])[] = [
  ['/tiles/:type/:date/:z/:x/:y.pbf', '/tiles/COUNTY/2024-11-05/3/1/2.pbf'],
  ['/tiles/:type/:date.json', '/tiles/COUNTY/2024-11-05.json'],
  ['/data/elections_by_state', `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}`],
  ['/data/election_dates/list', '/data/election_dates/list?state=AA'],
];
const GRANTS: readonly AccessGrant[] = ['districts', 'boundaries', 'elections', 'election_dates'];
const UNKNOWN = 'A'.repeat(22);
const IMMUTABLE = 'public, max-age=31536000, immutable';

const database = useDatabase();
const apps: FastifyInstance[] = [];
const keys: Record<string, string> = {};
/** Runs once, between the check of the version in the address and the reading of the data. */
let meanwhile: (() => Promise<void>) | undefined;

const interrupted =
  (routes: Routes): Routes =>
  async (app, options) => {
    app.addHook('preHandler', async () => {
      const work = meanwhile;
      meanwhile = undefined;
      await work?.();
    });
    await routes(app, options);
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
    routes: [restRoutes, tileRoutes].map(interrupted),
  });
  apps.push(app);
  return app;
}

const changeData = async (): Promise<void> => {
  await sql`update districts set name = name || '.' where state = 'AA'`.execute(database.db);
};
const publish = (grants: readonly AccessGrant[]) => setPackage(database.db, { name: 'public', grants });
const withKey = (key: string | undefined) => ({ headers: { 'x-api-key': key } });

async function versionOf(app: FastifyInstance): Promise<string> {
  return (await app.inject({ url: '/v' })).json().version as string;
}

let app: FastifyInstance;
let uncached: FastifyInstance;

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

it('is the form of these routes, and of no other', () => {
  const routes = app.printRoutes({ commonPrefix: false });
  const immutable = [...routes.matchAll(/── \/:version(\S+) \(GET/g)].map(([, path]) => path);
  expect(immutable.sort()).toEqual(ROUTES.map(([route]) => route).sort());
});

describe.each(ROUTES)('%s below /v/{version}', (_route, address) => {
  const of = async (version?: string) => `/v/${version ?? (await versionOf(app))}${address}`;

  it('has the bytes of the plain address for the package `public`, for ever, whatever key is sent', async () => {
    const version = await versionOf(app);
    const plain = await app.inject({ url: address, ...withKey(keys.public) });
    expect(plain.statusCode, plain.body).toBe(200);
    expect(plain.headers['cache-control']).toContain('private');
    const expected = plain.body.replace(/(?<="https?:[^"]*)(?=\/tiles\/)/, `/v/${version}`);
    for (const name of ['none', 'full', 'nothing', 'revoked', 'public']) {
      const response = await app.inject({ url: await of(), ...(name !== 'none' && withKey(keys[name])) });
      expect(response.statusCode, response.body).toBe(200);
      if (address.endsWith('.pbf')) expect(response.rawPayload.equals(plain.rawPayload)).toBe(true);
      else expect(response.body).toBe(expected);
      expect(response.headers).toMatchObject({
        'cache-control': IMMUTABLE,
        'content-type': plain.headers['content-type'],
        'access-control-allow-origin': '*',
        etag: expect.any(String),
      });
      expect(response.headers.vary).toBe('Accept-Encoding');
    }
  });

  it('depends neither on the date nor on the cache', async () => {
    const version = await versionOf(app);
    const later = await build({ TODAY: '2031-02-03' });
    const bodies = [];
    for (const each of [app, later, uncached]) bodies.push((await each.inject({ url: await of(version) })).rawPayload);
    expect(bodies[0]?.length).toBeGreaterThan(20);
    for (const body of bodies) expect(body.equals(bodies[0] as Buffer)).toBe(true);
  });

  it('answers HEAD and If-None-Match', async () => {
    const url = await of();
    const whole = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
    const head = await app.inject({ url, method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const names = ['cache-control', 'etag', 'content-type', 'content-encoding', 'vary', 'access-control-allow-origin'];
    for (const name of names) expect(head.headers[name], name).toEqual(whole.headers[name]);
    const headers = { 'accept-encoding': 'br', 'if-none-match': String(whole.headers.etag) };
    const known = await app.inject({ url, headers });
    expect([known.statusCode, known.body, known.headers['cache-control']]).toEqual([304, '', IMMUTABLE]);
  });

  it('may be read by pages of every origin, and is the same for all', async () => {
    const url = await of();
    const headers = { origin: 'https://elsewhere.example', host: 'gateway.example' };
    const [foreign, own] = [await app.inject({ url, headers }), await app.inject({ url })];
    expect(foreign.statusCode).toBe(200);
    for (const { headers } of [foreign, own]) {
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept-Encoding' });
    }
    const asked = { ...headers, 'access-control-request-method': 'GET' };
    const preflight = await app.inject({ url, method: 'OPTIONS', headers: asked });
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect((await app.inject({ url: address, headers: { ...headers, 'x-api-key': keys.full } })).statusCode).toBe(403);
    expect((await app.inject({ url, method: 'POST' })).statusCode).toBe(405);
  });

  it.each([
    ['a version that never was', UNKNOWN, 404],
    ['a text that is no version', 'latest', 400],
    ['a longer text', `${UNKNOWN}A`, 400],
    ['other letters', 'A'.repeat(21).concat('.'), 400],
  ])('rejects %s', async (_, version, status) => {
    for (const options of [{}, withKey(keys.full)]) {
      const response = await app.inject({ url: await of(version), ...options });
      expect([response.statusCode, response.headers['cache-control']]).toEqual([status, 'no-store']);
      expect(response.json().message).toContain('GET /v');
    }
  });

  it('is gone when the data have changed, and has another address', async () => {
    const before = await versionOf(app);
    const old = await app.inject({ url: await of(before) });
    await changeData();
    for (const method of ['GET', 'HEAD'] as const) {
      const gone = await app.inject({ url: await of(before), method });
      expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'no-store']);
    }
    const known = { 'if-none-match': String(old.headers.etag) };
    expect((await app.inject({ url: await of(before), headers: known })).statusCode).toBe(404);
    const after = await versionOf(app);
    expect(after).not.toBe(before);
    expect((await app.inject({ url: await of(after) })).statusCode).toBe(200);
  });

  it.each([
    ['with the cache', () => app],
    ['without it', () => uncached],
  ])('is not sent if the data change before they are read, %s', async (_, appOf) => {
    const version = await versionOf(appOf());
    meanwhile = changeData;
    const response = await appOf().inject({ url: await of(version) });
    expect(meanwhile).toBeUndefined();
    expect([response.statusCode, response.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(response.json().message).toContain('GET /v');
    expect((await appOf().inject({ url: await of(await versionOf(appOf())) })).statusCode).toBe(200);
  });

  it('is nothing without a package `public` that has the grants', async () => {
    const version = await versionOf(app);
    await publish(['results']);
    const without = await build();
    expect((await without.inject({ url: '/v' })).statusCode).toBe(200);
    const refused = await without.inject({ url: await of(await versionOf(without)), ...withKey(keys.full) });
    expect(refused.statusCode).toBe(404);
    await sql`update packages set name = 'renamed' where name = 'public'`.execute(database.db);
    const unpublished = await build();
    try {
      for (const url of ['/v', await of(version)]) expect((await unpublished.inject({ url })).statusCode).toBe(404);
    } finally {
      await sql`update packages set name = 'public' where name = 'renamed'`.execute(database.db);
      await publish(GRANTS);
    }
  });
});

it('has the data of the grants alone, and another version for other grants', async () => {
  const address = `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}`;
  const fewer = await build();
  const version = await versionOf(fewer);
  const body = (await fewer.inject({ url: `/v/${version}${address}` })).body;
  expect(body).not.toContain('"votes"');
  await publish([...GRANTS, 'results']);
  try {
    const more = await build();
    const other = await versionOf(more);
    expect(other).not.toBe(version);
    expect((await more.inject({ url: `/v/${version}${address}` })).statusCode).toBe(404);
    const plain = await more.inject({ url: address, ...withKey(keys.full) });
    expect((await more.inject({ url: `/v/${other}${address}` })).body).toBe(plain.body);
  } finally {
    await publish(GRANTS);
  }
});

it('names the version in a response that caches have to revalidate', async () => {
  const response = await app.inject({ url: '/v' });
  expect(response.json()).toEqual({ version: expect.stringMatching(/^[\w-]{22}$/) });
  expect(response.headers).toMatchObject({ 'cache-control': 'public, no-cache', 'access-control-allow-origin': '*' });
  const known = { 'if-none-match': String(response.headers.etag) };
  expect((await app.inject({ url: '/v', headers: known })).statusCode).toBe(304);
  await changeData();
  expect((await app.inject({ url: '/v', headers: known })).statusCode).toBe(200);
});

it('never mixes versions while the data change', async () => {
  const bodies = new Map<string, Set<string>>();
  const expected = new Map<string, string>();
  let isChanging = true;
  const statuses = new Set<number>();
  let answered = 0;

  async function read(each: FastifyInstance): Promise<void> {
    while (isChanging) {
      const version = await versionOf(each);
      for (const [route, address] of ROUTES) {
        const response = await each.inject({ url: `/v/${version}${address}` });
        statuses.add(response.statusCode);
        if (response.statusCode !== 200) continue;
        answered++;
        const key = `${version} ${route}`;
        bodies.set(key, (bodies.get(key) ?? new Set()).add(response.rawPayload.toString('base64')));
      }
    }
  }

  const readers = [app, app, uncached, uncached].map(read);
  for (let change = 0; change < 25; change++) {
    await changeData();
    const version = await versionOf(uncached);
    for (const [route, address] of ROUTES) {
      if (route.endsWith('.json')) continue;
      const plain = await uncached.inject({ url: address, ...withKey(keys.public) });
      expected.set(`${version} ${route}`, plain.rawPayload.toString('base64'));
    }
  }
  isChanging = false;
  await Promise.all(readers);
  expect(answered).toBeGreaterThan(20);
  expect([...statuses].sort()).toEqual([200, 404]);
  for (const [key, found] of bodies) {
    expect(found.size, key).toBe(1);
    if (expected.has(key)) expect([...found], key).toEqual([expected.get(key)]);
  }
}, 60_000);
