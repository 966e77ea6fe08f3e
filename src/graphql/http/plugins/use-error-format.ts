import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { logCause, prepareError } from '../../../http/error-handler.ts';
import { createErrorFormat } from '../../execution/error-format.ts';
import { requestOf, type YogaRequest } from '../yoga-request.ts';

/** Formats errors for clients. An error that ends the request sets the same status and headers as over REST. */
export function useErrorFormat(): Plugin {
  return {
    onResultProcess({ request, result, setResult }) {
      const { errors, data } = result as ExecutionResult;
      if (!errors) return;
      const { raw, reply, operation } = requestOf(request);
      operation.hasErrors = true;
      const format = createErrorFormat(raw.id, (cause) => logCause(raw, cause));
      const isRejected = data === undefined;
      const formatted = errors.map((error) => {
        const found = format(error);
        if (isRejected) raw.errorCode = String(found.extensions.code);
        const http = error.extensions.http ?? (isRejected ? httpOf(error, raw, reply) : undefined);
        return http ? Object.assign(found, { extensions: { ...found.extensions, http } }) : found;
      });
      setResult({ ...(result as ExecutionResult), errors: formatted });
    },
  };
}

/** Returns the status of an error of a request that was not executed, as Yoga reads it. */
function httpOf({ originalError }: GraphQLError, request: YogaRequest['raw'], reply: YogaRequest['reply']) {
  const isOfDocument = originalError === undefined || originalError instanceof GraphQLError;
  return isOfDocument ? REQUEST_ERROR : { status: prepareError(originalError, request, reply).status };
}

/** A response in `application/json` has the status 200 for these (GraphQL over HTTP, 6.4.1). */
export const REQUEST_ERROR = { status: 400, spec: true } as const;
