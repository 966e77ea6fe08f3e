import { ServiceError } from '../errors.ts';
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

/** The queue in which the statements of all requests wait for a connection. */
export interface ConnectionQueue {
  /** Number of queued statements. */
  readonly waiting: number;
  /** Returns whether an API key has no running and no queued statement. */
  isIdle(keyId: number): boolean;
  /** Runs a statement of an API key, with the limit of a key and in fair order (see `FairQueue`). */
  run<T>(keyId: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Waits like `run` for a connection, for work that is only known when there is one. */
  reserve(keyId: number): Promise<Reservation>;
  /**
   * Returns a function that runs work of one request, a few pieces at a time, so that one request of an API key leaves
   * connections to the others. The work waits for its key as well.
   */
  ofRequest(): Schedule;
}

/** A connection that an API key may use. */
export interface Reservation {
  /** Runs the first attempt of a statement with the reservation; every further one waits in the queue. */
  readonly schedule: Schedule;
  /** Ends the reservation if it was not used. */
  release(): void;
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
  const queue = createFairQueue({ size: total, perKey, waiting: { ms: waitMs, error: () => waitedTooLong(waitMs) } });
  return {
    get waiting() {
      return queue.waiting;
    },
    isIdle: queue.isIdle,
    run: queue.run,
    reserve: (keyId) =>
      new Promise((resolve, reject) => {
        const run = () => {
          const { reservation, ended } = createReservation((work, signal) => queue.run(keyId, work, signal));
          resolve(reservation);
          return ended;
        };
        queue.run(keyId, run).catch(reject);
      }),
    ofRequest() {
      // The waiting time is limited by the deadline of the request, since it waits only for its own work.
      const ofRequest = createFairQueue<null>({ size: perRequest, perKey: perRequest });
      return (work, signal) => ofRequest.run(null, work, signal);
    },
  };
}

function createReservation(later: Schedule): { readonly reservation: Reservation; readonly ended: Promise<unknown> } {
  const used = Promise.withResolvers<unknown>();
  let isUsed = false;
  const schedule: Schedule = (work, signal) => {
    if (isUsed) return later(work, signal);
    isUsed = true;
    const result = work();
    used.resolve(result);
    return result;
  };
  return { reservation: { schedule, release: () => used.resolve(undefined) }, ended: used.promise };
}

function waitedTooLong(ms: number): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    `The request waited longer than ${ms} ms for a database connection, behind others of the same key or of all. Try again in a second.`,
  );
}
