import type { Plugin } from 'graphql-yoga';
import type { GraphQLCache } from '../../../cache/graphql-cache.ts';
import type { Prepare } from '../../documents/documents.ts';
import { GRAPHQL_TYPE, type GraphQLMediaType, JSON_TYPE } from '../media-type.ts';
import { requestOf, YogaResponse } from '../yoga-request.ts';

interface ResponseCacheOptions {
  readonly cache: GraphQLCache;
  readonly prepare: Prepare;
}

const headersOf = (type: GraphQLMediaType) => ({ 'Content-Type': `${type}; charset=utf-8` });
const HEADERS = { [JSON_TYPE]: headersOf(JSON_TYPE), [GRAPHQL_TYPE]: headersOf(GRAPHQL_TYPE) };

/**
 * Sends cached responses before Yoga reads the request: 1 µs instead of the 7 µs of `onParams`. It serves the usual
 * POST of a query if the response is in memory; `useExecution` serves all others from the same cache.
 */
export function useResponseCache({ cache, prepare }: ResponseCacheOptions): Plugin {
  return {
    onRequest({ request, endResponse }) {
      const { raw, context, mediaType } = requestOf(request);
      const { query, variables, operationName, documentId, extensions } = (raw.body ?? {}) as Record<string, unknown>;
      const isUsual = typeof query === 'string' && !operationName && !documentId && !extensions;
      if (!isUsual || !isObject(variables ?? {})) return;
      const values = (variables ?? {}) as Record<string, unknown>;
      const prepared = prepare(query, values);
      if (!('document' in prepared)) return;
      const limits = context.responseLimits;
      const notInPackage = prepared.analysis.findNotInPackage({ variableValues: values }, context.caller.grants);
      const body = cache.peek({ prepared, variables: values, scope: context, limits, extensions: notInPackage });
      if (!body) return;
      raw.prepared = prepared;
      endResponse(new YogaResponse(body, { headers: HEADERS[mediaType] }) as unknown as Response);
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
