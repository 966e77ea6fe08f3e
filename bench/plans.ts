import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { createClock } from '../src/base/clock.ts';
import { readConfig } from '../src/base/config/config.ts';
import { createApiKey } from '../src/gateway/access/access.store.ts';
import { buildApp } from '../src/gateway/app.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { watchPool } from '../test/support/watched-pool.ts';
import { BENCH_KEY, buildDatabase, serverUrl, withClient } from './database/build.ts';
import { idRequests, type PlanSamples, planRequests } from './plan-requests.ts';
import { markdownTable } from './tables.ts';
import type { BenchPoint } from './workloads.ts';

/**
 * Measures each statement of the gateway with its generic plan and planned for its values. The statements are those that
 * requests of all surfaces send to the national database of the benchmark, and to further databases that contain what it
 * lacks, with the query planner and without.
 *
 *     DATABASE_URL=… npm run node -- bench/plans.ts [--also URL] [--out bench/plans.md]
 */
const { values: options } = parseArgs({
  options: {
    also: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    national: { type: 'string' },
  },
});

/** A statement may take this many times as long with its generic plan, or this many milliseconds more. */
const MOST_RATIO = 3;
const NOTICEABLE_MS = 5;
/** The number of argument lists that are measured for each statement: those that differ most in length. */
const MOST_ARGUMENTS = 5;
const LIMIT_MS = 10_000;
const RUNS = 3;
/** What takes longer is measured once after the first run, which prepares it. */
const LONG_MS = 100;

interface Collected {
  readonly text: string;
  /** Lists of arguments by their serialised form. */
  readonly arguments: Map<string, readonly unknown[]>;
}

interface Measured {
  readonly database: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly lists: number;
  /** For the list of arguments with the highest ratio. */
  readonly genericMs: number;
  readonly customMs: number;
  readonly ratio: number;
}

const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const national = options.national ?? (await buildDatabase(serverUrl(), 'national', writeLine));
const measured: Measured[] = [];
for (const url of [national, ...options.also]) measured.push(...(await measureDatabase(url)));
const report = reportOf(measured);
if (options.out === undefined) process.stdout.write(report);
else writeFileSync(options.out, report);
const slow = measured.filter(isSlow);
writeLine(`${slow.length} statements need a plan for their values`);
process.exitCode = slow.length > 0 ? 1 : 0;

function isSlow({ isCustom, ratio, genericMs, customMs }: Measured): boolean {
  return !isCustom && ratio > MOST_RATIO && genericMs - customMs > NOTICEABLE_MS;
}

function timesOf({ genericMs, customMs }: Measured): string {
  return `${genericMs.toFixed(0)} ms by the generic plan, ${customMs.toFixed(0)} otherwise`;
}

async function measureDatabase(url: string): Promise<Measured[]> {
  const database = new URL(url).pathname.slice(1);
  const statements = await collect(url);
  writeLine(`${database}: ${statements.size} statements`);
  const client = new pg.Client({ connectionString: url, statement_timeout: LIMIT_MS });
  await client.connect();
  await client.query('set jit = off');
  const results: Measured[] = [];
  for (const each of statements.values()) {
    const found = { database, ...(await measure(client, each)) };
    results.push(found);
    if (isSlow(found)) writeLine(`${results.length}: ${found.name}, ${timesOf(found)}`);
  }
  await client.end();
  return results;
}

