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
import { gatewayBusy, isBroken, isTransient, tooLong } from '../errors.ts';
import { watchEventLoop } from '../event-loop-watch.ts';
import { untilAborted } from '../until-aborted.ts';
import type { DatabaseBackend } from './backend.ts';
import { isConnectTimeout, isTimeout, wasEndedByWatchdog } from './connection-errors.ts';
import type { Database } from './database.ts';
import type { ObservedStatement, ObserveStatement } from './observe-statement.ts';
import { readPastConflicts } from './past-conflicts.ts';
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

/** A statement that is executed once, with the function that cancels it while it runs on a connection of a server. */
interface RunningStatement {
  cancel: (() => void) | undefined;
}

class RequestExecutor extends DefaultQueryExecutor {
  readonly #base: QueryExecutor;
  readonly #kind: DatabaseBackend['kind'];
  /** The time limit of the embedded database's watchdog; infinite for a server. */
  readonly #watchdogMs: number;
  readonly #abortSignal: AbortSignal;
  readonly #observe: ObserveStatement | undefined;
  readonly #schedule: Schedule;

  constructor(
    base: QueryExecutor,
    kind: DatabaseBackend['kind'],
    statementTimeoutMs: number,
    abortSignal: AbortSignal,
    observe: ObserveStatement | undefined,
    schedule: Schedule = (work) => work(),
  ) {
    super(base, base.adapter, base);
    this.#base = base;
    this.#kind = kind;
    this.#watchdogMs = kind === 'embedded' ? statementTimeoutMs : Number.POSITIVE_INFINITY;
    this.#abortSignal = abortSignal;
    this.#observe = observe;
    this.#schedule = schedule;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const observed = this.#observe?.(nameOf(query.sql));
    const result = this.#execute<Row>(query, observed);
    if (observed) {
      result.then(
        () => observed.ended(),
        (error) => observed.ended(error),
      );
    }
    return result;
  }

  async #execute<Row>(query: CompiledQuery, observed: ObservedStatement | undefined): Promise<QueryResult<Row>> {
    const signal = this.#abortSignal;
    const shouldRetry = createRetryPolicy(this.#kind);
    for (let attempt = 0; ; attempt++) {
      const wasLoopBusy = watchEventLoop();
      try {
        return await readPastConflicts(() => this.#attempt<Row>(query, observed), signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const pause = PAUSES_MS[this.#kind][attempt];
        const wasBusy = isTimeout(error) && wasLoopBusy();
        if (pause === undefined || !shouldRetry(error, wasBusy)) throw wasBusy ? gatewayBusy() : error;
        await sleep((pause * (2 + Math.random())) / 3, undefined, { signal }).catch(() => {
          throw signal.reason;
        });
      }
    }
  }

  /**
   * Executes a query once. When the signal is aborted, the returned promise rejects immediately, and the connection
   * returns to the pool when the query has ended. Kysely's own `signal` option does the same with many more promises:
   * a small statement takes 31 µs of processor time with it, and 26 without.
   */
  #attempt<Row>(query: CompiledQuery, observed: ObservedStatement | undefined): Promise<QueryResult<Row>> {
    const signal = this.#abortSignal;
    const running: RunningStatement = { cancel: undefined };
    if (signal.aborted) return Promise.reject(signal.reason);
    const executed = this.#schedule(async () => {
      signal.throwIfAborted();
      return this.#base.provideConnection((connection) => this.#run<Row>(connection, query, observed, running));
    }, signal);
    return untilAborted(executed, signal, () => running.cancel?.());
  }

  async #run<Row>(
    connection: DatabaseConnection,
    query: CompiledQuery,
    observed: ObservedStatement | undefined,
    running: RunningStatement,
  ) {
    this.#abortSignal.throwIfAborted();
    observed?.connected();
    await connection.collectSessionInfo?.();
    const began = performance.now();
    let cancelling: Promise<void> | undefined;
    if (this.#kind === 'server') {
      running.cancel = () => {
        // If cancelling fails, which it may do long before the statement ends, that ends by its time limit.
        cancelling = connection
          .cancelQuery?.((consumer) => this.#base.provideConnection(consumer))
          .catch(() => undefined);
      };
    }
    try {
      return await connection.executeQuery<Row>(query);
    } catch (error) {
      throw wasEndedByWatchdog(error, performance.now() - began, this.#watchdogMs) ? tooLong() : error;
    } finally {
      running.cancel = undefined;
      // The query of the next request on this connection must not be cancelled.
      await cancelling;
    }
  }
}

/**
 * Creates the retry policy of one statement: a function that is called once for each error, with whether a wait ended
 * because the event loop was blocked, and returns whether to retry. In the embedded database the statement itself may be
 * what breaks the shared session, so it is retried at most once.
 */
function createRetryPolicy(kind: DatabaseBackend['kind']): (error: unknown, wasBusy: boolean) => boolean {
  let connects = 1;
  let breaks = kind === 'server' ? Number.POSITIVE_INFINITY : 1;
  return (error, wasBusy) => {
    if (isConnectTimeout(error) || wasBusy) return connects-- > 0;
    if (isBroken(error)) return breaks-- > 0;
    return isTransient(error);
  };
}

/** Returns the name in the comment before a statement; for statements that Kysely builds, the name of their table. */
function nameOf(statement: string): string {
  const name = /^\s*\/\* ([\w.-]+)/.exec(statement)?.[1];
  const table = name ?? /\bfrom "(\w+)"/.exec(statement)?.[1];
  return name ?? (table === undefined ? 'unnamed' : `${table}.list`);
}
