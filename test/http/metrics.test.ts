import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { generateApiKey } from '../../src/gateway/access/api-key.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { createWorld } from '../support/world.ts';

const [METRICS_PORT, CACHING_PORT] = [await freePort(), await freePort()];
const database = useDatabase();
const service = useApp(database, {
  METRICS_PORT: String(METRICS_PORT),
  RESPONSE_CACHE_BYTES: '0',
  QUERY_PLANS: 'true',
  MAX_FAILED_KEYS_PER_SECOND: '1000000',
});
const caching = useApp(database, { METRICS_PORT: String(CACHING_PORT), RESPONSE_CACHE_BYTES: '1000000' });
const [LATITUDE, LONGITUDE, CANARY] = [42.123987, -97.987123, 'canaryCanary'];

const print = async (port = METRICS_PORT) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
/** Returns the counters and gauges of this project with their labels, without their values. */
const labelSets = async () =>
  (await print())
    .split('\n')
    .filter((line) => line.startsWith('ballotgraph_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
    .sort();
const post = (query: string, key: string, operationName?: string) =>
  service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': key },
    payload: { query, operationName },
  });

beforeAll(() => createWorld(database.db));

describe('the metrics', () => {
  it('count requests by API, operation and status, time statements by name, and count rejections by reason', async () => {
    const key = service.key('full');
    const url = `/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}`;
    for (let n = 0; n < 3; n++) await service.app.inject({ url, headers: { 'x-api-key': key } });
    await service.app.inject({ url, headers: { 'x-api-key': 'none' } });
    await post(
      `query ${CANARY} { location(latitude: ${LATITUDE}, longitude: ${LONGITUDE}) { districts { id: databaseId } } }`,
      key,
    );
    await post(`{ ${Array.from({ length: 31 }, (_, n) => `${CANARY}${n}: __typename`).join(' ')} }`, key);
    const lines = (await print()).split('\n');
    const value = (start: string) =>
      Number(
        lines
          .find((line) => line.startsWith(start))
          ?.split(' ')
          .at(-1),
      );
    expect(value('ballotgraph_requests_total{surface="rest",operation="/data/districts/point",status="200"}')).toBe(3);
    expect(value('ballotgraph_requests_total{surface="graphql",operation="other",status="200"}')).toBe(1);
    expect(value('ballotgraph_requests_total{surface="graphql",operation="other",status="400"}')).toBe(1);
    expect(value('ballotgraph_refusals_total{reason="UNAUTHENTICATED"}')).toBe(1);
    expect(value('ballotgraph_refusals_total{reason="TOO_MANY_ALIASES"}')).toBe(1);
    const statements = (name: string) =>
      value(`ballotgraph_statement_seconds_count{statement="${name}",outcome="done"}`);
    expect(statements('Location.districtsWithBoundary')).toBe(3);
    expect(statements('Location.districts')).toBe(1);
    for (const name of ['pool_connections{state="open"}', 'in_flight', 'request_seconds_count{surface="rest"}']) {
      expect(value(`ballotgraph_${name}`)).toBeGreaterThanOrEqual(0);
    }
    expect(value('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('count requests while they wait for changes, and not how long they wait', async () => {
    const headers = { 'x-api-key': service.key('full') };
    const count = async (line: string) =>
      Number(new RegExp(`^ballotgraph_${line} (\\d+)$`, 'm').exec(await print())?.[1] ?? 0);
    const counts = async () => [
      await count('request_seconds_count{surface="rest"}'),
      await count('requests_total{surface="rest",operation="/data/changes",status="200"}'),
    ];
    const { next } = (await service.app.inject({ url: '/data/changes', headers })).json().data;
    const [times = 0, requests = 0] = await counts();
    const waiting = service.app.inject({ url: `/data/changes?wait=2&after=${next}`, headers });
    await vi.waitFor(async () => expect(await count('readers')).toBe(1), 1_500);
    expect((await waiting).json().data.changes).toEqual([]);
    await vi.waitFor(async () => expect(await count('readers')).toBe(0));
    expect(await counts()).toEqual([times, requests + 1]);
  });

  it('report the use of caches and the duration of key lookups', async () => {
    const counted = async (line: string) =>
      Number(
        (await print())
          .split('\n')
          .find((each) => each.startsWith(`ballotgraph_${line} `))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    const lines = {
      'key_lookup_seconds_count{outcome="absent"}': 1,
      'cache_lookups_total{cache="documents",outcome="miss"}': 1,
      'cache_lookups_total{cache="documents",outcome="hit"}': 2,
      'cache_lookups_total{cache="persisted",outcome="miss"}': 1,
      'cache_entries{cache="plans"}': 1,
      pool_wait_seconds_count: 1,
    };
    const before = new Map<string, number>();
    for (const line of Object.keys(lines)) before.set(line, await counted(line));
    const query = '{ district(databaseId: 1) { id: databaseId cacheMetrics: name } }';
    for (let n = 0; n < 3; n++) await post(query, service.key('full'));
    await post('{ __typename }', generateApiKey());
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } });
    await service.app.inject({ url: '/graphql', query: { extensions }, headers: { 'x-api-key': service.key('full') } });
    for (const [line, least] of Object.entries(lines)) {
      expect((await counted(line)) - (before.get(line) ?? 0), line).toBeGreaterThanOrEqual(least);
    }
    expect(await counted('cache_bytes{cache="documents"}')).toBeGreaterThan(0);
    await caching.app.inject({
      url: `/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}`,
      headers: { 'x-api-key': caching.key('full') },
    });
    expect(await print(CACHING_PORT)).toContain('ballotgraph_cache_lookups_total{cache="responses",outcome="miss"} 1');
  });

  it.each([
    ['has errors', { query: '{ readOnce }' }, 'documents'],
    ['cannot be parsed', { query: '{ readOnce' }, 'documents'],
    [
      'is not known by its hash',
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'b'.repeat(64) } } },
      'persisted',
    ],
  ])('show that a document is looked up once if it %s', async (_, payload, cache) => {
    const lookups = async () =>
      [...(await print()).matchAll(new RegExp(`cache_lookups_total\\{cache="${cache}",outcome="\\w+"\\} (\\d+)`, 'g'))]
        .map(([, count]) => Number(count))
        .reduce((sum, count) => sum + count, 0);
    for (let turn = 0; turn < 2; turn++) {
      const before = await lookups();
      const headers = { 'x-api-key': service.key('full') };
      const { body } = await service.app.inject({ method: 'POST', url: '/graphql', headers, payload });
      expect(body).toContain('"errors"');
      expect((await lookups()) - before).toBe(1);
    }
  });

  it('count an operation under its own hash from the third use on, independent of literals', async () => {
    for (const id of [1, 2, 3, 4])
      await post(`{ district(databaseId: ${id}) { id: databaseId hashed: name } }`, service.key('full'));
    const hashes = [...(await print()).matchAll(/operation="([0-9a-f]{12})",status="200"\} 2$/gm)];
    expect(hashes).toHaveLength(1);
  });

  it('contain nothing that callers send, and have a bounded number of lines', async () => {
    const flood = async () => {
      for (let n = 0; n < 20; n++) {
        const key = n % 2 ? service.key('full') : generateApiKey();
        const name = `${CANARY}${Math.random().toString(36).slice(2)}`;
        await post(`query ${name} { location(latitude: ${LATITUDE + n}, longitude: 1) { latitude } }`, key, name);
        await service.app.inject({ url: `/${name}/${key}`, headers: { 'x-api-key': key } });
        await service.app.inject({ url: `/data/districts/point?lat=${LATITUDE}&${name}=${key}` });
        await service.app.inject({ url: '/graphql', query: { documentId: name }, headers: { 'x-api-key': key } });
      }
    };
    await flood();
    const before = await labelSets();
    await flood();
    expect(await labelSets()).toEqual(before);
    const text = await print();
    expect(text).not.toMatch(/canary|42\.1239|97\.9871|select|bg_[a-z]/i);
    expect(text).not.toContain(service.key('full').slice(12));
  });

  it('label at most a hundred operations', async () => {
    const key = service.key('full');
    const query = (n: number) => `{ district(databaseId: 1) { ${n % 2 ? 'id' : 'name'} named${n}: id } }`;
    for (let n = 0; n < 120; n++) for (let use = 0; use < 3; use++) await post(query(n), key);
    const names = new Set([...(await print()).matchAll(/operation="([0-9a-f]{12})"/g)].map(([, name]) => name));
    expect(names.size).toBe(100);
  });

  it('are disabled by default', () => {
    expect(readConfig({}).metricsPort).toBeUndefined();
    expect(readConfig({ METRICS_PORT: '0' }).metricsPort).toBeUndefined();
    expect(readConfig({ METRICS_PORT: '9400' }).metricsPort).toBe(9400);
  });

  it('are served on a separate port, without anything else', async () => {
    expect((await service.app.inject('/metrics')).statusCode).toBe(404);
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/graphql`)).status).toBe(404);
  });
});
