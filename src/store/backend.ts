import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../base/config/config.ts';
import { watchEventLoop } from '../base/event-loop-watch.ts';
import type { Logger } from '../base/logger.ts';
import { joinEmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-database.ts';
import { LONG_RUNNING_CLIENT } from './embedded/wire.ts';
import { isMigrated } from './migrate.ts';
import { readPastConflicts } from './past-conflicts.ts';
import { type ReplicaLag, watchReplicaLag } from './replica-lag.ts';
import { isTimeout, isWaitTimeout } from './sql/connection-errors.ts';
import { type Database, openDatabase, openPool, type PoolSettings } from './sql/database.ts';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** The database of this process, on a server or embedded. */
export interface DatabaseBackend {
  readonly kind: 'server' | 'embedded';
  readonly db: Database;
  readonly pool: pg.Pool;
  /** The lag of a standby; undefined if it is not limited. */
  readonly lag?: ReplicaLag | undefined;
  /** Returns whether the database is reachable and has the schema of this version; checked at most once per second. */
  ready(): Promise<Readiness>;
  /** Waits for running statements, for at most two seconds. */
  close(): Promise<void>;
}

export interface OpenBackendOptions {
  /** A gateway limits its statements and its waiting; a command has no time limit. */
  readonly purpose: 'gateway' | 'command';
  readonly log?: Logger;
  /** Called with the progress while the embedded database opens. */
  readonly onProgress?: (message: string) => void;
}

const CLOSE_LIMIT_MS = 2_000;
const COMMAND_CONNECTIONS = 2;
const COMMAND_LIMIT_MS = 24 * 60 * 60 * 1_000;

/**
 * Opens the configured database. A server is not contacted yet, so it may be unavailable; the embedded database accepts
 * connections when this function returns. A command uses the embedded database of a running gateway together with it.
 * @throws DatabaseInUseError if another gateway has the embedded database open.
 */
export async function openBackend(config: Config['database'], options: OpenBackendOptions): Promise<DatabaseBackend> {
  const gateway = options.purpose === 'gateway';
  const { log } = options;
  const common = {
    statementTimeoutMs: gateway ? config.statementTimeoutMs : 0,
    waitMs: gateway ? config.poolWaitMs : 0,
    prepared: gateway && config.prepared,
    log,
    onIdleError: log && createBreakLog(log),
  };
  if (config.url !== undefined) {
    const size = gateway ? config.poolSize : COMMAND_CONNECTIONS;
    const maxLagSeconds = gateway ? config.maxReplicaLagS : 0;
    return backendOver('server', { ...common, at: { connectionString: config.url }, size, maxLagSeconds });
  }
  const joined = gateway ? undefined : await joinEmbeddedDatabase(config.dataDir);
  if (joined) return backendOver('embedded', { ...common, at: joined, size: 1, applicationName: LONG_RUNNING_CLIENT });
  const embedded = await openEmbeddedDatabase({
    dataDir: config.dataDir,
    queryLimitMs: gateway ? config.statementTimeoutMs : COMMAND_LIMIT_MS,
    onProgress: options.onProgress,
    onRestart: (reason) => log?.warn({ reason }, 'the embedded database is being reopened'),
  });
  return backendOver('embedded', {
    ...common,
    at: embedded.connection,
    size: 1,
    // The process of the embedded database ends long statements by itself.
    statementTimeoutMs: 0,
    closeDatabase: () => embedded.close(),
  });
}

const BREAK_LOG_MS = 10_000;

/** When a database becomes unavailable, all connections break at once: logs one line for all of them. */
function createBreakLog(log: Logger): (error: Error) => void {
  let mutedUntil = 0;
  let unreported = 0;
  return (error) => {
    unreported++;
    if (performance.now() < mutedUntil) return;
    log.warn({ reason: error.message, connections: unreported }, 'connections to the database broke');
    mutedUntil = performance.now() + BREAK_LOG_MS;
    unreported = 0;
  };
}

export interface BackendSettings extends PoolSettings {
  readonly log?: Logger | undefined;
  /** A standby with a larger lag is not ready; 0 or undefined for any lag. */
  readonly maxLagSeconds?: number;
  /** Closes the database behind the pool. */
  readonly closeDatabase?: () => Promise<void>;
}

/** Creates a database from a pool of connections. */
export function backendOver(kind: DatabaseBackend['kind'], settings: BackendSettings): DatabaseBackend {
  const pool = openPool(settings);
  const db = openDatabase(pool);
  const { maxLagSeconds: maxSeconds = 0, log } = settings;
  const lag = maxSeconds > 0 ? watchReplicaLag(db, { maxSeconds, log }) : undefined;
  let closing: Promise<void> | undefined;
  return {
    kind,
    db,
    pool,
    lag,
    ready: createReadiness(db, pool, lag, log),
    close: () => {
      lag?.close();
      closing ??= Promise.race([pool.end(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]).then(
        settings.closeDatabase,
      );
      return closing;
    },
  };
}

const READINESS_CACHED_MS = 1_000;
const READINESS_LIMIT_MS = 2_500;
/** How much longer a check may take whose response could not be received in time. */
const SECOND_CHANCE_MS = 500;
/**
 * A pool whose connections are all busy cannot be checked, nor can a process whose event loop was blocked check any; they count
 * as ready for this long after the last response.
 */
const BUSY_COUNTS_AS_READY_MS = 15_000;

/**
 * Creates the readiness check: one query at a time, its result cached for a second, and always completed within a time
 * limit.
 */
function createReadiness(db: Database, pool: pg.Pool, lag?: ReplicaLag, log?: Logger): () => Promise<Readiness> {
  let cached: { readonly readiness: Promise<Readiness>; readonly at: number } | undefined;
  let lastReady = Number.NEGATIVE_INFINITY;
  let lastReported = true;

  /** Rejects at the time limit; later if the event loop was too busy to receive a response. */
  async function limited(wasLoopBusy: () => boolean): Promise<never> {
    await sleep(READINESS_LIMIT_MS, undefined, { ref: false });
    if (wasLoopBusy()) await sleep(SECOND_CHANCE_MS, undefined, { ref: false });
    throw new Error('timeout exceeded');
  }

  async function check(): Promise<Readiness> {
    const wasLoopBusy = watchEventLoop();
    try {
      if (!(await Promise.race([readPastConflicts(() => isMigrated(db)), limited(wasLoopBusy)])))
        return { ready: false, reason: 'schema not up to date' };
      lastReady = performance.now();
      const problem = lag?.problem();
      return problem ? { ready: false, reason: problem } : { ready: true };
    } catch (error) {
      const isLoopBusy = isTimeout(error) && wasLoopBusy();
      const isPoolBusy = isWaitTimeout(error) && pool.totalCount > 0;
      const respondedRecently = performance.now() - lastReady < BUSY_COUNTS_AS_READY_MS;
      if ((isLoopBusy || isPoolBusy) && respondedRecently) return { ready: true };
      return { ready: false, reason: isLoopBusy ? 'event loop delayed' : 'database not reachable' };
    }
  }

  async function checkAndReport(): Promise<Readiness> {
    const readiness = await check();
    if (readiness.ready !== lastReported) {
      if (readiness.ready) log?.info('the database is ready again');
      else log?.warn({ reason: readiness.reason }, 'the database is not ready');
      lastReported = readiness.ready;
    }
    return readiness;
  }

  return () => {
    const now = performance.now();
    if (!cached || now - cached.at > READINESS_CACHED_MS) cached = { readiness: checkAndReport(), at: now };
    return cached.readiness;
  };
}
