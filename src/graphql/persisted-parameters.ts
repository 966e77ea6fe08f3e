import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

const HASH = /^[0-9a-f]{64}$/;

/** Returns the id of a trusted document; undefined if the request has none. */
export function documentIdOf(params: GraphQLParams): string | undefined {
  return 'documentId' in params && typeof params.documentId === 'string' ? params.documentId : undefined;
}

/**
 * Returns the hash of `{ persistedQuery: { version: 1, sha256Hash } }`; undefined if it is missing.
 * @throws GraphQLError INVALID_REQUEST if it is malformed.
 */
export function persistedQueryHash({ extensions }: GraphQLParams): string | undefined {
  const persisted: unknown = extensions?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  if (version === 1 && typeof sha256Hash === 'string' && HASH.test(sha256Hash)) return sha256Hash;
  throw rejection('INVALID_REQUEST', 'persistedQuery has the version 1 and a sha256Hash of 64 hexadecimal digits.');
}

/** Creates the error for a request whose document is not executed. */
export function rejection(code: string, message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
