import { createFairQueue } from '../fair-queue.ts';
import type { Schedule } from './request-database.ts';

/** Limits for the number of database connections that requests use at once. */
export interface ConnectionLimits {
  /** The connections of the pool. */
  readonly total: number;
  readonly perKey: number;
  readonly perRequest: number;
  /** Milliseconds after which a queued statement is rejected; 0 for no limit. */
  readonly waitMs: number;
}

/** Schedules the statements of requests on database connections. */
export interface ConnectionScheduler {
  /** Number of queued statements. */
  readonly waiting: number;
  /** Returns the estimated waiting time in milliseconds for the next statement of an API key. */
  waitMs(keyId: number): number;
  /**
   * Returns a function that runs the statements of one request, a few at a time. They do not count towards the limit of
   * its API key.
   */
  ofRequest(): Schedule;
  /**
   * Returns a function that runs statements for API keys, with the limit of a key and in fair order. A statement for
   * several keys counts for the one with the least running work, so that no other key delays it.
   */
  ofKeys(keyIds: readonly [number, ...number[]]): Schedule;
}

/** The default share of the pool for one API key, so that connections remain available for other keys. */
const SHARE_OF_KEY = 0.3;

/** Returns the default number of connections of a pool that one API key may use; at least one. */
export function shareOfKey(poolSize: number): number {
  return Math.max(1, Math.ceil(poolSize * SHARE_OF_KEY));
}

/**
 * Creates the scheduler that shares the connections of a pool between requests. The limit of a request applies before
 * the shared queue, in which API keys take turns. The gateway's own key lookups and cache lookups use the pool
 * directly; there are few of them.
 */
export function createConnectionScheduler({
  total,
  perKey,
  perRequest,
  waitMs,
}: ConnectionLimits): ConnectionScheduler {
  const queue = createFairQueue({ size: total, perKey, timeoutMs: waitMs });
  return {
    get waiting() {
      return queue.waiting;
    },
    waitMs: queue.waitMs,
    ofRequest: () => limitOf(perRequest),
    ofKeys: (keyIds) => (work, signal) => queue.run(queue.leastBusy(keyIds), work, signal),
  };
}

/**
 * Returns a function that limits concurrent work and runs it in order of arrival. The waiting time is limited only by
 * the deadline of the request, since it waits only for its own work.
 */
function limitOf(atOnce: number): Schedule {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work, signal) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
