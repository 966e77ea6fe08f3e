import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { ServiceError } from '../../../base/errors.ts';
import { PAGE_ONLY } from '../../access/page-key.ts';
import type { GraphQLParameters, RequestedDocument } from '../documents/persisted-documents.ts';
import { type GraphQLRequest, type GraphQLServices, requestOf } from '../graphql-request.ts';
import { parametersOf } from '../parameters.ts';
import { prepareDocument } from './use-prepared-documents.ts';

/** Reads the parameters of a request from what Fastify has parsed, then finds its document, and prepares it. */
export function useRequestedDocuments(services: GraphQLServices): Plugin {
  const parse = (request: Request) => readParameters(requestOf(request), services) as GraphQLParams;
  return {
    onRequestParse({ setRequestParser }) {
      setRequestParser(parse);
    },
    onParams({ request: received, params, setParams }) {
      const request = requestOf(received);
      const { query } = findDocument(request, services);
      // Yoga rejects one of another type.
      if (query !== params.query) setParams({ ...params, query: query as string });
      return prepareDocument(request, services);
    },
  };
}

/** Returns the parameters of a request; they are read once. */
export function readParameters(request: GraphQLRequest, { maxNesting }: GraphQLServices): GraphQLParameters {
  if (!request.parameters && request.failure) throw request.failure;
  request.parameters ??= parametersOf(request.raw, maxNesting);
  return request.parameters;
}

/** Returns the document that a request asks for; it is found once. The key of the map page has documents of its own. */
export function findDocument(request: GraphQLRequest, services: GraphQLServices): RequestedDocument {
  const parameters = readParameters(request, services);
  if (request.document) return request.document;
  if (request.failure) throw request.failure;
  const document = services.persisted.find(parameters);
  const isAllowed = !request.context.caller.isPage || services.pageTexts.has(document.query);
  if (!isAllowed) throw new ServiceError('FORBIDDEN', PAGE_ONLY);
  request.document = document;
  return document;
}
