import { GraphQLError } from 'graphql';
import type { Caches } from '../../../base/lru-caches.ts';
import { sha256, type TrustedDocuments, withoutPrefix } from './trusted-documents.ts';

/** The names of the parameters of a GraphQL request; `documentId` is the id of a trusted document. */
export const PARAMETERS = ['query', 'variables', 'operationName', 'documentId', 'extensions'] as const;

/** The parameters of a GraphQL request: any that is sent may have any type, but is not null. */
export type GraphQLParameters = { readonly [Name in (typeof PARAMETERS)[number]]?: unknown };

/** What a request asks for by its text, by an id or by a hash. */
export interface RequestedDocument {
  readonly query: unknown;
  /** The name of a trusted document. */
  readonly name?: string;
  /** The hash to register the document for once it is valid. */
  readonly hash?: string;
}

export interface PersistedDocuments {
  /**
   * Returns the document that a request asks for.
   * @throws GraphQLError if it asks for one that is not known or not allowed.
   */
  find(parameters: GraphQLParameters): RequestedDocument;
  /** Registers the text of a valid document of an API key for its hash. */
  register(hash: string, text: string, keyId: number): void;
}

interface PersistedOptions {
  readonly trusted: TrustedDocuments;
  /** Whether all documents except the trusted ones are rejected. */
  readonly only: boolean;
  readonly caches: Caches;
}

/** The characters of all registered texts together, of which each takes at least a thousandth: most are shorter. */
const MAX_CHARACTERS = 4_000_000;
const LEAST_CHARACTERS = 4_000;
const HASH = /^[0-9a-f]{64}$/;

// Not `@graphql-yoga/plugin-persisted-operations`: it finds documents in Yoga's `onParams` alone, and a response from the
// cache ends a request in `onRequest`. With the plugin, a cached response took 1.36 times the processor time.

/**
 * Finds trusted documents by `documentId`, with or without `sha256:`, and implements version 1 of Apollo's automatic
 * persisted queries: a document that was sent with its hash can then be sent as the hash alone, as long as it is among the
 * last thousand. A trusted document has a hash from the start.
 */
export function createPersistedDocuments({ trusted, only, caches }: PersistedOptions): PersistedDocuments {
  const registered = caches.open<string, string>('persisted', {
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text) => Math.max(text.length, LEAST_CHARACTERS),
  });

  function trustedOf(id: string): RequestedDocument {
    const document = trusted.get(withoutPrefix(id));
    if (!document) throw notFound();
    return { query: document.text, name: document.name };
  }

  /** Returns the text that is sent with a hash, or registered for it; undefined for the hash of a trusted document. */
  function textOf(query: unknown, hash: string): unknown {
    if (typeof query === 'string' && sha256(query) !== hash) {
      throw rejection('PERSISTED_QUERY_HASH_MISMATCH', 'sha256Hash is not the SHA-256 of the query.');
    }
    if (query !== undefined || trusted.has(hash)) return query;
    const found = registered.get(hash);
    // Clients of the protocol expect this status, and then send the whole document.
    if (found === undefined) throw rejection('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200);
    return found;
  }

  return {
    find({ query: sent, documentId, extensions }) {
      const hash = persistedQueryHash(extensions);
      const id = typeof documentId === 'string' ? documentId : undefined;
      const isAutomatic = !only && hash !== undefined && id === undefined;
      const query = isAutomatic ? textOf(sent, hash) : sent;
      if (query !== undefined && documentId !== undefined) throw notFound();
      if (query && only) throw trustedOnly();
      if (query) return isAutomatic && sent !== undefined && !trusted.has(hash) ? { query, hash } : { query };
      const key = id ?? hash;
      if (key !== undefined) return trustedOf(key);
      if (documentId !== undefined) throw notFound();
      throw only ? trustedOnly() : rejection('INVALID_REQUEST', 'A request has a query, a string with a document.');
    },
    register: (hash, text, keyId) => registered.set(hash, text, keyId),
  };
}

function notFound(): GraphQLError {
  return rejection('PERSISTED_DOCUMENT_NOT_FOUND', 'There is no trusted document with this documentId.');
}

function trustedOnly(): GraphQLError {
  return rejection('PERSISTED_DOCUMENTS_ONLY', 'Only trusted documents are executed: send a documentId.');
}

/**
 * Returns the hash of `{ persistedQuery: { version: 1, sha256Hash } }`, without its prefix; undefined if it is missing.
 * @throws GraphQLError INVALID_REQUEST if it is malformed.
 */
function persistedQueryHash(extensions: unknown): string | undefined {
  const persisted = (extensions as { readonly persistedQuery?: unknown } | undefined)?.persistedQuery;
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
function rejection(code: string, message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
