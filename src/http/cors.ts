import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IsAllowedOrigin, isLocal, isSameOrigin } from '../access/origins.ts';
import { ServiceError } from '../errors.ts';

/** Routes that pages of other origins may never read (contract, Bulk): their responses have no CORS header. */
const BULK = /^\/(getQueryList|getQueryResults|files)(\/|$)/;
/** Routes that respond without the database, for any origin. */
const HEALTH = /^\/(health|ready)$/;

/**
 * Creates the hook that allows pages of the service itself and of allow-listed origins and rejects all others:
 * preflights and requests get 403 without a CORS header. Requests without an `Origin` do not come from a page and pass.
 * Credentials and `*` are never allowed.
 */
export function createCorsHook(isAllowed: IsAllowedOrigin) {
  return async function cors(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const origin = request.headers.origin;
    const host = request.headers.host;
    const path = pathOf(request);
    if (origin === undefined || HEALTH.test(path) || isSameOrigin(origin, host)) return undefined;
    if (!isLocal(origin, host) && !(await isAllowed(origin))) {
      throw new ServiceError('FORBIDDEN', 'Pages of this origin may not use the service: it is not allow-listed.');
    }
    if (BULK.test(path)) return undefined;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', 'x-request-id, retry-after, ratelimit, ratelimit-policy');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return undefined;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'x-api-key, content-type',
        'access-control-max-age': '600',
      })
      .code(204)
      .send();
  };
}

/**
 * Returns the path of the route that handles a request, which is the same for every spelling of the address. Without
 * a route, returns the decoded path of the address.
 */
function pathOf({ routeOptions, raw }: FastifyRequest): string {
  if (routeOptions.url !== undefined) return routeOptions.url;
  const path = (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path).replace(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}
