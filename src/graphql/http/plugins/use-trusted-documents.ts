import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Plugin } from 'graphql-yoga';
import { documentIdOf, persistedQueryHash, rejection, withoutPrefix } from '../../documents/persisted-parameters.ts';
import type { TrustedDocuments } from '../../documents/trusted-documents.ts';
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
    rejection('PERSISTED_DOCUMENTS_ONLY', 'Only trusted documents are executed: send a documentId.');
  const plugin = usePersistedOperations({
    allowArbitraryOperations: !only,
    extractPersistedOperationId: (params) => documentIdOf(params) ?? persistedQueryHash(params) ?? null,
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
