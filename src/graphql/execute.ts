import { type DocumentNode, type ExecutionResult, execute as executeDocument, type GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';
import type { Shape } from './shape.ts';

/** A document that is valid against the schema, with what it is executed with. */
export interface Operation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: Context;
  readonly abortSignal?: AbortSignal | undefined;
  /** Whether parts of the result may be `RawJson`, for callers that serialise it by `stringifyJson`. */
  readonly asText?: boolean;
  /**
   * The forms in which fields may be returned as `RawJson`, by type and field (see `shape.ts`). A document is always
   * executed with the same shape object for the same form.
   */
  readonly shapes?: Readonly<Record<string, Shape>> | undefined;
}

export type Execute = (operation: Operation) => Promise<ExecutionResult>;

/** Rewrites documents before they are executed: the query planner (`sql/planner.ts`). */
export interface DocumentRewriter {
  /** The schema that rewritten documents are executed against. */
  readonly schema: GraphQLSchema;
  /**
   * Returns an equivalent document for `schema`.
   * @returns undefined for a document that is executed as it is.
   */
  rewrite(operation: Operation): DocumentNode | undefined;
}

/** The most errors of variables that a result names. */
const MAX_ERRORS = 5;

/**
 * Creates the function that executes all operations, of clients and of the REST endpoints. The executor of graphql-js and
 * not that of Yoga (`@graphql-tools/executor`), which takes an object with the alias `then` for a promise.
 */
export function createExecute(schema: GraphQLSchema, rewriter?: DocumentRewriter): Execute {
  return async (operation) => {
    const { document, operationName, variableValues, contextValue, abortSignal } = operation;
    const rewritten = rewriter?.rewrite(operation);
    const exceeded = contextValue.responseSize?.exceeded;
    // A response that is too large would otherwise go on with an error for each of its fields.
    const signal = abortSignal && exceeded ? AbortSignal.any([abortSignal, exceeded]) : (abortSignal ?? exceeded);
    try {
      return await executeDocument({
        schema: rewritten && rewriter ? rewriter.schema : schema,
        document: rewritten ?? document,
        operationName,
        variableValues: variableValues ?? {},
        contextValue,
        ...(signal && { abortSignal: signal }),
        hideSuggestions: true,
        options: { maxCoercionErrors: MAX_ERRORS },
      });
    } catch (error) {
      throw exceeded?.aborted ? exceeded.reason : error;
    }
  };
}

/** Returns the same function, timed in the trace of the request. */
export function traceExecute(execute: Execute): Execute {
  return (operation) => {
    const { trace } = operation.contextValue;
    return trace ? trace.during('graphql.operation', () => execute(operation)) : execute(operation);
  };
}
