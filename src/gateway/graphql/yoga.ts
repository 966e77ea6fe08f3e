import { createYoga, type Plugin } from 'graphql-yoga';
import { schema } from '../../graph/schema.ts';
import { type GraphQLRequest, GraphQLResponse, type GraphQLServices } from './graphql-request.ts';
import { useCachedResponses } from './plugins/use-cached-responses.ts';
import { useExecution } from './plugins/use-execution.ts';
import { usePreparedDocuments } from './plugins/use-prepared-documents.ts';
import { useRequestedDocuments } from './plugins/use-requested-documents.ts';
import { useResponses } from './plugins/use-responses.ts';
import { useSubscriptions } from './plugins/use-subscriptions.ts';

/**
 * Creates the GraphQL server, whose plugins are the steps of a request in their order. CORS, body limits and logging are
 * disabled in it, as Fastify does them for all APIs.
 * @param watching plugins in front of these.
 * @returns the function that serves a request: without a promise where no step has to wait.
 */
export function createGraphQLServer(services: GraphQLServices, watching: readonly Plugin[] = []) {
  const yoga = createYoga({
    schema,
    fetchAPI: { Response: GraphQLResponse as unknown as typeof Response },
    cors: false,
    logging: false,
    landingPage: false,
    graphiql: false,
    multipart: false,
    maskedErrors: false,
    // Fastify's `bodyLimit` applies, at a hundredth of the time.
    maxRequestBodySize: false,
    // The health check cannot be disabled and matches each URL with this suffix: no URL contains a line feed.
    healthCheckEndpoint: '\n',
    // `prepare` caches documents: Yoga's own cache hashes the names of all rules for each request.
    parserAndValidationCache: false,
    extraParamNames: ['documentId'],
    plugins: [
      ...watching,
      // onRequest: a response that is in memory ends the request.
      useCachedResponses(services),
      // onRequestParse: the parameters; onParams: the document, which is parsed, limited and validated once for many requests.
      useRequestedDocuments(services),
      // onParse and onValidate: the document, or its errors.
      usePreparedDocuments(services),
      // onExecute: the operation is executed, and the response cached.
      useExecution(services),
      // onSubscribe: a subscription is executed, event by event.
      useSubscriptions(services),
      // onResultProcess: the body of the response, or its errors.
      useResponses(),
    ],
  });
  // The getter creates a new function on each access.
  const { fetch } = yoga;
  return (request: GraphQLRequest) => fetch(request as never) as unknown as GraphQLResponse | Promise<GraphQLResponse>;
}
