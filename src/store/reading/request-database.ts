import { type CompiledQuery, DefaultQueryExecutor, type Driver, Kysely, type QueryResult } from 'kysely';
import type pg from 'pg';
import type { Config } from '../../base/config/config.ts';
import { gatewayBusy, isBroken, isTransient, tooLong } from '../../base/errors.ts';
import { watchEventLoop } from '../../base/event-loop-watch.ts';
import type { Leave } from '../../base/fair-queue.ts';
import type { DatabaseBackend } from '../backend.ts';
import { pausesAfterConflicts } from '../past-conflicts.ts';
import { isConnectTimeout, isTimeout, wasEndedByWatchdog } from '../sql/connection-errors.ts';
import type { Database } from '../sql/database.ts';
import { query } from '../sql/query-builder.ts';
import type { DB } from '../sql/tables.ts';
import { cancelStatement } from './cancel-statement.ts';
import type { Enter } from './connection-queue.ts';
import type { ObservedStatement, ObserveStatement } from './observe-statement.ts';

/**
 * The maximum pauses before each further attempt in milliseconds; the actual pause is random, from two thirds to the
 * whole. Together they last longer than the restart of a server that was killed, and end well before the deadline of a
 * request.
 */
const PAUSES_MS = { server: [100, 1_000, 1_000, 1_000, 1_000], embedded: [500, 1_000, 1_000, 1_000, 1_000] } as const;

/** What the statements of one request, or of several that share a statement, have in common. */
interface Statements extends Pick<DatabaseBackend, 'pool' | 'kind'> {
  /** The time limit of the embedded database's watchdog; infinite for a server. */
  readonly watchdogMs: number;
  readonly signal: AbortSignal;
  readonly enter: Enter;
}

/**
 * Returns the database handle of one request: statements are aborted with the request, and statements that fail because
 * the database was briefly unavailable are retried. It is read-only, so it has no transactions.
 * @param signal the signal of the request. A server cancels the running statement; the embedded database does not
 * support cancelling, its watchdog ends statements that run too long.
 * @param enter waits until the limits of the request and its API key allow an attempt; if omitted, statements run as soon
 * as the pool has a free connection.
 */
export function requestDatabase(
  { pool, kind }: Pick<DatabaseBackend, 'pool' | 'kind'>,
  { statementTimeoutMs }: Pick<Config['database'], 'statementTimeoutMs'>,
  signal: AbortSignal,
  observe?: ObserveStatement,
  enter: Enter = () => () => undefined,
): Database {
  const watchdogMs = kind === 'embedded' ? statementTimeoutMs : Number.POSITIVE_INFINITY;
  const statements: Statements = { pool, kind, watchdogMs, signal, enter };
  const executor = Object.assign(new DefaultQueryExecutor(COMPILER, COMPILER.adapter, NO_CONNECTIONS), {
    executeQuery: <Row>(compiled: CompiledQuery) => execute<Row>(compiled, observe?.(nameOf(compiled.sql)), statements),
  });
  return new Kysely<DB>({ executor, driver: READING_ONLY, config: NO_CONFIG, dialect: NO_CONFIG.dialect });
}

/** The other members of a `Kysely` are for transactions and introspection, which requests do not use. */
const READING_ONLY = {} as Driver;
const NO_CONFIG = { dialect: {} } as { dialect: never };
const NO_CONNECTIONS = { provideConnection: () => Promise.reject(new Error('A request only executes statements')) };
const COMPILER = query.getExecutor();

/**
 * Executes a statement in as many attempts as it takes. When the request is aborted, the returned promise rejects
 * immediately, and the connection returns to the pool when the server has ended the statement.
 *
 * It is written with callbacks: with async functions and Kysely's driver, a shared read created 65 promises, and now 17.
 */
