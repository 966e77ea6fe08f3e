import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Caches } from '../../lru-caches.ts';
import { sha256, type TrustedDocuments, withoutPrefix } from '../trusted-documents.ts';
import { requestOf } from '../yoga-request.ts';

interface TrustedOptions {
  readonly trusted: TrustedDocuments;
  /** Whether all documents except the trusted ones are rejected. */
  readonly only: boolean;
}

/**
 * Finds trusted documents by `documentId`, with or without `sha256:`, or by the hash of an automatic persisted query.
 */
export function useTrustedDocuments({ trusted, only }: TrustedOptions): Plugin {
  const notFound = () =>
    rejection('PERSISTED_DOCUMENT_NOT_FOUND', 'There is no trusted document with this documentId.');
  const trustedOnly = () =>
    rejection('PERSISTED_DOCUMENTS_ONLY', 'Only trusted documents are executed here: send a documentId.');
  const plugin = usePersistedOperations({
    allowArbitraryOperations: !only,
    extractPersistedOperationId: (params) => documentIdOf(params) ?? hashOf(params) ?? null,
    getPersistedOperation: (id, request) => {
      const document = trusted.get(withoutPrefix(id));
      if (document) requestOf(request).raw.operation = document.name;
      return document?.text ?? null;
    },
    customErrors: {
      notFound,
      keyNotFound: ({ params }) => {
        if ('documentId' in params && params.documentId !== undefined) return notFound();
        return only ? trustedOnly() : rejection('INVALID_REQUEST', 'A request has a query, a string with a document.');
      },
      persistedQueryOnly: trustedOnly,
    },
  });
  return {
    ...(plugin as Plugin),
    onParams(payload) {
      const { params } = payload;
      if (params.query !== undefined && 'documentId' in params && params.documentId !== undefined) throw notFound();
      return plugin.onParams?.(payload as never);
    },
  };
}

const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 4_000_000;
const HASH = /^[0-9a-f]{64}$/;

interface AutomaticOptions extends Pick<TrustedOptions, 'trusted'> {
  readonly isEnabled: boolean;
  readonly caches: Caches;
}

/**
 * Implements version 1 of Apollo's automatic persisted queries: a document that was executed with its hash can then be
 * sent as the hash alone, as long as it is among the last thousand. The official plugin is not used because it also
 * registers invalid documents.
 */
export function useAutomaticPersistedQueries({
  trusted,
  isEnabled,
  caches,
}: AutomaticOptions): Plugin<YogaInitialContext> {
  const registered = caches.open<string, string>('persisted', {
    max: MAX_ENTRIES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });
  return {
    onParams({ params, setParams }) {
      const hash = hashOf(params);
      if (!isEnabled || hash === undefined || documentIdOf(params) !== undefined) return;
      const { query } = params;
      if (typeof query === 'string' && sha256(query) !== hash) {
        throw rejection('PERSISTED_QUERY_HASH_MISMATCH', 'sha256Hash is not the SHA-256 of the query.');
      }
      if (query !== undefined || trusted.has(hash)) return;
      const found = registered.get(hash);
      // Clients of the protocol expect this status, and then send the whole document.
      if (found === undefined) throw rejection('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200);
      setParams({ ...params, query: found });
    },
    onExecute({ args: { contextValue } }) {
      const { params } = contextValue as YogaInitialContext;
      const hash = isEnabled ? hashOf(params) : undefined;
      if (hash !== undefined && typeof params.query === 'string' && !trusted.has(hash))
        registered.set(hash, params.query);
    },
  };
}

function documentIdOf(params: GraphQLParams): string | undefined {
  return 'documentId' in params && typeof params.documentId === 'string' ? params.documentId : undefined;
}

/** Returns the hash of `{ persistedQuery: { version: 1, sha256Hash } }`; undefined if it is missing. */
function hashOf({ extensions }: GraphQLParams): string | undefined {
  const persisted: unknown = extensions?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  if (version === 1 && typeof sha256Hash === 'string' && HASH.test(sha256Hash)) return sha256Hash;
  throw rejection('INVALID_REQUEST', 'persistedQuery has the version 1 and a sha256Hash of 64 hexadecimal digits.');
}

function rejection(code: string, message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
