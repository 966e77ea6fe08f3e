import type { DataVersionWatch } from '../../database/data-version.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { Execute } from './execute.ts';

/**
 * Wraps an execute function so that each result is from one data version. Every statement sees its own snapshot, so an
 * operation with several statements is executed again if the data changed meanwhile. This costs one small statement at
 * the end of such an operation, which concurrent operations share; no connection is reserved for a request.
 */
export function consistentExecute(execute: Execute, versions: DataVersionWatch): Execute {
  return async (operation) => {
    const { abortSignal, contextValue } = operation;
    // The version that was last seen: if it is outdated, an operation is executed twice, not more often. A failure to read
    // it is ignored: operations that read nothing do not need it, and operations that read fail on their own.
    const current =
      versions.latest ??
      (await untilAborted(
        versions.read().catch(() => undefined),
        abortSignal,
      ));
    for (let before = current?.state; ; ) {
      contextValue.startExecution?.();
      const result = await execute(operation);
      if ((contextValue.reads ?? 0) < 2) return result;
      const { state } = await untilAborted(versions.read(), abortSignal);
      if (state === before) return result;
      before = state;
    }
  };
}
