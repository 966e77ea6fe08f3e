import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { watchPool } from '../support/watched-pool.ts';
import { createWorld } from '../support/world.ts';

const isServer = inject('backend').kind === 'server';
const database = useDatabase();
beforeAll(() => createWorld(database.db));

/** Returns a document with the given number of fields, each of which needs its own statement. */
const people = (count: number) =>
  `{${Array.from({ length: count }, (_, n) => `a${n}:people(name:"a${n}",first:1){edges{cursor}}`).join(' ')}}`;

function requesterOf(service: ReturnType<typeof useApp>) {
  return {
    graphql: (packageName: string, query: string) =>
      service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key(packageName) },
        payload: { query },
      }),
    point: (packageName: string) =>
      service.app.inject({
        url: '/data/districts/point?lat=42.5&long=-97.5',
        headers: { 'x-api-key': service.key(packageName) },
      }),
  };
}

describe('a key that fills the queue for the database', () => {
  // One connection: statements run one at a time, so that their order tells who waits for whom, at any speed.
  let pool: pg.Pool;
  let db: Database;
  let onStatement = () => {};
  beforeAll(() => {
    const inner = isServer
      ? openPool({ at: database.at, size: 1, statementTimeoutMs: 0, waitMs: 30_000, prepared: true })
      : database.pool;
    pool = watchPool(inner, { onSuccess: () => onStatement() });
    db = openDatabase(pool);
  });
  afterAll(() => (isServer ? pool.end() : undefined));
  const oneConnection = {
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
  const service = useApp(oneConnection, {
    RESPONSE_CACHE_BYTES: '0',
    MAX_CONNECTIONS_PER_REQUEST: '25',
  });

  it('delays the request of another key by a few statements, not by all of its own', async () => {
    const { graphql, point } = requesterOf(service);
    for (const name of ['full', 'lookup']) expect((await point(name)).statusCode).toBe(200);
    expect((await graphql('full', people(25))).statusCode).toBe(200);

    let statements = 0;
    let polite: Promise<number> | undefined;
    const delayOfPolite = async () => {
      const before = statements;
      expect((await point('lookup')).statusCode).toBe(200);
      return statements - before;
    };
    onStatement = () => {
      // By now, the others wait.
      if (++statements === 10) polite = delayOfPolite();
    };
    const greedy = await Promise.all(Array.from({ length: 8 }, () => graphql('full', people(25))));
    expect(greedy.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    expect(statements).toBeGreaterThan(8 * 25);
    expect(await polite).toBeLessThan(40);
  });
});

// The embedded database has one connection and no locks.
describe.runIf(isServer)(`the connections of a pool${ON_A_SERVER}`, () => {
  let pool: pg.Pool;
  let db: Database;
  beforeAll(() => {
    if (!isServer) return;
    pool = openPool({ at: database.at, size: 6, statementTimeoutMs: 0, waitMs: 30_000, prepared: true });
    db = openDatabase(pool);
  });
  afterAll(() => db?.destroy());
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
  const service = useApp(gatewayDatabase, {
    RESPONSE_CACHE_BYTES: '0',
    MAX_CONNECTIONS_PER_KEY: '3',
    MAX_CONNECTIONS_PER_REQUEST: '2',
  });

  const blocked = async () => {
    const found = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`.execute(database.db);
    return found.rows[0]?.count;
  };

  it('are limited for a request and for a key, so that some remain for another key', async () => {
    const { graphql, point } = requesterOf(service);
    for (const name of ['full', 'lookup']) expect((await point(name)).statusCode).toBe(200);
    const greedy: ReturnType<typeof graphql>[] = [];
    await database.db.transaction().execute(async (transaction) => {
      await sql`lock table persons in access exclusive mode`.execute(transaction);
      greedy.push(graphql('full', people(25)));
      await expect.poll(blocked).toBe(2);
      await sleep(200);
      expect(await blocked()).toBe(2);
      greedy.push(graphql('full', people(25)), graphql('full', people(25)));
      await expect.poll(blocked).toBe(3);
      await sleep(300);
      expect(await blocked()).toBe(3);

      const polite = await Promise.all(Array.from({ length: 6 }, () => point('lookup')));
      expect(polite.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    });
    for (const response of await Promise.all(greedy)) expect(response.statusCode).toBe(200);
    expect((await graphql('full', people(5))).statusCode).toBe(200);
  });

  it('are free again after requests that timed out or whose client disconnected', async () => {
    const { graphql, point } = requesterOf(service);
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    await database.db.transaction().execute(async (transaction) => {
      await sql`lock table persons in access exclusive mode`.execute(transaction);
      for (let round = 0; round < 5; round++) {
        const leaving = new AbortController();
        const left = Array.from({ length: 4 }, () =>
          fetch(`${address}/graphql`, {
            method: 'POST',
            headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
            body: JSON.stringify({ query: people(25) }),
            signal: leaving.signal,
          }).catch(() => undefined),
        );
        await expect.poll(blocked).toBe(3);
        leaving.abort();
        await Promise.all(left);
        await expect.poll(blocked).toBe(0);
      }
      expect((await point('full')).statusCode).toBe(200);
    });
    const responses = await Promise.all(Array.from({ length: 4 }, () => graphql('full', people(10))));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  });
});
