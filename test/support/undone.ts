import type { Database } from '../../src/store/sql/database.ts';

/** Runs work in a transaction that is undone, without the checks with which a load ends. */
export async function undone<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  const transaction = await db.startTransaction().execute();
  try {
    return await work(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}
