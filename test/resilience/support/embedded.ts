import { createApiKey } from '../../../src/gateway/access/access.store.ts';
import { joinEmbeddedDatabase, openEmbeddedDatabase } from '../../../src/store/embedded/embedded-database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openDatabase, openPool, type PoolSettings } from '../../../src/store/sql/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { liftRateLimits } from '../../support/unlimited.ts';
import { keyOf } from './gateway.ts';

export interface OwnEmbedded {
  /** Creates a key of a package, in parallel with the gateway that has the database open. */
  key(packageName: string): Promise<string>;
  /** A key of the package `full` that was created with the database. */
  readonly full: string;
}

/**
 * Creates an embedded database in a folder, with the small country of the tests, and closes it for a gateway to open.
 */
export async function makeEmbedded(folder: string): Promise<OwnEmbedded> {
  const database = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: 600_000 });
  const settings = { at: database.connection, size: 1, statementTimeoutMs: 0, waitMs: 30_000 };
  const db = openDatabase(openPool(settings));
  await migrate(db);
  await createElectionWorld(db);
  await liftRateLimits(db);
  const full = await createApiKey(db, 'full');
  await db.destroy();
  await database.close();
  return { full, key: async (name) => keyOf(await connectionTo(folder), name) };
}

/** Returns how to connect to the embedded database of a running gateway. */
export async function connectionTo(folder: string): Promise<PoolSettings['at']> {
  const connection = await joinEmbeddedDatabase(folder);
  if (!connection) throw new Error(`No process has the database in ${folder} open`);
  return connection;
}
