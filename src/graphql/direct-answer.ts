import type { FastifyRequest } from 'fastify';
import { type DocumentNode, type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { GraphQuestion } from '../answers/graph-answers.ts';
import type { Context } from './context.ts';
import type { Prepared } from './documents.ts';
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
    },
    ending: AbortSignal,
  ) => Promise<ExecutionResult>;
  /** The answers that are kept; undefined when none are. */
  readonly kept: ((question: GraphQuestion) => Promise<Buffer | undefined>) | undefined;
}

/** An answer as it is sent; or the result of an operation that has errors, which the long way words. */
export type DirectAnswer =
  | { readonly type: string; readonly body: Buffer | string }
  | { readonly withErrors: ExecutionResult };

/**
 * Answers the usual request without the detours that the unusual ones need: a POST of a query without errors, from a
 * client that accepts what we answer.
 * @returns undefined for all others, of which nothing has run yet.
 */
export function createDirectAnswer({ resolve, prepare, run, kept }: DirectOptions) {
  return async (request: FastifyRequest, context: Context): Promise<DirectAnswer | undefined> => {
    const type = MEDIA_TYPES[request.headers.accept ?? '*/*'];
    const isUsual = request.method === 'POST' && SENT_TYPE.test(request.headers['content-type'] ?? '');
    const asked = isUsual ? readBody(request.body) : undefined;
    if (!asked || type === undefined) return undefined;
    const resolved = resolve(asked);
    if (typeof resolved.query !== 'string') return undefined;
    const { variables, operationName } = asked;
    const prepared = prepare(resolved.query, variables);
    if (!('document' in prepared)) return undefined;
    const { document } = prepared;
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return undefined;
    request.operation = resolved.operation ?? null;
    request.document = document;
    let whole: ExecutionResult | undefined;
    const runWith = async (variableValues: Readonly<Record<string, unknown>>) => {
      const result = await run({ document, operationName, variableValues, contextValue: context }, request.ending);
      if (variableValues === variables) whole = result;
      return result;
    };
    const asking = { caller: context.caller, today: context.today, ending: request.ending };
    const found = await kept?.({ document, variables, asking, run: runWith });
    if (found) return { type, body: found };
    const result = whole ?? (await runWith(variables));
    return result.errors ? { withErrors: result } : { type, body: JSON.stringify(result) };
  };
}

interface Body {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** What stands for a document, and whatever else is not as usual, goes the long way. */
function readBody(body: unknown): Body | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { query, variables, operationName, documentId, extensions } = body as Record<string, unknown>;
  if (typeof query !== 'string' || documentId !== undefined || extensions !== undefined) return undefined;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables))) return undefined;
  return {
    query,
    variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
    operationName: operationName ?? undefined,
  };
}
