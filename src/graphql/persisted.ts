import { GraphQLError } from 'graphql';
import { Caches } from '../observe/caches.ts';
import { sha256, type TrustedDocuments, withoutPrefix } from './trusted-documents.ts';

/** What a request says about its document, as far as it was sent at all. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

export interface PersistedOptions {
  readonly trusted: TrustedDocuments;
  /** Whether other documents than the trusted ones are refused. */
  readonly only: boolean;
  readonly caches?: Caches;
}

/** The document that a request asks for. */
export interface Resolved {
  readonly query: unknown;
  /** The trusted operation that it is, by name. */
  readonly operation?: string;
  /** Keeps it for the next time that it is asked for by its hash alone; for a document that was found in order. */
  readonly keep?: () => void;
}

const MOST_KEPT = 1_000;
const MOST_KEPT_CHARACTERS = 4_000_000;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Finds documents by what stands for them in a request: the id of a trusted one (`documentId`, with or without
 * `sha256:`), or the hash of Apollo's automatic persisted queries, whose documents any key can teach us: the last
 * thousand are kept.
 */
export function createPersisted({ trusted, only, caches = new Caches() }: PersistedOptions) {
  const taught = caches.open<string, string>('persisted', {
    max: MOST_KEPT,
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });

  function byId(id: string): Resolved | undefined {
    const document = trusted.get(withoutPrefix(id));
    return document && { query: document.text, operation: document.name };
  }

  /**
   * @throws GraphQLError, coded: the id or hash is unknown or does not belong to the document, or it has to be a trusted
   * document and is not.
   */
  return function resolve({ query, documentId, extensions }: DocumentRequest): Resolved {
    if (documentId !== undefined) {
      const found = typeof documentId === 'string' && query === undefined ? byId(documentId) : undefined;
      if (found) return found;
      throw refusal('PERSISTED_DOCUMENT_NOT_FOUND', 'There is no trusted document with this documentId.');
    }
    const asked = hashOf(extensions);
    const found = asked === undefined || query !== undefined ? undefined : byId(asked);
    if (found) return found;
    if (only) {
      throw refusal('PERSISTED_DOCUMENTS_ONLY', 'Only trusted documents are answered here: send a documentId.');
    }
    if (asked === undefined) return { query };
    if (query === undefined) {
      const known = taught.get(asked);
      if (known === undefined) throw refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
      return { query: known };
    }
    if (typeof query !== 'string') return { query };
    if (sha256(query) !== asked) {
      throw refusal('PERSISTED_QUERY_HASH_MISMATCH', 'sha256Hash is not the SHA-256 of the query.');
    }
    return { query, keep: () => void taught.set(asked, query) };
  };
}

/** The hash of Apollo's protocol, version 1: `{ persistedQuery: { version: 1, sha256Hash } }`. */
function hashOf(extensions: unknown): string | undefined {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = isObject(persisted) ? persisted : {};
  if (version === 1 && typeof sha256Hash === 'string' && HASH.test(sha256Hash)) return sha256Hash;
  throw refusal('INVALID_REQUEST', 'persistedQuery has the version 1 and a sha256Hash of 64 hexadecimal digits.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
