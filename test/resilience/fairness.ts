import { setTimeout as sleep } from 'node:timers/promises';
import { codeIn, createClient, graphql, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { type GreedyCounts, type GreedyRun, startGreedy } from './support/greedy.ts';
import { addHeavyCountry, HEAVY_ELECTION, longestName, nameOfHolder, pointIn } from './support/heavy-country.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, percentile, report, Tally, textArgument } from './support/report.ts';

// One key sends the most expensive allowed requests at its limits, while another key probes the service with one small
// request after the other. Limits and cache are those of `npm start`.

const isQuick = process.argv.includes('--quick');
const seconds = argument('seconds', isQuick ? 2 : 15);
const only = textArgument('only', '');
/** The maximum slowdown of the probes at the 95th percentile. */
const MOST_RATIO = 3;
/** Times below this are counted as this: on a shared machine, a few milliseconds are noise. */
const BASELINE_MS = argument('floor', 10);
const PAUSE_MS = 10;
const IN_FLIGHT_PER_KEY = 8;
const NAME_LENGTH = argument('name-length', 100);

/** The number of variants of a query, so that few responses come from the cache. */
const VARIANTS = 40;
const variants = (queryOf: (variant: number) => TestRequest) => Array.from({ length: VARIANTS }, (_, n) => queryOf(n));
const aliases = (count: number, field: (alias: number) => string) =>
  Array.from({ length: count }, (_, n) => `a${n}:${field(n)}`).join(' ');
const GREEDY: Readonly<
  Record<string, Omit<GreedyRun, 'url' | 'key' | 'connections'> & { connections?: number; withoutKey?: boolean }>
> = {
  'lists with identifiers and sources': {
    requests: variants((n) =>
      graphql(
        `{${aliases(28, () => `districts(name:"a",first:${100 - n}){totalCount edges{node{identifiers{scheme value} sources{name}}}}`)}}`,
      ),
    ),
  },
  'ballots of a state with areas': {
    requests: variants((n) => graphql(`{${aliases(10, () => stateBallot(n))}}`)),
  },
  'ballots of a state, four': {
    requests: variants((n) => graphql(`{${aliases(4, () => stateBallot(n))}}`)),
  },
  'geometries simplified': {
    requests: variants((n) =>
      graphql(
        `{districts(state:"AA",types:[STATE_LEGISLATIVE_LOWER],first:60){edges{node{boundary{${aliases(2, (m) => `geometry(tolerance:${100 + 2 * n + m})`)}}}}}}`,
      ),
    ),
  },
  'geometries by way of people': {
    requests: variants((n) =>
      graphql(
        `{people(name:"${nameOfHolder(n)}",first:1){edges{node{officeholders{office{district{boundary{geometry}}}}}}}}`,
      ),
    ),
    headers: { 'accept-encoding': 'gzip' },
  },
  'long names': {
    requests: [
      graphql(`query($n:String!){${aliases(28, () => 'districts(name:$n){totalCount}')}}`, {
        n: longestName(NAME_LENGTH),
      }),
    ],
  },
  'many points': {
    requests: Array.from({ length: 50 }, (_, n) =>
      graphql(
        `query($p:[PointInput!]!){locations(points:$p){districts{id: databaseId name offices{id: databaseId name officeholders{id: databaseId person{name}}}}}}`,
        { p: Array.from({ length: 100 }, (__, m) => movedPoint(n * 100 + m)) },
      ),
    ),
  },
  'exports, 256 at once': {
    requests: exportsOf(['district-boundaries', 'candidates-of-date', 'districts', 'race-results']),
    connections: 256,
  },
  'exports of clients that leave': {
    requests: exportsOf(['district-boundaries', 'race-results']),
    connections: 64,
    leaveAfterMs: 300,
  },
  'pages of GraphiQL, without a key': {
    requests: [{ path: '/graphql' }],
    headers: { accept: 'text/html', 'accept-encoding': 'br' },
    connections: 16,
    withoutKey: true,
  },
};

function stateBallot(variant: number): string {
  return `stateBallot(state:"AA",electionDate:"${HEAVY_ELECTION}",first:${100 - variant}){edges{node{district{name boundary{area}} races{id: databaseId type candidates{id: databaseId votes share isWinner person{name}}}}}}`;
}

function exportsOf(ids: readonly string[]): TestRequest[] {
  return ids.flatMap((id) =>
    ['csv', 'json', 'ndjson'].map((format) => ({ path: '/getQueryResults', body: JSON.stringify({ id, format }) })),
  );
}

/** Returns a point that differs for each n, so that none is served from the cache by its coordinates alone. */
function movedPoint(n: number): { latitude: number; longitude: number } {
  const { latitude, longitude } = pointIn(n % 400);
  return { latitude: latitude + ((n * 13) % 97) / 10_000, longitude: longitude + ((n * 31) % 89) / 10_000 };
}

const PROBES: readonly ((n: number) => TestRequest)[] = [
  (n) => {
    const { latitude, longitude } = movedPoint(n);
    return { path: `/data/districts/point?lat=${latitude.toFixed(5)}&long=${longitude.toFixed(5)}` };
  },
  (n) =>
    graphql(
      `query($a:Latitude!,$b:Longitude!){location(latitude:$a,longitude:$b){ballot(electionDate:"${HEAVY_ELECTION}"){districts{district{name} races{id: databaseId type candidates{id: databaseId person{name}}}}}}}`,
      { a: movedPoint(n).latitude, b: movedPoint(n).longitude },
    ),
];

const postgres = await startPostgres();
await addHeavyCountry(postgres.url);
const [politeKey, greedyKey] = [await keyOf(postgres.url, 'full'), await keyOf(postgres.url, 'full')];
const gateway = await startGateway({ DATABASE_URL: postgres.url, TODAY: '2024-10-01' });
const client = createClient(gateway.url);
const failures = new Tally();
let probes = 0;

/**
 * Sends probes of each kind in turn for the given number of seconds. Returns their durations in milliseconds, by kind.
 */
async function probe(forSeconds: number, load = 'alone'): Promise<number[][]> {
  const times: number[][] = PROBES.map(() => []);
  for (const end = performance.now() + forSeconds * 1_000; performance.now() < end; await sleep(PAUSE_MS)) {
    const kind = probes % PROBES.length;
    const began = performance.now();
    try {
      const { status, text } = await client.send(PROBES[kind]?.(probes) as TestRequest, politeKey);
      if (status !== 200 || text.includes('"errors"')) failures.add(`${load}: ${status} ${codeIn(text)}`);
    } catch (error) {
      failures.add(`${load}: ${error instanceof Error ? error.message : String(error)}`);
    }
    times[kind]?.push(performance.now() - began);
    probes++;
  }
  return times;
}

// Warms the service up before anything is measured.
await probe(isQuick ? 3 : 5);
const alone: number[][] = PROBES.map(() => []);
const duringLoad: Record<string, { times: number[][]; counts: GreedyCounts }> = {};
for (const [name, run] of Object.entries(GREEDY).filter(([name]) => name.includes(only))) {
  // Alternating with the loads, so that both are measured under the same conditions.
  for (const [kind, times] of (await probe(Math.max(1, seconds / 4))).entries()) alone[kind]?.push(...times);
  const greedy = startGreedy({
    connections: IN_FLIGHT_PER_KEY,
    ...run,
    url: gateway.url,
    key: run.withoutKey ? undefined : greedyKey,
  });
  await sleep(isQuick ? 500 : 1_000);
  const times = await probe(seconds, name);
  const counts = await greedy.stop();
  duringLoad[name] = { times, counts };
  await untilCalm();
}

/** Waits until the requests that the greedy key has started are finished. */
async function untilCalm(): Promise<void> {
  for (let [calm, tries] = [0, 0]; calm < 5 && tries < 100; tries++) {
    const began = performance.now();
    await client.send(PROBES[0]?.(probes++) as TestRequest, politeKey);
    calm = performance.now() - began < 2 * BASELINE_MS ? calm + 1 : 0;
    await sleep(50);
  }
}

client.close();
const exitCode = await gateway.stop();
await postgres.remove();

const round = (value: number) => Math.round(value * 10) / 10;
const figuresOf = (times: readonly number[]) => ({
  count: times.length,
  p50: round(percentile(times, 50)),
  p95: round(percentile(times, 95)),
});
const ratioOf = (times: readonly number[], kind: number) =>
  percentile(times, 95) / Math.max(BASELINE_MS, percentile(alone[kind] ?? [], 95));
report(
  'fairness between keys',
  {
    seconds,
    alone: alone.map(figuresOf),
    duringLoad: Object.fromEntries(
      Object.entries(duringLoad).map(([name, { times, counts }]) => [
        name,
        {
          probes: times.map(figuresOf),
          ratio: times.map((each, kind) => round(ratioOf(each, kind))),
          greedy: counts,
        },
      ]),
    ),
    failures,
    exitCode,
  },
  {
    'no probe fails': JSON.stringify(failures) === '{}',
    ...Object.fromEntries(
      Object.entries(duringLoad).map(([name, { times }]) => [
        `p95 during "${name}" at most ${MOST_RATIO} times that alone`,
        times.every((each, kind) => each.length > 0 && ratioOf(each, kind) <= MOST_RATIO),
      ]),
    ),
    'each load was allowed and answered': Object.values(duringLoad).every(
      ({ counts }) => (counts[200] ?? 0) > 0 && (counts[400] ?? 0) === 0,
    ),
    'exits with 0': exitCode === 0,
  },
);
