import { type CompiledQuery, DefaultQueryExecutor, type Driver, Kysely, type QueryResult } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { gatewayBusy, isBroken, isTransient, tooLong } from '../errors.ts';
import { watchEventLoop } from '../event-loop-watch.ts';
import type { Leave } from '../fair-queue.ts';
import type { DatabaseBackend } from './backend.ts';
import { cancelStatement } from './cancel-statement.ts';
import { isConnectTimeout, isTimeout, wasEndedByWatchdog } from './connection-errors.ts';
import type { Enter } from './connection-queue.ts';
import type { Database } from './database.ts';
import type { ObservedStatement, ObserveStatement } from './observe-statement.ts';
import { pausesAfterConflicts } from './past-conflicts.ts';
import { query } from './query-builder.ts';
import type { DB } from './tables.ts';

/**
 * The maximum pauses before each further attempt in milliseconds; the actual pause is random, from two thirds to the
 * whole. Together they last longer than the restart of a server that was killed, and end well before the deadline of a
 * request.
 */
const PAUSES_MS = { server: [100, 1_000, 1_000, 1_000, 1_000], embedded: [500, 1_000, 1_000, 1_000, 1_000] } as const;

/** What the statements of one request, or of several that share a statement, have in common. */
interface Statements {
  readonly pool: pg.Pool;
  readonly kind: DatabaseBackend['kind'];
  /** The time limit of the embedded database's watchdog; infinite for a server. */
  readonly watchdogMs: number;
  readonly abortSignal: AbortSignal;
  readonly observe: ObserveStatement | undefined;
  readonly enter: Enter;
}

/**
 * Returns the database handle of one request: statements are aborted with the request, and statements that fail because
 * the database was briefly unavailable are retried. It is read-only, so it has no transactions.
 * @param abortSignal the signal of the request. A server cancels the running statement; the embedded database does not
 * support cancelling, its watchdog ends statements that run too long.
 * @param enter waits until the limits of the request and its API key allow an attempt; if omitted, statements run as soon
 * as the pool has a free connection.
 */
export function requestDatabase(
  { pool, kind }: Pick<DatabaseBackend, 'pool' | 'kind'>,
  { statementTimeoutMs }: Pick<Config['database'], 'statementTimeoutMs'>,
  abortSignal: AbortSignal,
  observe?: ObserveStatement,
  enter: Enter = withoutLimit,
): Database {
  const watchdogMs = kind === 'embedded' ? statementTimeoutMs : Number.POSITIVE_INFINITY;
  const executor = new RequestExecutor({ pool, kind, watchdogMs, abortSignal, observe, enter });
  return new Kysely<DB>({ executor, driver: READING_ONLY, config: NO_CONFIG, dialect: NO_CONFIG.dialect });
}

const withoutLimit: Enter = () => () => undefined;

/** The other members of a `Kysely` are for transactions and introspection, which requests do not use. */
const READING_ONLY = {} as Driver;
const NO_CONFIG = { dialect: {} } as { dialect: never };
const NO_CONNECTIONS = {
  provideConnection: () => Promise.reject(new Error('The database handle of a request only executes statements')),
};
const COMPILER = query.getExecutor();

class RequestExecutor extends DefaultQueryExecutor {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    super(COMPILER, COMPILER.adapter, NO_CONNECTIONS);
    this.#statements = statements;
  }

  override executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      const observed = this.#statements.observe?.(nameOf(compiled.sql));
      new RequestStatement<Row>(this.#statements, compiled, observed, resolve, reject).begin();
    });
  }
}

/**
 * A statement of a request, in as many attempts as it takes. When the request is aborted, the statement rejects immediately,
 * and its connection returns to the pool when the server has ended it.
 *
 * It is written with callbacks: with async functions and Kysely's driver, a shared read created 65 promises, and now 15.
 */
class RequestStatement<Row> implements EventListenerObject {
  readonly #statements: Statements;
  readonly #query: CompiledQuery;
  readonly #observed: ObservedStatement | undefined;
  readonly #resolve: (result: QueryResult<Row>) => void;
  readonly #reject: (error: unknown) => void;
  #attempts = 0;
  #shouldRetry: ReturnType<typeof createRetryPolicy> | undefined;
  #pauseAfterConflict: ReturnType<typeof pausesAfterConflicts> | undefined;
  #wasLoopBusy: (() => boolean) | undefined;
  /** Ends what the statement waits for: a pause, or its execution on a server. */
  #stop: (() => void) | undefined;

