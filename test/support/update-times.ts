import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';

const TABLES = [
  ...['ballot_measures', 'boundaries', 'candidates', 'districts', 'elections'],
  ...['deadlines', 'offices', 'officeholders', 'parties', 'persons', 'races', 'voting_places'],
];

/** The columns with times of changes, for tests that compare rows of different imports. */
export const UPDATE_TIMES: readonly string[] = [
  'updated_at',
  ...['contact', 'geometry', 'results', 'social'].map((part) => `${part}_updated_at`),
];

/** Sets the times of all changes to the same one, as if the data had been imported then. */
export async function setUpdateTimes(db: Database, time: string): Promise<void> {
  const parts = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_updated\\_at'`.execute(db);
  for (const table of TABLES) await sql`update ${sql.table(table)} set updated_at = ${time}`.execute(db);
  for (const { table, column } of parts.rows) {
    await sql`update ${sql.table(table)} set ${sql.id(column)} = null`.execute(db);
  }
}
