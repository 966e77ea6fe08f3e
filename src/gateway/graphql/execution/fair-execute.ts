import { FairQueue } from '../../../base/fair-queue.ts';
import type { Execute } from './execute.ts';

/** The cost from which an operation counts as expensive: it may take the event loop for some milliseconds. */
const EXPENSIVE = 5_000;
/** The maximum number of concurrent expensive operations of an API key while other API keys are active. */
const AT_ONCE = 1;
/** Milliseconds after its last operation during which an API key counts as active. */
const ACTIVE_MS = 10_000;

/**
 * Wraps an execute function so that each API key executes its expensive operations one at a time while several API keys
 * are active: the process has one thread, and every running operation delays all others. Other operations, and those of a
 * single active API key, are not limited.
 */
export function fairExecute(execute: Execute, now: () => number = () => performance.now()): Execute {
  /** When each API key started its last operation, in ascending order of time. */
  const lastAt = new Map<number, number>();
  const queue = new FairQueue({
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
    const { caller, abortSignal } = operation.contextValue;
    note(caller.keyId);
    if (operation.prepared.cost < EXPENSIVE) return execute(operation);
    return queue.run(caller.keyId, () => execute(operation), abortSignal);
  };
}
