import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';

/** Opens the database at DATABASE_URL, without limits of time. */
export function openAuditedDatabase(): Database {
  const at = { connectionString: process.env.DATABASE_URL ?? '' };
  return openDatabase(openPool({ at, size: 2, statementTimeoutMs: 0, waitMs: 0 }));
}
