import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeWithGraphql,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { toServiceError } from '../../errors.ts';
import { inPortion } from '../../event-loop-turns.ts';
import type { PreparedDocument } from '../documents/documents.ts';
import { checkTexts } from '../documents/text-arguments.ts';
import type { Context } from './context.ts';
import type { Shape } from './shape.ts';

/** A prepared document with its variables and context. */
export interface Operation {
  readonly prepared: PreparedDocument;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: Context;
  readonly abortSignal?: AbortSignal | undefined;
  /** Whether parts of the result may be `RawJson`, for callers that serialise the result with `stringifyJson`. */
  readonly asText?: boolean;
  /**
   * The shapes in which fields may be returned as `RawJson`, by type and field (see `shape.ts`). Callers always pass
   * the same object for the same shape, because plans are cached by its identity.
   */
  readonly shapes?: Readonly<Record<string, Shape>> | undefined;
}

export type Execute = (operation: Operation) => Promise<ExecutionResult>;

/** Rewrites documents before they are executed: the query planner (`planner/planner.ts`). */
export interface DocumentRewriter {
  /** The schema that rewritten documents are executed against. */
  readonly schema: GraphQLSchema;
  /**
   * Returns an equivalent document for `schema`.
   * @returns undefined for a document that is executed as it is.
   */
  rewrite(operation: Operation): DocumentNode | undefined;
}

/** The maximum number of variable errors in a result. */
const MAX_ERRORS = 5;

interface ExecuteOptions {
  /** Whether errors in variables suggest similar names of the schema; false if omitted. */
  readonly suggestions?: boolean;
}

/**
 * Creates the function that executes all operations, those of GraphQL clients and those of REST and MCP, and that checks
 * their texts (`checkTexts`). It uses graphql-js and not Yoga's executor (`@graphql-tools/executor`), which mistakes an
 * object with the alias `then` for a promise.
 */
export function createExecute(
  schema: GraphQLSchema,
  rewriter?: DocumentRewriter,
  { suggestions = false }: ExecuteOptions = {},
): Execute {
  return async (operation) => {
    const { prepared, operationName, variableValues, contextValue, abortSignal } = operation;
    // Here, because every surface executes its operations with this function.
    checkTexts(prepared.analysis.texts, getOperationAST(prepared.document, operationName), variableValues);
    const rewritten = rewriter?.rewrite(operation);
    const { responseSize } = contextValue;
    const controller = new AbortController();
    // Otherwise execution would continue after RESPONSE_TOO_LARGE, with one error for each remaining field.
    responseSize?.onExceeded((error) => controller.abort(error));
    // `AbortSignal.any` takes three times as long, and its signals stay in memory until the old generation is collected.
    const onAbort = () => controller.abort(abortSignal?.reason);
    if (abortSignal?.aborted) onAbort();
    abortSignal?.addEventListener('abort', onAbort);
    try {
      const run = () =>
        executeWithGraphql({
          schema: rewritten && rewriter ? rewriter.schema : schema,
          document: rewritten ?? prepared.document,
          operationName,
          variableValues: variableValues ?? {},
          contextValue,
          abortSignal: controller.signal,
          hideSuggestions: !suggestions,
          options: { maxCoercionErrors: MAX_ERRORS },
        });
      // The objects of the schema are built at once.
      return await (prepared.analysis.isIntrospection ? inPortion(contextValue, run) : run());
    } catch (error) {
      // graphql-js throws an error of its own, which has the reason as its cause.
      throw abortSignal?.aborted ? abortSignal.reason : (responseSize?.error ?? error);
    } finally {
      abortSignal?.removeEventListener('abort', onAbort);
    }
  };
}

/** Wraps an execute function so that each operation is timed in the trace of its request. */
export function traceExecute(execute: Execute): Execute {
  return (operation) => {
    const { trace } = operation.contextValue;
    return trace ? trace.during('graphql.operation', () => execute(operation)) : execute(operation);
  };
}

/**
 * Executes an operation of a client; never returns a partial result caused by cancellation or by a database failure.
 * @throws the reason of the cancellation or the database error, as a partial result would look complete.
 */
export async function executeWhole(execute: Execute, operation: Operation): Promise<ExecutionResult> {
  const result = await execute(operation);
  for (const { originalError } of result.errors ?? []) {
    if (originalError && toServiceError(originalError).kind.endsOperation) throw originalError;
  }
  return result;
}
