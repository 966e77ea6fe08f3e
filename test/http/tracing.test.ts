import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector that takes OTLP over HTTP as JSON. */
class Collector {
  readonly server: Server;
  readonly bodies: string[] = [];

  constructor() {
    this.server = createServer(async (request, response) => {
      request.setEncoding('utf8');
      let body = `${request.method} ${request.url}\n`;
      for await (const text of request) body += text;
      this.bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get spans(): SentSpan[] {
    return this.bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body.slice(body.indexOf('\n')));
      return resourceSpans.flatMap((each: { scopeSpans: { spans: SentSpan[] }[] }) =>
        each.scopeSpans.flatMap(({ spans }) => spans),
      );
    });
  }

  /** The spans of the last trace that a request began, once all of them have arrived. */
  async traceOf(name: string): Promise<SentSpan[]> {
    const rootOf = () => this.spans.findLast((span) => span.name === name);
    await expect.poll(rootOf, { timeout: 5_000 }).toBeDefined();
    return this.spans.filter((span) => span.traceId === rootOf()?.traceId);
  }
}

const collector = new Collector();
const address = await collector.start();
afterAll(() => {
  collector.server.close();
  vi.unstubAllEnvs();
});

const VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '50',
};
// The packages of OpenTelemetry read the environment of the process themselves.
for (const [name, value] of Object.entries(VARIABLES)) vi.stubEnv(name, value);

const database = useDatabase();
const service = useApp(database, { ...VARIABLES, RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'true' });
beforeAll(() => createWorld(database.db));

const [LATITUDE, LONGITUDE, CANARY] = [42.123987, -97.987123, 'canaryCanary'];
const attributesOf = (span: SentSpan | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) ?? []);

describe('traces', () => {
  it('contain a request, its operation, its statements and their waiting for a connection', async () => {
    const url = `/data/districts/point?lat=${LATITUDE}&long=${LONGITUDE}`;
    const { headers } = await service.app.inject({ url, headers: { 'x-api-key': service.key('full') } });
    const spans = await collector.traceOf('GET /data/districts/point');
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [request] = named('GET /data/districts/point');
    const [operation] = named('graphql.operation');
    const [statement] = named('Location.districtsWithBoundary');
    expect(request).toMatchObject({ kind: 2 });
    expect(request?.parentSpanId ?? '').toBe('');
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/data/districts/point',
      'http.response.status_code': 200,
      'ballotgraph.package': 'full',
      'ballotgraph.request_id': headers['x-request-id'],
    });
    expect(operation?.parentSpanId).toBe(request?.spanId);
    expect(statement).toMatchObject({ kind: 3, parentSpanId: operation?.spanId });
    expect(attributesOf(statement)).toEqual({
      'db.system.name': 'postgresql',
      'db.query.summary': 'Location.districtsWithBoundary',
    });
    expect(named('pool.wait').map((span) => span.parentSpanId)).toContain(statement?.spanId);
    const sent = collector.bodies.join('\n');
    expect(sent).toContain('POST /v1/traces');
    expect(sent).toContain('"service.name","value":{"stringValue":"ballotgraph"}');
    expect(sent).toContain('deployment.environment.name');
  });

  it('continue the trace of W3C headers, and start a new one if those are invalid', async () => {
    const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    for (const traceparent of [`00-${traceId}-${parentId}-01`, `00-${CANARY}-${parentId}-01`]) {
      await service.app.inject({ url: '/openapi.json', headers: { traceparent, tracestate: `a=${CANARY}` } });
    }
    const requests = () => collector.spans.filter((span) => span.name === 'GET /openapi.json');
    await expect.poll(() => requests().length, { timeout: 5_000 }).toBe(2);
    expect(requests()[0]).toMatchObject({ traceId, parentSpanId: parentId });
    expect(requests()[1]?.traceId).not.toBe(traceId);
  });

  it('contain the error codes of requests and statements', async () => {
    const key = service.key('full');
    await service.app.inject({ url: '/data/districts/point?lat=x&long=1', headers: { 'x-api-key': key } });
    const [rejected] = await collector.traceOf('GET /data/districts/point');
    await expect
      .poll(() => collector.spans.map((span) => attributesOf(span)['ballotgraph.refusal']))
      .toContain('INVALID_PARAMETER');
    expect(rejected?.status.code ?? 0).toBe(0);

    await sql`alter table candidates rename to hidden`.execute(database.db);
    const query = '{ candidate(databaseId: 1) { id: databaseId } }';
    const payload = { query };
    await service.app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key }, payload });
    await sql`alter table hidden rename to candidates`.execute(database.db);
    await expect
      .poll(() =>
        collector.spans.filter((span) => span.status.code === 2).map((span) => attributesOf(span)['error.type']),
      )
      .toContain('42P01');
  });

  it('contain nothing that callers send, and no text of a statement', async () => {
    const key = service.key('full');
    const query = `query ${CANARY} ($l: Latitude!) { location(latitude: $l, longitude: ${LONGITUDE}) { ${CANARY}: districts { id: databaseId } } people(name: "${CANARY}") { totalCount } }`;
    const headers = { 'x-api-key': key, referer: CANARY, 'user-agent': CANARY };
    const payload = { query, operationName: CANARY, variables: { l: LATITUDE } };
    expect((await service.app.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode).toBe(200);
    await service.app.inject({ url: `/${CANARY}/${key}?lat=${LATITUDE}`, headers });
    await service.app.inject({ url: `/files/${CANARY}/${key}?${CANARY}=${key}`, headers });
    await service.app.inject({ url: `/data/districts/point?lat=${LATITUDE}&${CANARY}=${key}`, headers });
    // The spans of the last request are the last that are sent.
    await service.app.inject('/docs');
    await collector.traceOf('GET /docs');
    expect(collector.spans.map((span) => span.name)).toContain('GET /files/*');
    const sent = collector.bodies.join('\n');
    expect(sent).not.toMatch(/canary|42\.1239|97\.9871|\bselect\b|\bfrom\b/i);
    expect(sent).not.toContain(key.slice(12));
  });

  it('omit requests of supervisors', async () => {
    await service.app.inject('/health');
    await service.app.inject('/');
    await collector.traceOf('GET /');
    expect(collector.spans.map((span) => span.name)).not.toContain('GET /health');
  });
});

