import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Which state of the data a store has. Every transaction that changes them makes another (migration 0008). */
export interface DataState {
  /** Never the same for two states of the data, of whichever store. */
  readonly state: string;
  /** Counts the changes of this store. */
  readonly version: number;
  /** Whether it was read from a standby, which follows its primary at some distance. */
  readonly isStandby: boolean;
}

/** @throws Error when the store has never had any. */
export async function dataState(db: Database): Promise<DataState> {
  const found = await sql<DataState>`
    /* dataState.read */ select state, version, pg_is_in_recovery() as "isStandby" from data_version`.execute(db);
  const [only] = found.rows;
  if (!only) throw new Error('The store has no row in data_version');
  return only;
}
