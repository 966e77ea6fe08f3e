import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { runImport } from '../../src/importers/import.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { createWorld } from '../support/world.ts';
import { useFiles } from './files.ts';

/** The words and digits of the address, one of which would give it away; not within times and random ids. */
const [STREET, TOWN, LATITUDE, LONGITUDE] = ['Zyxwille', 'Qwertford', 39.512345, -75.598765];
const ADDRESS = `149 ${STREET} Cir, ${TOWN}, DE 19901`;
const TRACES = new RegExp(`${STREET}|${TOWN}|(?<![\\da-f]{3})(?:512345|598765)|1zyxw`, 'i');

const collected: string[] = [];
const collector = createServer(async (request, response) => {
  for await (const chunk of request) collected.push(String(chunk));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const [METRICS_PORT, REDIS_PORT] = [await freePort(), await freePort()];
const hasRedis = existsSync(REDIS);
const VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '50',
};
// The packages of OpenTelemetry read the environment of the process themselves.
for (const [name, value] of Object.entries(VARIABLES)) vi.stubEnv(name, value);

let redis: ChildProcess | undefined;
if (hasRedis) {
  redis = startRedis(REDIS_PORT);
  await vi.waitFor(
    async () => {
      const client = new Redis(REDIS_PORT, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => undefined);
      await client.connect();
      client.disconnect();
    },
    { timeout: 20_000 },
  );
}
const lines: string[] = [];
/** What the process writes besides its log. */
const written: string[] = [];
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  vi.spyOn(stream, 'write').mockImplementation(((chunk: string | Uint8Array, ...rest: never[]) => {
    written.push(String(chunk));
    return write(chunk, ...rest);
  }) as typeof stream.write);
}
const database = useDatabase();
const write = useFiles();
const service = useApp(
  database,
  {
    ...VARIABLES,
    METRICS_PORT: String(METRICS_PORT),
    LOG_LEVEL: 'trace',
    RESPONSE_CACHE_BYTES: '10000000',
    ...(hasRedis ? { REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}` } : {}),
  },
  'server',
  { write: (line: string) => void lines.push(line) },
);
afterAll(() => {
  collector.close();
  redis?.kill();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

beforeAll(async () => {
  await createWorld(database.db);
  const csv = `NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT\n149,${STREET} Cir,${TOWN},DE,19901,${LONGITUDE},${LATITUDE}\n`;
  await runImport(database.db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
});

const headers = () => ({ 'x-api-key': service.key('full') });
const post = (payload: object) => service.app.inject({ method: 'POST', url: '/graphql', headers: headers(), payload });
const get = (url: string) => service.app.inject({ url, headers: headers() });
const query = (parameters: Record<string, string>) => `/graphql?${new URLSearchParams(parameters)}`;

const FIELDS = '{ ambiguous matches { label confidence point { latitude longitude } } }';
const GEOCODE = `query ($a: String!) { geocode(text: $a) ${FIELDS} location(address: $a) { latitude longitude districts { name } } }`;
const LITERAL = `{ geocode(text: "${ADDRESS}") ${FIELDS} location(address: "${ADDRESS}") { districts { name } } }`;
const LITERAL_POINT = `{ location(latitude: ${LATITUDE}, longitude: ${LONGITUDE}) { latitude longitude districts { name } } }`;
const LITERAL_POINTS = `{ locations(points: [{ latitude: ${LATITUDE}, longitude: ${LONGITUDE} }]) { districts { name } } }`;
const DEFAULT_POINT = `query ($y: Latitude! = ${LATITUDE}, $x: Longitude! = ${LONGITUDE}) { location(latitude: $y, longitude: $x) { districts { name } } }`;
const DEFAULT = `query ($a: String! = "${ADDRESS}") { geocode(text: $a) ${FIELDS} }`;
const POINT = `query ($x: Longitude!, $y: Latitude!) { location(longitude: $x, latitude: $y) { latitude longitude districts { name } ballot(electionDate: "2026-11-03") { date } } }`;
const persisted = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
});

/** Sends the address and the point in every way, several times, so that what is cached would be. */
async function sendEverything(): Promise<number[]> {
  const statuses: number[] = [];
  const text = encodeURIComponent(ADDRESS);
  for (let round = 0; round < 3; round++) {
    const requests = [
      () => post({ query: GEOCODE, variables: { a: ADDRESS } }),
      () => post({ query: LITERAL }),
      () => post({ query: DEFAULT }),
      () => post({ query: POINT, variables: { x: LONGITUDE, y: LATITUDE } }),
      () => post({ query: LITERAL_POINT }),
      () => post({ query: LITERAL_POINTS }),
      () => post({ query: DEFAULT_POINT }),
      ...[LITERAL, LITERAL_POINT, LITERAL_POINTS, DEFAULT_POINT].map(
        (text) => () => post({ query: text, extensions: persisted(text) }),
      ),
      () => post({ query: DEFAULT, extensions: persisted(DEFAULT) }),
      () => post({ query: POINT, variables: { x: LONGITUDE, y: LATITUDE }, extensions: persisted(POINT) }),
      () => get(query({ query: GEOCODE, variables: JSON.stringify({ a: ADDRESS }) })),
      () => get(query({ query: LITERAL })),
      () => get(`/data/geocode?text=${text}`),
      () => get(`/data/geocode?address=${text}`),
      () => get(`/data/geocode?text=${text}&first=999`),
      () => get(`/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}`),
      () => get(`/data/districts/point?lat=${ADDRESS}&long=${LONGITUDE}`),
      () => get(`/${text}`),
      // Values of another type, unknown fields and variables, a syntax error and a body that is no JSON.
      () => post({ query: GEOCODE, variables: { a: { text: ADDRESS } } }),
      () => post({ query: GEOCODE, variables: { b: ADDRESS } }),
      () => post({ query: POINT, variables: { x: ADDRESS, y: `${LATITUDE}x` } }),
      () => post({ query: GEOCODE, operationName: ADDRESS, variables: { a: ADDRESS } }),
      () => post({ query: `{ geocode(text: "${ADDRESS}", unknown: "${ADDRESS}") { ${STREET} } }` }),
      () => post({ query: `{ geocode(text: "${ADDRESS}` }),
      () => post({ query: `query ${STREET} { ${STREET}: __typename }` }),
      () =>
        service.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { ...headers(), 'content-type': 'application/json' },
          payload: `{"query": "${ADDRESS}`,
        }),
      () =>
        service.app.inject({
          url: '/data/geocode?text=x',
          headers: { ...headers(), referer: `http://x/${text}`, 'user-agent': STREET },
        }),
      () => service.app.inject({ url: `/data/geocode?text=${text}`, headers: { 'x-api-key': STREET } }),
      () => service.app.inject({ url: `/data/geocode?text=${text}` }),
    ];
    for (const send of requests) statuses.push((await send()).statusCode);
  }
  return statuses;
}

