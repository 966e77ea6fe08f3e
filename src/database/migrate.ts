import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { grantGatewayRights } from './gateway-role.ts';

const FOLDER = new URL('../../db/migrations', import.meta.url);
/** The names of the migrations, from the start of this process on: a newer version may replace the files meanwhile. */
const NAMES = readdirSync(FOLDER).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);

const provider = new FileMigrationProvider({
  migrationFolder: FOLDER.href,
  // Modules are imported by URL: on Windows, the path of a file is none.
  fs: { readdir: (folder) => readdir(new URL(folder)) },
  path: { join: (...parts) => parts.join('/') },
});

/**
 * Migrates the schema of a database, under the lock of Kysely's migrator, so that two commands that start at the same
 * time do it only once. The role of the gateway gets its rights to what is new.
 * @returns the names of the executed migrations, oldest first.
 * @throws Error with the name of the failed migration; the schema is then unchanged.
 */
export async function migrate<T>(db: Kysely<T>): Promise<string[]> {
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error');
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`The schema could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ${cause}`, {
      cause: error,
    });
  }
  const names = (results ?? []).map((result) => result.migrationName);
  if (names.length > 0) await grantGatewayRights(db);
  return names;
}

/**
 * Returns whether a database has every migration of this version of the program.
 * @throws Error if the database is unavailable.
 */
export async function isMigrated<T>(db: Kysely<T>): Promise<boolean> {
  const found = await sql<{ present: boolean }>`select to_regclass('kysely_migration') is not null as present`.execute(
    db,
  );
  if (!found.rows[0]?.present) return false;
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = new Set(done.rows.map((row) => row.name));
  return NAMES.every((name) => names.has(name));
}
