import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type IsAllowedOrigin, isLocal, isSameOrigin } from '../access/origins.ts';
import { ServiceError } from '../errors.ts';

/** Routes that pages of other origins may never read (contract, Bulk): their responses have no CORS header. */
const BULK = /^\/(getQueryList|getQueryResults|files)(\/|$)/;
/** Routes that respond without the database, for any origin. */
const HEALTH = /^\/(health|ready)$/;

/** The headers for a page of an allowed origin, without credentials. */
const ALLOWED: FastifyCorsOptions = {
  origin: true,
  methods: 'GET, HEAD, POST',
  allowedHeaders: 'x-api-key, content-type',
  exposedHeaders: 'x-request-id, retry-after, ratelimit, ratelimit-policy',
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
    return BULK.test(path) ? NO_CORS : { ...ALLOWED, preflight: requestedMethod !== undefined };
  }
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
