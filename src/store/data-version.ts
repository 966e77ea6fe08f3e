import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The channel on which a new version is announced (PostgreSQL's NOTIFY), with the number as its text. */
export const DATA_VERSION_CHANNEL = 'ballotgraph_data_version';

/**
 * Says that the data changes. To be called in the transaction that changes them, once: the new version, and the
 * notification, are seen together with the changes. Two such transactions follow one another.
 * @returns the new version.
 */
export async function raiseDataVersion(db: Database): Promise<number> {
  const raised = await sql<{ version: number }>`
    /* dataVersion.raise */
    insert into data_version (version) values (1)
    on conflict (single) do update set version = data_version.version + 1, changed_at = now()
    returning version, pg_notify(${DATA_VERSION_CHANNEL}, version::text)`.execute(db);
  return raised.rows[0]?.version ?? 0;
}

/** The version of the data: a number that is never given to two states of them. */
export async function dataVersion(db: Database): Promise<number> {
  const found = await sql<{ version: number }>`
    /* dataVersion.read */ select version from data_version`.execute(db);
  return found.rows[0]?.version ?? 0;
}
