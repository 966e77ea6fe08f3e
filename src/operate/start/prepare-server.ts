import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../../base/config/config.ts';
import { toServiceError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type DatabaseBackend, openBackend } from '../../store/backend.ts';
import { connectionProblem } from '../../store/connection-problem.ts';
import { isMigrated, migrate } from '../../store/migrate.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const LOG_EVERY_MS = 30_000;

export interface PrepareOptions {
  readonly log: Logger;
  /** Ends the waiting for an unavailable database. */
  readonly signal: AbortSignal;
  /** Called once, if the server does not respond at first. */
  readonly onWait?: () => void;
}

/**
 * Migrates the schema of a server, and waits for as long as the server is unavailable. A server with the current schema
 * is only read, so a replica is sufficient.
 * @throws Error if retrying cannot help: a wrong password, a missing privilege or extension, a failing migration.
 */
export async function prepareServer(
  backend: DatabaseBackend,
  config: Config['database'],
  options: PrepareOptions,
): Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (let pause = FIRST_PAUSE_MS; !options.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      if (!(await isMigrated(backend.db))) await migrateApart(config, options.log);
      if (!config.prepared) await warnOfCompilation(backend, options.log);
      options.log.info('the database is ready');
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw new Error(connectionProblem(error), { cause: error });
      if (!Number.isFinite(loggedAt)) options.onWait?.();
      if (performance.now() - loggedAt > LOG_EVERY_MS) {
        options.log.warn({ reason: connectionProblem(error) }, 'the database cannot be reached; retrying');
        loggedAt = performance.now();
      }
      await sleep(pause, undefined, { signal: options.signal }).catch(() => undefined);
    }
  }
}

/**
 * Says how to turn compilation off for statements that are not prepared: it would take up to half a second for each of them.
 * A gateway turns it off itself on sessions of its own, but not on those of a pooler.
 */
async function warnOfCompilation({ db }: DatabaseBackend, log: Logger): Promise<void> {
  const { rows } = await sql<{ jit: string; role: string }>`
    /* start.compilation */ select current_setting('jit') as jit, quote_ident(current_user) as role`.execute(db);
  const [session] = rows;
  if (session?.jit !== 'on') return;
  const remedy = `alter role ${session.role} set jit = off`;
  log.warn(
    { jit: 'on', remedy },
    'PostgreSQL compiles statements that are not prepared, which takes up to half a second each',
  );
}

/** Migrates over separate connections: a migration may take longer than the statement timeout of a gateway. */
async function migrateApart(config: Config['database'], log: Logger): Promise<void> {
  const backend = await openBackend(config, { purpose: 'command', log });
  try {
    const names = await migrate(backend.db, () => log.warn('migrations wait for a long statement of another session'));
    log.info({ migrations: names }, 'migrated the schema');
  } finally {
    await backend.close();
  }
}

function isUnavailable(thrown: unknown): boolean {
  const error = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return toServiceError(error).code === 'STORE_UNAVAILABLE';
}
