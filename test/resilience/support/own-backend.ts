import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openEmbeddedDatabase } from '../../../src/store/embedded/embedded-database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openDatabase, openPool, type PoolSettings } from '../../../src/store/sql/database.ts';
import { startPostgres } from './postgres.ts';

const NO_LIMITS = { statementTimeoutMs: 0, waitMs: 30_000 };

export interface OwnBackend {
  readonly at: PoolSettings['at'];
  remove(): Promise<void>;
}

/** Creates a migrated database of its own without data, on a server or embedded. */
export async function ownBackend(kind: string): Promise<OwnBackend> {
  const backend = kind === 'server' ? await ownServer() : await ownEmbedded();
  const db = openDatabase(openPool({ at: backend.at, size: 1, ...NO_LIMITS }));
  await migrate(db);
  await db.destroy();
  return backend;
}

async function ownServer(): Promise<OwnBackend> {
  const server = await startPostgres();
  const admin = openDatabase(openPool({ at: { connectionString: server.url }, size: 1, ...NO_LIMITS }));
  await sql`create database own`.execute(admin);
  await admin.destroy();
  const url = new URL(server.url);
  url.pathname = '/own';
  return { at: { connectionString: url.href }, remove: () => server.remove() };
}

async function ownEmbedded(): Promise<OwnBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const database = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: 600_000 });
  const remove = async () => {
    await database.close();
    await rm(folder, { recursive: true });
  };
  return { at: database.connection, remove };
}
