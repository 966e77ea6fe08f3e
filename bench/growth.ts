import { parseArgs } from 'node:util';
import pg from 'pg';
import { fetchJson } from './check.ts';
import { readDraws } from './draws.ts';
import { buildStore, serverUrl, sizesOf } from './store/build.ts';
import { DISTRICTS } from './subjects/floor-sql.ts';
import { TODAY } from './subjects/subject.ts';
import { SERVERS, type ServerKind, startServer } from './subjects.ts';
import { askRest, type BenchPoint } from './works.ts';

// Measures how much longer a point lookup takes in a database that is ten times larger: in SQL, with one prepared
// statement, and over REST, without a cache. The two databases alternate with every lookup, so that other load on the
// machine affects both.

const { values: options } = parseArgs({ options: { lookups: { type: 'string', default: '2000' } } });
const url = serverUrl();

const say = (line: string) => process.stderr.write(`${line}\n`);
const ours = SERVERS.find(({ name }) => name === 'ours') as ServerKind;
const stores = [await open('tenth', url), await open('national', url)];
for (let i = 0; i < Number(options.lookups); i++) {
  for (const store of stores) {
    const point = store.draw.points[i % store.draw.points.length] as BenchPoint;
    store.sql.push(await timed(() => store.client.query(statementFor(point))));
    const ask = askRest('districts', i, store.draw);
    if (ask) store.rest.push(await timed(() => fetchJson(store.server, ask)));
  }
}

const [small, large] = stores.map(({ sql, rest }) => ({ sql: median(sql), rest: median(rest) }));
const line = (what: string, values: readonly (string | number)[]) => `| ${[what, ...values].join(' | ')} |`;
const row = (what: 'sql' | 'rest') => {
  const [one = 0, ten = 0] = [small?.[what], large?.[what]];
  return line(`${what}, p50 ms`, [one.toFixed(3), ten.toFixed(3), (ten / one).toFixed(2)]);
};
const pieces = stores.map(({ sizes }) => sizes.pieces ?? 0);
process.stdout.write(
  `${[
    line('', ['tenth', 'national', 'ratio']),
    line('---', ['--:', '--:', '--:']),
    line('pieces of boundaries', [...pieces, ((pieces[1] ?? 0) / (pieces[0] ?? 1)).toFixed(1)]),
    row('sql'),
    row('rest'),
  ].join('\n')}\n`,
);
for (const { client, server } of stores) await Promise.all([client.end(), server.stop()]);

async function open(size: 'tenth' | 'national', at: string) {
  const target = await buildStore(at, size, say);
  const client = new pg.Client({
    connectionString: target,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  });
  await client.connect();
  const { draw } = await readDraws(target);
  const server = await startServer(ours, { databaseUrl: target, pool: 2, processes: 1 });
  return { client, server, draw, sizes: await sizesOf(target), sql: [] as number[], rest: [] as number[] };
}

function statementFor({ latitude, longitude }: BenchPoint): pg.QueryConfig {
  return { name: 'districts', text: DISTRICTS, values: [latitude, longitude, TODAY] };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns the median after the first tenth, during which caches and plans are built. */
function median(times: readonly number[]): number {
  const sorted = times.slice(times.length / 10).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
