import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { FileMigrationProvider, type MigrationProvider, Migrator } from 'kysely/migration';
import { codeOf } from '../base/errors.ts';
import { prepareExportSandbox } from './export-sandbox.ts';
import { grantGatewayRights } from './gateway-role.ts';
import { DEADLOCK } from './sql/connection-errors.ts';

const FOLDER = new URL('../../db/migrations', import.meta.url);
/** The names of the migrations, from the start of this process on: a newer version may replace the files meanwhile. */
const NAMES = readdirSync(FOLDER).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);

const files = new FileMigrationProvider({
  migrationFolder: FOLDER.href,
  // Modules are imported by URL: on Windows, the path of a file is none.
  fs: { readdir: (folder) => readdir(new URL(folder)) },
  path: { join: (...parts) => parts.join('/') },
});

/**
 * A statement that alters a table waits for those that read it, and all later ones wait behind it. So it gives up before they
 * reach their time limit, and the migrations begin again, until the long statement of another session has ended.
 */
const LOCK_LIMIT = '1s';
/** The codes of the errors after which migrations begin again: the limit was reached, or two sessions waited for each other. */
const AGAIN = new Set(['55P03', DEADLOCK]);
const PAUSE_MS = 2_000;
/** More than a bulk download may take. */
const LONGEST_WAIT_MS = 600_000;

/**
 * The migrations, with the limit for locks. It is set for their transaction, in which the last one also prepares the
 * sandbox of the stored queries, for whatever tables and functions there are by then.
 */
const provider: MigrationProvider = {
  async getMigrations() {
    const migrations = Object.entries(await files.getMigrations());
    const last = migrations
      .map(([name]) => name)
      .sort()
      .at(-1);
    const limited = migrations.map(([name, { up }]) => {
      const upWithLimit = async (db: Kysely<unknown>) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_LIMIT)}`.execute(db);
        await up(db);
        if (name === last) await prepareExportSandbox(db);
      };
      return [name, { up: upWithLimit }] as const;
    });
    return Object.fromEntries(limited);
  },
};

/**
 * Migrates the schema of a database, under the lock of Kysely's migrator, so that two commands that start at the same
 * time do it only once. The role of the gateway gets its rights to what is new.
 * @param onWait called once if a table is in use for long.
 * @returns the names of the executed migrations, oldest first.
 * @throws Error with the name of the failed migration; the schema is then unchanged.
 */
export async function migrate<T>(db: Kysely<T>, onWait?: () => void): Promise<string[]> {
  const end = performance.now() + LONGEST_WAIT_MS;
  const attempt = () => new Migrator({ db, provider }).migrateToLatest();
  let { error, results } = await attempt();
  if (AGAIN.has(codeOf(error))) onWait?.();
  while (AGAIN.has(codeOf(error)) && performance.now() < end) {
    await sleep(PAUSE_MS);
    ({ error, results } = await attempt());
  }
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
