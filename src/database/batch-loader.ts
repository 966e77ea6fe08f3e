import DataLoader from 'dataloader';

export interface BatchLimits {
  /** Maximum number of concurrent batches. */
  readonly atOnce: number;
  /** Maximum number of keys in a batch. */
  readonly maxBatchSize: number;
}

/**
 * Creates a DataLoader without a cache for reads of the gateway itself, which belong to no API key. A value is read
 * after its call; keys that are loaded while `atOnce` batches are running form the next batch.
 */
export function createBatchLoader<Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce, maxBatchSize }: BatchLimits,
): DataLoader<Key, Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function start(): void {
    while (running < atOnce) {
      const dispatch = waiting.shift();
      if (!dispatch) return;
      dispatch();
    }
  }

  async function run(keys: readonly Key[]): Promise<readonly Value[]> {
    running++;
    try {
      return await fetch(keys);
    } finally {
      running--;
      start();
    }
  }

  return new DataLoader(run, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => {
      waiting.push(dispatch);
      if (running === 0) afterPromiseJobs(start);
      else setImmediate(start);
    },
  });
}

/** Calls a function after all promise jobs of the current turn of the event loop, as DataLoader does by default. */
export function afterPromiseJobs(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