function execute<Row>(
  { sql, parameters }: CompiledQuery,
  observed: ObservedStatement | undefined,
  { pool, kind, watchdogMs, signal, enter }: Statements,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    let pauseAfter: ReturnType<typeof createRetryPolicy> | undefined;
    /** Ends what the statement waits for: a pause, or its execution on a server. */
    let stop: (() => void) | undefined;

    function settle(error: unknown, result?: QueryResult<Row>): void {
      signal.removeEventListener('abort', onAbort);
      if (result) {
        observed?.ended();
        resolve(result);
      } else {
        observed?.ended(error);
        reject(error);
      }
    }

    function onAbort(): void {
      stop?.();
      settle(signal.reason);
    }

    function attempt(): void {
      const wasLoopBusy = watchEventLoop();
      stop = undefined;
      const fail = (error: unknown) => {
        // It has been rejected.
        if (signal.aborted) return;
        const wasBusy = isTimeout(error) && wasLoopBusy();
        pauseAfter ??= createRetryPolicy(kind);
        const pause = pauseAfter(error, wasBusy);
        if (pause === undefined) return settle(wasBusy ? gatewayBusy() : error);
        const timer = setTimeout(attempt, pause);
        stop = () => clearTimeout(timer);
      };
      try {
        const entered = enter(signal);
        if (entered instanceof Promise) entered.then((leave) => connect(leave, fail), fail);
        else connect(entered, fail);
      } catch (error) {
        fail(error);
      }
    }

    function connect(leave: Leave, fail: (error: unknown) => void): void {
      pool.connect((failure, client, release) => {
        if (!client || signal.aborted) {
          if (client) release();
          leave();
          fail(failure);
          return;
        }
        observed?.connected();
        const began = performance.now();
        let cancelling: Promise<void> | undefined;
        if (kind === 'server') {
          stop = () => {
            cancelling = cancelStatement(pool, client);
          };
        }
        client.query<Row & pg.QueryResultRow>(sql, parameters as unknown[], (error, result) => {
          stop = undefined;
          const end = () => {
            release();
            leave();
            if (error) fail(wasEndedByWatchdog(error, performance.now() - began, watchdogMs) ? tooLong() : error);
            else if (!signal.aborted) settle(undefined, result);
          };
          // The statement of the next request on this connection must not be cancelled.
          if (cancelling) cancelling.then(end);
          else end();
        });
      });
    }

    if (signal.aborted) return settle(signal.reason);
    signal.addEventListener('abort', onAbort);
    attempt();
  });
}

/**
 * Creates the retry policy of one statement: a function that is called once for each error, with whether a wait ended
 * because the event loop was blocked, and returns the milliseconds to pause before the next attempt; undefined if there is
 * none. In the embedded database the statement itself may be what breaks the shared session, so it is retried at most once.
 */
function createRetryPolicy(kind: DatabaseBackend['kind']): (error: unknown, wasBusy: boolean) => number | undefined {
  let connects = 1;
  let breaks = kind === 'server' ? Number.POSITIVE_INFINITY : 1;
  let pauseAfterConflict = pausesAfterConflicts();
  const pauses = PAUSES_MS[kind].values();
  const shouldRetry = (error: unknown, wasBusy: boolean) => {
    if (isConnectTimeout(error) || wasBusy) return connects-- > 0;
    if (isBroken(error)) return breaks-- > 0;
    return isTransient(error);
  };
  return (error, wasBusy) => {
    const conflictPause = pauseAfterConflict(error);
    if (conflictPause !== undefined) return conflictPause;
    pauseAfterConflict = pausesAfterConflicts();
    const { value: longest } = pauses.next();
    return longest !== undefined && shouldRetry(error, wasBusy) ? (longest * (2 + Math.random())) / 3 : undefined;
  };
}

/** Returns the name in the comment before a statement; for statements that Kysely builds, the name of their table. */
function nameOf(statement: string): string {
  const name = /^\s*\/\* ([\w.-]+)/.exec(statement)?.[1];
  const table = name ?? /\bfrom "(\w+)"/.exec(statement)?.[1];
  return name ?? (table === undefined ? 'unnamed' : `${table}.list`);
}
