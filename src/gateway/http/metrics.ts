import { createServer } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Caches } from '../../base/lru-caches.ts';
import type { OnLookup } from '../../store/reading/lookup-cache.ts';
import type { ObserveStatement } from '../../store/reading/observe-statement.ts';
import type { RejectedValues } from '../redis/rejected-values.ts';
import { createOperationLabels } from './operation-labels.ts';

export interface Metrics {
  readonly observeStatement: ObserveStatement;
  readonly observeKeyLookup: OnLookup;
  countPlannerFailure(): void;
  /** Returns all metrics in the text format of Prometheus. */
  print(): Promise<string>;
}

export interface MetricSources {
  readonly pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  /** Returns the number of request statements that are queued for a connection. */
  waiting(): number;
  inFlight(): number;
  /** Returns the number of requests that wait for changes. */
  readers(): number;
  readonly caches: Caches;
  /** Values in Redis that were rejected. */
  readonly rejected: RejectedValues;
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates the metrics of a gateway: counters and durations. All label values come from bounded sets: routes, statuses,
 * trusted documents, a hundred hashes of other documents, names of statements, error codes. Nothing that a caller sends
 * becomes a label.
 */
export function createMetrics(
  app: FastifyInstance,
  { pool, waiting, inFlight, readers, caches, rejected }: MetricSources,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metric = (name: string, help: string) => ({ name: `ballotgraph_${name}`, help, registers: [registry] });
  const requests = new Counter({
    ...metric(
      'requests_total',
      'Requests by surface, route or document (trusted: its name, else a hash without literals), and status.',
    ),
    labelNames: ['surface', 'operation', 'status'],
  });
  const times = new Histogram({
    ...metric(
      'request_seconds',
      'From the first byte of a request to the end of its response, unless it waited for changes.',
    ),
    labelNames: ['surface'],
    buckets: SECONDS,
  });
  const rejections = new Counter({
    ...metric('refusals_total', 'Requests that failed, by error code.'),
    labelNames: ['reason'],
  });
  const statements = new Histogram({
    ...metric('statement_seconds', 'Statements of requests by name, with their waiting for a connection.'),
    labelNames: ['statement', 'outcome'],
    buckets: SECONDS,
  });
  const waits = new Histogram({
    ...metric('pool_wait_seconds', 'How long statements of requests waited for a connection.'),
    buckets: SECONDS,
  });
  new Gauge({
    ...metric('pool_connections', 'Connections to the database, and requests that wait for one.'),
    labelNames: ['state'],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waited_for' }, pool.waitingCount + waiting());
    },
  });
  new Gauge({
    ...metric('in_flight', 'Requests with a key under way.'),
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({
    ...metric('readers', 'Requests that wait for changes of the data: subscriptions, and REST with `wait`.'),
    collect() {
      this.set(readers());
    },
  });

  const keyLookups = new Histogram({
    ...metric('key_lookup_seconds', 'Key lookups in the database; recently used keys are cached.'),
    labelNames: ['outcome'],
    buckets: SECONDS,
  });
  const plannerFailures = new Counter(
    metric(
      'planner_failures_total',
      'Compiled parts of operations that failed because of an error in the query planner.',
    ),
  );
  measureCaches(caches, metric);
  new Counter({
    ...metric('redis_rejected_values_total', 'Values in Redis that no gateway has written, and that were ignored.'),
    labelNames: ['kind'],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(rejected.counts)) this.inc({ kind }, count);
    },
  });
  const labelOf = createOperationLabels();

  app.addHook('onRequest', (request, reply, done) => {
    const stop = times.startTimer();
    reply.raw.once('close', () => {
      const route = request.routeOptions.url ?? 'none';
      const surface = surfaceOf(route);
      const operation = surface === 'graphql' ? operationLabel(request, labelOf) : route;
      const status = reply.raw.writableEnded ? String(reply.statusCode) : 'aborted';
      requests.inc({ surface, operation, status });
      if (!request.hasWaited) stop({ surface });
      if (request.errorCode) rejections.inc({ reason: request.errorCode });
    });
    done();
  });

  return {
    observeStatement(statement) {
      const stop = statements.startTimer({ statement });
      const stopWaiting = waits.startTimer();
      let isWaiting = true;
      const connected = () => {
        if (isWaiting) stopWaiting();
        isWaiting = false;
      };
      return {
        connected,
        ended(error) {
          connected();
          stop({ outcome: error === undefined ? 'done' : 'failed' });
        },
      };
    },
    observeKeyLookup: (ms, outcome) => keyLookups.observe({ outcome }, ms / 1_000),
    countPlannerFailure: () => plannerFailures.inc(),
    print: () => registry.metrics(),
  };
}

type Describe = (name: string, help: string) => { name: string; help: string; registers: Registry[] };

/** Reads the counters of the caches when the metrics are collected. */
function measureCaches(caches: Caches, metric: Describe): void {
  new Counter({
    ...metric('cache_lookups_total', 'Cache lookups, by outcome.'),
    labelNames: ['cache', 'outcome'],
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of caches) {
        this.inc({ cache, outcome: 'hit' }, hits);
        this.inc({ cache, outcome: 'miss' }, misses);
      }
    },
  });
  new Counter({
    ...metric('cache_evictions_total', 'Entries that were dropped to make room.'),
    labelNames: ['cache'],
    collect() {
      this.reset();
      for (const [cache, { evictions }] of caches) this.inc({ cache }, evictions);
    },
  });
  new Gauge({
    ...metric('cache_entries', 'Cached entries.'),
    labelNames: ['cache'],
    collect() {
      for (const [cache, { entries }] of caches) this.set({ cache }, entries);
    },
  });
  new Gauge({
    ...metric('cache_bytes', 'What the entries take, as the cache reckons it (persisted queries: characters).'),
    labelNames: ['cache'],
    collect() {
      for (const [cache, { amount }] of caches) if (cache !== 'plans') this.set({ cache }, amount);
    },
  });
}

function operationLabel(request: FastifyRequest, labelOf: (label: string) => string): string {
  const { trustedName, label } = request.operation ?? {};
  return trustedName ?? (label === undefined ? 'other' : labelOf(label));
}

function surfaceOf(route: string): string {
  if (route === '/graphql') return 'graphql';
  if (route.startsWith('/data/')) return 'rest';
  if (route.startsWith('/tiles/')) return 'tiles';
  return /^\/(getQuery|files)/.test(route) ? 'bulk' : 'page';
}

/**
 * Serves the metrics on a separate port: they need no API key, and stay private if the gateway is public.
 * @throws Error if the port is in use.
 */
export async function serveMetrics(metrics: Metrics, at: { host: string; port: number }): Promise<() => void> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.print().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, resolve));
  server.unref();
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
