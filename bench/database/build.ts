import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import pg from 'pg';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { liftRateLimits } from '../../test/support/unlimited.ts';
import { SIZES, type Size, STATES } from './sizes.ts';

/** The API key of the benchmark, of the package with all grants. */
export const BENCH_KEY = `bg_bencsize_${'0'.repeat(43)}`;

/**
 * Returns the URL of the server on which the benchmark creates its databases.
 * @throws Error if `DATABASE_URL` is not set.
 */
export function serverUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL must name a PostgreSQL server on which databases may be created.');
  return url;
}

/** Returns the URL of the database of a size: a separate database on the server of `url`. */
export function benchDatabaseUrl(url: string, size: Size): string {
  const address = new URL(url);
  address.pathname = `/bench_${size}`;
  return address.href;
}

/**
 * Builds the database of a size if it does not exist, or if it was built from other versions of these files.
 * @param writeLine called with a line for each step.
 * @returns its URL.
 */
export async function buildDatabase(url: string, size: Size, writeLine: (line: string) => void): Promise<string> {
  const target = benchDatabaseUrl(url, size);
  const mark = `built by ${await digestOfBuild()}`;
  const name = new URL(target).pathname.slice(1);
  if ((await markOf(url, name)) === mark) return target;
  await withClient(url, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  const started = performance.now();
  const step = (what: string) => writeLine(`  ${what} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  const db = openDatabase(openPool({ at: { connectionString: target }, size: 1, statementTimeoutMs: 0, waitMs: 0 }));
  try {
    await migrate(db);
    await liftRateLimits(db);
    await createApiKey(db, 'full', { key: BENCH_KEY });
  } finally {
    await db.destroy();
  }
  await withClient(target, async (client) => {
    await client.query('set jit = off; set work_mem = "64MB"; set synchronous_commit = off');
    await loadAtlas(client, new Set<string>(SIZES[size]));
    step('atlas');
    for (const file of await sqlFiles()) {
      await client.query(await readFile(file, 'utf8'));
      step(file.pathname.split('/').at(-1) ?? '');
    }
    await client.query('cluster boundary_pieces');
    await client.query('vacuum analyze');
    await client.query(`comment on database ${name} is '${mark}'`);
    step('ready');
  });
  return target;
}

/** Terminates all connections to the database of a size and drops it. */
export async function dropDatabase(url: string, size: Size): Promise<void> {
  const name = new URL(benchDatabaseUrl(url, size)).pathname.slice(1);
  await withClient(url, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** Returns the numbers of rows and vertices that the report lists. */
export async function sizesOf(target: string): Promise<Record<string, number>> {
  return withClient(target, async (client) => {
    const { rows } = await client.query<{ what: string; count: string }>(`
      select type::text as what, count(*) from districts group by type union all
      select 'vertices', sum(ST_NPoints(geometry)) from boundaries union all
      select 'pieces', count(*) from boundary_pieces union all
      select 'offices', count(*) from offices union all
      select 'officeholders', count(*) from officeholders union all
      select 'contacts', count(*) from contacts union all
      select 'elections', count(*) from elections union all
      select 'races', count(*) from races union all
      select 'candidates', count(*) from candidates`);
    return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]));
  });
}

export async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

async function markOf(url: string, name: string): Promise<string | null | undefined> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ mark: string | null }>(
      `select shobj_description(oid, 'pg_database') as mark from pg_database where datname = $1`,
      [name],
    );
    return rows[0]?.mark;
  });
}

async function sqlFiles(): Promise<URL[]> {
  const names = (await readdir(new URL('.', import.meta.url))).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => new URL(name, import.meta.url));
}

async function digestOfBuild(): Promise<string> {
  const hash = createHash('sha256');
  const migrations = new URL('../../db/migrations/', import.meta.url);
  const files = (await readdir(migrations)).sort().map((name) => new URL(name, migrations));
  for (const file of [...(await sqlFiles()), ...files]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

type Atlas = Topology<Record<'counties' | 'states', GeometryCollection<{ name: string }>>>;

async function loadAtlas(client: pg.Client, wanted: ReadonlySet<string>): Promise<void> {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const atlas = JSON.parse(await readFile(path, 'utf8')) as Atlas;
  await client.query(`create schema bench;
    create table bench.atlas (kind text, state char(2), fips text, name text, geometry geometry)`);
  for (const [kind, object] of [
    ['state', atlas.objects.states],
    ['county', atlas.objects.counties],
  ] as const) {
    const rows = feature(atlas, object).features.flatMap(({ id, properties, geometry }) => {
      const fips = String(id);
      const state = STATES.find((each) => fips.startsWith(each.fips))?.state;
      return state && wanted.has(state) ? [{ state, fips, name: properties.name, geometry }] : [];
    });
    await client.query(
      `insert into bench.atlas select $1, state, fips, name, ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326)
       from json_to_recordset($2) as row (state text, fips text, name text, geometry text)`,
      [kind, JSON.stringify(rows.map((row) => ({ ...row, geometry: JSON.stringify(row.geometry) })))],
    );
  }
}
