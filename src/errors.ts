/** The errors that are reported to callers, with their HTTP status. */
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

/** An invalid parameter, and the reason. */
export interface InvalidParameter {
  readonly name: string;
  readonly reason: string;
}

/**
 * An error whose message is written for the caller: it says what is wrong and what is valid, and contains nothing else.
 * Any other error is an internal error, which is logged in full and reported with a fixed message.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly invalidParameters: readonly InvalidParameter[];

  constructor(code: ErrorCode, message: string, invalidParameters: readonly InvalidParameter[] = []) {
    super(message);
    this.code = code;
    this.invalidParameters = invalidParameters;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Returns the error for a request or a statement that exceeded its time limit. */
export function tooLong(): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The request took longer than its time limit. Request less data at once.',
  );
}

/** The fixed message for internal errors. */
export const INTERNAL_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.';

/** Codes of PostgreSQL (shutting down, starting up, too many connections) and of the network. */
const UNAVAILABLE_CODES = new Set([
  ...['57P01', '57P02', '57P03', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
const UNAVAILABLE_TEXT = /connection terminated|timeout exceeded when trying to connect|Connection ended unexpectedly/i;
/** PostgreSQL's codes for a full disk and for out of memory. */
const NO_ROOM = new Set(['53100', '53200']);
const STATEMENT_CANCELLED = '57014';

/**
 * Converts any error to the one that is reported to the caller: a `ServiceError` unchanged, an unavailable database as
 * `STORE_UNAVAILABLE`, a statement over its time limit as `DEADLINE_EXCEEDED`, all others as `INTERNAL`.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return toServiceError(thrown.errors[0]);
  if (thrown instanceof Error) {
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
    // The socket of the embedded database is missing; other ENOENT errors are about files.
    const isSocketMissing = code === 'ENOENT' && 'syscall' in thrown && thrown.syscall === 'connect';
    if (
      UNAVAILABLE_CODES.has(code) ||
      isSocketMissing ||
      code.startsWith('08') ||
      UNAVAILABLE_TEXT.test(thrown.message)
    ) {
      return new ServiceError('STORE_UNAVAILABLE', 'The database cannot be reached. Try again in a few seconds.');
    }
    if (NO_ROOM.has(code)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The database is out of space. Try again later.');
    }
    if (code === STATEMENT_CANCELLED) return tooLong();
  }
  return new ServiceError('INTERNAL', INTERNAL_MESSAGE);
}
