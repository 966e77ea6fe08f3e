import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkInFlight } from '../../src/http/admission.ts';
import { createLoadShedding } from '../../src/http/load-shedding.ts';
import { buildTestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const LIMITS = { inFlight: 99, inFlightPerKey: 9, exportsPerKey: 9, queue: 0, eventLoopDelay: 0 };

describe('work in flight', () => {
  it('is rejected over the limit, and admitted again when some has finished', () => {
    const { lookup } = createWorkInFlight({ ...LIMITS, inFlight: 2 });
    const leave = lookup.enter(1);
    lookup.enter(2);
    expect(() => lookup.enter(3)).toThrow(/too many requests at once/);
    expect(lookup.count).toBe(2);
    leave();
    lookup.enter(3);
    expect(lookup.count).toBe(2);
  });

  it('of a key is rejected over the limit of the key, independent of other keys', () => {
    const { lookup } = createWorkInFlight({ ...LIMITS, inFlightPerKey: 1 });
    const leave = lookup.enter(1);
    expect(() => lookup.enter(1)).toThrow(/Limit Exceeded: this key has 1 requests under way, at most 1/);
    const leaveOther = lookup.enter(2);
    expect([1, 2, 3].map(lookup.of)).toEqual([1, 1, 0]);
    leave();
    leaveOther();
    expect(lookup.count).toBe(0);
    lookup.enter(1);
  });

  it('that is rejected does not count', () => {
    const { lookup } = createWorkInFlight({ ...LIMITS, inFlight: 2, inFlightPerKey: 1 });
    lookup.enter(1);
    for (let n = 0; n < 100; n++) expect(() => lookup.enter(1)).toThrow(/this key/);
    const leave = lookup.enter(2);
    for (let n = 0; n < 100; n++) expect(() => lookup.enter(3)).toThrow(/too many requests at once/);
    leave();
    lookup.enter(3);
  });

  it('for exports is counted separately, by key', () => {
    const inFlight = createWorkInFlight({ ...LIMITS, inFlight: 1, exportsPerKey: 3 });
    const leaves = [1, 2, 3].map(() => inFlight.export.enter(1));
    expect(() => inFlight.export.enter(1)).toThrow(/this key has 3 requests for exports under way, at most 3/);
    inFlight.export.enter(2);
    inFlight.lookup.enter(1);
    expect([inFlight.lookup.count, inFlight.export.count]).toEqual([1, 4]);
    leaves[0]?.();
    inFlight.export.enter(1);
  });
});

describe('load shedding', () => {
  it('rejects a key whose own statements wait too long, and no other', async () => {
    const app = fastify();
    const queueMs = (keyId: number) => (keyId === 1 ? 501 : 500);
    const shedding = createLoadShedding(app, { eventLoopDelay: 0, queue: 500 }, queueMs);
    expect(() => shedding.checkKey(1, 0)).toThrow(/requests of this key wait too long for the database/);
    shedding.checkKey(2, 0);
    await app.close();
  });

  it('admits one request of a key while the event loop is delayed', async () => {
    const app = fastify();
    const shedding = createLoadShedding(app, { eventLoopDelay: 50, queue: 0 }, () => 0);
    await app.ready();
    shedding.checkKey(1, 1);
    while (isAdmitted(() => shedding.checkKey(1, 1))) {
      for (const end = performance.now() + 200; performance.now() < end; );
      await sleep(1);
    }
    expect(() => shedding.checkKey(1, 1)).toThrow(/one request of a key at a time/);
    shedding.checkKey(2, 0);
    await app.close();
  });
});

function isAdmitted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

describe('a service with too many concurrent requests', () => {
  const database = useDatabase();
  const service = useApp(database, { RESPONSE_CACHE_BYTES: '0', MAX_IN_FLIGHT_PER_KEY: '1', MAX_IN_FLIGHT: '2' });

  it('immediately rejects the excess with 503, and continues to serve', async () => {
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
