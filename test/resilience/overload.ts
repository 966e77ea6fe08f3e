import { setTimeout as sleep } from 'node:timers/promises';
import { arrive, type Outcome } from './support/arrivals.ts';
import { createClient, graphql, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, percentile, report, Tally } from './support/report.ts';
import { slowLinkTo } from './support/slow-link.ts';

// Sends ten times as many requests as the service can handle, at a constant rate, regardless of their outcome. The
// database is slow (each of its results is delayed by the given number of milliseconds) and the pool small, so that a
// generator on the same machine can send ten times the capacity. Nothing is cached, and every request needs a statement
// of its own.

const seconds = argument('seconds', 20);
const times = argument('times', 10);
const delayMs = argument('delay', 40);
const POOL_SIZE = 4;
const KEYS = 64;
const REQUEST_COUNT = 500;
/** Numbers of clients in closed loops; the fastest loop is the peak. */
const CONCURRENCIES = [POOL_SIZE, 2 * POOL_SIZE, 4 * POOL_SIZE, 8 * POOL_SIZE];
const NORMAL_LIMIT_MS = 5_000;
const WINDOW_MS = 250;

const postgres = await startPostgres();
// One after the other: each needs a separate connection.
const keys: string[] = [];
while (keys.length < KEYS) keys.push(await keyOf(postgres.url, 'full'));
const way = await slowLinkTo(postgres.url, delayMs);
const environment = {
  DATABASE_URL: way.url,
  POOL_SIZE: String(POOL_SIZE),
  RESPONSE_CACHE_BYTES: '0',
};
const gateway = await startGateway(environment);

/** Each request is for another name, so that no two share a response. */
const requests: TestRequest[] = Array.from({ length: REQUEST_COUNT }, (_, n) =>
  graphql('query ($name: String!) { people(name: $name) { edges { node { id: databaseId name } } } }', {
    name: `a${n}`,
  }),
);
const client = createClient(gateway.url);
// All keys are cached and the statement is prepared before anything is measured.
for (const [n, key] of keys.entries()) await client.send(requests[n] as TestRequest, key);

/**
 * Returns the responses per second for a number of clients that each send their next request after the previous
 * response.
 */
async function closedLoop(concurrency: number, ms: number): Promise<{ perSecond: number; times: number[] }> {
  const took: number[] = [];
  const end = performance.now() + ms;
  const one = async (n: number) => {
    for (let at = n; performance.now() < end; at += concurrency) {
      const began = performance.now();
      const { status } = await client.send(requests[at % REQUEST_COUNT] as TestRequest, keys[n % KEYS] ?? '');
      if (status === 200) took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, n) => one(n)));
  return { perSecond: (took.length * 1_000) / ms, times: took };
}

const loopMs = Math.max(2_000, (seconds * 1_000) / 4);
const peaks: number[] = [];
for (const concurrency of CONCURRENCIES) peaks.push((await closedLoop(concurrency, loopMs)).perSecond);
const peak = Math.max(...peaks);
const calm = await closedLoop(1, loopMs / 2);
const calmP95 = percentile(calm.times, 95);

const usual = process.cpuUsage();
const outcomes = await arrive({ url: gateway.url, requests, keys, perSecond: times * peak, seconds });

/** Returns how long after the overload requests take as long as before it, in three consecutive windows. */
async function untilNormal(): Promise<number> {
  const began = performance.now();
  let normalSince: number | undefined;
  while (performance.now() - began < 30_000) {
    const since = performance.now();
    const { times: took } = await closedLoop(1, WINDOW_MS);
    const isNormal = took.length > 0 && percentile(took, 50) <= 2 * calmP95;
    normalSince = isNormal ? (normalSince ?? since) : undefined;
    if (normalSince !== undefined && performance.now() - normalSince > 3 * WINDOW_MS) return normalSince - began;
  }
  return Number.POSITIVE_INFINITY;
}
// The generator has waited for the last responses: this time counts too.
const lastDue = Math.max(...outcomes.map(({ dueMs }) => dueMs));
const lastEnd = Math.max(...outcomes.map(({ dueMs, ms }) => dueMs + ms));
const normalMs = lastEnd - lastDue + (await untilNormal());
await sleep(200);
client.close();
const exitCode = await gateway.stop();
way.close();
await postgres.remove();

/** The duration of each rejected request in the log, from its arrival at the server to its response. */
const serverMs = new Map<string, number>();
for (const line of gateway.lines.filter((text) => text.startsWith('{') && text.includes('"route"'))) {
  const { request_id: id, ms } = JSON.parse(line);
  serverMs.set(id, ms);
}
const good = outcomes.filter(({ status, dueMs, ms }) => status === 200 && dueMs + ms <= lastDue);
const rejected = outcomes.filter(({ status }) => status !== 200);
const msOf = (which: readonly Outcome[]) => which.flatMap(({ id }) => serverMs.get(id) ?? []);
const goodput = (good.length * 1_000) / lastDue;
const codes = new Tally();
for (const { status, code } of outcomes) codes.add(`${status} ${code}`.trim());
const rejectedServerP99 = percentile(msOf(rejected), 99);
const round = (value: number) => Math.round(value * 10) / 10;
/** Returns a percentile of the durations by the clock of the clients. */
const clockMs = (which: readonly Outcome[], percent: number) =>
  round(
    percentile(
      which.map(({ ms }) => ms),
      percent,
    ),
  );
report(
  'ten times the capacity',
  {
    peaks: Object.fromEntries(CONCURRENCIES.map((concurrency, at) => [concurrency, round(peaks[at] ?? 0)])),
    arrivalsPerSecond: round((outcomes.length * 1_000) / lastDue),
    times: round((outcomes.length * 1_000) / lastDue / peak),
    goodput: round(goodput),
    goodputPercent: round((goodput / peak) * 100),
    codes,
    rejected: rejected.length,
    rejectedInLog: msOf(rejected).length,
    rejectedServerMs: { p50: percentile(msOf(rejected), 50), p99: rejectedServerP99 },
    rejectedClientMs: {
      p50: clockMs(rejected, 50),
      p99: clockMs(rejected, 99),
    },
    goodMs: {
      p50: clockMs(good, 50),
      p99: clockMs(good, 99),
    },
    calmP95Ms: round(calmP95),
    normalMs: round(normalMs),
    generatorLateMs: round(
      percentile(
        outcomes.map(({ lateMs }) => lateMs),
        99,
      ),
    ),
    ownCpuMs: Math.round(process.cpuUsage(usual).user / 1_000),
    exitCode,
  },
  {
    'the given number arrived, and most were rejected':
      outcomes.length / (lastDue / 1_000) > 0.9 * times * peak && rejected.length > outcomes.length / 2,
    'every rejection is a 503, and in the log':
      rejected.every(({ status }) => status === 503) && msOf(rejected).length === rejected.length,
    'goodput of at least 80 % of the peak': goodput >= 0.8 * peak,
    'rejections within 50 ms': rejectedServerP99 <= 50,
    'normal within 5 seconds': normalMs <= NORMAL_LIMIT_MS,
    'exits with 0': exitCode === 0,
  },
);
