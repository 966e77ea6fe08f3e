import DataLoader from 'dataloader';
import { FairQueue, type Leave } from '../../base/fair-queue.ts';
import type { Enter } from './connection-queue.ts';

export interface BatchOptions {
  readonly queue: Pick<FairQueue, 'enter' | 'isIdle'>;
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
 * @param fetch reads a batch. The first call of `enter` takes the connection that the batch waited for, further ones wait.
 */
export function createBatchLoader<Key, Value>(
  fetch: (keys: readonly Key[], enter: Enter) => Promise<readonly Value[]>,
  { queue, keyId, maxBatchSize, onLastStart }: BatchOptions,
): DataLoader<Key, Value> {
  let waiting = 0;
  /** What `dispatch` calls at once, for the batch that is dispatched. */
  let run: (keys: readonly Key[]) => Promise<readonly Value[]>;

  async function fetchWith(leave: Leave, keys: readonly Key[]): Promise<readonly Value[]> {
    let unused: Leave | undefined = leave;
    const enter: Enter = (signal) => {
      const taken = unused;
      unused = undefined;
      return taken ?? queue.enter(keyId, signal);
    };
    try {
      return await fetch(keys, enter);
    } finally {
      unused?.();
    }
  }

  return new DataLoader((keys) => run(keys), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => {
      waiting++;
      const start = (runBatch: typeof run) => {
        if (--waiting === 0) onLastStart?.();
        run = runBatch;
        dispatch();
      };
      const begin = (leave: Leave) => start((keys) => fetchWith(leave, keys));
      const wait = () => {
        const entered = queue.enter(keyId);
        if (!(entered instanceof Promise)) begin(entered);
        // A rejection is the error of the reads.
        else entered.then(begin, (error) => start(() => Promise.reject(error)));
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
  return createBatchLoader(fetch, { queue: new FairQueue({ size: atOnce, perKey: atOnce }), keyId: 0, maxBatchSize });
}

/** Calls a function after all promise jobs of the current turn of the event loop, as DataLoader does by default. */
function afterPromiseJobs(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
