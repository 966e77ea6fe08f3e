import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';
import { runDifferential } from '../differential/run.ts';
import { openDifferential } from '../differential/services.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { enrichElectionWorld } from '../support/rich-world.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, report, textArgument } from './support/report.ts';

// Executes random valid documents with and without the query planner and the cache, and compares the results byte for
// byte with those of graphql-js over resolvers. Statements are prepared, as in a gateway. Stops at the first
// difference, and shrinks the document that causes it as far as possible.

const documents = argument('documents', 20_000);
const seconds = argument('seconds', 3_600);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';

/** Starts a new database of either kind, and returns it with the election world in it and a function that stops it. */
async function startDatabase(): Promise<{ at: PoolSettings['at']; size: number; stop(): Promise<void> }> {
  if (kind === 'server') {
    const postgres = await startPostgres();
    return { at: { connectionString: postgres.url }, size: 10, stop: () => postgres.remove() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const database = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: 600_000 });
  const stop = async () => {
    await database.close();
    await rm(folder, { recursive: true });
  };
  return { at: database.connection, size: 1, stop };
}

const { at, size, stop } = await startDatabase();
const pool = openPool({ at, size, statementTimeoutMs: 0, waitMs: 60_000, prepared: true });
const db = openDatabase(pool);
await migrate(db);
if (kind === 'embedded') await createElectionWorld(db);
await enrichElectionWorld(db);
const differential = await openDifferential({ db, pool }, kind);
const began = performance.now();
const result = await runDifferential(differential, {
  documents,
  seconds,
  seed,
  from: argument('from', 1),
  onePackage: true,
});
const ranSeconds = Math.round((performance.now() - began) / 1_000);
await differential.close();
await db.destroy();
await stop();
report(
  'differential',
  {
    database: kind,
    seed,
    documents: result.documents,
    seconds: ranSeconds,
    ...differential.compared,
    failure: result.failure,
  },
  {
    'no difference': result.failure === undefined,
    'results with data and with errors': differential.compared.withData > 0 && differential.compared.withErrors > 0,
  },
);
