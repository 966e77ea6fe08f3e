import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { isAlive } from '../store/embedded/data-lock.ts';
import { LoadInProgressError } from './faults.ts';

/** "ballotgr" in ASCII, as a number: the key of the lock that a load holds. */
const LOCK = '7089054359331365746';
/** "runs" in ASCII: with a process id the key of the second lock of a run, which tells whose it is. */
const RUNS = 0x72756e73;

/**
 * Locks the store for a transaction against other loads, imports and runs.
 * @throws LoadInProgressError at once when another one is at work.
 */
export async function lockTransaction(transaction: Database): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`/* import.lock */
    select pg_try_advisory_xact_lock(${LOCK}::bigint) as locked`.execute(transaction);
  if (!rows[0]?.locked) throw new LoadInProgressError();
  await refuseBesideOthers(transaction);
}

/**
 * Does work in several transactions while no other load, import or run can begin, not even between them. The handle
 * that the work is given is one connection: to a server the lock is that connection's, and ends with it.
 * @throws LoadInProgressError at once when another one is at work.
 */
export function inOneRun<T>(db: Database, work: (connection: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await lockRun(connection);
    try {
      return await work(connection);
    } finally {
      // Where the connection is broken, the lock is gone with it.
      await unlockRun(connection).catch(() => undefined);
    }
  });
}

async function lockRun(connection: Database): Promise<void> {
  await connection.transaction().execute(async (transaction) => {
    await lockTransaction(transaction);
    await sql`/* import.lock-run */
      select pg_advisory_lock(${LOCK}::bigint), pg_advisory_lock(${RUNS}, ${process.pid})`.execute(transaction);
  });
}

async function unlockRun(connection: Database): Promise<void> {
  await sql`/* import.unlock-run */
    select pg_advisory_unlock(${LOCK}::bigint), pg_advisory_unlock(${RUNS}, ${process.pid})`.execute(connection);
}

/**
 * The embedded store has one session, to which a lock that it holds is no obstacle, whichever process it was taken for.
 * There the process that a run belongs to decides, if it still lives: the embedded store and its users share a machine.
 */
async function refuseBesideOthers(transaction: Database): Promise<void> {
  const { rows } = await sql<{ process: number }>`/* import.runs */
    select objid::bigint as process from pg_locks
    where locktype = 'advisory' and classid = ${RUNS} and objsubid = 2 and pid = pg_backend_pid()`.execute(transaction);
  if (rows.some(({ process: id }) => id !== process.pid && isAlive({ pid: id }))) throw new LoadInProgressError();
}
