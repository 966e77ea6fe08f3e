import DataLoader from 'dataloader';
import { type ConnectionQueue, createConnectionQueue, type Reservation } from './connection-queue.ts';
import type { Schedule } from './request-database.ts';

export interface BatchOptions {
  readonly queue: Pick<ConnectionQueue, 'reserve' | 'isIdle'>;
  /** The id of the API key that the reads belong to. */
  readonly keyId: number;
  /** Maximum number of keys in a batch. */
  readonly maxBatchSize: number;
  /** Called when a batch starts and no other one is waiting. */
  readonly onLastStart?: () => void;
}

/**
 * Creates a DataLoader without a cache whose batches start when the queue gives the API key a connection: a lone read
 * starts at once, and keys that are loaded while the API key uses all of its connections gather in the next batch.
 * @param fetch reads a batch. `schedule` runs its first statement on the connection that the batch waited for.
 */
export function createBatchLoader<Key, Value>(
  fetch: (keys: readonly Key[], schedule: Schedule) => Promise<readonly Value[]>,
  { queue, keyId, maxBatchSize, onLastStart }: BatchOptions,
): DataLoader<Key, Value> {
  let waiting = 0;
  /** The reservation of the batch that is dispatched: `dispatch` calls `run` at once, which keeps it. */
  let starting: Promise<Reservation> | undefined;

  async function run(keys: readonly Key[]): Promise<readonly Value[]> {
    const reservation = await starting;
    if (!reservation) throw new Error('The batch has not waited for a connection');
    try {
      return await fetch(keys, reservation.schedule);
    } finally {
      reservation.release();
    }
  }

  return new DataLoader(run, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => {
      waiting++;
      const wait = () => {
        const reserved = queue.reserve(keyId);
        const start = () => {
          if (--waiting === 0) onLastStart?.();
          starting = reserved;
          dispatch();
        };
        // A rejection is the error of the reads.
        reserved.then(start, start);
      };
      // While others run, reads of the same turn of the event loop are gathered.
      if (queue.isIdle(keyId)) afterPromiseJobs(wait);
      else setImmediate(wait);
    },
  });
}

/**
 * Creates a `createBatchLoader` for reads of the gateway itself, which belong to no API key.
 * @param atOnce maximum number of concurrent batches.
 */
export function createOwnLoader<Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce, maxBatchSize }: { readonly atOnce: number; readonly maxBatchSize: number },
): DataLoader<Key, Value> {
  const queue = createConnectionQueue({ total: atOnce, perKey: atOnce, perRequest: atOnce, waitMs: 0 });
  return createBatchLoader(fetch, { queue, keyId: 0, maxBatchSize });
}

/** Calls a function after all promise jobs of the current turn of the event loop, as DataLoader does by default. */
function afterPromiseJobs(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
