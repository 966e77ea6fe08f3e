import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { checkNesting } from '../http/json-body.ts';
import { type GraphQLParameters, PARAMETERS } from './documents/persisted-documents.ts';

/**
 * Returns the parameters of a request, from Fastify's parsed query string or body. Those that the GraphQL-over-HTTP
 * specification does not define are ignored.
 * @param maxNesting maximum nesting depth of the JSON in a URL; that of a body was checked when it was parsed.
 * @throws ServiceError INVALID_REQUEST if there are none.
 */
export function parametersOf({ method, query, body }: FastifyRequest, maxNesting: number): GraphQLParameters {
  return method === 'POST' ? fromBody(body) : fromUrl(query as Record<string, unknown>, maxNesting);
}

/**
 * Returns the parameters that have a value. Null is equivalent to none, and in a URL '' to no operation name (GraphQL over
 * HTTP, 5.2 and 5.4): no operation has the name ''.
 */
function knownParameters(given: Record<string, unknown>): GraphQLParameters {
  return {
    query: given.query ?? undefined,
    variables: given.variables ?? undefined,
    operationName: given.operationName === '' ? undefined : (given.operationName ?? undefined),
    extensions: given.extensions ?? undefined,
    documentId: given.documentId ?? undefined,
  };
}

function fromBody(body: unknown): GraphQLParameters {
  if (Array.isArray(body)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'Batching is not supported: send each operation of the array as a request of its own, a JSON object.',
    );
  }
  if (typeof body === 'object' && body !== null) return knownParameters(body as Record<string, unknown>);
  throw new ServiceError(
    'INVALID_REQUEST',
    'A request is a JSON object with a query (a string), and where needed variables (an object) and operationName (a string).',
  );
}

function fromUrl(parameters: Record<string, unknown>, maxNesting: number): GraphQLParameters {
  const repeated = PARAMETERS.filter((name) => Array.isArray(parameters[name]));
  if (repeated.length > 0) {
    const invalid = repeated.map((name) => ({ name, reason: 'must be given once' }));
    throw new ServiceError('INVALID_REQUEST', `${repeated.join(', ')}: must be given once.`, invalid);
  }
  const texts = parameters as Record<string, string | undefined>;
  return knownParameters({
    ...texts,
    variables: jsonOf(texts, 'variables', maxNesting),
    extensions: jsonOf(texts, 'extensions', maxNesting),
  });
}

function jsonOf(texts: Record<string, string | undefined>, name: string, maxNesting: number): unknown {
  const text = texts[name];
  if (!text) return undefined;
  checkNesting(text, maxNesting);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('INVALID_REQUEST', `${name} must be JSON.`);
  }
}
