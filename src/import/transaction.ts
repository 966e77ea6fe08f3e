import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { LoadInProgressError } from './faults.ts';

/** "ballotgr" in ASCII, as a number: the key of the lock that a load holds. */
const LOCK = '7089054359331365746';

class DryRunEnd extends Error {}

/**
 * Runs a load in one transaction, as the only one on the store; on a dry run the transaction is rolled back.
 * @throws LoadInProgressError at once when another one runs.
 */
export async function inOneTransaction<T>(
  db: Database,
  dryRun: boolean,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined;
  try {
    await db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ locked: boolean }>`/* import.lock */
        select pg_try_advisory_xact_lock(${LOCK}::bigint) as locked`.execute(transaction);
      if (!rows[0]?.locked) throw new LoadInProgressError();
      // A load takes as long as it takes; sorting and hashing a national store wants memory.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`set local work_mem = '64MB'`.execute(transaction);
      result = { value: await work(transaction) };
      if (dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  if (!result) throw new Error('A load ended without a result');
  return result.value;
}
