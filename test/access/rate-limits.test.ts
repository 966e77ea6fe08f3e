import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { generateApiKey } from '../../src/gateway/access/api-key.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import type { SharedCounts } from '../../src/gateway/http/rate-limiter.ts';
import { createRateLimiter } from '../../src/gateway/http/rate-limiter.ts';
import { openSharedCounts } from '../../src/gateway/http/shared-counts.ts';
import { RejectedValues } from '../../src/gateway/redis/rejected-values.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { REDIS, startRedis } from '../support/redis.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let nextKey = 1;
const caller = (
  perSecond: number | null,
  burst: number | null = null,
  perDay: number | null = null,
  keyId = nextKey++,
) => ({
  packageName: 'model',
  grants: new Set<never>(),
  keyId,
  rateLimits: { perSecond, burst, perDay },
});

describe('a limiter', () => {
  it('reports the remaining requests by second and by day', async () => {
    const limiter = createRateLimiter(10);
    const model = caller(5, 100, 200_000);
    await limiter.take(model);
    expect(await limiter.take(model)).toEqual({
      'ratelimit-policy': '"burst";q=100;w=20, "day";q=200000;w=86400',
      ratelimit: '"burst";r=98;t=20, "day";r=199998;t=86400',
    });
    expect(limiter.take({ ...model, rateLimits: { perSecond: null, burst: null, perDay: null } })).toBeUndefined();
  });

  it('rejects requests over the limit of each key until its window ends', async () => {
    const limiter = createRateLimiter(10);
    const [one, other] = [caller(3), caller(3)];
    for (let n = 0; n < 3; n++) await limiter.take(one);
    await expect(limiter.take(one)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Limit Exceeded: 3 requests in 1 second. Try again in 1 second.',
      headers: { 'retry-after': '1', ratelimit: '"burst";r=0;t=1', 'ratelimit-policy': '"burst";q=3;w=1' },
    });
    await expect(limiter.take(other)).resolves.toBeDefined();
    await pause(1_050);
    await expect(limiter.take(one)).resolves.toBeDefined();
  });

  it('allows a burst, and then requests at the configured rate', async () => {
    const limiter = createRateLimiter(10);
    const model = caller(50, 100);
    let passed = 0;
    for (let n = 0; n < 300; n++)
      await limiter.take(model)?.then(
        () => passed++,
        () => undefined,
      );
    expect(passed).toBe(100);
  });

  it('rejects requests over the daily limit although the limit per second allows them', async () => {
    const limiter = createRateLimiter(10);
    const model = caller(100, null, 2);
    await limiter.take(model);
    await limiter.take(model);
    await expect(limiter.take(model)).rejects.toMatchObject({
      message: expect.stringMatching(/^Limit Exceeded: 2 requests in 86400 seconds/),
      headers: { ratelimit: expect.stringMatching(/"day";r=0;t=8\d{4}$/) },
    });
  });
});

describe('the service', () => {
  const database = useDatabase();
  const service = useApp(database);
  let key: string;
  beforeAll(async () => {
    await setPackage(database.db, { name: 'model', grants: ['districts'] });
    await setRateLimits(database.db, 'model', { perSecond: 1, burst: 3 });
  });
  beforeEach(async () => {
    key = await createApiKey(database.db, 'model');
  });
  const rest = (sent = key) => service.app.inject({ url: '/data/districts/point', headers: { 'x-api-key': sent } });
  const graph = () =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': key },
      payload: { query: '{ __typename }' },
    });

  it('counts a key over both APIs together and returns 429 in the format of each', async () => {
    expect((await rest()).headers).toMatchObject({
      ratelimit: '"burst";r=2;t=3',
      'ratelimit-policy': '"burst";q=3;w=3',
    });
    expect((await graph()).statusCode).toBe(200);
    expect((await rest()).statusCode).toBe(400);
    for (const response of [await rest(), await graph()]) {
      expect(response.statusCode).toBe(429);
      expect(response.headers['retry-after']).toMatch(/^[1-3]$/);
      expect(response.headers.ratelimit).toMatch(/^"burst";r=0;t=[1-3]$/);
      expect(response.body).toContain('Limit Exceeded');
    }
    expect((await rest()).json()).toMatchObject({ success: false, status: 429 });
    expect((await graph()).json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  });

  it('sends no limit headers to a package without limits', async () => {
    const { headers } = await rest(service.key('full'));
    expect(headers).not.toHaveProperty('ratelimit');
    expect(headers).not.toHaveProperty('ratelimit-policy');
  });

  it('counts guessed keys of one IPv6 network together, and those of another separately', async () => {
    const limiter = createRateLimiter(10);
    for (let n = 0; n < 10; n++) await limiter.takeFailure(`2001:db8:1:2::${n}`);
    await expect(limiter.takeFailure('2001:db8:1:2:ffff::1')).rejects.toThrow(/Limit Exceeded/);
    await limiter.takeFailure('2001:db8:1:3::1');
    for (let n = 0; n < 10; n++) await limiter.takeFailure(n % 2 ? '::ffff:192.0.2.1' : '192.0.2.1');
    await expect(limiter.takeFailure('192.0.2.1')).rejects.toThrow(/Limit Exceeded/);
    await limiter.takeFailure('192.0.2.2');
  });

  it('returns 429 for guessed keys after ten in a second, and still accepts a valid key', async () => {
    const guessed = [];
    for (let n = 0; n < 30; n++) guessed.push((await rest(n % 2 ? 'guess' : generateApiKey())).statusCode);
    expect(guessed.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(guessed.slice(-5)).toEqual(Array(5).fill(429));
    const real = await rest();
    expect(real.statusCode).toBe(400);
    const refused = await rest('guess');
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json().message).toContain('Limit Exceeded');
  });
});

