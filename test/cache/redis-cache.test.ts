import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { buildApp } from '../../src/gateway/app.ts';
import { openSharedCache } from '../../src/gateway/cache/redis-cache.ts';
import { RejectedValues } from '../../src/gateway/redis/rejected-values.ts';
import { createSharedSecret } from '../../src/gateway/redis/shared-secret.store.ts';
import { BACKEND } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { freePort } from '../support/free-port.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { rename, renameUnnoticed } from './renaming.ts';

const port = await freePort();

describe.skipIf(!existsSync(REDIS))(`responses that gateways share, with ${REDIS}`, () => {
  const url = `redis://127.0.0.1:${port}`;
  /**
   * Waits for Redis as long as it takes, whatever the machine is busy with; a gateway would continue without it. The address
   * has priority over the options of the gateway, and words in place of numbers turn the limits of ioredis off.
   */
  const patientUrl = `${url}/?commandTimeout=none&maxRetriesPerRequest=none&enableOfflineQueue=yes`;
  let server: ChildProcess;
  let client: Redis;
  const database = useDatabase();
  const one = useApp(database, { REDIS_URL: patientUrl, RESPONSE_CACHE_BYTES: '1000000' });
  const other = useApp(database, { REDIS_URL: patientUrl, RESPONSE_CACHE_BYTES: '1000000' });
  const without = useApp(database, { REDIS_URL: patientUrl, RESPONSE_CACHE_BYTES: '0' });
  /** Gateways with the usual time limits. */
  const hasty = useApp(database, { REDIS_URL: url, RESPONSE_CACHE_BYTES: '1000000' });
  const hastyToo = useApp(database, { REDIS_URL: url, RESPONSE_CACHE_BYTES: '1000000' });

  const stop = async () => {
    server.kill('SIGCONT');
    server.kill('SIGKILL');
    await sleep(100);
  };
  beforeAll(async () => {
    server = startRedis(port);
    client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await createElectionWorld(database.db);
    await client.ping();
  });
  beforeEach(() => client.flushall());
  afterAll(async () => {
    client.disconnect();
    await stop();
  });

  const rest = '/data/elections_by_point?lat=42&long=-98&election_date=2022-11-08&collections=contact';
  const list = '/data/elections_by_state?state=AA&election_date=2022-11-08';
  const query =
    'query ($y: Latitude!, $x: Longitude!) { location(latitude: $y, longitude: $x) { latitude districts { name } } }';
  const graph = `/graphql?${new URLSearchParams({ query, variables: '{"y":42,"x":-98}' })}`;
  const request = async (service: typeof one, path: string, name = 'full') =>
    (await service.app.inject({ url: path, headers: { 'x-api-key': service.key(name) } })).body;
  /** Renames the data, and waits until every gateway has detected the new data version. */
  const renameForAll = async (name: string) => {
    await rename(database.db, name);
    await sleep(600);
  };
  /** Requests a path from a gateway that has just started. */
  const requestAgain = async (path: string) => {
    const config = readConfig({
      TODAY: '2026-07-01',
      GRAPHIQL: 'false',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      REDIS_URL: patientUrl,
      RESPONSE_CACHE_BYTES: '1000000',
    });
    const asDatabase = {
      kind: BACKEND,
      db: database.db,
      pool: database.pool,
      ready: async () => ({ ready: true }) as const,
    } as const;
    const logger = pino({ level: 'silent' });
    const closed = async () => undefined;
    const app = await buildApp({
      config,
      backend: { ...asDatabase, close: closed },
      logger,
      clock: createClock(config.clock),
    });
    const { statusCode, body } = await app.inject({ url: path, headers: { 'x-api-key': one.key('full') } });
    await app.close();
    expect(statusCode).toBe(200);
    return body;
  };
  const keys = async () => (await client.keys('ballotgraph:response:*')).length;

  it.each([rest, list, graph])(
    '%s is created by one gateway and returned by the other, byte for byte',
    async (path) => {
      await renameForAll('Alpha');
      const made = await request(one, path);
      expect(made).toContain('"Alpha"');
      await expect.poll(keys).toBe(1);
      await renameUnnoticed(database.db, 'Unseen');
      expect(await request(other, path)).toBe(made);
      expect(await request(without, path)).toContain('"Unseen"');
      expect(await keys()).toBe(1);
    },
  );

  it('is up to date on both gateways after the data changed', async () => {
    let stored = 0;
    for (const name of ['Before', 'After']) {
      await renameForAll(name);
      for (const path of [rest, list]) {
        expect(await request(one, path)).toContain(`"${name}"`);
        // A response is stored after it was sent.
        await expect.poll(keys).toBe(++stored);
        expect(await request(other, path)).toContain(`"${name}"`);
      }
    }
  });

  it('is returned to one package only', async () => {
    await renameForAll('Alpha');
    const full = await request(one, rest);
    const less = await request(other, rest, 'no-results');
    expect(full).toContain('"votes_for_cand":600');
    expect(less).not.toContain('votes_for_cand":6');
    expect(await request(without, rest, 'no-results')).toBe(less);
    await expect.poll(keys).toBe(2);
  });

  it('reveals nothing about the request in Redis, and expires', async () => {
    await renameForAll('Alpha');
    await request(one, rest);
    await expect.poll(keys).toBe(1);
    const [key = ''] = await client.keys('*');
    expect(key).toMatch(/^ballotgraph:response:[\w-]{43}$/);
    expect(await client.get(key)).not.toMatch(/-98|42\b/);
    expect(await client.ttl(key)).toBeGreaterThan(0);
  });

  const POISON = ['POISON', '', '{"data":null}', 'x'.repeat(32), `\u0001${'x'.repeat(40)}`, '\0'.repeat(100_000)];

  it.each([rest, list, graph])(
    '%s: a value that no gateway signed for this name is a miss',
    async (path) => {
      await renameForAll('Alpha');
      const made = await request(one, path);
      await expect.poll(keys).toBe(1);
      await renameUnnoticed(database.db, 'Unseen');
      const [name = ''] = await client.keys('ballotgraph:response:*');
      expect(await requestAgain(path)).toBe(made);
      const genuine = (await client.getBuffer(name)) ?? Buffer.alloc(0);
      const altered = Buffer.from(genuine);
      altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1);
      const unsigned = genuine.subarray(33);
      const shortened = genuine.subarray(0, -1);
      for (const value of [...POISON, altered, unsigned, shortened]) {
        await client.set(name, value);
        expect(await requestAgain(path)).toContain('"Unseen"');
      }
      await client.del(name);
      await client.lpush(name, 'a list');
      expect(await requestAgain(path)).toContain('"Unseen"');
    },
    30_000,
  );

  it('a value under the name of another one is a miss', async () => {
    await renameForAll('Alpha');
    const wanted = await request(one, rest);
    await expect.poll(keys).toBe(1);
    const [name = ''] = await client.keys('ballotgraph:response:*');
    await request(one, list);
    await expect.poll(keys).toBe(2);
    const [other = ''] = (await client.keys('ballotgraph:response:*')).filter((each) => each !== name);
    await client.set(name, (await client.getBuffer(other)) ?? '');
    expect(await requestAgain(rest)).toBe(wanted);
  });

  it('is not stored in Redis if it is large', async () => {
    const shared = openSharedCache(patientUrl, {
      secret: createSharedSecret(database.db),
      rejected: new RejectedValues(),
    });
    shared.set([
      ['large', Buffer.alloc(600_000)],
      ['small', Buffer.from('{}')],
    ]);
    await expect.poll(() => shared.get(['large', 'small'])).toEqual([undefined, Buffer.from('{}')]);
    shared.close();
  });

  it('is returned without a Redis that hangs or is unavailable, after one short wait', async () => {
    await renameForAll('Alpha');
    const expected = await request(without, rest);
    /** Requests new data until the gateway stores its response in Redis, from which it may have been disconnected. */
    const storesAgain = (service: typeof one) =>
      expect
        .poll(
          async () => {
            await client.flushall();
            await renameForAll('Gamma');
            expect(await request(service, rest)).toContain('"Gamma"');
            // The response is stored in the background.
            await sleep(100);
            return keys();
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(1);
    const timed = async (service: typeof one) => {
      const began = performance.now();
      expect(await request(service, rest)).toBe(expected);
      return performance.now() - began;
    };
    await storesAgain(hasty);
    await renameForAll('Alpha');
    server.kill('SIGSTOP');
    // Without its time limit, the gateway would wait as long as Redis hangs.
    expect(await timed(hasty)).toBeLessThan(5_000);
    server.kill('SIGCONT');
    await stop();
    await rename(database.db, 'Beta');
    await renameForAll('Alpha');
    expect(await timed(hastyToo)).toBeLessThan(5_000);
    server = startRedis(port);
    await storesAgain(hasty);
  }, 120_000);
});
