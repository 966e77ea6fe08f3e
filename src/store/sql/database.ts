import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { garbled } from './connection-errors.ts';
import { PreparingClient } from './preparing-client.ts';
import type { DB } from './tables.ts';

/** The handle that every function with SQL takes first: the database, or a transaction of it. */
export type Database = Kysely<DB>;

export interface PoolSettings {
  /** The address: a connection string, or the socket of the embedded database. */
  readonly at:
    | { readonly connectionString: string }
    | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  readonly size: number;
  /** Milliseconds after which the server cancels a statement with SQLSTATE 57014; 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** Milliseconds after which waiting for a free connection fails; 0 for no limit. */
  readonly waitMs: number;
  /** The `application_name` of the connections; `ballotgraph` if omitted. */
  readonly applicationName?: string;
  /** Whether SELECT statements are prepared on each connection. Must be false with a pooler in transaction mode. */
  readonly prepared?: boolean;
  /** Called when an idle connection breaks. */
  readonly onIdleError?: (error: Error) => void;
}

const DATE = 1082;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * The parsers of PostgreSQL values: a `date` stays a string (a JavaScript `Date` would shift it by the time zone),
 * counts and sums are numbers.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === DATE) return (text: string) => text;
    if (oid === INT8 || oid === NUMERIC) return Number;
    const parse: (text: string) => unknown = pg.types.getTypeParser(oid, format);
    return (text: string) => {
      try {
        return parse(text);
      } catch (cause) {
        throw garbled(cause);
      }
    };
  },
};

/**
 * Ends a connection whose messages cannot be read: if its connection to PostgreSQL breaks in the middle of a row, pgbouncer
 * sends an error there, which is then read as the rest of the row. What `pg` throws for it would end the process.
 */
export function endIfGarbled({ connection }: pg.ClientBase & { readonly connection?: pg.Connection }): void {
  const stream = connection?.stream;
  for (const listener of stream?.listeners('data') ?? []) {
    stream?.off('data', listener as () => void).on('data', (bytes) => {
      try {
        listener(bytes);
      } catch (cause) {
        stream.destroy(garbled(cause));
      }
    });
  }
}

/**
 * The settings of connections that prepare statements, until a statement needs a plan for its values (see
 * `PreparingClient`). They are a statement because the embedded database ignores the options of a connection.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan; set jit = off';

/** Opens a pool of connections that parse values as in `types`. */
export function openPool(settings: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    ...settings.at,
    ...(settings.prepared ? { Client: PreparingClient, onConnect: (client) => client.query(PLAN_ONCE) } : {}),
    types,
    max: settings.size,
    statement_timeout: settings.statementTimeoutMs || undefined,
    connectionTimeoutMillis: settings.waitMs,
    application_name: settings.applicationName ?? 'ballotgraph',
  });
  pool.on('error', (error) => settings.onIdleError?.(error));
  // If a connection breaks while it runs a statement, the statement fails, and `pg` also emits an error, which would
  // end the process.
  pool.on('connect', (client) => endIfGarbled(client.on('error', () => undefined)));
  return pool;
}

/** Returns the handle of a command, and of the gateway for what belongs to no request: for those, see `requestDatabase`. */
export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
