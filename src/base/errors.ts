interface ErrorKind {
  /** The HTTP status of a response that consists of the error. */
  readonly status: number;
  /** The headers of such a response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a field with the error fails its whole operation: without the field, the result would look complete. */
  readonly endsOperation?: true;
  /**
   * The level at which it is logged: `error` with its cause, for an operator to act on; `warn` and `info` without it,
   * as the `error` of the line of the request.
   */
  readonly level: 'error' | 'warn' | 'info';
}

/**
 * What each error is, on all surfaces. What a caller does or what takes too long is never logged at `error`: one caller
 * could page the operator.
 */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, level: 'info' },
  INVALID_PARAMETER: { status: 400, level: 'info' },
  UNAUTHENTICATED: { status: 401, level: 'info', headers: { 'www-authenticate': 'ApiKey' } },
  FORBIDDEN: { status: 403, level: 'info' },
  NOT_FOUND: { status: 404, level: 'info' },
  GONE: { status: 410, level: 'info' },
  METHOD_NOT_ALLOWED: { status: 405, level: 'info' },
  NOT_ACCEPTABLE: { status: 406, level: 'info' },
  REQUEST_TIMEOUT: { status: 408, level: 'info', headers: { connection: 'close' } },
  PRECONDITION_FAILED: { status: 412, level: 'info' },
  PAYLOAD_TOO_LARGE: { status: 413, level: 'info' },
  URI_TOO_LONG: { status: 414, level: 'info' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, level: 'info' },
  RANGE_NOT_SATISFIABLE: { status: 416, level: 'info' },
  EXPECTATION_FAILED: { status: 417, level: 'info' },
  EXPORT_TOO_LARGE: { status: 422, level: 'info' },
  RESPONSE_TOO_LARGE: { status: 422, level: 'info', endsOperation: true },
  /** Of a subscription whose client takes too long to read: it begins again with its last cursor. */
  LAGGED: { status: 408, level: 'info' },
  RATE_LIMITED: { status: 429, level: 'info' },
  /** More requests of one key, or without a key from one address, than may run and wait: others are not affected. */
  TOO_MANY_AT_ONCE: { status: 429, level: 'info', headers: { 'retry-after': '1' } },
  HEADERS_TOO_LARGE: { status: 431, level: 'info' },
  /** Never sent: the client has disconnected. */
  CLIENT_DISCONNECTED: { status: 499, level: 'info', endsOperation: true },
  INTERNAL: { status: 500, level: 'error' },
  STORE_UNAVAILABLE: { status: 503, level: 'warn', headers: { 'retry-after': '2' }, endsOperation: true },
  OVERLOADED: { status: 503, level: 'warn', headers: { 'retry-after': '1' }, endsOperation: true },
  DEADLINE_EXCEEDED: { status: 504, level: 'warn', headers: { 'retry-after': '2' }, endsOperation: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

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
  /** What a program needs to go on, as further members of the error (RFC 9457, 3.2). */
  readonly members: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    invalidParameters: readonly InvalidParameter[] = [],
    members: ServiceError['members'] = {},
  ) {
    super(message);
    this.code = code;
    this.invalidParameters = invalidParameters;
    this.members = members;
  }

  get kind(): ErrorKind {
    return ERRORS[this.code];
  }

  get status(): number {
    return this.kind.status;
  }
}

/** Returns the error for a request or a statement that exceeded its time limit. */
export function tooLong(): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The request took longer than its time limit. Request less data at once.',
  );
}

/** Returns the error for a wait that ended because this process was busy, which says nothing about the database. */
export function gatewayBusy(): ServiceError {
  return new ServiceError('OVERLOADED', 'The gateway is busy. Try again in a second.');
}

/** The fixed message for internal errors. */
export const INTERNAL_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.';

/** Codes of PostgreSQL (shutting down, crashed, starting up, too long idle) and of the network, after which reading again may succeed. */
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** Codes of a database that may be away for longer, or has too many connections already. */
const AWAY = new Set(['53300', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/**
 * The messages of `pg` for a connection that broke during a statement, or between two statements of one use of it, which have no
 * code; and PostgreSQL's for a crash of which only a parallel worker has heard yet, with a code that has other meanings.
 */
const BROKEN_TEXT =
  /^(Connection (terminated|ended) unexpectedly|Client (has encountered a connection error|was closed) and is not queryable|lost connection to parallel worker|parallel worker failed to initialize)/;
/** The messages of `pg` for a connection that it has ended itself, and of `pg-pool` for one that it waited for too long. */
const ENDED_TEXT = /^(Connection terminated|timeout exceeded when trying to connect)/;
/** PostgreSQL's codes for a full disk and for out of memory. */
const NO_ROOM = new Set(['53100', '53200']);
const STATEMENT_CANCELLED = '57014';
/** The message of PostGIS, with the code of an internal error, if a statement is cancelled while GEOS computes. */
const GEOMETRY_CANCELLED = /GEOS Error: InterruptedException/;
/**
 * PostgreSQL's codes for a statement that was ended in favour of others: a deadlock, or a read on a standby that was in the way of
 * what its primary has changed.
 */
export const CONFLICTS: ReadonlySet<string> = new Set(['40P01', '40001']);
/** The code of `election_number_in_cursor` (migration 0055). */
const UNKNOWN_CURSOR = 'UC001';

/** Returns the code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns whether a connection broke during a statement, so that it is unknown how far the statement got. */
export function isBroken(error: unknown): boolean {
  return error instanceof Error && (BROKEN_TEXT.test(error.message) || ['ECONNRESET', 'EPIPE'].includes(codeOf(error)));
}

/**
 * Returns whether an error is transient: the database became unavailable in a way from which it recovers by itself, so
 * that reading again may succeed. A pool without a free connection does not count: retrying would only make its queue
 * longer.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  const code = codeOf(error);
  // The socket of the embedded database is missing, while it is being reopened; other ENOENT errors are about files.
  if (code === 'ENOENT' && error instanceof Error && 'syscall' in error) return error.syscall === 'connect';
  return LOST.has(code) || code.startsWith('08') || isBroken(error);
}

/**
 * Converts any error to the one that is reported to the caller: a `ServiceError` unchanged, an unavailable database and a
 * statement that was ended in favour of others as `STORE_UNAVAILABLE`, a statement over its time limit as
 * `DEADLINE_EXCEEDED`, a cursor that the database does not know as `INVALID_PARAMETER`, all others as `INTERNAL`.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return toServiceError(thrown.errors[0]);
  if (thrown instanceof Error) {
    const code = codeOf(thrown);
    if (isTransient(thrown) || AWAY.has(code) || ENDED_TEXT.test(thrown.message)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The database cannot be reached. Try again in a few seconds.');
    }
    if (NO_ROOM.has(code)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The database is out of space. Try again later.');
    }
    if (CONFLICTS.has(code)) {
      return new ServiceError('STORE_UNAVAILABLE', 'The data are being replaced. Try again in a few seconds.');
    }
    if (code === STATEMENT_CANCELLED || GEOMETRY_CANCELLED.test(thrown.message)) return tooLong();
    if (code === UNKNOWN_CURSOR) {
      return new ServiceError(
        'INVALID_PARAMETER',
        'The cursor was not returned by this connection, or is no longer valid. Start again with the first page.',
      );
    }
  }
  return new ServiceError('INTERNAL', INTERNAL_MESSAGE);
}
