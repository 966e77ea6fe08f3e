import { CONFLICTS } from '../errors.ts';

/** PostgreSQL's codes for shutting down, crashed, and starting up. */
const RESTARTING = new Set(['57P01', '57P02', '57P03']);
/** PostgreSQL's code for a statement that was ended because it and another session waited for each other. */
export const DEADLOCK = '40P01';
/** Network errors: the database was not reachable, or the connection was lost. */
const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/**
 * The messages of `pg` for a connection that broke during a statement, or between two statements of one use of it; these
 * errors have no code.
 */
const BROKEN_TEXT =
  /^(Connection (terminated|ended) unexpectedly|Client (has encountered a connection error|was closed) and is not queryable)/;

/** The message of `pg-pool` for a new connection that timed out. The message for a busy pool is different. */
const CONNECT_TIMEOUT_TEXT = /^Connection terminated due to connection timeout/;
/** The message of `pg-pool` for a busy pool, and that of the readiness check. */
const WAIT_TIMEOUT_TEXT = /^timeout exceeded/;

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns whether a connection broke during a statement, so that it is unknown how far the statement got. */
export function isBroken(error: unknown): boolean {
  return error instanceof Error && (BROKEN_TEXT.test(error.message) || ['ECONNRESET', 'EPIPE'].includes(codeOf(error)));
}

/**
 * Returns whether the watchdog of the embedded database ended a statement: it closes the connection without a specific
 * error.
 * @param ranMs how long the statement ran.
 */
export function wasEndedByWatchdog(error: unknown, ranMs: number, limitMs: number): boolean {
  return isBroken(error) && ranMs >= limitMs;
}

/**
 * Returns whether an error is transient: the database became unavailable in a way from which it recovers by itself, so
 * that reading again may succeed. A pool without a free connection does not count: retrying would only make its queue
 * longer.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  const code = codeOf(error);
  // The socket of the embedded database, while it is being reopened.
  if (code === 'ENOENT' && error instanceof Error && 'syscall' in error) return error.syscall === 'connect';
  return RESTARTING.has(code) || BROKEN.has(code) || code.startsWith('08') || isBroken(error);
}

/** Returns whether a statement was ended in favour of others, so that reading again may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/**
 * Returns whether a new connection timed out. A proxy may have routed it to a server that has just died, so that
 * another attempt reaches its replacement; or no server is running, and retrying does not help.
 */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && CONNECT_TIMEOUT_TEXT.test(error.message);
}

/** Returns whether a wait for a connection of the pool timed out. */
export function isWaitTimeout(error: unknown): boolean {
  return error instanceof Error && WAIT_TIMEOUT_TEXT.test(error.message);
}

/** Returns whether a timer of this process ended a wait for the database: its own delay has the same effect. */
export function isTimeout(error: unknown): boolean {
  return isConnectTimeout(error) || isWaitTimeout(error);
}
