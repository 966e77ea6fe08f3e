import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import { LoadInProgressError } from '../exchange/validation-errors.ts';

/** "ballotgr" in ASCII, as a number: the key of the advisory lock that a load holds. */
const LOCK = '7089054359331365746';

/**
 * Locks the database for a transaction against other loads, imports and runs.
 * @throws LoadInProgressError immediately if another one is running.
 */
export async function lockTransaction(transaction: Database): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`/* import.lock */
    select pg_try_advisory_xact_lock(${LOCK}::bigint) as locked`.execute(transaction);
  if (!rows[0]?.locked) throw new LoadInProgressError();
}

/**
 * Runs work in several transactions while no other load, import or run can start, not even between them. The handle
 * passed to `work` is one connection: the lock belongs to the connection and is released with it. (In an embedded
 * database, which has one session, this lock does not block; its commands exclude each other with a lock file.)
 * @throws LoadInProgressError immediately if another one is running.
 */
export function inOneRun<T>(db: Database, work: (connection: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`/* import.lock-run */
      select pg_try_advisory_lock(${LOCK}::bigint) as locked`.execute(connection);
    if (!rows[0]?.locked) throw new LoadInProgressError();
    try {
      return await work(connection);
    } finally {
      // If the connection is broken, the lock has been released with it.
      await sql`/* import.unlock-run */ select pg_advisory_unlock(${LOCK}::bigint)`
        .execute(connection)
        .catch(() => undefined);
    }
  });
}
