import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { FOR_EVER, goneError, notPublishedError, PREFIX, REVALIDATED, VERSION } from '../http/immutable.ts';
import { errorExample, errorResponse, NOT_MODIFIED } from './error-responses.ts';
import type { Json, OpenApiOperation, OpenApiParameter, PathItem } from './types.ts';

/** What only requests with a key are answered. */
const OF_KEYS = (['UNAUTHENTICATED', 'FORBIDDEN'] satisfies ErrorCode[]).map((code) => String(ERRORS[code].status));
const GONE = errorResponse(
  errorExample(
    goneError(),
    'The version is not the present one, or the operator publishes no such data. No cache may keep this response; it is never a redirect.',
  ),
);
const NOT_PUBLISHED = errorResponse(errorExample(notPublishedError(), 'The operator publishes nothing without a key.'));

export const versionSchema = z
  .object({
    version: z.string().regex(VERSION).describe('The present version, for the addresses below `/v/{version}`.'),
  })
  .meta({ id: 'Version', description: 'The version of the data that the gateway serves without a key.' });

const VERSION_PARAMETER: OpenApiParameter = {
  name: 'version',
  in: 'path',
  required: true,
  description: `The version of the data, as \`GET ${PREFIX}\` returns it.`,
  schema: { type: 'string', pattern: VERSION.source },
};

/** Returns the address of a path within a version. */
export const versionedPath = (path: string): string => `${PREFIX}/{version}${path}`;

/** Returns the description of `Cache-Control` for a response. */
const cached = (value: string, description: string): Json => ({
  'Cache-Control': { description, schema: { type: 'string', const: value } },
});

/** Returns the responses of an operation as they are without a key: those of keys are replaced by the one of what is not found. */
function withoutKey(responses: Json, headers: Json, notFound: Json): Json {
  const { 200: success, ...others } = responses as { 200: Json };
  const kept = Object.entries(others).filter(([status]) => !OF_KEYS.includes(status));
  return Object.fromEntries([...kept, ['200', { ...success, headers }], [String(ERRORS.NOT_FOUND.status), notFound]]);
}

/** Derives the path of a version from the plain path: the same parameters and bytes, without a key, for ever. */
export function versionedPathOf([path, { get }]: [string, PathItem]): [string, PathItem] {
  if (!get) throw new Error(`${path} has no GET`);
  const operation: OpenApiOperation = {
    ...get,
    operationId: `${get.operationId}OfVersion`,
    summary: `${get.summary}, of one version of the data`,
    description: `The response of \`${path}\` for a key of the package \`public\`, byte for byte. It needs no key, and ignores one. Caches may keep it for ever: other data have another version in the address.`,
    tags: ['public'],
    security: [],
    parameters: [VERSION_PARAMETER, ...get.parameters],
    responses: withoutKey(
      get.responses,
      cached(FOR_EVER, 'Any cache may keep the response, and need not ask again.'),
      GONE,
    ),
  };
  return [versionedPath(path), { get: operation }];
}

/** The path of the present version. */
export function versionPathOf(errors: Json): [string, PathItem] {
  const success = {
    description: 'The present version.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Version' } } },
  };
  const headers = cached(REVALIDATED, 'Caches have to ask again each time, with the `ETag`.');
  const operation: OpenApiOperation = {
    operationId: 'version',
    summary: 'The present version of the data',
    description: `Begin with this one, and request everything else below \`${PREFIX}/{version}\`; when that is 404, begin again. The version differs with the data, with what the operator publishes, and with the release of the gateway.`,
    tags: ['public'],
    security: [],
    parameters: [],
    responses: withoutKey({ 200: success, 304: NOT_MODIFIED, ...errors }, headers, NOT_PUBLISHED),
  };
  return [PREFIX, { get: operation }];
}
