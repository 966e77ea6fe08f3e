/**
 * Measures the cost of a bulk download: time relative to `psql \copy` of the same query, alternating, and memory of the
 * gateway above idle, sampled throughout.
 *
 *   BENCH_DATABASE_URL=postgres://… npm run node -- bench/exports.ts [rows, default 10000000] [rounds, default 3]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createApiKey } from '../src/gateway/access/access.store.ts';
import { migrate } from '../src/store/migrate.ts';
import { type Database, openDatabase, openPool } from '../src/store/sql/database.ts';
import { liftRateLimits } from '../test/support/unlimited.ts';

const server = process.env.BENCH_DATABASE_URL ?? 'postgres://localhost/postgres';
const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = Number(process.argv[3] ?? 3);
const PORT = 4_999;
const MEBIBYTE = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'ballotgraph-bench-'));
const name = `ballotgraph_bench_${process.pid}`;
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;

function open(at: string): Database {
  return openDatabase(openPool({ at: { connectionString: at }, size: 1, statementTimeoutMs: 0, waitMs: 0 }));
}

async function prepare(): Promise<string> {
  const admin = open(server);
  await sql`create database ${sql.id(name)}`.execute(admin);
  await admin.destroy();
  const db = open(url);
  await migrate(db);
  await sql`create unlogged table bench as
    select g as id, 'Candidate ' || g as name, date '2020-01-01' + g % 2000 as date, g % 1000000 as votes,
      round((g % 10000) / 100.0, 2) as share, 'A note, with a comma' as note, g % 2 = 0 as incumbent
    from generate_series(1, ${sql.lit(rows)}) g`.execute(db);
  await sql`grant select on bench to ballotgraph_export`.execute(db);
  await sql`vacuum analyze bench`.execute(db);
  await liftRateLimits(db);
  const key = await createApiKey(db, 'full');
  await db.destroy();
  mkdirSync(join(folder, 'queries'));
  for (const [id, text] of Object.entries({ bench: 'select * from bench', small: 'select 1 as one' })) {
    writeFileSync(join(folder, 'queries', `${id}.sql`), `-- title: ${id}\n-- description: ${id}\n${text}\n`);
  }
  return key;
}

let ended = '';
async function startGateway(): Promise<ChildProcess> {
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    PORT: String(PORT),
    LOG_LEVEL: 'info',
    QUERIES_DIR: join(folder, 'queries'),
    FILES_DIR: join(folder, 'files'),
    EXPORT_TTL: '0',
    EXPORT_MAX_MB: '100000',
  };
  const gateway = spawn(process.execPath, ['src/main.ts'], {
    env: environment,
    stdio: ['ignore', 2, 'inherit'],
  });
  gateway.once('exit', (code, signal) => {
    ended = `the gateway ended (${signal ?? code})`;
    process.stderr.write(`${ended}\n`);
  });
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/ready`).catch(() => undefined);
    if (ready?.ok) return gateway;
    await sleep(100);
  }
}

async function download(key: string, id: string, format: string): Promise<{ seconds: number; bytes: number }> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${PORT}/getQueryResults`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ id, format }),
  });
  const { data, message } = (await response.json()) as { data: { url: string }; message: string };
  if (!response.ok) throw new Error(message);
  const seconds = (performance.now() - startedAt) / 1_000;
  const path = join(folder, new URL(data.url).pathname);
  const bytes = statSync(path).size;
  rmSync(path);
  return { seconds, bytes };
}

function copyWithPsql(): number {
  const startedAt = performance.now();
  const target = join(folder, 'psql.csv');
  execFileSync('psql', [url, '-qXc', `\\copy (select * from bench) to '${target}' with (format csv, header)`]);
  rmSync(target);
  return (performance.now() - startedAt) / 1_000;
}

/** Returns the resident memory in MiB. */
function memoryOf(gateway: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]) / 1_024;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

let gateway: ChildProcess | undefined;
try {
  const key = await prepare();
  gateway = await startGateway();
  await download(key, 'small', 'csv');
  await sleep(2_000);
  const idle = memoryOf(gateway);
  const times: Record<string, number[]> = { psql: [], csv: [], json: [] };
  for (let round = 0; round < rounds; round++) {
    times.psql?.push(copyWithPsql());
    for (const format of ['csv', 'json']) {
      let peak = 0;
      const sampling = setInterval(() => {
        peak = Math.max(peak, gateway ? memoryOf(gateway) : 0);
      }, 50);
      const { seconds, bytes } = await download(key, 'bench', format);
      clearInterval(sampling);
      times[format]?.push(seconds);
      const ratio = seconds / (times.psql?.at(-1) ?? Number.NaN);
      process.stdout.write(
        `${rows} rows, ${format}: ${seconds.toFixed(1)} s, ${Math.round(bytes / MEBIBYTE)} MiB, ${ratio.toFixed(2)} times psql, ` +
          `memory ${Math.round(peak - idle)} MiB above idle (${Math.round(idle)})\n`,
      );
    }
  }
  for (const format of ['csv', 'json']) {
    const ratio = median(times[format] ?? []) / median(times.psql ?? []);
    process.stdout.write(`${format}: ${ratio.toFixed(2)} times psql \\copy (medians of ${rounds})\n`);
  }
} finally {
  if (gateway && gateway.exitCode === null) {
    gateway.kill();
    await once(gateway, 'exit');
  }
  const admin = open(server);
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(admin);
  await admin.destroy();
  rmSync(folder, { recursive: true });
}
