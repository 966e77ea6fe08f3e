import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { lockTransaction } from './run-lock.ts';

class DryRunEnd extends Error {}

/**
 * Runs a load in one transaction, as the only one on the store; on a dry run the transaction is rolled back. Within a
 * transaction that is there already, that one's end decides.
 * @throws LoadInProgressError at once when another one runs.
 */
export async function inOneTransaction<T>(
  db: Database,
  dryRun: boolean,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return workWithin(db, work);
  let result: { value: T } | undefined;
  try {
    await db.transaction().execute(async (transaction) => {
      await lockTransaction(transaction);
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

/** The stages of a load, which are temporary tables, make room for those of the next one of the transaction. */
async function workWithin<T>(transaction: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const value = await work(transaction);
  await sql`/* import.discard */ discard temp`.execute(transaction);
  return value;
}
