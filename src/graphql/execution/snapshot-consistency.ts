import { createBatchLoader } from '../../database/batch-loader.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { Execute } from './execute.ts';

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
    const { abortSignal, contextValue } = operation;
    for (;;) {
      // Ignore a failed version check: operations that read nothing do not need it, and operations that read fail on
      // their own.
      latest ??= await untilAborted(
        versionNow().catch(() => undefined),
        abortSignal,
      );
      const before = latest;
      contextValue.startExecution?.();
      const result = await execute(operation);
      if ((contextValue.reads ?? 0) < 2) return result;
      latest = await untilAborted(versionNow(), abortSignal);
      if (latest === before) return result;
    }
  };
}
