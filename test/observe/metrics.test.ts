import { createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/access/api-key.ts';
import { useApp } from '../support/app.ts';
import { useStore } from '../support/store.ts';
import { createWorld } from '../support/world.ts';

const METRICS_PORT = await freePort();
const store = useStore();
const service = useApp(store, { METRICS_PORT: String(METRICS_PORT) });
const [LATITUDE, LONGITUDE, CANARY] = [42.123987, -97.987123, 'canaryCanary'];

const print = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
const post = (query: string, key: string, operationName?: string) =>
  service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': key },
    payload: { query, operationName },
  });

beforeAll(() => createWorld(store.db));

describe('the metrics', () => {
  it('count requests by surface, operation and status, time statements by name, and count refusals by reason', async () => {
    const key = service.key('full');
    const url = `/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}`;
    for (let n = 0; n < 3; n++) await service.app.inject({ url, headers: { 'x-api-key': key } });
    await service.app.inject({ url, headers: { 'x-api-key': 'none' } });
    await post(
      `query ${CANARY} { location(latitude: ${LATITUDE}, longitude: ${LONGITUDE}) { districts { id } } }`,
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
    expect(value('ballotgraph_statement_seconds_count{statement="districts.coveringBoundaries",outcome="done"}')).toBe(
      4,
    );
    for (const name of ['pool_connections{state="open"}', 'in_flight', 'request_seconds_count{surface="rest"}']) {
      expect(value(`ballotgraph_${name}`)).toBeGreaterThanOrEqual(0);
    }
    expect(value('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('have nothing of what callers send, and no more lines for more of it', async () => {
    const lineCount = async () => (await print()).split('\n').length;
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
    const before = await lineCount();
    await flood();
    // A reason for refusals may be new; a name or key of a caller would be a new line for each.
    expect(await lineCount()).toBeLessThan(before + 60);
    const text = await print();
    expect(text).not.toMatch(/canary|42\.12|97\.98|select|bg_[a-z]/i);
    expect(text).not.toContain(service.key('full').slice(12));
  });

  it('are on a port of their own, and nothing else is there', async () => {
    expect((await service.app.inject('/metrics')).statusCode).toBe(404);
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/graphql`)).status).toBe(404);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
