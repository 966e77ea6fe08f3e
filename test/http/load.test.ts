import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FairQueue, Leave } from '../../src/base/fair-queue.ts';
import { createWorkQueues } from '../../src/gateway/http/admission.ts';
import { buildTestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const LIMITS = {
  inFlight: 99,
  inFlightPerKey: 9,
  readersPerKey: 1,
  exportsPerKey: 9,
  waiting: { ms: 0, perKey: 2 },
  eventLoopDelay: 0,
};
const never = () => false;

/** Takes a permit that is free. */
function enterAtOnce(queue: FairQueue, key: number): Leave {
  const entered = queue.enter(key);
  if (entered instanceof Promise) throw new Error('It has to wait');
  return entered;
}

describe('work in flight', () => {
  it('of a key waits over the limit of the key, independent of other keys, and is rejected only when too many wait', async () => {
    const { lookup } = createWorkQueues({ ...LIMITS, inFlightPerKey: 1 }, never);
    const leave = enterAtOnce(lookup, 1);
    const waiting = [lookup.enter(1), lookup.enter(1)];
    await expect(lookup.enter(1)).rejects.toMatchObject({
      code: 'TOO_MANY_AT_ONCE',
      message: expect.stringMatching(
        /^Limit Exceeded: .* this key has requests under way, at most 1, and .* at most 2/,
      ),
    });
    enterAtOnce(lookup, 2);
    expect([lookup.running, lookup.waiting]).toEqual([2, 2]);
    leave();
    for (const entered of waiting) (await entered)();
    expect([lookup.running, lookup.waiting]).toEqual([1, 0]);
  });

  it('of all keys waits over the limit in total, and is rejected as overload when too much waits', async () => {
    const { lookup } = createWorkQueues({ ...LIMITS, inFlight: 2 }, never);
    const leave = enterAtOnce(lookup, 1);
    enterAtOnce(lookup, 2);
    const waiting = [lookup.enter(3), lookup.enter(3)];
    await expect(lookup.enter(3)).rejects.toMatchObject({ code: 'OVERLOADED' });
    leave();
    (await waiting[0])?.();
    await waiting[1];
    expect(lookup.running).toBe(2);
  });

  it('of a key is one request at a time while the event loop is delayed', async () => {
    let isDelayed = true;
    const { lookup } = createWorkQueues(LIMITS, () => isDelayed);
    const leave = enterAtOnce(lookup, 1);
    enterAtOnce(lookup, 2);
    const waiting = [lookup.enter(1), lookup.enter(1)];
    await expect(lookup.enter(1)).rejects.toMatchObject({ code: 'OVERLOADED' });
    isDelayed = false;
    leave();
    await Promise.all(waiting);
    expect(lookup.running).toBe(3);
  });

  it('for exports is counted separately, by key', async () => {
    const queues = createWorkQueues({ ...LIMITS, inFlight: 1, exportsPerKey: 3 }, never);
    const leaves = [1, 2, 3].map(() => enterAtOnce(queues.export, 1));
    const waiting = queues.export.enter(1);
    enterAtOnce(queues.export, 2);
    enterAtOnce(queues.lookup, 1);
    expect([queues.lookup.running, queues.export.running, queues.export.waiting]).toEqual([1, 4, 1]);
    leaves[0]?.();
    await waiting;
  });
});

describe('a service with too many concurrent requests', () => {
  const database = useDatabase();
  const limits = { MAX_IN_FLIGHT_PER_KEY: '1', MAX_IN_FLIGHT: '2', MAX_WAITING_PER_KEY: '1' };
  const service = useApp(database, { RESPONSE_CACHE_BYTES: '0', ...limits });

  it('lets the excess wait, immediately rejects what is beyond it, and continues to serve', async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const request = (packageName: string, signal?: AbortSignal) =>
      fetch(`${address}/graphql`, {
        method: 'POST',
        signal,
        headers: { 'x-api-key': service.key(packageName), 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ query: '{ districts { totalCount } }' }),
      });
    for (const name of ['full', 'no-results', 'lookup']) expect((await request(name)).status).toBe(200);

    await database.db.transaction().execute(async (transaction) => {
      await sql`lock table districts in access exclusive mode`.execute(transaction);
      const leaving = new AbortController();
      const held = [request('full', leaving.signal), request('no-results', leaving.signal)];
      for (const each of held) each.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));

      const waiting = ['full', 'lookup'].map((name) => request(name, leaving.signal));
      for (const each of waiting) each.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const began = performance.now();
      for (const name of ['full', 'lookup']) {
        const rejected = await request(name);
        expect(rejected.status).toBe(503);
        expect(rejected.headers.get('retry-after')).toBe('1');
        expect(await rejected.json()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
      }
      expect(performance.now() - began).toBeLessThan(1_000);
      expect((await fetch(`${address}/health`)).status).toBe(200);
      leaving.abort();
    });
    await expect.poll(async () => (await request('full')).status).toBe(200);
    for (const name of ['no-results', 'lookup']) expect((await request(name)).status).toBe(200);
  });
});

// @fastify/under-pressure rejects these requests.
it('work at startup does not count as load', async () => {
  const starting = await buildTestApp({ MAX_EVENT_LOOP_DELAY_MS: '100' }, async (routes) => {
    routes.get('/work', async () => 'done');
  });
  for (const until = performance.now() + 1_500; performance.now() < until; );
  await starting.listen({ port: 0, host: '127.0.0.1' });
  for (let count = 0; count < 5; count++) {
    expect((await fetch(`${starting.listeningOrigin}/work`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await starting.close();
});

describe('a service with a delayed event loop', () => {
  let app: Awaited<ReturnType<typeof buildTestApp>>;
  beforeAll(async () => {
    app = await buildTestApp({ MAX_EVENT_LOOP_DELAY_MS: '100' }, async (routes) => {
      routes.get('/work', async () => 'done');
    });
    await app.ready();
  });
  afterAll(() => app.close());

  it('sheds load, reports that it is alive, and accepts requests again after it recovers', async () => {
    expect((await app.inject('/work')).statusCode).toBe(200);
    for (const deadline = performance.now() + 2_500; performance.now() < deadline; ) {
      for (const until = performance.now() + 250; performance.now() < until; );
      await new Promise((resolve) => setImmediate(resolve));
    }
    const shed = await app.inject('/work');
    expect(shed.statusCode).toBe(503);
    expect(shed.headers['retry-after']).toBe('1');
    expect(shed.json()).toMatchObject({ success: false, status: 503 });
    expect((await app.inject('/health')).statusCode).toBe(200);
    expect((await app.inject('/ready')).statusCode).toBe(503);
    await expect.poll(async () => (await app.inject('/work')).statusCode, { timeout: 5_000 }).toBe(200);
  });
});
