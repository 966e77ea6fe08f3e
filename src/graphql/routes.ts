import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import {
  createHandler,
  type Request as HandlerRequest,
  type Response as HandlerResponse,
  parseRequestParams,
  type RequestParams,
} from 'graphql-http';
import { findCaller } from '../access/access.store.ts';
import { digestOf } from '../access/api-key.ts';
import { DEMO_KEY } from '../access/demo-key.ts';
import { createGraphAnswers } from '../answers/graph-answers.ts';
import type { Routes } from '../app.ts';
import { ServiceError, toServiceError } from '../errors.ts';
import { prepareError } from '../http/errors.ts';
import { sendTagged } from '../http/representation.ts';
import type { Store } from '../store/store.ts';
import { createDirectAnswer } from './direct-answer.ts';
import { createDocuments } from './documents.ts';
import { createErrorFormat } from './error-format.ts';
import { graphiqlPage } from './graphiql.ts';
import { createPersisted, type Resolved } from './persisted.ts';
import { resolveDocument } from './request-document.ts';
import type { Operation, RunOperation } from './run-operation.ts';
import { schema } from './schema.ts';
import { readTrustedDocuments, type TrustedDocuments } from './trusted-documents.ts';

const PATH = '/graphql';

/**
 * GraphQL over HTTP by graphql-http, the reference implementation of that specification: a tenth of the work that a
 * larger server does for each request, and nothing that we would have to switch off.
 */
export const graphqlRoutes: Routes = async (app, { config, store, runOperation, answers, caches }) => {
  const { introspection } = config;
  const prepare = createDocuments(schema, config.limits.operation, { introspection, caches });
  const { persisted } = config;
  const trusted: TrustedDocuments =
    persisted.dir === undefined ? new Map() : await readTrustedDocuments(persisted.dir, schema);
  const resolve = createPersisted({ trusted, only: persisted.only, caches });
  const run = runnerOf(runOperation);
  const direct = createDirectAnswer(
    { resolve, prepare, run, kept: answers && createGraphAnswers(answers) },
    config.limits.http.nesting,
  );
  const page = config.graphiql && (await graphiqlPage(await usableDemoKey(store)));

  app.setErrorHandler((thrown: Error, request, reply) => {
    const error = prepareError(thrown, request, reply);
    return reply.send({ errors: [createErrorFormat(request.id)(error)] });
  });

  app.get(PATH, (request, reply) =>
    page && isBrowser(request) ? reply.type('text/html; charset=utf-8').send(page) : answer(request, reply),
  );
  // The key comes first: without one not even the body is read.
  app.post(PATH, { onRequest: async (request, reply) => void (await app.authenticate(request, reply)) }, answer);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const contextValue = await app.contextOf(request, reply);
    const found = await direct(request, contextValue).catch((error) => {
      if (error instanceof GraphQLError) return undefined;
      throw error;
    });
    if (found && 'body' in found) return send(request, reply, found);
    let resolved: Resolved | undefined;
    let isWhole = false;
    const handle = createHandler({
      parseRequestParams: async (raw) => {
        try {
          const read = resolveDocument(raw, resolve, config.limits.http.nesting);
          resolved = read.resolved;
          request.operation = resolved.operation ?? null;
          return await readRequest(read.request);
        } catch (error) {
          if (!(error instanceof GraphQLError)) throw error;
          request.refusal = String(error.extensions.code);
          return refuse(error, statusOf(error));
        }
      },
      onSubscribe: (_, { query, variables, operationName }) => {
        const prepared = prepare(query, variables ?? {});
        if ('beyond' in prepared) {
          request.refusal = String(prepared.beyond.extensions.code);
          return refuse(prepared.beyond);
        }
        if ('errors' in prepared) return prepared.errors;
        resolved?.keep?.();
        request.document = prepared.document;
        return { schema, document: prepared.document, variableValues: variables, operationName };
      },
      execute: async (operation) => {
        const result = found?.withErrors ?? (await run({ ...operation, contextValue }, request.ending));
        isWhole = !result.errors;
        return result;
      },
      formatError: createErrorFormat(request.id, (error) => request.log.error({ err: error }, 'a field failed')),
    });
    const { method, url, headers } = request;
    const body = request.body as Record<string, unknown> | null;
    const [worded, init] = await handle({ method, url, headers, body, raw: request, context: undefined });
    reply.code(init.status).headers(init.headers ?? {});
    const type = init.headers?.['content-type'];
    const sendable = isWhole && worded !== null && type !== undefined;
    return sendable ? send(request, reply, { type, body: worded }) : reply.send(worded ?? undefined);
  }
};

/**
 * Runs operations as long as their request lasts.
 * @throws what ended it, when the store went away or the time was over: a part of an answer would look like the whole.
 */
function runnerOf(runOperation: RunOperation) {
  return async function run(operation: Operation, abortSignal: AbortSignal): Promise<ExecutionResult> {
    try {
      const result = await runOperation({ ...operation, abortSignal });
      for (const error of result.errors ?? []) {
        const cause = error.originalError;
        if (cause && STORE_FAULTS.has(toServiceError(cause).code)) throw cause;
      }
      return result;
    } catch (error) {
      throw abortSignal.aborted ? abortSignal.reason : error;
    }
  };
}

const STORE_FAULTS = new Set(['STORE_UNAVAILABLE', 'OVERLOADED', 'DEADLINE_EXCEEDED']);

/** A refusal by a limit is a 400 whatever the caller accepts: nothing of the operation was looked at. */
function refuse(error: GraphQLError, status = 400): HandlerResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return [JSON.stringify({ errors: [error] }), { status, statusText: STATUS_CODES[status] ?? '', headers }];
}

/** Clients of Apollo's protocol take this for an answer: they send the whole document next. */
function statusOf({ extensions }: GraphQLError): number {
  return extensions.code === 'PERSISTED_QUERY_NOT_FOUND' ? 200 : 400;
}

/** Only the embedded sample has the demo key; a server may not even be there yet. */
async function usableDemoKey(store: Store): Promise<string | undefined> {
  const usable = store.kind === 'embedded' && (await findCaller(store.db, digestOf(DEMO_KEY)));
  return usable ? DEMO_KEY : undefined;
}

const REQUEST_FORM =
  'A request is a JSON object with a query (a text), and where needed variables (an object) and operationName (a text).';

async function readRequest(request: HandlerRequest<unknown, unknown>): Promise<RequestParams | HandlerResponse> {
  try {
    return await parseRequestParams(request);
  } catch (error) {
    throw new ServiceError(
      'INVALID_REQUEST',
      `${error instanceof Error ? error.message : 'Unreadable'}. ${REQUEST_FORM}`,
    );
  }
}

/** Sends an answer without errors. One that was asked for by an address may be kept by the client. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body }: { readonly type: string; readonly body: Buffer | string },
): FastifyReply {
  if (request.method === 'POST') return reply.type(type).send(body);
  return sendTagged(reply, type, typeof body === 'string' ? Buffer.from(body) : body, 'X-API-Key, Accept');
}

/** A page load asks for HTML and has no query; whatever has a query is answered as one. */
function isBrowser(request: FastifyRequest): boolean {
  const { query, documentId, extensions } = request.query as Record<string, unknown>;
  const isAsking = query !== undefined || documentId !== undefined || extensions !== undefined;
  return !isAsking && (request.headers.accept ?? '').includes('text/html');
}