  constructor(
    statements: Statements,
    query: CompiledQuery,
    observed: ObservedStatement | undefined,
    resolve: (result: QueryResult<Row>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#statements = statements;
    this.#query = query;
    this.#observed = observed;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    const { abortSignal } = this.#statements;
    if (abortSignal.aborted) {
      this.#settle(abortSignal.reason);
    } else {
      abortSignal.addEventListener('abort', this);
      this.#attempt();
    }
  }

  /** Is called when the request is aborted. */
  handleEvent(): void {
    this.#stop?.();
    this.#settle(this.#statements.abortSignal.reason);
  }

  #settle(error: unknown, result?: QueryResult<Row>): void {
    this.#statements.abortSignal.removeEventListener('abort', this);
    if (result) {
      this.#observed?.ended();
      this.#resolve(result);
    } else {
      this.#observed?.ended(error);
      this.#reject(error);
    }
  }

  #attempt(): void {
    const { abortSignal, enter } = this.#statements;
    if (!this.#pauseAfterConflict) this.#wasLoopBusy = watchEventLoop();
    const fail = (error: unknown) => this.#fail(error);
    try {
      const entered = enter(abortSignal);
      if (entered instanceof Promise) entered.then((leave) => this.#connect(leave), fail);
      else this.#connect(entered);
    } catch (error) {
      fail(error);
    }
  }

  #connect(leave: Leave): void {
    this.#statements.pool.connect((error, client, release) => {
      const { aborted } = this.#statements.abortSignal;
      if (client && !aborted) {
        this.#execute(client, () => {
          release();
          leave();
        });
        return;
      }
      if (client) release();
      leave();
      this.#fail(error);
    });
  }

  #execute(client: pg.PoolClient, release: () => void): void {
    const { pool, kind, watchdogMs } = this.#statements;
    const { sql, parameters } = this.#query;
    this.#observed?.connected();
    const began = performance.now();
    let cancelling: Promise<void> | undefined;
    if (kind === 'server') {
      this.#stop = () => {
        cancelling = cancelStatement(pool, client);
      };
    }
    client.query<Row & pg.QueryResultRow>(sql, parameters as unknown[], (error, result) => {
      this.#stop = undefined;
      // The statement of the next request on this connection must not be cancelled.
      if (cancelling) {
        cancelling.then(release);
        return;
      }
      release();
      if (error) this.#fail(wasEndedByWatchdog(error, performance.now() - began, watchdogMs) ? tooLong() : error);
      else if (!this.#statements.abortSignal.aborted) this.#settle(undefined, result);
    });
  }

  /** Ends the statement with the error of an attempt, or pauses before the next one. */
  #fail(error: unknown): void {
    // It has been rejected.
    if (this.#statements.abortSignal.aborted) return;
    const wasBusy = isTimeout(error) && this.#wasLoopBusy?.() === true;
    const pause = this.#pauseAfter(error, wasBusy);
    if (pause === undefined) this.#settle(wasBusy ? gatewayBusy() : error);
    else this.#pause(pause);
  }

  #pauseAfter(error: unknown, wasBusy: boolean): number | undefined {
    this.#pauseAfterConflict ??= pausesAfterConflicts();
    const pause = this.#pauseAfterConflict(error);
    if (pause !== undefined) return pause;
    const { kind } = this.#statements;
    const longest = PAUSES_MS[kind][this.#attempts++];
    this.#shouldRetry ??= createRetryPolicy(kind);
    if (longest === undefined || !this.#shouldRetry(error, wasBusy)) return undefined;
    this.#pauseAfterConflict = undefined;
    return (longest * (2 + Math.random())) / 3;
  }

  #pause(ms: number): void {
    const timer = setTimeout(() => {
      this.#stop = undefined;
      this.#attempt();
    }, ms);
    this.#stop = () => clearTimeout(timer);
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
