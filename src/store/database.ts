import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { prepareReads } from './prepare-reads.ts';
import type { DB } from './tables.ts';

/** The handle that every function with SQL takes first: the store itself, or a transaction of it. */
export type Database = Kysely<DB>;

export interface PoolSettings {
  /** Where the store listens: a connection string, or the address of the embedded one. */
  readonly at:
    | { readonly connectionString: string }
    | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  readonly size: number;
  /** A statement that takes longer is ended by the server with SQLSTATE 57014; 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** Waiting longer than this for a free connection is an error; 0 waits for ever. */
  readonly waitMs: number;
  /** What the connections call themselves; `ballotgraph` when not set. */
  readonly applicationName?: string;
  /** Whether statements that read are kept prepared on each connection; not through a pooler that hands out transactions. */
  readonly prepared?: boolean;
  /** Told of a connection that breaks while nobody uses it. */
  readonly onIdleError?: (error: Error) => void;
}

const DATE = 1082;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * How PostgreSQL's values arrive: a `date` stays a string (a JavaScript `Date` would shift it by the time zone),
 * counts and sums are numbers.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === DATE) return (text: string) => text;
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * For statements that are prepared: planned once for each connection, and never compiled. PostgreSQL takes a plan for
 * one point for cheaper than one for any number, and would plan each time, which takes longer than the statement.
 */
const PLANNED_ONCE = { options: '-c plan_cache_mode=force_generic_plan -c jit=off' } as const;

/** A pool of connections as this program uses them: parsed as in `types`. */
export function openPool(settings: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    ...settings.at,
    ...(settings.prepared && PLANNED_ONCE),
    types,
    max: settings.size,
    statement_timeout: settings.statementTimeoutMs || undefined,
    connectionTimeoutMillis: settings.waitMs,
    application_name: settings.applicationName ?? 'ballotgraph',
  });
  pool.on('error', (error) => settings.onIdleError?.(error));
  // A connection that breaks at work tells its statement, and emits an error besides that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (settings.prepared) pool.on('connect', (client) => prepareReads(client));
  return pool;
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool, controlClient: CancellingClient }) });
}

/** Opened to cancel a statement of another connection. An error that it emits would end the process. */
class CancellingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