/** Runs all requests and returns the statements that they sent, by their text. */
async function collect(url: string): Promise<Map<string, Collected>> {
  const statements = new Map<string, Collected>();
  const inner = openPool({
    at: { connectionString: url },
    ...{ size: 2, statementTimeoutMs: LIMIT_MS, waitMs: LIMIT_MS, prepared: true },
  });
  const pool = watchPool(inner, {
    onSuccess(sql, parameters) {
      if (!/^\s*(\/\*[^*]*\*\/\s*)?(select|with)\b/i.test(sql) || parameters.length === 0) return;
      const found = statements.get(sql) ?? { text: sql, arguments: new Map() };
      found.arguments.set(JSON.stringify(parameters), parameters);
      statements.set(sql, found);
    },
  });
  const db = openDatabase(pool);
  const keys = await db
    .selectFrom('api_keys')
    .select('id')
    .where('prefix', '=', BENCH_KEY.split('_')[1] ?? '')
    .execute();
  const key = keys.length > 0 ? BENCH_KEY : await createApiKey(db, 'full');
  const samples = await samplesOf(url);
  for (const plans of ['true', 'false']) {
    const config = readConfig({
      ...{ DATABASE_URL: url, QUERY_PLANS: plans, RESPONSE_CACHE_BYTES: '0', GRAPHIQL: 'false' },
      ...{ MAX_EVENT_LOOP_DELAY_MS: '0', TODAY: samples.electionDate },
    });
    const app = await buildApp({
      config,
      backend: { kind: 'server', db, pool, ready: async () => ({ ready: true }), close: async () => undefined },
      logger: pino({ level: 'silent' }),
      clock: createClock(config.clock),
    });
    await send(app, key, samples);
    await app.close();
  }
  await db.destroy();
  return statements;
}

