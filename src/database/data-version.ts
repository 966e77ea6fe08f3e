import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The data version of a database. Every transaction that changes the data creates a new one (migration 0008). */
export interface DataVersion {
  /** Random; never the same for two versions of the data, in any database. */
  readonly state: string;
  /** Counts the changes of this database. */
  readonly version: number;
  /** Whether it was read from a standby, which lags behind its primary. */
  readonly isStandby: boolean;
}

/**
 * Reads the current data version.
 * @throws Error if the database has never contained data.
 */
export async function readDataVersion(db: Database): Promise<DataVersion> {
  const found = await sql<DataVersion>`
    /* dataVersion.read */ select state, version, pg_is_in_recovery() as "isStandby" from data_version`.execute(db);
  const [only] = found.rows;
  if (!only) throw new Error('The database has no row in data_version');
  return only;
}