describe('tracing is disabled', () => {
  it('by default, and then no package of OpenTelemetry is loaded', async () => {
    const program = `
      const { createRequire } = await import('node:module');
      const { pino } = await import('pino');
      const { buildApp } = await import('./src/gateway/app.ts');
      const { createClock } = await import('./src/base/clock.ts');
      const { readConfig } = await import('./src/base/config/config.ts');
      const { backendOver } = await import('./src/store/backend.ts');
      const config = readConfig(process.env);
      const at = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
      const backend = backendOver('server', { at, size: 1, statementTimeoutMs: 0, waitMs: 200 });
      const app = await buildApp({ config, backend, logger: pino({ level: 'silent' }), clock: createClock(config.clock) });
      await app.inject('/openapi.json');
      const loaded = Object.keys(createRequire(process.cwd() + '/x.js').cache);
      console.log(loaded.length, loaded.filter((name) => name.includes('@opentelemetry/')).length);
      process.exit();`;
    const loadedWith = async (env: Record<string, string>) => {
      const given = { env: { PATH: process.env.PATH, ...env } };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], given);
      return stdout.trim().split(' ').map(Number) as [all: number, tracing: number];
    };
    const [all, tracing] = await loadedWith({});
    expect(all).toBeGreaterThan(100);
    expect(tracing).toBe(0);
    expect((await loadedWith({ OTEL_TRACES_EXPORTER: 'otlp' }))[1]).toBeGreaterThan(50);
  }, 60_000);

  it.each([
    [{}, undefined],
    [{ OTEL_SERVICE_NAME: 'a' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: address }, undefined],
    [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: address }, undefined],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address }, { protocol: 'http/protobuf', serviceName: 'ballotgraph' }],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SERVICE_NAME: 'a', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      { protocol: 'http/json', serviceName: 'a' },
    ],
  ])('by the variables: %j', (variables, expected) => {
    expect(readConfig(variables).tracing).toEqual(expected);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost' }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be an address/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER: must be otlp or none/],
  ])('rejects unsupported values: %j', (variables, message) => {
    expect(() => readConfig(variables)).toThrow(message);
  });
});
