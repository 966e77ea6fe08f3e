import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  type QueryExecutor,
  type QueryResult,
} from 'kysely';
import type { Config } from '../config/config.ts';
import { tooLong } from '../errors.ts';
import type { DatabaseBackend } from './backend.ts';
import { isBroken, isConnectTimeout, isTransient, wasEndedByWatchdog } from './connection-errors.ts';
import type { Database } from './database.ts';
import type { ObservedStatement, ObserveStatement } from './observe-statement.ts';
import type { DB } from './tables.ts';

/**
 * The maximum pauses before each further attempt in milliseconds; the actual pause is random, from two thirds to the
 * whole. Together they last longer than the restart of a server that was killed, and end well before the deadline of a
 * request.
 */
const PAUSES_MS = { server: [100, 1_000, 1_000, 1_000, 1_000], embedded: [500, 1_000, 1_000, 1_000, 1_000] } as const;

/** Runs work on a database connection as soon as the limits of its request and its API key allow it. */
export type Schedule = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Returns the database handle of one request: statements are aborted with the request, and statements that fail because
 * the database was briefly unavailable are retried. It is read-only, so it has no transactions.
 * @param abortSignal the signal of the request. A server cancels the running statement; the embedded database does not
 * support cancelling, its watchdog ends statements that run too long.
 * @param schedule schedules statements; if omitted, they run as soon as the pool has a free connection.
 */
export function requestDatabase(
  { db, kind }: Pick<DatabaseBackend, 'db' | 'kind'>,
  { statementTimeoutMs }: Pick<Config['database'], 'statementTimeoutMs'>,
  abortSignal: AbortSignal,
  observe?: ObserveStatement,
  schedule?: Schedule,
): Database {
  const executor = new RequestExecutor(db.getExecutor(), kind, statementTimeoutMs, abortSignal, observe, schedule);
  return new Kysely<DB>({ executor, driver: READING_ONLY, config: NO_CONFIG, dialect: NO_CONFIG.dialect });
}

/** The other members of a `Kysely` are for transactions and introspection, which requests do not use. */
const READING_ONLY = {} as Driver;
const NO_CONFIG = { dialect: {} } as { dialect: never };

/** The observers of statements, to be notified when their statement has a connection. */
type RunningStatements = WeakMap<CompiledQuery, ObservedStatement>;

class RequestExecutor extends DefaultQueryExecutor {
  readonly #kind: DatabaseBackend['kind'];
  readonly #abortSignal: AbortSignal;
  readonly #observe: ObserveStatement | undefined;
  readonly #runningStatements: RunningStatements;

  constructor(
    base: QueryExecutor,
    kind: DatabaseBackend['kind'],
    statementTimeoutMs: number,
    abortSignal: AbortSignal,
    observe: ObserveStatement | undefined,
    schedule: Schedule = (work) => work(),
  ) {
    const runningStatements: RunningStatements = new WeakMap();
    const watchdogMs = kind === 'embedded' ? statementTimeoutMs : Number.POSITIVE_INFINITY;
    super(base, base.adapter, {
      provideConnection: (consumer, options) =>
        schedule(
          () =>
            base.provideConnection(
              (connection) =>
                consumer(ignoreErrorsAfterAbort(connection, { abortSignal, runningStatements, watchdogMs })),
              options,
            ),
          abortSignal,
        ),
    });
    this.#runningStatements = runningStatements;
    this.#kind = kind;
    this.#abortSignal = abortSignal;
    this.#observe = observe;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#observe) return this.#execute(query);
    const observed = this.#observe(nameOf(query.sql));
    if (observed) this.#runningStatements.set(query, observed);
    try {
      const result = await this.#execute<Row>(query);
      observed?.ended();
      return result;
    } catch (error) {
      observed?.ended(error);
      throw error;
    }
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const signal = this.#abortSignal;
    const inflightQueryAbortStrategy = this.#kind === 'server' ? 'cancel query' : 'ignore query';
    const shouldRetry = createRetryPolicy(this.#kind);
    for (const pause of PAUSES_MS[this.#kind]) {
      try {
        return await super.executeQuery(query, { signal, inflightQueryAbortStrategy });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (!shouldRetry(error)) throw error;
        await sleep((pause * (2 + Math.random())) / 3, undefined, { signal }).catch(() => {
          throw signal.reason;
        });
      }
    }
    return super.executeQuery(query, { signal, inflightQueryAbortStrategy });
  }
}

/**
 * Creates the retry policy of one statement: a function that is called once for each error and returns whether to
 * retry. In the embedded database the statement itself may be what breaks the shared session, so it is retried at most
 * once.
 */
function createRetryPolicy(kind: DatabaseBackend['kind']): (error: unknown) => boolean {
  let connects = 1;
  let breaks = kind === 'server' ? Number.POSITIVE_INFINITY : 1;
  return (error) => {
    if (isConnectTimeout(error)) return connects-- > 0;
    if (isBroken(error)) return breaks-- > 0;
    return isTransient(error);
  };
}

/** Returns the name in the comment before a statement; for statements that Kysely builds, the name of their table. */
function nameOf(statement: string): string {
  const name = /^\s*\/\* ([a-zA-Z]+\.[a-zA-Z]+) \*\//.exec(statement)?.[1];
  const table = name ?? /\bfrom "(\w+)"/.exec(statement)?.[1];
  return name ?? (table === undefined ? 'unnamed' : `${table}.list`);
}

interface StatementOptions {
  readonly abortSignal: AbortSignal;
  readonly runningStatements: RunningStatements;
  /** The time limit of the embedded database's watchdog; infinite for a server. */
  readonly watchdogMs: number;
}

/** Ignores errors after the request was aborted; Kysely would print them. */
function ignoreErrorsAfterAbort(
  connection: DatabaseConnection,
  { abortSignal, runningStatements, watchdogMs }: StatementOptions,
): DatabaseConnection {
  return {
    executeQuery: <Row>(query: CompiledQuery) => {
      runningStatements.get(query)?.connected();
      const began = performance.now();
      return connection.executeQuery<Row>(query).catch((error) => {
        if (abortSignal.aborted) return { rows: [] };
        throw wasEndedByWatchdog(error, performance.now() - began, watchdogMs) ? tooLong() : error;
      });
    },
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
    collectSessionInfo: async () => connection.collectSessionInfo?.(),
    cancelQuery: async (provider) => connection.cancelQuery?.(provider).catch(() => undefined),
  };
}