async function send(app: FastifyInstance, key: string, samples: PlanSamples): Promise<void> {
  const load = (request: object) =>
    app.inject({ ...request, headers: { 'x-api-key': key, ...(request as { headers?: object }).headers } });
  const ids = new Map<string, string[]>();
  for (const request of idRequests()) {
    const body = (await load(request)).json() as {
      data?: Record<string, { edges: { node: { __typename: string; id: string } }[] } | null>;
    };
    for (const list of Object.values(body.data ?? {}))
      for (const { node } of list?.edges ?? [])
        ids.set(node.__typename, [...(ids.get(node.__typename) ?? []), node.id]);
  }
  const requests = planRequests(samples, ids);
  const counts = new Map<string, number>();
  for (const request of requests) {
    const { statusCode, body } = await load(request);
    const failed = statusCode === 200 ? /"code":"(\w+)"/.exec(body.slice(0, 2_000))?.[1] : undefined;
    if (process.env.BENCH_VERBOSE && (failed || statusCode !== 200))
      writeLine(`${JSON.stringify(request)} ${body.slice(0, 300)}`);
    const outcome = `${statusCode}${failed ? ` ${failed}` : ''}`;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  writeLine([...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', '));
}

async function measure(client: pg.Client, { text, arguments: lists }: Collected): Promise<Omit<Measured, 'database'>> {
  const sorted = [...lists].sort(([one], [other]) => one.length - other.length).map(([, values]) => values);
  const chosen = Array.from({ length: Math.min(MOST_ARGUMENTS, sorted.length) }, (_, index) => {
    const step = sorted.length <= MOST_ARGUMENTS ? 1 : (sorted.length - 1) / (MOST_ARGUMENTS - 1);
    return sorted[Math.round(index * step)] as readonly unknown[];
  });
  let worst = { genericMs: 0, customMs: 0, ratio: 0 };
  for (const values of chosen) {
    const customMs = await timeOf(client, 'force_custom_plan', text, values);
    const genericMs = await timeOf(client, 'force_generic_plan', text, values);
    const ratio = genericMs / customMs;
    if (ratio > worst.ratio || isWorse(genericMs, customMs, worst)) worst = { genericMs, customMs, ratio };
  }
  await client.query('deallocate all');
  // `pg` remembers the statements that it has prepared.
  (client as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements = {};
  const [, name = nameOfList(text), isCustom] = /^\s*\/\* ([\w.-]+)( \(custom plan\))? \*\//.exec(text) ?? [];
  return { name, isCustom: isCustom !== undefined, lists: lists.size, ...worst };
}

function isWorse(
  genericMs: number,
  customMs: number,
  worst: Pick<Measured, 'genericMs' | 'customMs' | 'ratio'>,
): boolean {
  return worst.genericMs - worst.customMs < NOTICEABLE_MS && genericMs - customMs > NOTICEABLE_MS;
}

/** Returns the shortest time of a prepared statement, with planning if it is planned each time. */
async function timeOf(client: pg.Client, mode: string, text: string, values: readonly unknown[]): Promise<number> {
  await client.query(`set plan_cache_mode = ${mode}`);
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run <= RUNS; run++) {
    const began = performance.now();
    try {
      await client.query({ name: 'measured', text, values: [...values] });
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      return LIMIT_MS;
    }
    const time = performance.now() - began;
    // The first run prepares and may read from disk. One that takes long is not repeated.
    if (run > 0 || time > LONG_MS) shortest = Math.min(shortest, time);
    if (run > 0 && time > LONG_MS) break;
  }
  return shortest;
}

/** Returns the name of a statement without one: Kysely builds it, or the query planner compiles it. */
function nameOfList(text: string): string {
  const table = /\bfrom "(\w+)"/.exec(text)?.[1];
  return table === undefined ? `compiled, ${Math.ceil(text.length / 1_000)} kB` : `${table}.list`;
}

function reportOf(all: readonly Measured[]): string {
  const names = new Map<string, Measured[]>();
  for (const each of all) {
    const key = `${each.database} ${each.name}`;
    names.set(key, [...(names.get(key) ?? []), each]);
  }
  const rows = [...names.values()]
    .map((texts) => ({ texts, worst: texts.reduce((one, other) => (excess(other) > excess(one) ? other : one)) }))
    .sort((one, other) => excess(other.worst) - excess(one.worst))
    .map(({ texts, worst: { database, name, isCustom, genericMs, customMs, ratio } }) => [
      ...[name, database, String(texts.length), String(texts.reduce((sum, { lists }) => sum + lists, 0))],
      ...[genericMs.toFixed(1), customMs.toFixed(1), ratio.toFixed(2), isCustom ? 'custom' : 'generic'],
    ]);
  const head = ['statement', 'database', 'texts', 'argument lists', 'generic ms', 'custom ms', 'ratio', 'runs with'];
  return `# Statements by plan

Written by \`bench/plans.ts\`: for each statement the arguments with which its generic plan costs most in comparison. *custom* includes
planning, which happens each time. A statement whose generic plan takes more than ${MOST_RATIO} times as long, and ${NOTICEABLE_MS} ms more,
has to be planned for its values. A name can have several texts, with other conditions; \`compiled\` are those of the query planner.

${markdownTable(head, rows).join('\n')}
`;
}

/** The time that the generic plan takes in addition. */
function excess({ genericMs, customMs }: Measured): number {
  return genericMs - customMs;
}

/** Reads values of a database for the requests. */
async function samplesOf(url: string): Promise<PlanSamples> {
  return withClient(url, async (client) => {
    const points = await client.query<BenchPoint>(`
      select ST_Y(p) as latitude, ST_X(p) as longitude
      from (select ST_PointOnSurface(geometry) as p from boundary_pieces order by md5(boundary_id::text) limit 4) _`);
    const states = await client.query<{ state: string }>(
      `select state from districts where state is not null group by state order by count(*) desc, state`,
    );
    const days = await client.query<{ date: string }>(`
      select e.date::text as date from elections e join races r on r.election_id = e.id
      group by e.date order by count(*) desc limit 1`);
    const addresses = await client.query<{ text: string; zip: string | null }>(`
      select p.number || ' ' || s.label || ', ' || s.town_label || ', ' || s.state as text, p.zip
      from (select * from address_points order by md5(id::text) limit 8) p join address_streets s on s.id = p.street_id`);
    const zips = await client.query<{ code: string }>('select distinct code from zip_areas order by code limit 5');
    const known = states.rows.map(({ state }) => state);
    return {
      points: points.rows,
      states: [known[0] ?? 'VT', known.at(-1) ?? 'VT'],
      electionDate: days.rows[0]?.date ?? '2024-11-05',
      texts: [...addresses.rows.map(({ text }) => text), '12 Main St', 'Springfield', '05602'],
      zips: zips.rows.map(({ code }) => code),
    };
  });
}
