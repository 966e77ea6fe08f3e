import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { ServiceError } from '../../../errors.ts';
import { checkNesting } from '../../../http/json-body.ts';
import { requestOf } from '../yoga-request.ts';

/**
 * Takes the parameters of a request from Fastify's parsed query string and body. Parameters that the GraphQL-over-HTTP
 * specification does not define are ignored.
 * @param maxNesting maximum nesting depth of the JSON in a URL; that of a body was checked when it was parsed.
 */
export function useRequestParameters(maxNesting: number): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      const { raw } = requestOf(request);
      if (request.method === 'GET') setRequestParser(() => fromUrl(raw.query as Record<string, unknown>, maxNesting));
      else setRequestParser(() => fromBody(raw.body));
    },
  };
}

/** `documentId` is the id of a trusted document. */
type Parameters = GraphQLParams & { readonly documentId?: unknown };

const NAMES = ['query', 'variables', 'operationName', 'documentId', 'extensions'] as const;

function knownParameters({
  query,
  variables,
  operationName,
  extensions,
  documentId,
}: Record<string, unknown>): Parameters {
  return { query, variables, operationName, extensions, documentId } as Parameters;
}

function fromBody(body: unknown): Parameters {
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

function fromUrl(parameters: Record<string, unknown>, maxNesting: number): Parameters {
  const repeated = NAMES.filter((name) => Array.isArray(parameters[name]));
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
