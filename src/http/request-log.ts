import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode } from '../errors.ts';

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

/**
 * Creates the log of one request: each line has its id first, as in a child logger of pino, which takes twice as long to
 * create, for the one line that most requests have.
 */
export function createRequestLog(log: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLog(log, bindings) as object as FastifyBaseLogger;
}

class RequestLog {
  readonly log: FastifyBaseLogger;
  readonly bindings: object;
  constructor(log: FastifyBaseLogger, bindings: object) {
    this.log = log;
    this.bindings = bindings;
  }
  get level(): string {
    return this.log.level;
  }
  child(bindings: object): FastifyBaseLogger {
    return this.log.child({ ...this.bindings, ...bindings });
  }
}

for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const) {
  /** Takes what pino takes: properties, an error, or neither; then a text with its values. */
  const write = function (this: RequestLog, ...[first, ...rest]: unknown[]): void {
    if (typeof first === 'object' && !(first instanceof Error))
      this.log[level]({ ...this.bindings, ...first }, ...(rest as []));
    else this.child({})[level](first, ...(rest as []));
  };
  Object.defineProperty(RequestLog.prototype, level, { value: write, configurable: true, writable: true });
}
