import { createBatches } from '../batches.ts';
import type { Fetch } from '../store/shared-reads.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Context } from './context.ts';
import { readTogether } from './loader.ts';
import { ResponseSize } from './response-size.ts';
import type { RunOperation } from './run-operation.ts';

/**
 * Runs operations so that each answer is of one state of the data. Every statement sees the data of its own moment: an
 * operation of several during which the data changed is run again. That costs one small statement at the end of such an
 * operation, which operations that end at the same time share; no connection is kept for a request.
 * @param readState tells the state that the data are in now, as a text that no two states share.
 */
export function createOneStateRunner(run: RunOperation, readState: () => Promise<string>): RunOperation {
  // Of a moment before the operations that are held against it. Where it is old, one is run twice, and no more.
  let known: string | undefined;
  const stateNow = createBatches<undefined, string>(
    async (askers) => {
      const state = await readState();
      return askers.map(() => state);
    },
    { atOnce: 1, largest: Number.POSITIVE_INFINITY },
  );

  return async (operation) => {
    const abortSignal = operation.abortSignal ?? undefined;
    for (;;) {
      // What the store cannot tell now is nothing to an operation that reads nothing; one that reads finds out itself.
      known ??= await untilAborted(
        stateNow(undefined).catch(() => undefined),
        abortSignal,
      );
      const before = known;
      const context = new CountedContext(operation.contextValue as Context);
      const result = await run({ ...operation, contextValue: context });
      if (context.reads < 2) return result;
      known = await untilAborted(stateNow(undefined), abortSignal);
      if (known === before) return result;
    }
  };
}

/**
 * The same context for one run, for which loaders have read nothing yet, and how often the store has been read by it.
 * Every member by name: an object that inherits them, made by `Object.create`, is slow to read and has a hidden class of
 * its own, which is not collected while it is young.
 */
class CountedContext implements Context, Record<keyof Context, unknown> {
  readonly #whole: Context;
  readonly responseSize: ResponseSize | undefined;
  reads = 0;

  constructor(whole: Context) {
    this.#whole = whole;
    this.responseSize = whole.responseLimits && new ResponseSize(whole.responseLimits);
  }

  get db() {
    this.reads++;
    return this.#whole.db;
  }

  readShared<Key, Value>(fetch: Fetch<Key, Value>, keys: readonly Key[]): Promise<readonly Value[]> {
    this.reads++;
    return readTogether(this.#whole, fetch, keys);
  }

  get caller() {
    return this.#whole.caller;
  }

  get today() {
    return this.#whole.today;
  }

  get ending() {
    return this.#whole.ending;
  }

  get responseLimits() {
    return this.#whole.responseLimits;
  }

  get runOperation() {
    return this.#whole.runOperation;
  }

  get queries() {
    return this.#whole.queries;
  }

  get trace() {
    return this.#whole.trace;
  }
}
