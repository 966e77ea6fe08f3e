import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { type IsAllowedOrigin, isLocal, isSameOrigin } from '../access/origins.ts';

/** Routes that pages of other origins may never read (contract, Bulk): their responses have no CORS header. */
const BULK = /^\/(getQueryList|getQueryResults|files|data\/changes\/files)(\/|$)/;
/** Routes that respond without the database, for any origin. */
const HEALTH = /^\/(health|ready)$/;

/** The request headers of pages that the gateway reads, with those of W3C Trace Context. */
const REQUEST_HEADERS = ['x-api-key', 'content-type', 'if-none-match', 'traceparent', 'tracestate', 'baggage'];
/**
 * The headers in which common GraphQL clients name themselves and the operation, or force a preflight. The gateway
 * ignores them; without permission, a browser would not send the request.
 */
const CLIENT_HEADER = /^(apollo|apollographql|graphql|x-apollo|x-graphql)-[a-z0-9-]+$/;

/** The headers for a page of an allowed origin, without credentials. */
const ALLOWED: FastifyCorsOptions = {
  origin: true,
  methods: 'GET, HEAD, POST',
  exposedHeaders: 'x-request-id, etag, retry-after, ratelimit, ratelimit-policy',
  maxAge: 600,
};
/** No CORS header, and no response to preflights. */
const NO_CORS: FastifyCorsOptions = { origin: false };

/**
 * Allows pages of the service itself and of allow-listed origins. All others get 403 without a CORS header, preflights
 * and requests: `@fastify/cors` would only omit the header, and still serve the request. Requests without an `Origin` do
 * not come from a page and pass.
 */
export async function allowOrigins(app: FastifyInstance, isAllowed: IsAllowedOrigin): Promise<void> {
  await app.register(cors, {
    // With a callback, requests without an origin need no promise.
    delegator: (request, callback) => {
      if (request.headers.origin === undefined) return callback(null, NO_CORS);
      optionsOf(request, request.headers.origin).then(
        (options) => callback(null, options),
        (error) => callback(error),
      );
    },
  });

  async function optionsOf(request: FastifyRequest, origin: string): Promise<FastifyCorsOptions> {
    const { host, 'access-control-request-method': requestedMethod } = request.headers;
    const path = pathOf(request);
    if (HEALTH.test(path) || isSameOrigin(origin, host)) return NO_CORS;
    if (!isLocal(origin, host) && !(await isAllowed(origin))) {
      throw new ServiceError('FORBIDDEN', 'Pages of this origin may not use the service: it is not allow-listed.');
    }
    // An OPTIONS request without the header is no preflight: the route responds with its methods.
    if (BULK.test(path)) return NO_CORS;
    const allowedHeaders = [...REQUEST_HEADERS, ...clientHeadersIn(request)];
    return { ...ALLOWED, allowedHeaders, preflight: requestedMethod !== undefined };
  }
}

/** Returns the headers of common GraphQL clients among those that a preflight lists. */
function clientHeadersIn({ headers }: FastifyRequest): string[] {
  const listed = String(headers['access-control-request-headers'] ?? '').toLowerCase();
  return [...new Set(listed.split(',').map((name) => name.trim()))].filter((name) => CLIENT_HEADER.test(name));
}

/** The route of the library for preflights of addresses without an OPTIONS route of their own. */
const ANY_ADDRESS = '*';

/**
 * Returns the path of the route that handles a request, which is the same for every spelling of the address. Without
 * a route, returns the decoded path of the address.
 */
function pathOf({ routeOptions, raw }: FastifyRequest): string {
  if (routeOptions.url !== undefined && routeOptions.url !== ANY_ADDRESS) return routeOptions.url;
  const path = (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path).replace(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}
