import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode } from '../../base/errors.ts';

/** Routes that load balancers and supervisors request several times a second. */
export const FREQUENT_ROUTES: ReadonlySet<string> = new Set(['/health', '/ready']);

/**
 * Logs a request in one line after its response: the route pattern instead of the URL, which may contain the location
 * of a person's home.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'none';
  const line = {
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    package: request.caller?.packageName,
    key: request.caller?.secret && `bg_${request.caller.secret.prefix}`,
    error: request.errorCode ?? undefined,
    trace_id: request.trace?.traceId,
    // A response without a socket (`inject`) never counts as finished.
    ...(reply.raw.destroyed && !reply.raw.writableFinished && { aborted: true }),
  };
  const level = ERRORS[request.errorCode as ErrorCode]?.level ?? 'info';
  // The cause of an internal error has a line of its own, at `error`.
  if (level !== 'info') request.log.warn(line, 'request');
  else if (FREQUENT_ROUTES.has(route)) request.log.debug(line, 'request');
  else request.log.info(line, 'request');
}
