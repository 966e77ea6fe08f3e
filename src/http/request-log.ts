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

/** What a log function of pino takes: properties and a text, or one of them. */
type Line = readonly unknown[];
type LogFunction = (...line: Line) => void;

/**
 * The log of one request: each line has its id first, as in a child logger of pino, which takes 2.6 µs to create for the one
 * line that most requests have.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger;
  readonly #bindings: object;
  constructor(log: FastifyBaseLogger, bindings: object) {
    this.#log = log;
    this.#bindings = bindings;
  }
  get level(): string {
    return this.#log.level;
  }
  child(bindings: object, options?: Parameters<FastifyBaseLogger['child']>[1]): FastifyBaseLogger {
    return this.#log.child({ ...this.#bindings, ...bindings }, options);
  }
  fatal(...line: Line): void {
    this.#write('fatal', line);
  }
  error(...line: Line): void {
    this.#write('error', line);
  }
  warn(...line: Line): void {
    this.#write('warn', line);
  }
  info(...line: Line): void {
    this.#write('info', line);
  }
  debug(...line: Line): void {
    this.#write('debug', line);
  }
  trace(...line: Line): void {
    this.#write('trace', line);
  }
  silent(...line: Line): void {
    this.#write('silent', line);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent', line: Line): void {
    const [properties, ...rest] = line;
    const isObject = typeof properties === 'object' && !(properties instanceof Error);
    if (isObject) (this.#log[level] as LogFunction)({ ...this.#bindings, ...properties }, ...rest);
    else (this.child({})[level] as LogFunction)(...line);
  }
}