const port = await freePort();

describe.skipIf(!existsSync(REDIS))(`with ${REDIS}`, () => {
  let redis: ChildProcess | undefined;
  let shared: SharedCounts[];
  const rejections = new RejectedValues();
  const stopped = async () => {
    redis?.kill('SIGCONT');
    redis?.kill('SIGKILL');
    await pause(100);
  };
  beforeAll(async () => {
    redis = startRedis(port);
    shared = [1, 2].map(() => openSharedCounts(`redis://127.0.0.1:${port}`, undefined, rejections));
  });
  afterAll(async () => {
    for (const counts of shared) counts.close();
    await stopped();
  });
  const gateways = () => shared.map((counts) => createRateLimiter(10, counts));
  const passedOf = async (limiters: ReturnType<typeof gateways>, model: ReturnType<typeof caller>, times: number) => {
    let passed = 0;
    for (let n = 0; n < times; n++)
      for (const limiter of limiters)
        await limiter.take(model)?.then(
          () => passed++,
          () => undefined,
        );
    return passed;
  };

  /** Runs rounds of 100 requests until Redis responds to all in time; on a busy machine that may not be the first. */
  const countedTogether = (limiters: ReturnType<typeof gateways>) =>
    expect.poll(() => passedOf(limiters, caller(10, 20), 50), { timeout: 15_000, interval: 1_100 }).toBe(20);

  it('two gateways share the count of a key', () => countedTogether(gateways()), 20_000);

  it('a count that no gateway can have stored is ignored', async () => {
    const [limiter] = gateways();
    const client = new Redis(`redis://127.0.0.1:${port}`);
    const model = caller(1, 5);
    const garbage: ((name: string) => Promise<unknown>)[] = [
      (name) => client.set(name, 'POISON', 'KEEPTTL'),
      (name) => client.set(name, '-1000', 'KEEPTTL'),
      (name) => client.set(name, '9223372036854775807', 'KEEPTTL'),
      (name) => client.set(name, '99999999', 'KEEPTTL'),
      (name) => client.set(name, '2.5', 'KEEPTTL'),
      (name) => client.set(name, '2', 'EX', 86_400),
      (name) => client.del(name).then(() => client.lpush(name, '1')),
      (name) => client.del(name).then(() => client.hset(name, 'a', 'b')),
    ];
    const rejected = () => rejections.counts.count;
    for (const [index, spoil] of garbage.entries()) {
      await client.flushall();
      const own = { ...model, keyId: 7_000 + index };
      await expect.poll(() => limiter?.take(own)?.then(() => client.keys('*'))).toHaveLength(1);
      const [name = ''] = await client.keys('*');
      await spoil(name);
      const before = rejected();
      const passed = await passedOf(limiter ? [limiter] : [], own, 20);
      expect(passed, String(index)).toBeGreaterThanOrEqual(1);
      expect(passed, String(index)).toBeLessThanOrEqual(10);
      expect(rejected(), String(index)).toBeGreaterThan(before);
    }
    client.disconnect();
  }, 30_000);

  it('a Redis that hangs or is unavailable costs one short wait, and each gateway counts on its own until it recovers', async () => {
    const limiters = gateways();
    const began = performance.now();
    redis?.kill('SIGSTOP');
    expect(await passedOf(limiters, caller(10, 20), 50)).toBe(40);
    expect(performance.now() - began).toBeLessThan(1_000);
    redis?.kill('SIGCONT');
    await stopped();
    await pause(1_100);
    expect(await passedOf(limiters, caller(10, 20), 50)).toBe(40);
    redis = startRedis(port);
    await countedTogether(limiters);
  }, 30_000);
});

it('a Redis that returns invalid responses is treated as unavailable', async () => {
  const nonsense = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write('$-5\r\nHTTP/1.1 200 OK\r\n\r\n'));
  }).listen(0, '127.0.0.1');
  await pause(50);
  const address = nonsense.address();
  const counts = openSharedCounts(`redis://127.0.0.1:${typeof address === 'object' && address?.port}`);
  const limiter = createRateLimiter(10, counts);
  const model = caller(2);
  await limiter.take(model);
  await limiter.take(model);
  await expect(limiter.take(model)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  counts.close();
  nonsense.close();
});
