import { createYoga } from 'graphql-yoga';
import { createGraphQLCache } from '../../cache/graphql-cache.ts';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { Config } from '../../config/config.ts';
import type { Caches } from '../../lru-caches.ts';
import { schema } from '../../schema.ts';
import type { Prepare } from '../documents/documents.ts';
import type { TrustedDocuments } from '../documents/trusted-documents.ts';
import type { Execute } from '../execution/execute.ts';
import { useAutomaticPersistedQueries } from './plugins/use-automatic-persisted-queries.ts';
import { useDocuments } from './plugins/use-documents.ts';
import { useErrorFormat } from './plugins/use-error-format.ts';
import { useExecution } from './plugins/use-execution.ts';
import { useRequestParameters } from './plugins/use-request-parameters.ts';
import { useResponseCache } from './plugins/use-response-cache.ts';
import { useTrustedDocuments } from './plugins/use-trusted-documents.ts';
import { type YogaRequest, YogaResponse } from './yoga-request.ts';

interface YogaOptions {
  readonly config: Pick<Config, 'limits' | 'persisted'>;
  readonly execute: Execute;
  /** The response cache; undefined if it is disabled. */
  readonly responseCache: ResponseCache | undefined;
  readonly caches: Caches;
  readonly prepare: Prepare;
  readonly trusted: TrustedDocuments;
}

/** Creates the GraphQL server. CORS, body limits and logging are disabled in it, as Fastify does them for all APIs. */
export function createGraphQLServer({ config, execute, responseCache, caches, prepare, trusted }: YogaOptions) {
  const { limits, persisted } = config;
  const cache = responseCache && createGraphQLCache(responseCache);
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
    // `useDocuments` caches documents: Yoga's own cache hashes the names of all rules for each request.
    parserAndValidationCache: false,
    extraParamNames: ['documentId'],
    plugins: [
      ...(cache && !persisted.only ? [useResponseCache({ cache, prepare })] : []),
      useRequestParameters(limits.http.nesting),
      useAutomaticPersistedQueries({ isEnabled: !persisted.only, caches, trusted }),
      useTrustedDocuments({ trusted, only: persisted.only }),
      useDocuments(prepare),
      useExecution({ execute, cache }),
      useErrorFormat(),
    ],
  });
  // The getter creates a new function on each access.
  const { fetch } = yoga;
  return (request: YogaRequest) => fetch(request as never) as unknown as Promise<YogaResponse>;
}
