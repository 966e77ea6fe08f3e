import { CONFLICTS, codeOf, isBroken } from '../../base/errors.ts';

/** PostgreSQL's code for a statement that was ended because it and another session waited for each other. */
export const DEADLOCK = '40P01';
/** The message of `pg-pool` for a new connection that timed out. The message for a busy pool is different. */
const CONNECT_TIMEOUT_TEXT = /^Connection terminated due to connection timeout/;
/** The message of `pg-pool` for a busy pool, and that of the readiness check. */
const WAIT_TIMEOUT_TEXT = /^timeout exceeded/;

/**
 * Returns the error of a connection that broke in the middle of a message: what was received of it cannot be read.
 * @param cause what was thrown when it was read.
 */
export function garbled(cause: unknown): Error {
  return new Error('Connection terminated unexpectedly, in the middle of a message', { cause });
}

/**
 * Returns whether the watchdog of the embedded database ended a statement: it closes the connection without a specific
 * error.
 * @param ranMs how long the statement ran.
 */
export function wasEndedByWatchdog(error: unknown, ranMs: number, limitMs: number): boolean {
  return isBroken(error) && ranMs >= limitMs;
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
