import { createYoga } from 'graphql-yoga';
import { schema } from '../../schema.ts';
import { useErrorFormat } from './plugins/use-error-format.ts';
import { useOperation } from './plugins/use-operation.ts';
import { type YogaRequest, YogaResponse } from './yoga-request.ts';

/**
 * Creates the GraphQL server for requests whose operation is read. CORS, body limits and logging are disabled in it, as
 * Fastify does them for all APIs.
 */
export function createGraphQLServer() {
  const yoga = createYoga({
    schema,
    fetchAPI: { Response: YogaResponse as unknown as typeof Response },
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
    plugins: [useOperation(), useErrorFormat()],
  });
  // The getter creates a new function on each access.
  const { fetch } = yoga;
  return (request: YogaRequest) => fetch(request as never) as unknown as Promise<YogaResponse>;
}
