import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { LoadInProgressError } from './faults.ts';

/** "ballotgr" in ASCII, as a number: the key of the lock that a load holds. */
const LOCK = '7089054359331365746';

/**
 * Locks the store for a transaction against other loads, imports and runs.
 * @throws LoadInProgressError at once when another one is at work.
 */
export async function lockTransaction(transaction: Database): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`/* import.lock */
    select pg_try_advisory_xact_lock(${LOCK}::bigint) as locked`.execute(transaction);
  if (!rows[0]?.locked) throw new LoadInProgressError();
}

/**
 * Does work in several transactions while no other load, import or run can begin, not even between them. The handle
 * that the work is given is one connection: the lock is that connection's, and ends with it. (To the one session of an
 * embedded store no lock of its own is an obstacle; commands keep each other out of it by a file.)
 * @throws LoadInProgressError at once when another one is at work.
 */
export function inOneRun<T>(db: Database, work: (connection: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`/* import.lock-run */
      select pg_try_advisory_lock(${LOCK}::bigint) as locked`.execute(connection);
    if (!rows[0]?.locked) throw new LoadInProgressError();
    try {
      return await work(connection);
    } finally {
      // Where the connection is broken, the lock is gone with it.
      await sql`/* import.unlock-run */ select pg_advisory_unlock(${LOCK}::bigint)`
        .execute(connection)
        .catch(() => undefined);
    }
  });
}
