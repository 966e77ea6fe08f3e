import { createFairQueue } from '../fair-queue.ts';
import type { RunInTurn } from './request-database.ts';

/** How many database connections requests take at once. */
export interface ConnectionLimits {
  /** Connections of the pool. */
  readonly total: number;
  readonly perKey: number;
  readonly perRequest: number;
  /** Milliseconds after which a statement that waits for its turn is rejected; 0 for no limit. */
  readonly waitMs: number;
}

/** Decides when statements of requests get a database connection. */
export interface ConnectionTurns {
  /** Statements that wait for their turn. */
  readonly waiting: number;
  /** Estimates for how many milliseconds the next statement of an API key would wait. */
  waitMs(keyId: number): number;
  /** Returns a function that runs statements of one request, a few at a time. They do not count for the API key yet. */
  ofRequest(): RunInTurn;
  /**
   * Returns a function that runs statements for API keys, with the limit of a key and in fair order. A statement for
   * several keys counts for the one that has the least work under way, so that no other one delays it.
   */
  ofKeys(keyIds: readonly [number, ...number[]]): RunInTurn;
}

/** The part of the pool that one API key takes at most when nothing else is configured, so that others find the rest. */
const SHARE_OF_KEY = 0.3;

/** Returns the connections of a pool that one API key takes at most: at least one. */
export function shareOfKey(poolSize: number): number {
  return Math.max(1, Math.ceil(poolSize * SHARE_OF_KEY));
}

/**
 * Shares the connections of a pool between requests: a request waits for its own statements before others wait for it,
 * and API keys take turns. The key lookups and the cache of the service itself go to the pool directly; they are few.
 */
export function createConnectionTurns({ total, perKey, perRequest, waitMs }: ConnectionLimits): ConnectionTurns {
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
 * Returns a function that runs so many pieces of work at once, in the order of their arrival. Waiting has no time limit
 * but the deadline of the request, which waits for nothing but its own work.
 */
function limitOf(atOnce: number): RunInTurn {
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
