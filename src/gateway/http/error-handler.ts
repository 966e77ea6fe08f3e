import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { dictionary } from '../../base/dictionary.ts';
import { ServiceError, toServiceError } from '../../base/errors.ts';
import { failure } from './envelope.ts';

/** Errors for what the HTTP layer itself rejects, by status. */
const HTTP_REJECTIONS: Record<number, ServiceError> = {
  400: new ServiceError('INVALID_REQUEST', 'The request is malformed: a body must be valid JSON.'),
  404: new ServiceError('NOT_FOUND', 'There is nothing at this address.'),
  413: new ServiceError('PAYLOAD_TOO_LARGE', 'The request body is too large.'),
  414: new ServiceError('URI_TOO_LONG', 'The address is too long.'),
  415: new ServiceError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The request body must be JSON, sent as Content-Type: application/json.',
  ),
};

/** The same, for error codes that are more specific than the status. */
const CODES: Record<string, ServiceError> = dictionary({
  FST_ERR_BAD_URL: new ServiceError('INVALID_REQUEST', 'The address contains a malformed percent-encoding.'),
});

const TOO_SLOW = new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time.');

/**
 * Returns whether the deadline passed while the request body was still arriving, which is time taken by the client and
 * not by the service.
 */
function isStillArriving(thrown: FastifyError | Error, request: FastifyRequest): boolean {
  return thrown instanceof ServiceError && thrown.code === 'DEADLINE_EXCEEDED' && request.raw.complete === false;
}

function isTooLarge(thrown: FastifyError | Error): boolean {
  return 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** Returns the error for a body that is too large. The length of a chunked body is not known. */
function tooLarge({ headers, routeOptions }: FastifyRequest): ServiceError {
  const length = headers['content-length'];
  const size = length === undefined ? 'is larger' : `has ${length} bytes`;
  return new ServiceError(
    'PAYLOAD_TOO_LARGE',
    `The request body ${size}; at most ${routeOptions.bodyLimit} bytes are allowed.`,
  );
}

/** Headers of the successful response that an error replaces. */
const HEADERS_OF_A_SUCCESS = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'etag',
  'last-modified',
  'referrer-policy',
  'x-frame-options',
];

/** Returns the error to send to the client, for anything that a hook, a body parser or a handler throws. */
function toHttpError(thrown: FastifyError | Error): ServiceError {
  const byCode = 'code' in thrown ? CODES[thrown.code] : undefined;
  if (byCode) return byCode;
  const status = 'statusCode' in thrown ? thrown.statusCode : undefined;
  const rejection =
    status !== undefined && status < 500 ? (HTTP_REJECTIONS[status] ?? HTTP_REJECTIONS[400]) : undefined;
  return rejection ?? toServiceError(thrown);
}

/**
 * Logs the cause of an internal error with its stack, once for each request: a request may have thousands of fields.
 * Every other error is only named, in the line of its request.
 */
export function logCause(request: FastifyRequest, thrown: unknown): void {
  if (request.hasLoggedCause || toServiceError(thrown).kind.level !== 'error') return;
  request.hasLoggedCause = true;
  request.log.error({ err: thrown }, 'internal error');
}

/**
 * Sets the status and headers of an error, and logs an internal one. An API with its own error format (GraphQL) also
 * calls this and then sends its own body.
 */
export function prepareError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): ServiceError {
  const tooSlow = isStillArriving(thrown, request) ? TOO_SLOW : undefined;
  const error = tooSlow ?? (isTooLarge(thrown) ? tooLarge(request) : toHttpError(thrown));
  if (error.kind.level === 'error') logCause(request, thrown);
  request.errorCode = error.code;
  for (const name of HEADERS_OF_A_SUCCESS) reply.removeHeader(name);
  reply.code(error.status).headers({ 'cache-control': 'no-store', vary: 'Origin', ...error.kind.headers });
  return error;
}

export type ErrorHandler = (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Handles all errors without a more specific error handler: sends the envelope of the REST contract. */
export function sendError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = prepareError(thrown, request, reply);
  return reply.send(failure(error, request.id));
}
