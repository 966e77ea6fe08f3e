import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  mapSourceToResponseEvent,
  validateSubscriptionArgs,
} from 'graphql';
import { isAsyncIterable, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { ServiceError } from '../../../base/errors.ts';
import { stringifyJson } from '../../../graph/builder/raw-json.ts';
import { schema } from '../../../graph/schema.ts';
import { logCause } from '../../http/error-handler.ts';
import { createErrorFormat } from '../execution/error-format.ts';
import { MAX_ERRORS } from '../execution/execute.ts';
import { type GraphQLRequest, type GraphQLServices, requestOf } from '../graphql-request.ts';

/**
 * Executes subscriptions, each event of which is from one data version. They wait for the client: nothing is read ahead for one that is
 * slow, and one that takes longer for an event than the time limit of a request is ended.
 */
export function useSubscriptions({ execute, readerMs }: GraphQLServices): Plugin<YogaInitialContext> {
  async function subscribe({ contextValue }: { contextValue?: unknown }) {
    const request = requestOf((contextValue as YogaInitialContext).request);
    const { operation, context, raw } = request;
    if (!operation) throw new Error('The document is not prepared');
    const { prepared, operationName, variableValues } = operation;
    const args = validateSubscriptionArgs({
      ...{ schema, document: prepared.document, operationName, contextValue: context },
      variableValues: variableValues ?? {},
      options: { maxCoercionErrors: MAX_ERRORS },
    });
    if (!('schema' in args)) return { errors: args };
    const source = await createSourceEventStream(args);
    if (!isAsyncIterable(source)) return source;
    clearTimeout(raw.deadline);
    const results = mapSourceToResponseEvent(args, source, (event) => execute({ ...operation, event }));
    return isAsyncIterable(results) ? inTime(results, request, readerMs) : results;
  }
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(subscribe as never);
    },
  };
}

/** Passes results on as their client reads them. An error is the last result. */
export async function* inTime(
  results: AsyncIterable<ExecutionResult>,
  request: Pick<GraphQLRequest, 'raw' | 'reply' | 'context' | 'operation'>,
  limitMs: number,
) {
  const { raw, reply, context, operation } = request;
  const format = createErrorFormat(raw.id, (cause) => logCause(raw, cause));
  const stringify = (result: ExecutionResult) => stringifyJson(result, context.responseLimits);
  const extensions = operation?.prepared.analysis.findNotInPackage(operation, context.caller.grants);
  try {
    for await (const { errors, ...result } of results) {
      const began = performance.now();
      // The client of a connection that takes nothing any more cannot be told.
      const timer = setTimeout(() => {
        raw.errorCode = LAGGED.code;
        reply.raw.destroy();
      }, 2 * limitMs);
      yield { ...(errors && { errors: errors.map(format) }), ...result, ...(extensions && { extensions }), stringify };
      clearTimeout(timer);
      if (performance.now() - began > limitMs) throw LAGGED;
    }
  } catch (error) {
    const formatted = format(error instanceof Error ? error : new GraphQLError(String(error)));
    raw.errorCode = String(formatted.extensions.code);
    yield { errors: [formatted], stringify };
  }
}

const LAGGED = new ServiceError(
  'LAGGED',
  'The client took too long to read an event. Subscribe again with the last `next` as `after`.',
);