describe('an address and a point', () => {
  it('are in the responses, and errors of the database do not write them anywhere', async () => {
    const { data } = (await post({ query: GEOCODE, variables: { a: ADDRESS } })).json();
    expect(data.geocode.matches[0]).toMatchObject({ label: ADDRESS, point: { latitude: LATITUDE } });
    const statuses = await sendEverything();
    expect(new Set(statuses)).toEqual(new Set([200, 400, 401, 404]));
    await sql`alter table address_points rename to hidden_points`.execute(database.db);
    await sql`alter table boundary_pieces rename to hidden_pieces`.execute(database.db);
    const failed = await sendEverything();
    await sql`alter table hidden_points rename to address_points`.execute(database.db);
    await sql`alter table hidden_pieces rename to boundary_pieces`.execute(database.db);
    expect(failed).toContain(500);
  });

  it('are sent in requests that exceed a rate limit or are too many at once', async () => {
    const send = () =>
      service.app.inject({ url: `/data/geocode?text=${encodeURIComponent(ADDRESS)}`, headers: headers() });
    const crowd = await Promise.all(Array.from({ length: 200 }, send));
    expect(crowd.map(({ statusCode }) => statusCode)).toContain(429);
    await setPackage(database.db, { name: 'few', grants: ['districts'] });
    await setRateLimits(database.db, 'few', { perSecond: 1, burst: 1 });
    const key = await createApiKey(database.db, 'few');
    const text = encodeURIComponent(ADDRESS);
    const limited = [
      { url: `/data/geocode?text=${text}` },
      { url: `/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}` },
      { url: query({ query: LITERAL }) },
      { url: '/graphql', method: 'POST' as const, payload: { query: LITERAL_POINT } },
      { url: '/graphql', method: 'POST' as const, payload: { query: GEOCODE, variables: { a: ADDRESS } } },
    ];
    await service.app.inject({ url: '/data/geocode?text=x', headers: { 'x-api-key': key } });
    for (const request of limited) {
      const { statusCode, body } = await service.app.inject({ ...request, headers: { 'x-api-key': key } });
      expect(statusCode).toBe(429);
      expect(body).not.toMatch(TRACES);
    }
  });

  it('are not in the log, though failures are', () => {
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.some((line) => JSON.parse(line).level >= 50)).toBe(true);
    for (const code of ['RATE_LIMITED', 'TOO_MANY_AT_ONCE'])
      expect(lines.some((line) => JSON.parse(line).error === code)).toBe(true);
    expect(lines.filter((line) => TRACES.test(line))).toEqual([]);
  });

  it('are not in what the process writes', () => {
    expect(written.filter((text) => TRACES.test(text))).toEqual([]);
  });

  it('are not in the traces', async () => {
    await expect.poll(() => collected.join(''), { timeout: 10_000 }).toContain('places.addresses');
    // The spans of the last requests are sent after a delay.
    await expect.poll(() => collected.join('').includes('GET /data/geocode'), { timeout: 10_000 }).toBe(true);
    // Random ids contain the digits of a point now and then.
    const sent = collected.join('\n').replaceAll(/"(?:traceId|spanId|parentSpanId)":"[0-9a-f]+"/g, '');
    const at = sent.search(TRACES);
    expect(at === -1 ? '' : sent.slice(at - 100, at + 50)).toBe('');
  });

  it('are not in the metrics', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    expect(metrics).toContain('/data/geocode');
    expect(metrics.split('\n').filter((line) => TRACES.test(line))).toEqual([]);
  });

  it.skipIf(!hasRedis)(`are not in Redis, which caches responses about points (needs ${REDIS})`, async () => {
    const client = new Redis(REDIS_PORT, '127.0.0.1');
    const keys = (await client.keys('*')).sort();
    const values = await Promise.all(keys.map((key) => client.getBuffer(key).catch(() => Buffer.from(''))));
    client.disconnect();
    const all = [...keys, ...values.map((value) => value?.toString('latin1') ?? '')];
    expect(keys.length).toBeGreaterThan(0);
    expect(all.filter((text) => TRACES.test(text))).toEqual([]);
  });

  it('are parameters of statements, not in their text', async () => {
    const { rows } = await sql<{ query: string }>`
      select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    expect(rows.filter(({ query: text }) => TRACES.test(text))).toEqual([]);
  });

  it('are in documents that are sent by their hash if a client registers a point, but not if it registers an address', async () => {
    for (const text of [LITERAL, DEFAULT]) {
      const { errors } = (await post({ extensions: persisted(text) })).json();
      expect(errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
    for (const text of [POINT, LITERAL_POINT]) {
      const { data } = (await post({ extensions: persisted(text), variables: { x: LONGITUDE, y: LATITUDE } })).json();
      expect(data.location).toMatchObject({ latitude: LATITUDE });
    }
  });
});
