/**
 * Creates a function that batches concurrent calls: a few fetches run at once, and calls made meanwhile go together
 * into the next one. If nothing is running, a call starts without waiting.
 * @param fetch returns the values of keys in their order; if it throws, all calls in the batch fail.
 */
export function createBatches<Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce, largest }: { readonly atOnce: number; readonly largest: number },
): (key: Key) => Promise<Value> {
  interface Waiting {
    readonly key: Key;
    readonly resolve: (value: Value) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = 0;
  let isDue = false;

  async function run(batch: readonly Waiting[]): Promise<void> {
    running++;
    try {
      const values = await fetch(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running--;
      start();
    }
  }

  function start(): void {
    while (running < atOnce && waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      void run(batch);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (isDue) return;
      isDue = true;
      // Deferred, to include the other calls of this turn of the event loop.
      setImmediate(() => {
        isDue = false;
        start();
      });
    });
}
