import { writeFile } from 'node:fs/promises';
import { readConfig } from '../src/base/config/config.ts';
import { createExecute } from '../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../src/gateway/graphql/planner/planner.ts';
import { stringifyJson } from '../src/graph/builder/raw-json.ts';
import { ResponseSize } from '../src/graph/builder/response-size.ts';
import { schema } from '../src/graph/schema.ts';
import { type Database, openDatabase, openPool } from '../src/store/sql/database.ts';
import { contextOf, prepare } from '../test/support/graph.ts';
import { type PriceCase, priceCases } from './price-cases.ts';
import { readPriceSample } from './price-sample.ts';
import { databaseTimes, timeBetween } from './processor-time.ts';

/**
 * Measures the processor time of gateway and database per unit of price, for every field of the schema with its
 * cheapest and its dearest arguments, and writes the table of prices against work. Ends with the exit code 1 if a field
 * takes more than ten times as long as its price says, compared with the median field.
 *
 *     DATABASE_URL=…/bench_national npm run node -- bench/prices.ts [file]
 */
const url = process.env.DATABASE_URL;
if (!url) throw new Error('DATABASE_URL must name a migrated database, for example bench_national.');
const MOST = 10;
const { limits } = readConfig({});
/** What is measured for one field: at least this much processor time, as the system counts in steps of 10 ms. */
const ENOUGH_MS = 60;
const MOST_RUNS = 40;
const LONGEST_MS = 10_000;
/** Fields that take longer are told while the script runs. */
const LATE_MS = 1_000;
const NOTHING = { gateway: 0, database: 0 };

interface Measured extends PriceCase {
  /** Records that were counted while the operation ran: objects, and work that depends on them. */
  readonly counted: number;
  /** Processor time in milliseconds, without that of an empty operation. */
  readonly gateway: number;
  readonly database: number;
  readonly longest: number;
  readonly error: string | undefined;
}

const execute = createExecute(schema, createPlanner(schema));
const db = openDatabase(
  openPool({
    at: { connectionString: url },
    size: 1,
    statementTimeoutMs: LONGEST_MS,
    waitMs: 0,
    prepared: true,
  }),
);
try {
  const cases = priceCases(schema, await readPriceSample(db), limits.operation.cost);
  const empty = await measure(db, { field: '', form: 'cheapest', document: '{ __typename }', cost: 0 }, NOTHING);
  const measured: Measured[] = [];
  for (const [index, each] of cases.entries()) {
    const found = await measure(db, each, empty);
    measured.push(found);
    const { field, form, longest } = found;
    if (longest > LATE_MS)
      process.stderr.write(`${index + 1}/${cases.length} ${field} (${form}): ${longest.toFixed(0)} ms\n`);
  }
  const rates = measured.filter(({ error }) => !error).map((each) => workOf(each) / priceOf(each));
  const median = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
  const table = tableOf(measured, median);
  const [file] = process.argv.slice(2);
  if (file) await writeFile(file, table);
  else process.stdout.write(table);
  const dear = measured.filter((each) => !each.error && workOf(each) / priceOf(each) > MOST * median);
  const late = measured.filter(({ longest }) => longest > LONGEST_MS);
  for (const { field, form } of [...dear, ...late])
    process.stderr.write(`${field} (${form}) is dearer than its price\n`);
  if (dear.length + late.length > 0) process.exitCode = 1;
} finally {
  await db.destroy();
}

function workOf({ gateway, database }: Measured): number {
  return gateway + database;
}

/** Returns the price: what was estimated, or counted while the operation ran, whichever is more. */
function priceOf({ cost, counted }: Measured): number {
  return Math.max(cost, counted, 1);
}

async function measure(
  database: Database,
  each: PriceCase,
  base: Pick<Measured, 'gateway' | 'database'>,
): Promise<Measured> {
  const prepared = { ...prepare(each.document), cost: each.cost };
  let counted = 0;
  let error: string | undefined;
  const run = async () => {
    const responseSize = new ResponseSize(limits.response);
    const contextValue = { ...contextOf(database), responseSize };
    try {
      const result = await execute({ prepared, contextValue, asText: true });
      stringifyJson(result);
      error = result.errors?.[0]?.message;
    } catch (problem) {
      error = problem instanceof Error ? problem.message : String(problem);
    }
    counted = responseSize.objects;
  };
  await run();
  await run();
  const before = { script: process.cpuUsage(), times: await databaseTimes(url ?? '') };
  let runs = 0;
  let longest = 0;
  const began = process.cpuUsage();
  const started = performance.now();
  while (runs < MOST_RUNS && (runs < 1 || performance.now() - started < 4 * ENOUGH_MS)) {
    const at = performance.now();
    await run();
    longest = Math.max(longest, performance.now() - at);
    runs++;
  }
  const { user, system } = process.cpuUsage(began);
  const times = timeBetween(before.times, await databaseTimes(url ?? '')) ?? 0;
  const perRun = (total: number, ofBase: number) => Math.max(0, total / runs - ofBase);
  return {
    ...each,
    counted,
    longest,
    error,
    gateway: perRun((user + system) / 1_000, base.gateway),
    database: perRun(times, base.database),
  };
}

/** Returns the table as Markdown: those first that are dearest for their price. */
function tableOf(measured: readonly Measured[], median: number): string {
  const rows = measured
    .toSorted((a, b) => workOf(b) / priceOf(b) - workOf(a) / priceOf(a))
    .map((each) => {
      const rate = workOf(each) / priceOf(each);
      const cells = [
        `\`${each.field}\``,
        each.form,
        each.cost,
        each.counted,
        each.gateway.toFixed(2),
        each.database.toFixed(2),
        (1_000 * rate).toFixed(1),
        each.error ? `refused: ${each.error.slice(0, 60)}` : (rate / median).toFixed(2),
      ];
      return `| ${cells.join(' | ')} |`;
    });
  return `# Prices against work

Written by \`bench/prices.ts\` ([README.md](README.md)). *Counted* are the objects and the work that were counted while the
operation ran; its price is the greater one of both numbers. Processor time in milliseconds for one operation, median
${(1_000 * median).toFixed(1)} µs for a unit of price.

| field | arguments | estimated | counted | gateway ms | database ms | µs per unit | times the median |
|---|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}
`;
}
