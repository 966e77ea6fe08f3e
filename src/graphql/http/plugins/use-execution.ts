import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { GraphQLCache } from '../../../cache/graphql-cache.ts';
import { type Execute, executeWhole } from '../../execution/execute.ts';
import { encodeJson, stringifyJson } from '../../execution/raw-json.ts';
import { requestOf } from '../yoga-request.ts';

interface ExecutionOptions {
  readonly execute: Execute;
  /** The response cache; undefined if it is disabled. */
  readonly cache: GraphQLCache | undefined;
}

/** Executes operations with the same function as REST, and caches their responses. */
export function useExecution({ execute, cache }: ExecutionOptions): Plugin<YogaInitialContext> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(executeCached);
    },
  };

  async function executeCached({ operationName, variableValues, contextValue }: ExecutionArgs) {
    const { context, raw } = requestOf((contextValue as YogaInitialContext).request);
    const { prepared } = raw;
    if (!prepared) throw new Error('The document is not prepared');
    const variables = variableValues ?? {};
    const limits = context.responseLimits;
    const operation = { operationName, variableValues: variables };
    const extensions = prepared.analysis.findNotInPackage(operation, context.caller.grants);
    let uncached: ExecutionResult | undefined;
    const run = async (values: Readonly<Record<string, unknown>>) => {
      const result = await executeWhole(execute, {
        ...{ prepared, operationName, variableValues: values, contextValue: context, asText: true },
        abortSignal: context.abortSignal,
      });
      const whole = extensions && result.data ? { ...result, extensions } : result;
      if (values === variables) uncached = whole;
      return whole;
    };
    const body = operationName
      ? undefined
      : await cache?.respond({ prepared, variables, scope: context, limits, extensions }, run);
    if (body) return { stringify: () => body };
    const result = uncached ?? (await run(variables));
    const encoded = result.errors ? undefined : await encodeJson(result, limits);
    // Errors are formatted before the result is serialised.
    const stringify = (last: ExecutionResult) => encoded ?? stringifyJson(last, limits, errorBytes(last));
    return Object.assign(result, { stringify });
  }
}

/**
 * Returns the size of a result's errors in bytes. They do not count towards the limit: there are few, with fixed
 * messages.
 */
function errorBytes({ errors }: ExecutionResult): number {
  return errors ? Buffer.byteLength(`"errors":${JSON.stringify(errors)},`) : 0;
}
