import { sql } from 'kysely';
import { isTransient, ServiceError } from '../../base/errors.ts';
import type { Database } from '../../store/sql/database.ts';
import { lockTransaction } from './run-lock.ts';
import { rejectRepeated } from './settle/records-once.ts';

class DryRunEnd extends Error {}

/**
 * Runs a load in one transaction, as the only one on the database; a dry run is rolled back. Within an existing
 * transaction, the outer one commits or rolls back.
 * @throws LoadInProgressError immediately if another load is running; DatasetError if a record exists twice; ServiceError
 * STORE_UNAVAILABLE that says that nothing was changed if the connection is lost before the transaction is committed.
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
      // A load has no time limit; sorting and hashing a national database needs memory.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`set local work_mem = '64MB'`.execute(transaction);
      // In the embedded database, the gateway and a load share the settings.
      await sql`set local plan_cache_mode = auto`.execute(transaction);
      // Compiling the statements of the date rules takes longer than executing them.
      await sql`set local jit = off`.execute(transaction);
      result = { value: await workOnce(transaction, work).catch(failUnchanged) };
      if (dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  if (!result) throw new Error('A load ended without a result');
  return result.value;
}

/** A connection that was lost before the commit has changed nothing; during the commit, that is not known. */
function failUnchanged(error: unknown): never {
  if (!isTransient(error)) throw error;
  const message = 'The connection to the database was lost. Nothing was changed: run the command again.';
  throw new ServiceError('STORE_UNAVAILABLE', message);
}

/** Runs work, and then checks that no record exists twice. */
async function workOnce<T>(transaction: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const value = await work(transaction);
  await rejectRepeated(transaction);
  return value;
}

/**
 * Runs work, and then drops the temporary staging tables, so that the next load of the transaction can create its own.
 */
async function workWithin<T>(transaction: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const value = await workOnce(transaction, work);
  await sql`/* import.discard */ discard temp`.execute(transaction);
  return value;
}
