import type { Plugin } from 'graphql-yoga';
import { type GraphQLRequest, type GraphQLServices, requestOf, successOf } from '../graphql-request.ts';
import { prepareDocument } from './use-prepared-documents.ts';
import { findDocument } from './use-requested-documents.ts';

/**
 * Ends a request whose response is in memory before Yoga's other hooks, which take ten times as long. What it finds of any
 * other request is kept for the hooks whose steps these are.
 */
export function useCachedResponses(services: GraphQLServices): Plugin {
  if (!services.cache) return {};
  return {
    onRequest({ request: received, endResponse }) {
      const request = requestOf(received);
      try {
        findDocument(request, services);
      } catch (error) {
        request.failure = error;
        return;
      }
      // A document that is sent with its hash is registered by a later hook.
      if (request.document?.hash !== undefined || prepareDocument(request, services)) return;
      const cached = findResponse(request, services);
      if (cached && 'body' in cached && cached.body) endResponse(successOf(request, cached.body));
    },
  };
}

/** Looks up the response to a valid operation, once; undefined if there is no cache, and for an operation of several. */
export function findResponse(request: GraphQLRequest, { cache }: GraphQLServices): GraphQLRequest['cached'] {
  const { operation } = request;
  if (operation && operation.operationName === undefined) request.cached ??= cache?.find(operation);
  return request.cached;
}
