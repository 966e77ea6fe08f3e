import type { ExecutionArgs } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { CompletedResult, Run } from '../../../cache/graphql-cache.ts';
import { type GraphQLRequest, type GraphQLServices, requestOf } from '../graphql-request.ts';

/** Executes the operation of a request, and caches the response if it may be cached. */
export function useExecution(services: GraphQLServices): Plugin<YogaInitialContext> {
  function execute({ contextValue }: ExecutionArgs): Promise<CompletedResult> {
    const request = requestOf((contextValue as YogaInitialContext).request);
    const { operation } = request;
    if (!operation) throw new Error('The document is not prepared');
    const { prepared, variableValues } = operation;
    const extensions = prepared.analysis.findNotInPackage(operation, request.context.caller.grants);
    const run: Run = (values) => {
      const running = services.execute({ ...operation, variableValues: values });
      return extensions ? running.then((result) => (result.data ? { ...result, extensions } : result)) : running;
    };
    const cached = findResponse(request, services);
    if (!cached) return run(variableValues ?? {});
    return cached instanceof Promise ? cached.then((each) => each.complete(run)) : cached.complete(run);
  }
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(execute);
    },
  };
}

/** Looks up the response to a valid operation, once; undefined if there is no cache, and for an operation of several. */
export function findResponse(request: GraphQLRequest, { cache }: GraphQLServices): GraphQLRequest['cached'] {
  const { operation } = request;
  if (operation && operation.operationName === undefined) request.cached ??= cache?.find(operation);
  return request.cached;
}
