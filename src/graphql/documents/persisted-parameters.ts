import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

const PREFIX = 'sha256:';
const HASH = /^[0-9a-f]{64}$/;

/** Returns the id of a document without the optional prefix, which code generators write into manifests. */
export function withoutPrefix(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

/** Returns the id of a document with the prefix. */
export function withPrefix(hash: string): string {
  return `${PREFIX}${hash}`;
}

/** Returns the id of a trusted document; undefined if the request has none. */
export function documentIdOf(params: GraphQLParams): string | undefined {
  return 'documentId' in params && typeof params.documentId === 'string' ? params.documentId : undefined;
}

/**
 * Returns the hash of `{ persistedQuery: { version: 1, sha256Hash } }`, without its prefix; undefined if it is missing.
 * @throws GraphQLError INVALID_REQUEST if it is malformed.
 */
export function persistedQueryHash({ extensions }: GraphQLParams): string | undefined {
  const persisted: unknown = extensions?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  const hash = typeof sha256Hash === 'string' ? withoutPrefix(sha256Hash) : '';
  if (version === 1 && HASH.test(hash)) return hash;
  throw rejection(
    'INVALID_REQUEST',
    'persistedQuery must have the version 1 and a sha256Hash of 64 lower-case hexadecimal digits, with or without the prefix sha256:.',
  );
}

/** Creates the error for a request whose document is not executed. */
export function rejection(code: string, message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
