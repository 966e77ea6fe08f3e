import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Database, openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';
import { databaseOfWorker } from './embedded-databases.ts';
import { databaseUrl, SEEDED, type TestBackend } from './global-setup.ts';
import { poolerUrl } from './pooler.ts';

export interface TestDatabase {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** How to open another pool on the same database (on the embedded one only after this pool has ended). */
  readonly at: PoolSettings['at'];
}

export interface UsedDatabase extends TestDatabase {
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
export function useDatabase(): UsedDatabase {
  const backend = inject('backend');
  let opened: (UsedDatabase & { drop(): Promise<void> }) | undefined;
  beforeAll(async () => {
    opened = backend.kind === 'server' ? await copyTemplate(backend) : await emptyEmbedded(backend.socket);
  });
  afterAll(() => opened?.drop());
  const database = (): UsedDatabase => {
    if (!opened) throw new Error('The test database is available from beforeAll on');
    return opened;
  };
  return {
    get db() {
      return database().db;
    },
    get pool() {
      return database().pool;
    },
    get at() {
      return database().at;
    },
    get environment() {
      return database().environment;
    },
  };
}

/** Opens a pool that prepares statements, as the gateway does by default. */
function open(at: PoolSettings['at'], size: number, prepared = true) {
  const pool = openPool({ at, size, statementTimeoutMs: 0, waitMs: 30_000, prepared });
  return { pool, db: openDatabase(pool), at };
}

async function copyTemplate({ url, template, poolerPort }: Extract<TestBackend, { kind: 'server' }>) {
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const admin = open({ connectionString: url }, 1);
  await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db);
  // As in the connections of the service: compiling a new statement takes longer than everything else.
  await sql`alter database ${sql.id(name)} set jit = off`.execute(admin.db);
  const own = databaseUrl(url, name);
  const pooled = poolerPort === undefined ? own : poolerUrl(own, poolerPort);
  const database = open({ connectionString: pooled }, 4, poolerPort === undefined);
  const drop = async () => {
    await database.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(admin.db);
    await admin.db.destroy();
  };
  return { ...database, environment: { DATABASE_URL: own }, drop };
}

async function emptyEmbedded(socket: string) {
  const backend = await databaseOfWorker(socket);
  const database = open(backend.connection, 1);
  await deleteRows(database.db);
  for (const table of SEEDED) {
    await sql`insert into ${sql.table(table)} overriding system value table ${sql.table(`seed.${table}`)}`.execute(
      database.db,
    );
  }
  // The rows were inserted with their ids, which does not advance the sequence.
  await sql`select setval(pg_get_serial_sequence('packages', 'id'), max(id)) from packages`.execute(database.db);
  return { ...database, environment: { DATA_DIR: backend.dataDir }, drop: () => database.db.destroy() };
}

/**
 * Deletes the rows of all tables and restarts their sequences, like `truncate … restart identity`, which takes five times
 * as long because it replaces the files of all tables and indexes, also of empty ones.
 */
async function deleteRows(db: Database): Promise<void> {
  const used = (await usedTables(db)).map((name) => sql.table(name));
  await db.transaction().execute(async (transaction) => {
    // In any order: without triggers, foreign keys are not checked.
    await sql`set local session_replication_role = replica`.execute(transaction);
    for (const table of used) await sql`delete from ${table}`.execute(transaction);
    await sql`
      select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname = 'public' and last_value is not null`.execute(transaction);
  });
  // Removes the deleted rows from the files, as a scan would still read them.
  if (used.length > 0) await sql`vacuum ${sql.join(used)}`.execute(db);
}

/** Returns the names of the tables with data that contain rows. */
export async function usedTables(db: Database): Promise<string[]> {
  const tables = await sql<{ name: string; isUsed: boolean }>`
    select relname as name, pg_relation_size(oid) > 0 as "isUsed" from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'spatial_ref_sys' and relname not like 'kysely%'`.execute(db);
  return tables.rows.filter(({ isUsed }) => isUsed).map(({ name }) => name);
}
