import { createBatchLoader, type ReadKind } from '../database/shared-reads.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Context } from './context.ts';
import type { Execute } from './execute.ts';
import { readShared } from './loader.ts';
import { ResponseSize } from './response-size.ts';

/**
 * Wraps an execute function so that each result is from one data version. Every statement sees its own snapshot, so an
 * operation with several statements is executed again if the data changed meanwhile. This costs one small statement at
 * the end of such an operation, which concurrent operations share; no connection is reserved for a request.
 * @param readVersion returns the current data version.
 */
export function consistentExecute(execute: Execute, readVersion: () => Promise<string>): Execute {
  // Read before the operations that are compared with it. If it is outdated, an operation is executed twice, not more
  // often.
  let latest: string | undefined;
  const versions = createBatchLoader<'version', string>(
    async (waiting) => {
      const version = await readVersion();
      return waiting.map(() => version);
    },
    { atOnce: 1, maxBatchSize: Number.POSITIVE_INFINITY },
  );
  const versionNow = () => versions.load('version');

  return async (operation) => {
    const { abortSignal } = operation;
    for (;;) {
      // Ignore a failed version check: operations that read nothing do not need it, and operations that read fail on
      // their own.
      latest ??= await untilAborted(
        versionNow().catch(() => undefined),
        abortSignal,
      );
      const before = latest;
      const contextValue = new CountedContext(operation.contextValue);
      const result = await execute({ ...operation, contextValue });
      if (contextValue.reads < 2) return result;
      latest = await untilAborted(versionNow(), abortSignal);
      if (latest === before) return result;
    }
  };
}

/**
 * The context of one execution: that of the request, with new loaders and a count of its reads. Every member is defined
 * explicitly: an object that inherits them by `Object.create` is slow to read, and has a hidden class of its own that
 * is not collected while it is young.
 */
class CountedContext implements Context, Record<keyof Context, unknown> {
  readonly #whole: Context;
  reads = 0;
  readonly responseSize: ResponseSize | undefined;
  loaders: Context['loaders'] = undefined;

  constructor(whole: Context) {
    this.#whole = whole;
    this.responseSize = whole.responseLimits && new ResponseSize(whole.responseLimits);
  }

  get db() {
    this.reads++;
    return this.#whole.db;
  }

  readShared<Key, Value>(kind: ReadKind<Key, Value>, keys: readonly Key[]): Promise<readonly Value[]> {
    this.reads++;
    return readShared(this.#whole, kind, keys);
  }

  get caller() {
    return this.#whole.caller;
  }

  get today() {
    return this.#whole.today;
  }

  get abortSignal() {
    return this.#whole.abortSignal;
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
