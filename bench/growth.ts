import { parseArgs } from 'node:util';
import pg from 'pg';
import { fetchJson } from './check-responses.ts';
import { buildDatabase, serverUrl, sizesOf } from './database/build.ts';
import { restRequest } from './requests.ts';
import { readSamples } from './samples.ts';
import { startServer } from './servers.ts';
import { DISTRICTS } from './targets/baseline-sql.ts';
import { PG_OPTIONS, TODAY } from './targets/settings.ts';
import { gatewayServers, ROOT, type ServerSpec } from './targets.ts';
import type { BenchPoint } from './workloads.ts';

// Measures how much longer a point lookup takes in a database that is ten times larger: in SQL, with one prepared
// statement, and over REST, without a cache. The two databases alternate with every lookup, so that other load on the
// machine affects both.

const { values: options } = parseArgs({ options: { lookups: { type: 'string', default: '2000' } } });
const url = serverUrl();

const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const [gateway] = gatewayServers(ROOT) as [ServerSpec];
const databases = [await open('tenth', url), await open('national', url)];
for (let i = 0; i < Number(options.lookups); i++) {
  for (const database of databases) {
    const point = database.sample.points[i % database.sample.points.length] as BenchPoint;
    database.sql.push(await timed(() => database.client.query(statementFor(point))));
    const request = restRequest('districts', i, database.sample);
    if (request) database.rest.push(await timed(() => fetchJson(database.server, request)));
  }
}

const [small, large] = databases.map(({ sql, rest }) => ({ sql: median(sql), rest: median(rest) }));
const line = (what: string, values: readonly (string | number)[]) => `| ${[what, ...values].join(' | ')} |`;
const row = (what: 'sql' | 'rest') => {
  const [one = 0, ten = 0] = [small?.[what], large?.[what]];
  return line(`${what}, p50 ms`, [one.toFixed(3), ten.toFixed(3), (ten / one).toFixed(2)]);
};
const pieces = databases.map(({ sizes }) => sizes.pieces ?? 0);
process.stdout.write(
  `${[
    line('', ['tenth', 'national', 'ratio']),
    line('---', ['--:', '--:', '--:']),
    line('pieces of boundaries', [...pieces, ((pieces[1] ?? 0) / (pieces[0] ?? 1)).toFixed(1)]),
    row('sql'),
    row('rest'),
  ].join('\n')}\n`,
);
for (const { client, server } of databases) await Promise.all([client.end(), server.stop()]);

async function open(size: 'tenth' | 'national', at: string) {
  const target = await buildDatabase(at, size, writeLine);
  const client = new pg.Client({ connectionString: target, options: PG_OPTIONS });
  await client.connect();
  const { sample } = await readSamples(target);
  const server = await startServer(gateway, { databaseUrl: target, pool: 2, processes: 1 });
  return { client, server, sample, sizes: await sizesOf(target), sql: [] as number[], rest: [] as number[] };
}

function statementFor({ latitude, longitude }: BenchPoint): pg.QueryConfig {
  return { name: 'districts', text: DISTRICTS, values: [latitude, longitude, TODAY] };
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await task();
  return performance.now() - startedAt;
}

/** Returns the median after the first tenth, during which caches and plans are built. */
function median(times: readonly number[]): number {
  const sorted = times.slice(times.length / 10).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
