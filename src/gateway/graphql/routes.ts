import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Plugin } from 'graphql-yoga';
import { ServiceError } from '../../base/errors.ts';
import { schema } from '../../graph/schema.ts';
import { usableDemoKey } from '../access/usable-demo-key.ts';
import type { RequestHook } from '../http/admission.ts';
import { prepareError } from '../http/error-handler.ts';
import { createMediaTypeNegotiator } from '../http/media-type-negotiator.ts';
import { sendTagged } from '../http/representation.ts';
import { sendPage, textPage } from '../http/static-page.ts';
import { createGraphQLCache } from './cache/graphql-cache.ts';
import { createPersistedDocuments } from './documents/persisted-documents.ts';
import { readTrustedDocuments, type TrustedDocuments, trustedPageDocuments } from './documents/trusted-documents.ts';
import { createErrorFormat } from './execution/error-format.ts';
import { buildGraphiql, FILES_PATH } from './graphiql/graphiql.ts';
import {
  EVENTS_TYPE,
  GRAPHQL_TYPE,
  type GraphQLMediaType,
  GraphQLRequest,
  type GraphQLResponse,
  JSON_TYPE,
} from './graphql-request.ts';
import { schemaText } from './schema-text.ts';
import type { Routes } from './surface.ts';
import { createGraphQLServer } from './yoga.ts';

const PATH = '/graphql';
const HTML_TYPE = 'text/html';

/**
 * Serves GraphQL over HTTP with Yoga, behind the limits, API keys and headers that all APIs share; and, unless
 * introspection is disabled, the schema as a file that needs no key.
 * @param watching plugins of Yoga in front of those that do the steps of a request.
 */
export function graphqlRoutes(watching: readonly Plugin[] = []): Routes {
  return async (app, { config, backend, execute, responseCache, caches, prepare, pageDocuments }) => {
    const { persisted } = config;
    const trusted: TrustedDocuments = new Map([
      ...trustedPageDocuments(pageDocuments),
      ...(persisted.dir === undefined ? [] : await readTrustedDocuments(persisted.dir, schema)),
    ]);
    const services = {
      execute,
      cache: responseCache && createGraphQLCache(responseCache),
      prepare,
      persisted: createPersistedDocuments({ trusted, only: persisted.only, caches }),
      pageTexts: new Set([...pageDocuments.values()].map(({ text }) => text)),
      maxNesting: config.limits.http.nesting,
      readerMs: config.limits.http.handlerTimeout,
    };
    const serve = createGraphQLServer(services, watching);
    const { page, files } = config.graphiql
      ? await buildGraphiql({ demoKey: await usableDemoKey(backend), maxUrlBytes: config.limits.http.url })
      : {};

    const negotiateResult = createMediaTypeNegotiator<GraphQLMediaType>([JSON_TYPE, GRAPHQL_TYPE]);
    const negotiateAny = createMediaTypeNegotiator<GraphQLMediaType>([JSON_TYPE, GRAPHQL_TYPE, EVENTS_TYPE]);
    // Events are for clients that name them: `*/*` is sent by all others.
    const negotiate = (accept = '') => (accept.includes(EVENTS_TYPE) ? negotiateAny : negotiateResult)(accept);
    const isPageLoad = createPageLoadCheck();

    app.setErrorHandler((thrown: Error, request, reply) => {
      const error = prepareError(thrown, request, reply);
      const type = negotiate(request.headers.accept) ?? JSON_TYPE;
      reply.type(`${type === EVENTS_TYPE ? JSON_TYPE : type}; charset=utf-8`);
      return reply.send({ errors: [createErrorFormat(request.id)(error)] });
    });

    if (config.introspection) {
      const text = textPage(schemaText());
      app.get('/schema.graphql', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, text));
    }
    app.get(`${FILES_PATH}/:file`, { onRequest: app.admitPage }, (request, reply) => {
      const file = files?.get((request.params as { file: string }).file);
      if (!file) throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
      return sendPage(reply, file);
    });
    // The API key is checked first: without one not even the body is read.
    const authenticate = app.authenticate();
    const onRequest: RequestHook = (request, reply, done) => {
      if (page && isPageLoad(request)) app.admitPage(request, reply).then(() => done(), done);
      else authenticate(request, reply, done);
    };
    app.get(PATH, { onRequest }, (request, reply) =>
      page && isPageLoad(request) ? sendPage(reply, page) : handle(request, reply),
    );
    app.post(PATH, { onRequest: authenticate, config: { isForPage: true } }, handle);

    function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
      const mediaType = negotiate(request.headers.accept);
      if (mediaType === undefined) {
        const types = 'application/graphql-response+json or application/json, in UTF-8';
        throw new ServiceError('NOT_ACCEPTABLE', `The Accept header must allow ${types}.`);
      }
      const received = new GraphQLRequest(request, reply, app.contextOf(request), mediaType);
      request.operation = received;
      const response = serve(received);
      if (response instanceof Promise) return response.then((each) => send(each, received));
      send(response, received);
      return undefined;
    }
  };
}

function send({ status, headers, body }: GraphQLResponse, request: GraphQLRequest): FastifyReply {
  const { raw, reply, hasErrors, operation } = request;
  if (body instanceof ReadableStream) {
    const events = Readable.fromWeb(body as never);
    return reply.code(status).headers({ 'content-type': EVENTS_TYPE, 'cache-control': 'no-store' }).send(events);
  }
  if (raw.method !== 'POST' && !hasErrors && body !== null) {
    const vary = operation?.prepared.analysis.dependsOnLanguage
      ? 'X-API-Key, Accept, Accept-Language'
      : 'X-API-Key, Accept';
    return sendTagged(reply, headers['Content-Type'] ?? '', body, vary);
  }
  return reply.code(status).headers(headers).send(body);
}

/**
 * Creates the function that returns whether a browser loads the page, which then reads the query from its URL. A request
 * with a key and an operation comes from a program, whatever it accepts.
 */
function createPageLoadCheck(): (request: FastifyRequest) => boolean {
  const negotiate = createMediaTypeNegotiator([JSON_TYPE, GRAPHQL_TYPE, HTML_TYPE]);
  return (request) => {
    if (negotiate(request.headers.accept) !== HTML_TYPE) return false;
    const { query, documentId, extensions } = request.query as Record<string, unknown>;
    const hasOperation = query !== undefined || documentId !== undefined || extensions !== undefined;
    return request.headers['x-api-key'] === undefined || !hasOperation;
  };
}
