import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import type { EmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Database, openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';
import { serveEmbeddedDatabases } from './embedded-databases.ts';
import { startPooler } from './pooler.ts';
import { liftRateLimits } from './unlimited.ts';

/**
 * The database that the suites run on: either a database per test file on the server in `TEST_DATABASE_URL` (copied
 * from one migrated template), or one embedded database per worker, emptied between test files.
 */
export type TestBackend =
  | {
      readonly kind: 'server';
      readonly url: string;
      readonly template: string;
      /** The port of a pgbouncer in front of the server, through which tests connect without prepared statements (`TEST_POOLER`). */
      readonly poolerPort: number | undefined;
    }
  | {
      readonly kind: 'embedded';
      /** Where workers ask for their database (`embedded-databases.ts`). */
      readonly socket: string;
    };

declare module 'vitest' {
  export interface ProvidedContext {
    backend: TestBackend;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  if (!url && process.env.TEST_POOLER === 'true') throw new Error('TEST_POOLER needs TEST_DATABASE_URL');
  return url ? setupServer(project, url) : setupEmbedded(project);
}

async function setupServer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const template = `ballotgraph_test_${process.pid}`;
  await using(url, (db) => sql`create database ${sql.id(template)}`.execute(db));
  await using(databaseUrl(url, template), migrateForTests);
  const pooler = process.env.TEST_POOLER === 'true' ? await startPooler(url) : undefined;
  project.provide('backend', { kind: 'server', url, template, poolerPort: pooler?.port });
  return async () => {
    await pooler?.stop();
    await using(url, (db) => sql`drop database ${sql.id(template)} with (force)`.execute(db));
  };
}

async function setupEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const databases = await serveEmbeddedDatabases((connection) =>
    using(connection, async (db) => {
      await migrateForTests(db);
      await keepSeeds(db);
    }),
  );
  project.provide('backend', { kind: 'embedded', socket: databases.socket });
  return databases.close;
}

async function migrateForTests(db: Database): Promise<void> {
  await migrate(db);
  await liftRateLimits(db);
}

/** Tables whose first rows are part of the schema. These rows are saved, and restored when a database is emptied. */
export const SEEDED = [
  'parties',
  'packages',
  'package_grants',
  'shared_secret',
  'election_offices',
  'absent_district_types',
] as const;

async function keepSeeds(db: Database): Promise<void> {
  await sql`create schema seed`.execute(db);
  for (const table of SEEDED)
    await sql`create table ${sql.table(`seed.${table}`)} as table ${sql.table(table)}`.execute(db);
}

export function databaseUrl(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function using<T>(at: string | EmbeddedDatabase['connection'], work: (db: Database) => Promise<T>): Promise<T> {
  const settings: PoolSettings['at'] = typeof at === 'string' ? { connectionString: at } : at;
  const db = openDatabase(openPool({ at: settings, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
