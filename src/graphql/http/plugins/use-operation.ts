import { GraphQLError } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { requestOf } from '../yoga-request.ts';
import { REQUEST_ERROR } from './use-error-format.ts';

/** Hands the operation of a request to Yoga: its parameters, its prepared document, and its execution. */
export function useOperation(): Plugin<YogaInitialContext> {
  return {
    onRequestParse({ request, setRequestParser }) {
      setRequestParser(() => requestOf(request).operation.readParameters());
    },
    onParse({ context: { request }, setParsedDocument }) {
      const { prepared } = requestOf(request).operation;
      if (!prepared) throw new Error('The document is not prepared');
      if ('exceeded' in prepared) throw withStatus(prepared.exceeded, { status: 400 });
      if ('errors' in prepared) {
        throw new AggregateError(prepared.errors.map((error) => withStatus(error, REQUEST_ERROR)));
      }
      setParsedDocument(prepared.document);
    },
    onValidate({ setResult }) {
      setResult([]);
    },
    onExecute({ args: { contextValue }, setExecuteFn }) {
      const { request } = contextValue as YogaInitialContext;
      setExecuteFn(() => requestOf(request).operation.execute());
    },
  };
}

/** Returns an error with the HTTP status that Yoga reads from `extensions.http`. */
function withStatus({ message, nodes, source, positions, extensions }: GraphQLError, http: object): GraphQLError {
  return new GraphQLError(message, { nodes, source, positions, extensions: { ...extensions, http } });
}
