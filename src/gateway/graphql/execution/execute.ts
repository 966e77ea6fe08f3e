import {
  type DocumentNode,
  type ExecutionResult,
  executeSubscriptionEvent,
  execute as executeWithGraphql,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  type ValidatedSubscriptionArgs,
} from 'graphql';
import { ServiceError, toServiceError } from '../../../base/errors.ts';
import { inPortion } from '../../../base/event-loop-turns.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import type { Context } from '../../../graph/builder/context.ts';
import type { DataVersionWatch } from '../../../store/reading/data-version.ts';
import type { PreparedDocument } from '../documents/documents.ts';
import { withMeaning } from '../documents/suggestions.ts';
import { checkTexts } from '../documents/text-arguments.ts';
import type { Shape } from './shape.ts';

/** A prepared document with its variables and context. */
export interface Operation {
  readonly prepared: PreparedDocument;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: Context;
  /** The event of a subscription that is executed. */
  readonly event?: ValidatedSubscriptionArgs | undefined;
  /** Whether parts of the result may be `RawJson`, for callers that serialise the result with `stringifyJson`. */
  readonly asText?: boolean;
  /**
   * The shapes in which fields may be returned as `RawJson`, by type and field (see `shape.ts`). Callers always pass
   * the same object for the same shape, because plans are cached by its identity.
   */
  readonly shapes?: Readonly<Record<string, Shape>> | undefined;
}

export type Execute = (operation: Operation) => Promise<ExecutionResult>;

/**
 * Finds an equivalent document and the schema that it is executed against: the query planner (`planner/planner.ts`).
 * @param definition the operation of the document that is executed.
 * @returns undefined for a document that is executed as it is.
 */
export type Rewrite = (
  operation: Operation,
  definition: OperationDefinitionNode,
) => { readonly schema: GraphQLSchema; readonly document: DocumentNode } | undefined;

/** The maximum number of variable errors in a result. */
export const MAX_ERRORS = 5;

export const ONLY_AS_EVENTS = 'A subscription is answered at /graphql with the header Accept: text/event-stream.';

interface ExecuteOptions {
  /** Whether errors in variables suggest similar names of the schema; false if omitted. */
  readonly suggestions?: boolean;
  /** With it, each result is from one data version. */
  readonly versions?: DataVersionWatch;
}

/**
 * Creates the function that executes all operations, those of GraphQL clients and those of REST and MCP, and that checks
 * their texts (`checkTexts`). It uses graphql-js and not Yoga's executor (`@graphql-tools/executor`), which mistakes an
 * object with the alias `then` for a promise. An error that ends an operation, such as one of the database, is thrown:
 * without its field, the result would look complete.
 *
 * Every statement sees its own snapshot, so an operation with several statements is executed again if the data changed
 * meanwhile. This costs one small statement at the end of such an operation, which concurrent operations share; no
 * connection is reserved for a request. It is all one function, because each asynchronous layer takes two promises.
 */
export function createExecute(
  schema: GraphQLSchema,
  rewrite?: Rewrite,
  { suggestions = false, versions }: ExecuteOptions = {},
): Execute {
  return async (operation) => {
    const { prepared, operationName, variableValues, contextValue, event } = operation;
    const { abortSignal } = contextValue;
    const definition = getOperationAST(prepared.document, operationName);
    // Here, because every surface executes its operations with this function.
    checkTexts(prepared.analysis.texts, definition, variableValues);
    if (definition?.operation === 'subscription' && !event) throw new ServiceError('NOT_ACCEPTABLE', ONLY_AS_EVENTS);
    const rewritten = definition && !event ? rewrite?.(operation, definition) : undefined;
    // The version that was last seen: if it is outdated, an operation is executed twice, not more often. A failure to read
    // it is ignored: operations that read nothing do not need it, and operations that read fail on their own.
    let before =
      versions &&
      (
        versions.latest ??
        (await untilAborted(
          versions.read().catch(() => undefined),
          abortSignal,
        ))
      )?.state;
    for (;;) {
      contextValue.startExecution?.();
      const { responseSize } = contextValue;
      const controller = new AbortController();
      // Otherwise execution would continue after RESPONSE_TOO_LARGE, with one error for each remaining field.
      responseSize?.onExceeded((error) => controller.abort(error));
      // `AbortSignal.any` takes three times as long, and its signals stay in memory until the old generation is collected.
      const onAbort = () => controller.abort(abortSignal?.reason);
      if (abortSignal?.aborted) onAbort();
      abortSignal?.addEventListener('abort', onAbort);
      const run = () =>
        event
          ? executeSubscriptionEvent({ ...event, externalAbortSignal: controller.signal })
          : executeWithGraphql({
              ...(rewritten ?? { schema, document: prepared.document }),
              operationName,
              variableValues: variableValues ?? {},
              contextValue,
              abortSignal: controller.signal,
              hideSuggestions: !suggestions,
              options: { maxCoercionErrors: MAX_ERRORS },
            });
      let result: ExecutionResult;
      try {
        // The objects of the schema are built at once.
        result = await (prepared.analysis.isIntrospection ? inPortion(contextValue, run) : run());
      } catch (error) {
        // graphql-js throws an error of its own, which has the reason as its cause.
        throw abortSignal?.aborted ? abortSignal.reason : (responseSize?.error ?? error);
      } finally {
        abortSignal?.removeEventListener('abort', onAbort);
      }
      throwIfEnded(result);
      // Without data, the errors are those of the variables.
      if (suggestions && result.data === undefined) {
        for (const error of result.errors ?? []) error.message = withMeaning(error.message, schema);
      }
      // An event is a read before its records are.
      if (!versions || (contextValue.reads ?? 0) < (event ? 1 : 2)) return result;
      const { state } = await untilAborted(versions.read(), abortSignal);
      if (state === before) return result;
      before = state;
    }
  };
}

/** Throws the first error that ends its operation: one of its cancellation or of the database. */
function throwIfEnded({ errors = [] }: ExecutionResult): void {
  for (const { originalError } of errors) {
    if (originalError && toServiceError(originalError).kind.endsOperation) throw originalError;
  }
}

/** Wraps an execute function so that each operation is timed in the trace of its request. */
export function traceExecute(execute: Execute): Execute {
  return (operation) => {
    const { trace } = operation.contextValue;
    return trace ? trace.during('graphql.operation', () => execute(operation)) : execute(operation);
  };
}
