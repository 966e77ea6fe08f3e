import { type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { encodeJson, stringifyJson } from '../../../graph/builder/raw-json.ts';
import { logCause, prepareError } from '../../http/error-handler.ts';
import type { CompletedResult } from '../cache/graphql-cache.ts';
import { createErrorFormat } from '../execution/error-format.ts';
import { type GraphQLRequest, requestOf, successOf } from '../graphql-request.ts';

/**
 * Creates the response to a result. Of one with errors, which it formats for clients, Yoga creates it, with the status by
 * the rules of GraphQL over HTTP.
 */
export function useResponses(): Plugin {
  return {
    onResultProcess({ request: received, result, setResult, setResultProcessor }) {
      // Yoga sends the events of a subscription.
      if (isAsyncIterable(result)) return;
      const request = requestOf(received);
      const { errors } = result as ExecutionResult;
      if (errors) setResult(withFormatted(errors, result as ExecutionResult, request));
      else setResultProcessor((data) => responseOf(data as CompletedResult, request), request.mediaType);
    },
  };
}

/** Returns the response to a result without errors: without a promise if the body is ready or small. */
function responseOf(result: CompletedResult, request: GraphQLRequest): Response | Promise<Response> {
  const body = result.body ?? encodeJson(result, request.context.responseLimits);
  return body instanceof Promise ? body.then((each) => successOf(request, each)) : successOf(request, body);
}

/** Formats the errors of a result. One that ends the request sets the same status and headers as over REST. */
function withFormatted(errors: readonly GraphQLError[], result: ExecutionResult, request: GraphQLRequest) {
  const { raw, context } = request;
  request.hasErrors = true;
  const format = createErrorFormat(raw.id, (cause) => logCause(raw, cause));
  const isRejected = result.data === undefined;
  const formatted = errors.map((error) => {
    const found = format(error);
    if (isRejected) raw.errorCode = String(found.extensions.code);
    const http = error.extensions.http ?? (isRejected ? httpOf(error, request) : undefined);
    return http ? Object.assign(found, { extensions: { ...found.extensions, http } }) : found;
  });
  const stringify = (last: ExecutionResult) => stringifyJson(last, context.responseLimits, errorBytes(last));
  return { ...result, errors: formatted, stringify };
}

/** Returns the status of an error of a request that was not executed, as Yoga reads it. */
function httpOf({ originalError }: GraphQLError, { raw, reply }: GraphQLRequest) {
  const isOfDocument = originalError === undefined || originalError instanceof GraphQLError;
  return isOfDocument ? REQUEST_ERROR : { status: prepareError(originalError, raw, reply).status };
}

/** A response in `application/json` has the status 200 for these (GraphQL over HTTP, 6.4.1). */
export const REQUEST_ERROR = { status: 400, spec: true } as const;

/**
 * Returns the size of a result's errors in bytes. They do not count towards the limit: there are few, with fixed
 * messages.
 */
function errorBytes({ errors }: ExecutionResult): number {
  return errors ? Buffer.byteLength(`"errors":${JSON.stringify(errors)},`) : 0;
}
