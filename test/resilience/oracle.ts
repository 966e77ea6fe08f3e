import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';
import { runOracle } from '../oracle/run.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, report, textArgument } from './support/report.ts';

// Loads randomly generated countries one after the other, and compares the responses of the service for points on edges
// and for days on which periods begin or end with what plain SQL, written from the specification alone, finds in the
// tables.

const NO_LIMITS = { statementTimeoutMs: 0, waitMs: 30_000 };

const responses = argument('responses', 10_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';

const backend = kind === 'server' ? await ownServer() : await ownEmbedded();
const pool = openPool({ at: backend.at, size: kind === 'server' ? 4 : 1, ...NO_LIMITS });
const db = openDatabase(pool);
await migrate(db);
const began = performance.now();
const run = await runOracle({ database: { db, pool, at: backend.at }, kind, responses, seed });
const seconds = Math.round((performance.now() - began) / 1_000);
await db.destroy();
await backend.remove();
report(
  'oracle',
  { database: kind, seed, ...run, seconds },
  {
    'as many responses as requested': run.responses >= responses,
    'no response differs': run.differences.length === 0,
    'most responses are not empty': run.filled > run.responses / 3,
  },
);

interface BackendChoice {
  readonly at: PoolSettings['at'];
  remove(): Promise<void>;
}

async function ownServer(): Promise<BackendChoice> {
  const server = await startPostgres();
  const admin = openDatabase(openPool({ at: { connectionString: server.url }, size: 1, ...NO_LIMITS }));
  await sql`create database oracle`.execute(admin);
  await admin.destroy();
  const url = new URL(server.url);
  url.pathname = '/oracle';
  return { at: { connectionString: url.href }, remove: () => server.remove() };
}

async function ownEmbedded(): Promise<BackendChoice> {
  const folder = await mkdtemp(join(tmpdir(), 'oracle-'));
  const database = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: 600_000 });
  const remove = async () => {
    await database.close();
    await rm(folder, { recursive: true });
  };
  return { at: database.connection, remove };
}
