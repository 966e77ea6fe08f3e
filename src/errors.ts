/** What can go wrong in a way that a caller is told about, with the HTTP status that says so. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_PARAMETER: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  EXPECTATION_FAILED: 417,
  EXPORT_TOO_LARGE: 422,
  RESPONSE_TOO_LARGE: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  STORE_UNAVAILABLE: 503,
  OVERLOADED: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A parameter that was refused, and why. */
export interface ParameterFault {
  readonly name: string;
  readonly reason: string;
}

/**
 * An error whose message is written for the caller: it names what is wrong and what would be right, and holds nothing
 * else. Any other error is a fault of ours, logged in full and answered with a fixed text.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly faults: readonly ParameterFault[];

  constructor(code: ErrorCode, message: string, faults: readonly ParameterFault[] = []) {
    super(message);
    this.code = code;
    this.faults = faults;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The error for what took longer than it may. */
export function tooLong(): ServiceError {
  return new ServiceError('DEADLINE_EXCEEDED', 'The request took longer than its time limit. Ask for less at once.');
}

/** The fixed text for a fault of ours. */
export const INTERNAL_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.';

/** Of PostgreSQL (shutting down, starting, no connection left) and of the network. */
const STORE_AWAY = new Set([
  ...['57P01', '57P02', '57P03', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
const STORE_AWAY_TEXT = /connection terminated|timeout exceeded when trying to connect|Connection ended unexpectedly/i;
/** Of PostgreSQL: the disk is full, or the memory. */
const NO_ROOM = new Set(['53100', '53200']);
const STATEMENT_CANCELLED = '57014';

/**
 * The error that the caller is told about, whatever was thrown: a `ServiceError` as it is, a store that does not answer
 * as `STORE_UNAVAILABLE`, a statement over its time limit as `DEADLINE_EXCEEDED`, all else as `INTERNAL`.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return toServiceError(thrown.errors[0]);
  if (thrown instanceof Error) {
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
    // The socket of the embedded store, not a file that somebody named.
    const isSocketMissing = code === 'ENOENT' && 'syscall' in thrown && thrown.syscall === 'connect';
    if (STORE_AWAY.has(code) || isSocketMissing || code.startsWith('08') || STORE_AWAY_TEXT.test(thrown.message)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The data store cannot be reached. Try again in a few seconds.');
    }
    if (NO_ROOM.has(code)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The data store has no room left for this. Try again later.');
    }
    if (code === STATEMENT_CANCELLED) return tooLong();
  }
  return new ServiceError('INTERNAL', INTERNAL_MESSAGE);
}
