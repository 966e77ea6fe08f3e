import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Database, openDatabase, openPool, type PoolSettings } from '../../src/database/database.ts';
import { databaseUrl, type EmbeddedHome, SEEDED } from './global-setup.ts';

export interface TestStore {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** How to open another pool on the same database (on the embedded one only after this pool has ended). */
  readonly at: PoolSettings['at'];
}

export interface UsedStore extends TestStore {
  /**
   * Environment variables that name the database for another process; for an embedded database, that process connects
   * to the one that has it open.
   */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Provides an empty, migrated database for the tests of one file (or one `describe`), of the kind that the run was
 * started with. Its members are available from `beforeAll` on.
 */
export function useStore(): UsedStore {
  const home = inject('home');
  let opened: (UsedStore & { drop(): Promise<void> }) | undefined;
  beforeAll(async () => {
    opened = home.kind === 'server' ? await copyTemplate(home.url, home.template) : await emptyEmbedded(home.stores);
  });
  afterAll(() => opened?.drop());
  const store = (): UsedStore => {
    if (!opened) throw new Error('The test store is there from beforeAll on');
    return opened;
  };
  return {
    get db() {
      return store().db;
    },
    get pool() {
      return store().pool;
    },
    get at() {
      return store().at;
    },
    get environment() {
      return store().environment;
    },
  };
}

function open(at: PoolSettings['at'], size: number) {
  const pool = openPool({ at, size, statementTimeoutMs: 0, waitMs: 30_000 });
  return { pool, db: openDatabase(pool), at };
}

async function copyTemplate(url: string, template: string) {
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const admin = open({ connectionString: url }, 1);
  await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db);
  // As in the connections of the service: compiling a new statement takes longer than everything else.
  await sql`alter database ${sql.id(name)} set jit = off`.execute(admin.db);
  const own = databaseUrl(url, name);
  const store = open({ connectionString: own }, 4);
  const drop = async () => {
    await store.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(admin.db);
    await admin.db.destroy();
  };
  return { ...store, environment: { DATABASE_URL: own }, drop };
}

async function emptyEmbedded(homes: readonly EmbeddedHome[]) {
  const home = homes[(Number(process.env.VITEST_POOL_ID) - 1) % homes.length];
  if (!home) throw new Error('There is no embedded database for this worker');
  const store = open(home.connection, 1);
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'spatial_ref_sys' and tablename not like 'kysely%'`.execute(store.db);
  await sql`truncate ${sql.join(tables.rows.map((row) => sql.table(row.name)))} restart identity`.execute(store.db);
  for (const table of SEEDED) {
    await sql`insert into ${sql.table(table)} overriding system value table ${sql.table(`seed.${table}`)}`.execute(
      store.db,
    );
  }
  // The rows were inserted with their ids, which does not advance the sequence.
  await sql`select setval(pg_get_serial_sequence('packages', 'id'), max(id)) from packages`.execute(store.db);
  return { ...store, environment: { DATA_DIR: home.dataDir }, drop: () => store.db.destroy() };
}
