import type DataLoader from 'dataloader';
import { createBatches } from '../batches.ts';
import type { Fetch } from '../store/shared-reads.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Context } from './context.ts';
import type { Execute } from './execute.ts';
import { readShared } from './loader.ts';
import { ResponseSize } from './response-size.ts';

/**
 * Returns the same function with results of one data version each. Every statement sees the data of its own moment, so an
 * operation of several statements during which the data changed is executed again. That costs one small statement at the
 * end of such an operation, which operations that end at the same time share; no connection is reserved for a request.
 * @param readVersion returns the data version of now.
 */
export function consistentExecute(execute: Execute, readVersion: () => Promise<string>): Execute {
  // Read before the operations that are compared with it. Where it is outdated, one is executed twice, and no more.
  let latest: string | undefined;
  const versionNow = createBatches<undefined, string>(
    async (waiting) => {
      const version = await readVersion();
      return waiting.map(() => version);
    },
    { atOnce: 1, largest: Number.POSITIVE_INFINITY },
  );

  return async (operation) => {
    const { abortSignal } = operation;
    for (;;) {
      // A failed version check does not matter to operations that read nothing; those that read fail on their own.
      latest ??= await untilAborted(
        versionNow(undefined).catch(() => undefined),
        abortSignal,
      );
      const before = latest;
      const contextValue = new CountedContext(operation.contextValue);
      const result = await execute({ ...operation, contextValue });
      if (contextValue.reads < 2) return result;
      latest = await untilAborted(versionNow(undefined), abortSignal);
      if (latest === before) return result;
    }
  };
}

/**
 * The context of one execution: that of the request with loaders that have read nothing yet, and the number of its reads.
 * Every member by name: an object that inherits them, made by `Object.create`, is slow to read and has a hidden class of
 * its own, which is not collected while it is young.
 */
class CountedContext implements Context, Record<keyof Context, unknown> {
  readonly #whole: Context;
  reads = 0;
  readonly responseSize: ResponseSize | undefined;
  loaders: Map<unknown, DataLoader<never, unknown, unknown>> | undefined = undefined;

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
    return readShared(this.#whole, fetch, keys);
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

  get queries() {
    return this.#whole.queries;
  }

  get trace() {
    return this.#whole.trace;
  }
}
