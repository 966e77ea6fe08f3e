import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInFlight } from '../../src/http/in-flight.ts';
import { buildTestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const LIMITS = { inFlight: 99, inFlightPerKey: 9, exportsPerKey: 9, queue: 0, eventLoopDelay: 0 };
const IDLE = { queueMs: () => 0, isDelayed: () => false };

describe('work in flight', () => {
  it('is rejected over the limit, and admitted again when some has finished', () => {
    const inFlight = createInFlight({ ...LIMITS, inFlight: 2 });
    const leave = inFlight.enter(1, 'lookup');
    inFlight.enter(2, 'lookup');
    expect(() => inFlight.enter(3, 'lookup')).toThrow(/too many requests at once/);
    expect(inFlight.count).toBe(2);
    leave();
    inFlight.enter(3, 'lookup');
    expect(inFlight.count).toBe(2);
  });

  it('is rejected for a key whose own statements wait too long, and for no other', () => {
    const queueMs = (keyId: number) => (keyId === 1 ? 501 : 500);
    const inFlight = createInFlight({ ...LIMITS, queue: 500 }, { ...IDLE, queueMs });
    expect(() => inFlight.enter(1, 'lookup')).toThrow(/requests of this key wait too long for the database/);
    expect(inFlight.count).toBe(0);
    inFlight.enter(2, 'lookup');
    expect(inFlight.count).toBe(1);
  });

  it('of a key is rejected over the limit of the key, independent of other keys', () => {
    const inFlight = createInFlight({ ...LIMITS, inFlightPerKey: 1 });
    const leave = inFlight.enter(1, 'lookup');
    expect(() => inFlight.enter(1, 'lookup')).toThrow(/Limit Exceeded: this key has 1 requests under way, at most 1/);
    const leaveOther = inFlight.enter(2, 'lookup');
    leave();
    leaveOther();
    expect(inFlight.count).toBe(0);
    inFlight.enter(1, 'lookup');
  });

  it('that is rejected does not count: neither of keys over their limits, nor of keys being looked up', () => {
    const inFlight = createInFlight({ ...LIMITS, inFlight: 2, inFlightPerKey: 1 });
    inFlight.enter(1, 'lookup');
    for (let n = 0; n < 100; n++) expect(() => inFlight.enter(1, 'lookup')).toThrow(/this key/);
    const [leave] = [inFlight.enterLookup(), inFlight.enterLookup()];
    expect(() => inFlight.enterLookup()).toThrow(/too many requests at once/);
    inFlight.enter(2, 'lookup');
    leave();
    inFlight.enterLookup();
  });

  it('for exports is counted separately, by key', () => {
    const inFlight = createInFlight({ ...LIMITS, inFlight: 1, exportsPerKey: 3 });
    const leaves = [1, 2, 3].map(() => inFlight.enter(1, 'export'));
    expect(() => inFlight.enter(1, 'export')).toThrow(/this key has 3 requests for exports under way, at most 3/);
    inFlight.enter(2, 'export');
    inFlight.enter(1, 'lookup');
    expect(inFlight.count).toBe(5);
    leaves[0]?.();
    inFlight.enter(1, 'export');
  });

  it('is limited to one request of a key while the event loop is delayed', () => {
    let isLate = false;
    const inFlight = createInFlight(LIMITS, { ...IDLE, isDelayed: () => isLate });
    inFlight.enter(1, 'lookup');
    inFlight.enter(1, 'lookup');
    isLate = true;
    expect(() => inFlight.enter(1, 'lookup')).toThrow(/one request of a key at a time/);
    inFlight.enter(2, 'lookup');
    expect(() => inFlight.enter(2, 'lookup')).toThrow(/one request of a key at a time/);
  });
});

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
