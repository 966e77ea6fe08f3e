import { createFairQueue } from '../fair-queue.ts';
import type { Execute } from './execute.ts';

/** Operations of an API key that run at once while other API keys have operations, too. */
const AT_ONCE = 2;
/** For how many milliseconds after its last operation an API key counts as one that has operations. */
const ACTIVE_MS = 10_000;

/**
 * Returns the same function that executes the operations of each API key a few at a time while several API keys have operations: the process has one
 * thread, and an operation gets it after all others that run have had it once. An API key that is alone is not limited.
 */
export function fairExecute(execute: Execute, now: () => number = () => performance.now()): Execute {
  /** When each API key began its last operation; the last one at the end. */
  const lastAt = new Map<number, number>();
  const queue = createFairQueue({
    size: Number.POSITIVE_INFINITY,
    perKey: () => (lastAt.size > 1 ? AT_ONCE : Number.POSITIVE_INFINITY),
  });

  function note(keyId: number): void {
    const at = now();
    lastAt.delete(keyId);
    lastAt.set(keyId, at);
    for (const [key, since] of lastAt) {
      if (at - since < ACTIVE_MS) return;
      lastAt.delete(key);
    }
  }

  return (operation) => {
    const { caller } = operation.contextValue;
    note(caller.keyId);
    return queue.run(caller.keyId, () => execute(operation), operation.abortSignal);
  };
}
