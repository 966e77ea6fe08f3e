import type { Database } from './database.ts';
import { isStandby } from './functions.ts';
import { fixedQuery } from './named-query.ts';
import { query } from './query-builder.ts';

/** The data version of a database. Every transaction that changes the data creates a new one (migration 0008). */
export interface DataVersion {
  /** Random; never the same for two versions of the data, in any database. */
  readonly state: string;
  /** Counts the changes of this database. */
  readonly version: number;
  /** Whether it was read from a standby, which lags behind its primary. */
  readonly isStandby: boolean;
}

const findVersion = fixedQuery('dataVersion.read', () =>
  query.selectFrom('data_version as v').select(['v.state', 'v.version', isStandby.as('isStandby')]),
);

/**
 * Reads the current data version.
 * @throws Error if the database has never contained data.
 */
export async function readDataVersion(db: Database): Promise<DataVersion> {
  const [only] = await findVersion(db);
  if (!only) throw new Error('The database has no row in data_version');
  return only;
}
