import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { type IsAllowedOrigin, isLocal, isSameOrigin } from './origins.ts';

/** Not for pages of other origins at all (contract, Bulk), so these never carry a CORS header. */
const BULK = /^\/(getQueryList|getQueryResults|files)(\/|\?|$)/;
/** These answer without the store, whoever asks. */
const HEALTH = /^\/(health|ready)(\?|$)/;

/**
 * The hook that lets pages of the service itself and of allow-listed origins in, and refuses all others: their
 * preflight and their request, with 403 and without any CORS header. Requests without an `Origin` come from no page
 * and pass. Never credentials, never `*`.
 */
export function createCorsHook(isAllowed: IsAllowedOrigin) {
  return async function cors(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const origin = request.headers.origin;
    const host = request.headers.host;
    const path = request.raw.url ?? '/';
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
