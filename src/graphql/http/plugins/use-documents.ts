import { GraphQLError } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Prepare } from '../../documents/documents.ts';
import { requestOf } from '../yoga-request.ts';
import { REQUEST_ERROR } from './use-error-format.ts';

/** Parses, limits and validates documents with `prepare`, which caches its results. */
export function useDocuments(prepare: Prepare): Plugin<YogaInitialContext> {
  return {
    onParse({ params: { source }, context: { params, request }, setParsedDocument }) {
      const prepared = prepare(String(source), params.variables ?? {});
      if ('exceeded' in prepared) throw withStatus(prepared.exceeded, { status: 400 });
      if ('errors' in prepared) {
        throw new AggregateError(prepared.errors.map((error) => withStatus(error, REQUEST_ERROR)));
      }
      requestOf(request).raw.prepared = prepared;
      setParsedDocument(prepared.document);
    },
    onValidate({ setResult }) {
      setResult([]);
    },
  };
}

/** Returns an error with the HTTP status that Yoga reads from `extensions.http`. */
function withStatus({ message, nodes, source, positions, extensions }: GraphQLError, http: object): GraphQLError {
  return new GraphQLError(message, { nodes, source, positions, extensions: { ...extensions, http } });
}
