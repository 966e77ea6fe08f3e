import { z } from 'zod';
import { readConfig } from '../../base/config/config.ts';
import { type ErrorCode, INTERNAL_MESSAGE, ServiceError, tooLong } from '../../base/errors.ts';
import { responseTooLarge } from '../../graph/builder/response-size.ts';
import { gone } from '../../graph/changes/changes.ts';
import { NO_ACTIVE_KEY } from '../access/authenticator.ts';
import { type Failure, failure } from '../http/envelope.ts';
import type { Json } from './types.ts';

/** The body of every error; a test validates the errors of a running service against it. */
export const failureSchema = z
  .object({
    success: z.literal(false),
    data: z.object({}).describe('Always empty.'),
    message: z.string().describe('What is wrong and what would be valid, for people.'),
    type: z.string().describe('The kind of error, as a URI that programs can compare.'),
    title: z.string().describe('The name of the status.'),
    status: z.int().describe('The HTTP status of the response.'),
    detail: z.string().describe('The same as `message`.'),
    errors: z
      .array(
        z.object({
          name: z.string().describe('The parameter.'),
          reason: z.string().describe('What is wrong with it.'),
        }),
      )
      .describe('All invalid parameters.'),
    download: z
      .string()
      .optional()
      .describe('Of a cursor that is not known: the address with which a new copy begins.'),
    next: z.string().optional().describe('Of a cursor that is not known: the cursor of now.'),
    request_id: z.string().describe('Quote it when you report a problem.'),
  })
  .meta({ id: 'Failure', description: 'An error: the common envelope, with the members of RFC 9457.' });

export interface ErrorExample {
  readonly code: ErrorCode;
  readonly description: string;
  readonly headers?: Record<string, { readonly description: string; readonly schema: { readonly type: string } }>;
  readonly body: Failure;
}

const REQUEST_ID = '2f1c3a52-6d0f-4c55-9a0e-8f6f2c1f7f10';
const RETRY_AFTER = { 'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } } };

/** Returns an error as shown in the OpenAPI document. */
export function errorExample(
  error: ServiceError,
  description: string,
  headers?: ErrorExample['headers'],
): ErrorExample {
  return { code: error.code, description, body: failure(error, REQUEST_ID), ...(headers && { headers }) };
}

/** Returns the response with an error. */
export function errorResponse({ code, description, headers, body }: ErrorExample): Json {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example: body } },
    'x-code': code,
  };
}

export const NOT_MODIFIED: Json = {
  description: 'The client already has the same response, according to its `If-None-Match` header.',
};

/** The errors shared by lookups and the bulk download, one for each status. */
export const errorExamples: readonly ErrorExample[] = [
  errorExample(
    new ServiceError('INVALID_PARAMETER', 'Latitude and longitude must be supplied. Use long instead of lng.', [
      { name: 'long', reason: 'must be supplied; use long instead of lng' },
    ]),
    'A parameter is missing, repeated or wrong; `errors` names each.',
  ),
  errorExample(
    new ServiceError('UNAUTHENTICATED', NO_ACTIVE_KEY),
    'The key is missing, unknown or inactive: one response for all three.',
    { 'WWW-Authenticate': { description: '`ApiKey`', schema: { type: 'string' } } },
  ),
  errorExample(
    new ServiceError('FORBIDDEN', 'The officeholders endpoint is not available in your package.'),
    'The package of the key does not include the endpoint, or the origin of the page is not allowed.',
  ),
  errorExample(
    new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
    'The headers or the body of the request arrived too slowly.',
  ),
  errorExample(
    new ServiceError('URI_TOO_LONG', 'The address has 9034 bytes; at most 8192 are allowed.'),
    'The address with its query is too long.',
  ),
  errorExample(
    new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A compressed request body is not accepted.'),
    'The body of the request is compressed, or the body of a POST is not JSON.',
  ),
  errorExample(
    new ServiceError('RATE_LIMITED', 'Limit Exceeded. Try again in 2 seconds.'),
    'More requests than the package allows, or more at once than may wait.',
    RETRY_AFTER,
  ),
  errorExample(
    new ServiceError('HEADERS_TOO_LARGE', 'The request has 120 header fields; at most 100 are allowed.'),
    'The request has too many header fields, or too large ones.',
  ),
  errorExample(new ServiceError('INTERNAL', INTERNAL_MESSAGE), 'An internal error.'),
  errorExample(
    new ServiceError('STORE_UNAVAILABLE', 'The database cannot be reached. Try again in a few seconds.'),
    'The database is not available.',
    RETRY_AFTER,
  ),
  errorExample(tooLong(), 'The request took too long.', RETRY_AFTER),
];

/** The errors that only lookups return. */
export const lookupErrors: readonly ErrorExample[] = [
  errorExample(
    responseTooLarge(readConfig({}).limits.response),
    'The response would be larger than is allowed; `collections` and filters make it smaller.',
  ),
];

/** The error of the paths of the feed of changes. */
export const goneExample = errorExample(
  gone('0123456789abcdef'.repeat(3)),
  'The cursor is unknown or too old; `next` is the cursor of now.',
);
