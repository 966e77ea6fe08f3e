import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Caches } from '../../../lru-caches.ts';
import { documentIdOf, persistedQueryHash, rejection } from '../../documents/persisted-parameters.ts';
import { sha256, type TrustedDocuments } from '../../documents/trusted-documents.ts';
import { requestOf } from '../yoga-request.ts';

const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 4_000_000;

interface AutomaticOptions {
  readonly trusted: TrustedDocuments;
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
      const hash = persistedQueryHash(params);
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
      const { params, request } = contextValue as YogaInitialContext;
      const hash = isEnabled ? persistedQueryHash(params) : undefined;
      if (hash === undefined || typeof params.query !== 'string' || trusted.has(hash)) return;
      // The text may be that of a trusted document, which the request names by its id, and the hash that of any other.
      if (sha256(params.query) !== hash) return;
      if (requestOf(request).raw.prepared?.analysis.holdsAddress === false) registered.set(hash, params.query);
    },
  };
}
