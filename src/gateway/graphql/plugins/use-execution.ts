import type { ExecutionArgs } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { CompletedResult, Run } from '../cache/graphql-cache.ts';
import { type GraphQLServices, requestOf } from '../graphql-request.ts';
import { findResponse } from './use-cached-responses.ts';

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
