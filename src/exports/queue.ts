/** Runs a piece of work when its turn has come. */
export type Queue = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * A queue that lets so many pieces of work run at once, in the order in which they came. One whose signal is aborted
 * while it waits is not begun.
 */
export function createQueue(atOnce: number): Queue {
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
