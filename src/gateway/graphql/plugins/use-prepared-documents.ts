import { type GraphQLError, getOperationAST } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { ServiceError } from '../../../base/errors.ts';
import type { Prepared } from '../documents/documents.ts';
import { ONLY_AS_EVENTS } from '../execution/execute.ts';
import { EVENTS_TYPE, type GraphQLRequest, type GraphQLServices, requestOf } from '../graphql-request.ts';
import { REQUEST_ERROR } from './use-responses.ts';

const NOT_AS_EVENTS =
  'Only a subscription is answered with events: the Accept header must allow application/graphql-response+json or application/json.';

const NO_ERRORS: GraphQLError[] = [];

/** Hands the prepared document of a request to Yoga, or throws the errors for which it is not executed. */
export function usePreparedDocuments(services: GraphQLServices): Plugin<YogaInitialContext> {
  return {
    onParse({ context: { request }, params: { source }, setParsedDocument }) {
      const { prepared, document, context, operation, mediaType } = requestOf(request);
      if (!prepared) throw new Error('The document is not prepared');
      if ('exceeded' in prepared) throw withStatus({ status: 400 })(prepared.exceeded);
      if ('errors' in prepared) throw new AggregateError(prepared.errors.map(withStatus(REQUEST_ERROR)));
      const kind = operation && getOperationAST(prepared.document, operation.operationName)?.operation;
      if (kind && (kind === 'subscription') !== (mediaType === EVENTS_TYPE)) {
        throw new ServiceError('NOT_ACCEPTABLE', kind === 'subscription' ? ONLY_AS_EVENTS : NOT_AS_EVENTS);
      }
      if (document?.hash !== undefined && !prepared.analysis.holdsAddress) {
        services.persisted.register(document.hash, String(source), context.caller.keyId);
      }
      setParsedDocument(prepared.document);
    },
    onValidate({ setResult }) {
      setResult(NO_ERRORS);
    },
  };
}

/**
 * Prepares the document that was found for a request, once.
 * @returns a promise if it has not been prepared for another request.
 */
export function prepareDocument(request: GraphQLRequest, services: GraphQLServices): Promise<void> | undefined {
  const { parameters, document } = request;
  if (request.prepared || request.preparing || !parameters || !document) return request.preparing;
  const { query } = document;
  const { variables = {}, extensions = {}, operationName } = parameters;
  // Yoga rejects these.
  if (typeof query !== 'string' || !isObject(variables) || !isObject(extensions)) return undefined;
  const { context } = request;
  const keep = (prepared: Prepared) => {
    request.prepared = prepared;
    if (!('document' in prepared)) return;
    request.operation = {
      ...{ prepared, operationName: operationName as string | undefined, variableValues: variables },
      ...{ contextValue: context, asText: true },
    };
  };
  const prepared = services.prepare(query, variables, context);
  if (prepared instanceof Promise) request.preparing = prepared.then(keep);
  else keep(prepared);
  return request.preparing;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Adds the HTTP status to an error of a document, of which each request has its own. */
const withStatus = (http: object) => (error: GraphQLError) =>
  Object.assign(error, { extensions: { ...error.extensions, http } });
