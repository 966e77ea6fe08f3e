import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { type Database, openDatabase, openPool, type PoolSettings } from './database.ts';
import { joinEmbeddedStore, openEmbeddedStore } from './embedded/embedded-store.ts';
import { PATIENT_CLIENT } from './embedded/wire.ts';
import { isMigrated } from './migrate.ts';
import { type ReplicaLag, watchReplicaLag } from './replica-lag.ts';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** The database of this process, on a server or embedded. */
export interface Store {
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

export interface OpenStoreOptions {
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
 * @throws StoreInUseError if another gateway has the embedded database open.
 */
export async function openStore(config: Config['store'], options: OpenStoreOptions): Promise<Store> {
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
    return storeOver('server', { ...common, at: { connectionString: config.url }, size, maxLagSeconds });
  }
  const joined = gateway ? undefined : await joinEmbeddedStore(config.dataDir);
  if (joined) return storeOver('embedded', { ...common, at: joined, size: 1, applicationName: PATIENT_CLIENT });
  const embedded = await openEmbeddedStore({
    dataDir: config.dataDir,
    queryLimitMs: gateway ? config.statementTimeoutMs : COMMAND_LIMIT_MS,
    onProgress: options.onProgress,
    onRestart: (reason) => log?.warn({ reason }, 'the embedded store is being reopened'),
  });
  return storeOver('embedded', {
    ...common,
    at: embedded.connection,
    size: 1,
    // The process of the embedded database ends long statements by itself.
    statementTimeoutMs: 0,
    closeHome: () => embedded.close(),
  });
}

const BREAK_LOG_MS = 10_000;

/** When a database becomes unavailable, all connections break at once: logs one line for all of them. */
function createBreakLog(log: Logger): (error: Error) => void {
  let quietUntil = 0;
  let unsaid = 0;
  return (error) => {
    unsaid++;
    if (performance.now() < quietUntil) return;
    log.warn({ reason: error.message, connections: unsaid }, 'connections to the store broke');
    quietUntil = performance.now() + BREAK_LOG_MS;
    unsaid = 0;
  };
}

export interface StoreSettings extends PoolSettings {
  readonly log?: Logger | undefined;
  /** A standby with a larger lag is not ready; 0 or undefined for any lag. */
  readonly maxLagSeconds?: number;
  /** Closes the database behind the pool. */
  readonly closeHome?: () => Promise<void>;
}

/** Creates a store from a pool of connections. */
export function storeOver(kind: Store['kind'], settings: StoreSettings): Store {
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
      closing ??= Promise.race([db.destroy(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]).then(
        settings.closeHome,
      );
      return closing;
    },
  };
}

const READINESS_KEPT_MS = 1_000;
const READINESS_LIMIT_MS = 2_500;
/**
 * A pool whose connections are all busy cannot be checked; it counts as ready for this long after its last response.
 */
const BUSY_COUNTS_AS_READY_MS = 15_000;

/**
 * Creates the readiness check: one query at a time, its result cached for a second, and always completed within a time
 * limit.
 */
function createReadiness(db: Database, pool: pg.Pool, lag?: ReplicaLag, log?: Logger): () => Promise<Readiness> {
  let kept: { readonly answer: Promise<Readiness>; readonly at: number } | undefined;
  let lastReady = Number.NEGATIVE_INFINITY;
  let told = true;

  async function ask(): Promise<Readiness> {
    try {
      const limit = sleep(READINESS_LIMIT_MS, undefined, { ref: false }).then(() => {
        throw new Error('timeout exceeded');
      });
      if (!(await Promise.race([isMigrated(db), limit]))) return { ready: false, reason: 'schema not up to date' };
      lastReady = performance.now();
      const problem = lag?.problem();
      return problem ? { ready: false, reason: problem } : { ready: true };
    } catch (error) {
      const isBusy = error instanceof Error && error.message.startsWith('timeout exceeded') && pool.totalCount > 0;
      const answeredLately = performance.now() - lastReady < BUSY_COUNTS_AS_READY_MS;
      return isBusy && answeredLately ? { ready: true } : { ready: false, reason: 'store not reachable' };
    }
  }

  async function askAndTell(): Promise<Readiness> {
    const readiness = await ask();
    if (readiness.ready !== told) {
      if (readiness.ready) log?.info('the store is ready again');
      else log?.warn({ reason: readiness.reason }, 'the store is not ready');
      told = readiness.ready;
    }
    return readiness;
  }

  return () => {
    const now = performance.now();
    if (!kept || now - kept.at > READINESS_KEPT_MS) kept = { answer: askAndTell(), at: now };
    return kept.answer;
  };
}
