import type { FastifyReply, FastifyRequest } from 'fastify';

/** Balancers and supervisors ask these several times a second. */
export const FREQUENT_ROUTES: ReadonlySet<string> = new Set(['/health', '/ready']);

/**
 * The hook that logs a request in one line when it has been answered: the route's pattern instead of the address,
 * which may hold the point where somebody lives.
 */
export async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const route = request.routeOptions.url ?? 'none';
  const line = {
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    package: request.caller?.packageName,
    trace_id: request.trace?.traceId,
    ...(reply.raw.writableFinished ? {} : { aborted: true }),
  };
  if (reply.statusCode >= 500) request.log.warn(line, 'request');
  else if (FREQUENT_ROUTES.has(route)) request.log.debug(line, 'request');
  else request.log.info(line, 'request');
}
