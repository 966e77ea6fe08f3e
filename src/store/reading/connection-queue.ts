import { ServiceError } from '../../base/errors.ts';
import { FairQueue, type Leave } from '../../base/fair-queue.ts';

/** Limits for the number of database connections that requests use at once. */
export interface ConnectionLimits {
  /** The connections of the pool. */
  readonly total: number;
  readonly perKey: number;
  readonly perRequest: number;
  /** Milliseconds after which a queued statement is rejected; 0 for no limit. */
  readonly waitMs: number;
}

/** Takes a connection for a statement, without a promise if one is free. The returned function gives it back. */
export type Enter = (signal: AbortSignal) => Leave | Promise<Leave>;

/** The queue in which the statements of all requests wait for a connection. */
export interface ConnectionQueue extends FairQueue {
  /**
   * Returns the turns of one request: it does a few pieces of work at a time, so that one request of an API key leaves
   * connections to the others. The work waits for its key as well.
   */
  ofRequest(): FairQueue<null>;
}

/** The default share of the pool for one API key, so that connections remain available for other keys. */
const SHARE_OF_KEY = 0.3;

/** Returns the default number of connections of a pool that one API key may use; at least one. */
export function shareOfKey(poolSize: number): number {
  return Math.max(1, Math.ceil(poolSize * SHARE_OF_KEY));
}

/**
 * Creates the queue that shares the connections of a pool between requests. The gateway's own key lookups and cache
 * lookups use the pool directly; there are few of them.
 */
export function createConnectionQueue({ total, perKey, perRequest, waitMs }: ConnectionLimits): ConnectionQueue {
  const waiting = { ms: waitMs, error: () => waitedTooLong(waitMs) };
  return Object.assign(new FairQueue({ size: total, perKey, waiting }), {
    // The waiting time is limited by the deadline of the request, since it waits only for its own work.
    ofRequest: () => new FairQueue<null>({ size: perRequest, perKey: perRequest }),
  });
}

/** Returns the function that takes a turn of a request, then a connection for its API key. */
export function enterInTurn(turns: FairQueue<null>, queue: Pick<FairQueue, 'enter'>, keyId: number): Enter {
  return (signal) => {
    const enterQueue = (leaveTurn: Leave) => {
      const both = (leave: Leave) => () => {
        leave();
        leaveTurn();
      };
      const refuse = (error: unknown): never => {
        leaveTurn();
        throw error;
      };
      try {
        const entered = queue.enter(keyId, signal);
        return entered instanceof Promise ? entered.then(both, refuse) : both(entered);
      } catch (error) {
        return refuse(error);
      }
    };
    const turn = turns.enter(null, signal);
    return turn instanceof Promise ? turn.then(enterQueue) : enterQueue(turn);
  };
}

function waitedTooLong(ms: number): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    `The request waited longer than ${ms} ms for a database connection, behind others of the same key or of all. Try again in a second.`,
  );
}
