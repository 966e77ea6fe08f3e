import type { FastifyRequest } from 'fastify';
import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { GraphQuestion } from '../answers/graph-answers.ts';
import { checkNesting } from '../http/json-body.ts';
import type { Context } from './context.ts';
import type { Prepared } from './documents.ts';
import { wordJson } from './json-text.ts';
import type { DocumentRequest, Resolved } from './persisted.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';
/** What most clients accept, word by word, and what they get; all others take the long way. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '*/*': JSON_TYPE,
  'application/json': JSON_TYPE,
  'application/json, */*': JSON_TYPE,
  'application/json, text/plain, */*': JSON_TYPE,
  'application/graphql-response+json': GRAPHQL_TYPE,
  'application/graphql-response+json, application/json': GRAPHQL_TYPE,
  'application/graphql-response+json, application/json;q=0.9': GRAPHQL_TYPE,
  'application/graphql-response+json,application/json;q=0.9': GRAPHQL_TYPE,
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed':
    GRAPHQL_TYPE,
};

/** JSON in the one character set that is read. */
const SENT_TYPE = /^application\/json(; ?charset=utf-8)?$/i;

export interface DirectOptions {
  readonly resolve: (asked: DocumentRequest) => Resolved;
  readonly prepare: (source: string, variables: Readonly<Record<string, unknown>>) => Prepared;
  readonly run: (
    operation: {
      document: DocumentNode;
      variableValues: Readonly<Record<string, unknown>>;
      contextValue: Context;
      operationName: string | undefined;
      asText: boolean;
    },
    ending: AbortSignal,
  ) => Promise<ExecutionResult>;
  /** The answers that are kept; undefined when none are. */
  readonly kept: ((question: GraphQuestion) => Promise<Buffer | undefined>) | undefined;
}

/**
 * An answer as it is sent; or what was found out about a request that the long way has to answer, so that nothing is done
 * twice. An empty object for a request of which nothing was looked at.
 */
export type DirectAnswer = { readonly type: string; readonly body: Buffer | string } | Progress;

export interface Progress {
  /** Why there is no document. */
  readonly refusal?: GraphQLError;
  readonly resolved?: Resolved;
  readonly prepared?: Prepared;
  /** The result of the operation, which has errors. */
  readonly withErrors?: ExecutionResult;
}

/**
 * Answers the usual request without the detours that the unusual ones need: a query without errors, from a client that
 * accepts what we answer, in a POST, or in a GET which caches can tell from others.
 * @param mostNesting of the JSON in an address; that of a body was checked when it was read.
 */
export function createDirectAnswer({ resolve, prepare, run, kept }: DirectOptions, mostNesting: number) {
  return async (request: FastifyRequest, context: Context): Promise<DirectAnswer> => {
    const type = MEDIA_TYPES[request.headers.accept ?? '*/*'];
    const asked = type === undefined ? undefined : readRequest(request, mostNesting);
    if (!asked || type === undefined) return {};
    const { resolved, refusal } = resolvedOrRefused(asked);
    if (!resolved) return { refusal };
    if (typeof resolved.query !== 'string') return { resolved };
    const { variables, operationName } = asked;
    const prepared = prepare(resolved.query, variables);
    if (!('document' in prepared)) return { resolved, prepared };
    const { document } = prepared;
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return { resolved, prepared };
    resolved.keep?.();
    request.operation = resolved.operation ?? null;
    request.document = document;
    let whole: ExecutionResult | undefined;
    const runWith = async (variableValues: Readonly<Record<string, unknown>>) => {
      const operation = { document, operationName, variableValues, contextValue: context, asText: true };
      const result = await run(operation, request.ending);
      if (variableValues === variables) whole = result;
      return result;
    };
    const asking = { caller: context.caller, today: context.today, ending: request.ending };
    const found = await kept?.({ document, variables, asking, run: runWith });
    if (found) return { type, body: found };
    const result = whole ?? (await runWith(variables));
    return result.errors ? { resolved, prepared, withErrors: result } : { type, body: wordJson(result) };
  };

  function resolvedOrRefused(asked: Asked): Pick<Progress, 'resolved' | 'refusal'> {
    try {
      return { resolved: resolve(asked) };
    } catch (error) {
      if (error instanceof GraphQLError) return { refusal: error };
      throw error;
    }
  }
}

interface Asked extends DocumentRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

function readRequest(request: FastifyRequest, mostNesting: number): Asked | undefined {
  if (request.method === 'POST') {
    return SENT_TYPE.test(request.headers['content-type'] ?? '') ? readAsked(request.body) : undefined;
  }
  const { variables, extensions, ...texts } = request.query as Record<string, unknown>;
  try {
    return readAsked({
      ...texts,
      variables: jsonIn(variables, mostNesting),
      extensions: jsonIn(extensions, mostNesting),
    });
  } catch {
    return undefined;
  }
}

/** @throws Error, of whatever kind, for what is not one text of JSON. */
function jsonIn(text: unknown, mostNesting: number): unknown {
  if (text === undefined || text === '') return undefined;
  checkNesting(String(text), mostNesting);
  return JSON.parse(String(text));
}

/** What is not as usual goes the long way. */
function readAsked(given: unknown): Asked | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const { query, variables, operationName, documentId, extensions } = given as Record<string, unknown>;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables))) return undefined;
  if (extensions !== undefined && (typeof extensions !== 'object' || Array.isArray(extensions))) return undefined;
  return {
    query,
    documentId,
    extensions,
    variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
    operationName: operationName || undefined,
  };
}
