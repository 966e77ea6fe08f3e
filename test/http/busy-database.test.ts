import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { createWorld } from '../support/world.ts';

const WAIT_MS = 600;
const isServer = inject('backend').kind === 'server';
const database = useDatabase();

/** The gateway's own pool: it has one connection, and requests do not wait for it for long. */
let pool: pg.Pool;
let db: Database;
beforeAll(async () => {
  await createWorld(database.db);
  if (!isServer) return;
  pool = openPool({ at: database.at, size: 1, statementTimeoutMs: 0, waitMs: WAIT_MS, prepared: true });
  db = openDatabase(pool);
});
const gatewayDatabase = {
  get db() {
    return db;
  },
  get pool() {
    return pool;
  },
  get at() {
    return database.at;
  },
};

// The embedded database has one session, which the tests need for themselves.
describe.runIf(isServer)(`a gateway whose connections are all busy${ON_A_SERVER}`, () => {
  const service = useApp(gatewayDatabase, { RESPONSE_CACHE_BYTES: '0' });
  afterAll(() => db.destroy());

  const rest = (lat = '42.5', packageName = 'full') =>
    service.app.inject({ url: `/data/districts/point?lat=${lat}&long=-97.5`, headers: keyed(packageName) });
  const graphql = () =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: keyed(),
      payload: { query: '{ districts { totalCount } }' },
    });
  const keyed = (packageName = 'full') => ({ 'x-api-key': service.key(packageName) });
  beforeAll(async () => {
    for (const response of [await rest(), await rest('42.5', 'lookup'), await graphql()])
      expect(response.statusCode).toBe(200);
  });

  it('returns 503 with Retry-After when the waiting time is exceeded, and continues to serve', async () => {
    const held = await pool.connect();
    try {
      for (const request of [rest, graphql]) {
        const began = performance.now();
        const response = await request();
        expect(performance.now() - began).toBeGreaterThan(WAIT_MS * 0.9);
        expect(response.statusCode).toBe(503);
        expect(response.headers['retry-after']).toBe('2');
        expect(response.body).toMatch(/Try again in a few seconds/);
      }
    } finally {
      held.release();
    }
    for (const request of [rest, graphql]) expect((await request()).statusCode).toBe(200);
  });

  it('rejects bad requests without waiting for a connection', async () => {
    const held = await pool.connect();
    try {
      const responses = [
        rest('x'),
        service.app.inject({ url: '/data/nothing', headers: keyed() }),
        service.app.inject({ url: '/data/districts/point?lat=1&long=1' }),
        service.app.inject({ url: '/data/districts/point?lat=1&long=1', headers: { 'x-api-key': 'none' } }),
        service.app.inject({ method: 'POST', url: '/graphql', headers: keyed(), payload: { query: '{ unknown }' } }),
        service.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { ...keyed(), 'content-type': 'application/json' },
          payload: '[',
        }),
      ];
      const statuses = (await Promise.all(responses)).map((response) => response.statusCode);
      expect(statuses).toEqual([400, 404, 401, 401, 200, 400]);
    } finally {
      held.release();
    }
  });
});

describe.runIf(isServer)(`a client that disconnects${ON_A_SERVER}`, () => {
  const service = useApp(database, { RESPONSE_CACHE_BYTES: '0' });
  beforeAll(() => service.app.listen({ port: 0, host: '127.0.0.1' }));

  const running = async () => {
    const found = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event_type = 'Lock'
        and pid <> pg_backend_pid()`.execute(database.db);
    return found.rows[0]?.count;
  };

  it.each(['/data/districts/point?lat=42.5&long=-97.5', '/graphql?query={districts{totalCount}}'])(
    'has its statement cancelled in the database within a second: %s',
    async (path) => {
      const address = service.app.listeningOrigin ?? '';
      const headers = { 'x-api-key': service.key('full') };
      expect((await fetch(`${address}${path}`, { headers })).status).toBe(200);
      await database.db.transaction().execute(async (transaction) => {
        await sql`lock table districts in access exclusive mode`.execute(transaction);
        const leaving = new AbortController();
        const requested = fetch(`${address}${path}`, { headers, signal: leaving.signal });
        requested.catch(() => undefined);
        await expect.poll(running).toBe(1);
        const began = performance.now();
        leaving.abort();
        await expect.poll(running, { interval: 20 }).toBe(0);
        expect(performance.now() - began).toBeLessThan(1_000);
      });
      expect((await fetch(`${address}${path}`, { headers })).status).toBe(200);
    },
  );
});
