/**
 * Gathers what many requests ask for at the same time: a few calls run at once, and what is asked for meanwhile goes
 * together into the next one. Nobody waits when nothing runs.
 * @param fetch answers the values of keys in their order; when it throws, all that were in the call fail.
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
      // What else this turn of the event loop brings goes along.
      setImmediate(() => {
        isDue = false;
        start();
      });
    });
}
