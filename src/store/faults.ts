/** Of PostgreSQL: shutting down, crashed, starting. */
const RESTARTING = new Set(['57P01', '57P02', '57P03']);
/** Of the network: the store is not there, or was not there any more. */
const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** How `pg` words a connection that broke at work, which has no code. */
const BROKEN_TEXT = /^Connection (terminated|ended) unexpectedly/;

/** How `pg-pool` words a new connection that was not there in time. Waiting for a free one is worded otherwise. */
const CONNECT_TIMEOUT_TEXT = /^Connection terminated due to connection timeout/;

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether a connection broke while a statement was at work on it, so that nobody knows how far the statement came. */
export function isBroken(error: unknown): boolean {
  return error instanceof Error && (BROKEN_TEXT.test(error.message) || ['ECONNRESET', 'EPIPE'].includes(codeOf(error)));
}

/**
 * Whether the watchdog of the embedded store ended a statement: it does so together with the connection, and says no more.
 * @param ranMs how long the statement ran.
 */
export function wasEndedByWatchdog(error: unknown, ranMs: number, limitMs: number): boolean {
  return isBroken(error) && ranMs >= limitMs;
}

/**
 * Whether the store went away in a way that it comes back from by itself, so that reading again may succeed. A pool
 * without a free connection is not away: trying again would only make its queue longer.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isPassing);
  const code = codeOf(error);
  // The socket of the embedded store, while it is being reopened.
  if (code === 'ENOENT' && error instanceof Error && 'syscall' in error) return error.syscall === 'connect';
  return RESTARTING.has(code) || BROKEN.has(code) || code.startsWith('08') || isBroken(error);
}

/**
 * Whether a new connection did not come about in time. What stands before the store may have sent it to a server that has
 * just died, so that another attempt gets to the one in its place; or nobody is there, and no attempt will help.
 */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && CONNECT_TIMEOUT_TEXT.test(error.message);
}
