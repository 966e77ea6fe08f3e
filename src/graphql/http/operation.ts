import type { FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { PAGE_ONLY } from '../../access/page-key.ts';
import type { GraphQLCache } from '../../cache/graphql-cache.ts';
import { ServiceError } from '../../errors.ts';
import type { NamedOperation } from '../../http/request.ts';
import type { Prepare, Prepared, PreparedDocument } from '../documents/documents.ts';
import type { PersistedDocuments } from '../documents/persisted-documents.ts';
import type { Context } from '../execution/context.ts';
import type { Execute } from '../execution/execute.ts';
import { encodeJson, stringifyJson } from '../execution/raw-json.ts';
import type { GraphQLMediaType } from './media-type.ts';
import { parametersOf } from './parameters.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A result with the function by which Yoga serialises it. */
type Serialised = ExecutionResult & { readonly stringify: (last: ExecutionResult) => Buffer | string };

/**
 * What a request asks for, in the steps in which Yoga's hooks take it over: each returns its result, or throws the error
 * that Yoga reports. It is read before Yoga runs, so that a response from the cache does not need Yoga.
 */
export class RequestedOperation implements NamedOperation {
  /** The media type of the response. */
  readonly mediaType: GraphQLMediaType;
  /** The name of the requested trusted document; undefined for any other document. */
  trustedName: string | undefined = undefined;
  /** Whether the result has errors: clients must not cache such a response. */
  hasErrors = false;
  /** Returns the parameters, with the text of the document. */
  readParameters: () => GraphQLParams = notRead;
  /** The document; undefined if the parameters have the wrong types. */
  prepared: Prepared | undefined = undefined;
  execute: () => Promise<Serialised> = notRead;

  constructor(mediaType: GraphQLMediaType) {
    this.mediaType = mediaType;
  }
}

function notRead(): never {
  throw new Error('The operation is not read');
}

/** Returns the operation of a request to this API. */
export function operationOf({ operation }: FastifyRequest): RequestedOperation {
  return operation instanceof RequestedOperation ? operation : notRead();
}

interface OperationOptions {
  readonly execute: Execute;
  /** The response cache; undefined if it is disabled. */
  readonly cache: GraphQLCache | undefined;
  readonly prepare: Prepare;
  readonly persisted: PersistedDocuments;
  /** The texts of the documents that the key of the map page executes. */
  readonly pageTexts: ReadonlySet<unknown>;
  readonly maxNesting: number;
}

/**
 * Creates the function that reads the operation of a request, and answers it from the cache or executes it for the cache.
 * The document is found, prepared and keyed here and nowhere else, whether or not the response is cached.
 * @returns the function; it returns the body of the response, or undefined for a response that Yoga creates.
 */
export function createResponder({ execute, cache, prepare, persisted, pageTexts, maxNesting }: OperationOptions) {
  /** Sets what the request asks for, and returns its document; undefined if Yoga reports that it is not valid. */
  async function readDocument(
    request: FastifyRequest,
    operation: RequestedOperation,
    context: Context,
  ): Promise<PreparedDocument | undefined> {
    const parameters = parametersOf(request, maxNesting);
    const { query, name, hash } = persisted.find(parameters);
    if (request.caller?.isPage && !pageTexts.has(query)) throw new ServiceError('FORBIDDEN', PAGE_ONLY);
    const { variables, operationName, extensions } = parameters;
    operation.readParameters = () => ({ query, variables, operationName, extensions }) as GraphQLParams;
    operation.trustedName = name;
    if (typeof query !== 'string' || !isOptionalObject(variables) || !isOptionalObject(extensions)) return undefined;
    const prepared = await prepare(query, variables ?? {}, context);
    operation.prepared = prepared;
    if (!('document' in prepared)) return undefined;
    if (hash !== undefined && !prepared.analysis.holdsAddress) persisted.register(hash, query, context.caller.keyId);
    return prepared;
  }

  /** Returns the function that executes an operation with its variables, or with those for some of its points. */
  function runnerOf(prepared: PreparedDocument, operationName: string | undefined, context: Context, all: Variables) {
    const extensions = prepared.analysis.findNotInPackage(
      { operationName, variableValues: all },
      context.caller.grants,
    );
    const run = async (variableValues: Variables): Promise<ExecutionResult> => {
      const result = await execute({
        ...{ prepared, operationName, variableValues, contextValue: context, asText: true },
        abortSignal: context.abortSignal,
      });
      return extensions && result.data ? { ...result, extensions } : result;
    };
    return { extensions, run };
  }

  return async function respond(request: FastifyRequest, operation: RequestedOperation, context: Context) {
    let prepared: PreparedDocument | undefined;
    try {
      prepared = await readDocument(request, operation, context);
    } catch (error) {
      operation.readParameters = () => {
        throw error;
      };
    }
    if (!prepared) return undefined;
    const { operationName, variables = {} } = operation.readParameters();
    const limits = context.responseLimits;
    try {
      const { extensions, run } = runnerOf(prepared, operationName, context, variables);
      let uncached: ExecutionResult | undefined;
      const runForCache = async (values: Variables) => {
        const result = await run(values);
        if (values === variables) uncached = result;
        return result;
      };
      const body = await (operationName === undefined ? cache : undefined)?.respond(
        { prepared, variables, scope: context, limits, extensions },
        runForCache,
      );
      if (body) return body;
      operation.execute = async () => serialised(uncached ?? (await run(variables)), context);
    } catch (error) {
      operation.execute = () => Promise.reject(error);
    }
    return undefined;
  };
}

function isOptionalObject(value: unknown): value is Variables | undefined {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}

async function serialised(result: ExecutionResult, { responseLimits }: Context): Promise<Serialised> {
  const encoded = result.errors ? undefined : await encodeJson(result, responseLimits);
  // Errors are formatted before the result is serialised.
  const stringify = (last: ExecutionResult) => encoded ?? stringifyJson(last, responseLimits, errorBytes(last));
  return Object.assign(result, { stringify });
}

/**
 * Returns the size of a result's errors in bytes. They do not count towards the limit: there are few, with fixed
 * messages.
 */
function errorBytes({ errors }: ExecutionResult): number {
  return errors ? Buffer.byteLength(`"errors":${JSON.stringify(errors)},`) : 0;
}
