import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';
import { codeIn, createClient, graphql, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { type GreedyCounts, startGreedy } from './support/greedy.ts';
import { type GreedyLoad, heavyLoads, type LoadTargets, loadsOf, movedPoint } from './support/greedy-loads.ts';
import { addHeavyCountry, HEAVY_ELECTION } from './support/heavy-country.ts';
import { type LoopFigures, loopDelay, MEASURED } from './support/loop-delay.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, percentile, report, Tally, textArgument } from './support/report.ts';

// One key sends the most expensive allowed requests at its limits, or clients without a key do, while another key probes
// the service with one small request after the other. Limits and cache are those of `npm start`.

const isQuick = process.argv.includes('--quick');
const seconds = argument('seconds', isQuick ? 2 : 15);
const only = textArgument('only', '');
/** A database with data, in which keys are created; without it, the heavy country in a PostgreSQL of its own. */
const database = textArgument('database', '');
/** The maximum slowdown of the probes at the 95th percentile. */
const MOST_RATIO = 3;
/** The loads whose requests are small, and take long to read: one of them may hold the event loop only for so long, and take so much memory. */
const SMALL_DOCUMENTS = 'new documents: ';
const MOST_WORKED_MS = 50;
const MOST_MEMORY = 100;
/** Times below this are counted as this: on a shared machine, a few milliseconds are noise. */
const BASELINE_MS = argument('floor', 10);
const PAUSE_MS = 10;
const IN_FLIGHT_PER_KEY = 8;

const postgres = database ? undefined : await startPostgres();
const url = postgres?.url ?? database;
if (postgres) await addHeavyCountry(url);
const [politeKey, greedyKey] = [await keyOf(url, 'full'), await keyOf(url, 'full')];
const { isHeavy, targets, points } = await readFacts();
const gateway = await startGateway({ DATABASE_URL: url, ...(isHeavy && { TODAY: '2024-10-01' }) }, MEASURED);
const client = createClient(gateway.url);
const failures = new Tally();
let probes = 0;

type Point = ReturnType<typeof movedPoint>;

/** Reads what the loads and the probes ask for. */
async function readFacts(): Promise<{ isHeavy: boolean; targets: LoadTargets; points: readonly Point[] }> {
  const db = openDatabase(openPool({ at: { connectionString: url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  try {
    const targets = {
      outlines: await readOutlines(db),
      largest: await readLargest(db),
      rectangle: await readRectangle(db),
    };
    const { rows } = await sql`select from boundaries where digest = 'heavy 0'`.execute(db);
    const isHeavy = rows.length > 0;
    return { isHeavy, targets, points: await readPoints(db, isHeavy) };
  } finally {
    await db.destroy();
  }
}

async function readOutlines(db: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from boundaries where ST_NPoints(geometry) between 2000 and 4000 order by id`.execute(db);
  return rows.map(({ id }) => id);
}

async function readLargest(db: Database): Promise<LoadTargets['largest']> {
  const { rows } = await sql<LoadTargets['largest'][number]>`
    select id as boundary, district_id as district from boundaries
    where end_date is null order by ST_NPoints(geometry) desc, id limit 20`.execute(db);
  return rows;
}

/** Returns a rectangle of five degrees around the middle of a boundary with many vertices. */
async function readRectangle(db: Database): Promise<LoadTargets['rectangle']> {
  const { rows } = await sql<Point>`
    select ST_Y(ST_PointOnSurface(geometry)) as latitude, ST_X(ST_PointOnSurface(geometry)) as longitude
    from boundaries order by ST_NPoints(geometry) desc, id offset 10 limit 1`.execute(db);
  const { latitude, longitude } = rows[0] ?? { latitude: 42, longitude: -98 };
  return { south: latitude - 2.5, north: latitude + 2.5, west: longitude - 2.5, east: longitude + 2.5 };
}

async function readPoints(db: Database, isHeavy: boolean): Promise<readonly Point[]> {
  if (isHeavy) return Array.from({ length: 5_000 }, (_, n) => movedPoint(n));
  const { rows } = await sql<Point>`
    select ST_Y(point) as latitude, ST_X(point) as longitude
    from (select id, geometry from boundaries order by md5(id::text) limit 2000) boundary
    cross join lateral ST_PointOnSurface(geometry) point order by md5(boundary.id::text)`.execute(db);
  return rows;
}

const pointOf = (n: number) => points[n % points.length] as Point;
const PROBES: readonly ((n: number) => TestRequest)[] = [
  (n) => {
    const { latitude, longitude } = pointOf(n);
    return { path: `/data/districts/point?lat=${latitude.toFixed(5)}&long=${longitude.toFixed(5)}` };
  },
  (n) =>
    graphql(
      `query($a:Latitude!,$b:Longitude!){location(latitude:$a,longitude:$b){ballot(electionDate:"${HEAVY_ELECTION}"){districts{district{name} races{id: databaseId type candidates{id: databaseId person{name}}}}}}}`,
      { a: pointOf(n).latitude, b: pointOf(n).longitude },
    ),
];

/**
 * Returns the milliseconds for which the gateway and this program have been ready and waited for a processor, which other programs
 * of the machine had; 0 where Linux does not say it.
 */
function waitedMs(): number {
  const waited = [gateway.pid, process.pid].map((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  });
  return waited.reduce((sum, ms) => sum + ms, 0);
}

/**
 * Sends probes of each kind in turn for the given number of seconds. Returns their durations in milliseconds, by kind, without the
 * time for which processors were busy with other programs.
 */
async function probe(forSeconds: number, load = 'alone'): Promise<number[][]> {
  const times: number[][] = PROBES.map(() => []);
  for (const end = performance.now() + forSeconds * 1_000; performance.now() < end; await sleep(PAUSE_MS)) {
    const kind = probes % PROBES.length;
    const [began, waited] = [performance.now(), waitedMs()];
    try {
      const { status, text } = await client.send(PROBES[kind]?.(probes) as TestRequest, politeKey);
      if (status !== 200 || text.includes('"errors"')) failures.add(`${load}: ${status} ${codeIn(text)}`);
    } catch (error) {
      failures.add(`${load}: ${error instanceof Error ? error.message : String(error)}`);
    }
    times[kind]?.push(performance.now() - began - (waitedMs() - waited));
    probes++;
  }
  return times;
}

/** Waits until the requests that the load has started are finished. */
async function untilCalm(): Promise<void> {
  for (let [calm, tries] = [0, 0]; calm < 5 && tries < 100; tries++) {
    const began = performance.now();
    await client.send(PROBES[0]?.(probes++) as TestRequest, politeKey);
    calm = performance.now() - began < 2 * BASELINE_MS ? calm + 1 : 0;
    await sleep(50);
  }
}

// Warms the service up before anything is measured.
await probe(isQuick ? 3 : 5);
const alone: number[][] = PROBES.map(() => []);
interface Measured {
  readonly name: string;
  readonly load: GreedyLoad;
  readonly times: number[][];
  readonly counts: GreedyCounts;
  readonly loop: LoopFigures;
  /** Resident memory before the load, in MiB. */
  readonly idleMemory: number;
}
const duringLoad: Measured[] = [];

const loads = { ...(isHeavy && heavyLoads(argument('name-length', 100))), ...loadsOf(targets) };
for (const [name, load] of Object.entries(loads).filter(([name]) => name.includes(only))) {
  // Alternating with the loads, so that both are measured under the same conditions.
  for (const [kind, times] of (await probe(Math.max(1, seconds / 4))).entries()) alone[kind]?.push(...times);
  const { rss: idleMemory } = await loopDelay(gateway);
  const greedy = startGreedy({
    connections: IN_FLIGHT_PER_KEY,
    ...load,
    url: gateway.url,
    key: load.withoutKey ? undefined : greedyKey,
  });
  await sleep(isQuick ? 500 : 1_000);
  const times = await probe(seconds, name);
  const counts = await greedy.stop();
  duringLoad.push({ name, load, times, counts, loop: await loopDelay(gateway), idleMemory });
  await untilCalm();
}

client.close();
const exitCode = await gateway.stop();
await postgres?.remove();

const round = (value: number) => Math.round(value * 10) / 10;
const figuresOf = (times: readonly number[]) => ({
  count: times.length,
  p50: round(percentile(times, 50)),
  p95: round(percentile(times, 95)),
  max: round(Math.max(...times)),
});
const ratioOf = (times: readonly number[], kind: number) =>
  round(percentile(times, 95) / Math.max(BASELINE_MS, percentile(alone[kind] ?? [], 95)));
const ratiosOf = (times: readonly (readonly number[])[]) => times.map(ratioOf);
/** Whether the load was allowed: answered, or refused as a whole by the cost of its operations or the rate of its requests. */
const isAnswered = ({ load, counts }: (typeof duringLoad)[number]) =>
  load.mayBeRefused ? Object.keys(counts).length > 1 : (counts[200] ?? 0) > 0 && (counts[400] ?? 0) === 0;

writeTable();
report(
  'fairness between keys',
  {
    seconds,
    alone: alone.map(figuresOf),
    duringLoad: Object.fromEntries(
      duringLoad.map(({ name, times, counts, loop, idleMemory }) => [
        name,
        { probes: times.map(figuresOf), ratio: ratiosOf(times), greedy: counts, ...loop, idleMemory },
      ]),
    ),
    failures,
    exitCode,
  },
  {
    'no probe fails': JSON.stringify(failures) === '{}',
    ...Object.fromEntries(
      duringLoad.map(({ name, times }) => [
        `p95 during "${name}" at most ${MOST_RATIO} times that alone`,
        times.every((each, kind) => each.length > 0 && ratioOf(each, kind) <= MOST_RATIO),
      ]),
    ),
    ...Object.fromEntries(
      duringLoad
        .filter(({ name }) => name.startsWith(SMALL_DOCUMENTS))
        .flatMap(({ name, loop, idleMemory }) => [
          [`"${name}" holds the event loop for at most ${MOST_WORKED_MS} ms`, loop.workedMs <= MOST_WORKED_MS],
          [`"${name}" takes at most ${MOST_MEMORY} MiB above idle`, loop.peak - idleMemory <= MOST_MEMORY],
        ]),
    ),
    ...Object.fromEntries(duringLoad.map((each) => [`the requests of "${each.name}" were answered`, isAnswered(each)])),
    'exits with 0': exitCode === 0,
  },
);

/** Writes the figures as a Markdown table on standard error: milliseconds of the point lookup and of the ballot. */
function writeTable(): void {
  const both = (values: readonly number[]) => values.map((value) => round(value)).join(', ');
  const of = (times: readonly (readonly number[])[], percent: number) =>
    both(times.map((each) => percentile(each, percent)));
  const rows = duringLoad.map(({ name, times, counts, loop, idleMemory }) => [
    name,
    of(times, 50),
    of(times, 95),
    both(times.map((each) => Math.max(...each))),
    ratiosOf(times).join(', '),
    Object.entries(counts)
      .filter(([status]) => status !== 'sent')
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    `${loop.blockedMs}, ${loop.workedMs}`,
    loop.peak - idleMemory,
  ]);
  const table = [
    [
      'load',
      'p50',
      'p95',
      'max',
      'factor',
      'responses of the load',
      'event-loop delay, by processor time',
      'memory above idle',
    ],
    ['---', '--:', '--:', '--:', '--:', '---', '--:', '--:'],
    ['none', of(alone, 50), of(alone, 95), both(alone.map((each) => Math.max(...each))), '', '', '', ''],
    ...rows,
  ];
  process.stderr.write(`${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`);
}
