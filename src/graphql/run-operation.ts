import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Caches } from '../observe/caches.ts';
import type { Context } from './context.ts';

/** A document that has been validated against the schema, with what it is run with. */
export type Operation = Pick<ExecutionArgs, 'variableValues' | 'operationName' | 'contextValue' | 'abortSignal'> & {
  readonly document: DocumentNode;
};

export type RunOperation = (operation: Operation) => Promise<ExecutionResult>;

const MOST_ERRORS = 5;
/** Compiled operations that are kept; each takes some hundred kilobytes at most. */
const KEPT = 200;
/** Compiling takes as long as running some times. What is not asked for again is never compiled. */
const COMPILED_AT_USE = 3;

/** Runs operations by graphql-js alone. */
export function createPlainRunner(schema: GraphQLSchema): RunOperation {
  return async (operation) => execute({ schema, ...operation, options: { maxCoercionErrors: MOST_ERRORS } });
}

/** The same runner, timed in the trace of the request. */
export function traceRunner(run: RunOperation): RunOperation {
  return (operation) => {
    const { trace } = operation.contextValue as Context;
    return trace ? trace.during('graphql.operation', () => run(operation)) : run(operation);
  };
}

type Compiled = (root: unknown, context: unknown, variables: unknown) => Promise<ExecutionResult> | ExecutionResult;

interface Known {
  uses: number;
  compiled: Compiled | undefined;
}

export interface JitOptions {
  /** The use of an operation from which on it is compiled. */
  readonly compiledAtUse?: number;
  readonly caches?: Caches;
}

/**
 * Runs operations that come again as functions compiled by graphql-jit, which takes a fraction of the time; the others,
 * and those that it cannot compile, by graphql-js. An answer with errors is found by graphql-js in any case: it words
 * them, and what it asks loaders for a second time they still have.
 */
export function createJitRunner(
  schema: GraphQLSchema,
  { compiledAtUse = COMPILED_AT_USE, caches = new Caches() }: JitOptions = {},
): RunOperation {
  const runPlainly = createPlainRunner(schema);
  const operations = caches.open<string, Known>('operations', { max: KEPT });
  const ids = new WeakMap<DocumentNode, number>();
  let documents = 0;

  function compiledFor({ document, operationName }: Operation): Compiled | undefined {
    const id = ids.get(document) ?? ++documents;
    ids.set(document, id);
    const key = `${id} ${operationName ?? ''}`;
    const known = operations.get(key) ?? { uses: 0, compiled: undefined };
    if (++known.uses === compiledAtUse) known.compiled = compile(schema, document, operationName ?? undefined);
    operations.set(key, known);
    return known.compiled;
  }

  return async (operation) => {
    const compiled = compiledFor(operation);
    if (!compiled) return runPlainly(operation);
    const result = await compiled(undefined, operation.contextValue, operation.variableValues ?? {});
    operation.abortSignal?.throwIfAborted();
    return result.errors ? runPlainly(operation) : result;
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined) {
  if (asksForSchema(document)) return undefined;
  try {
    const compiled = compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
    return isCompiledQuery(compiled) ? (compiled.query as Compiled) : undefined;
  } catch {
    return undefined;
  }
}

/** Such operations are rare, and large. */
function asksForSchema(document: DocumentNode): boolean {
  let asks = false;
  visit(document, {
    [Kind.FIELD]: ({ name }: FieldNode) => {
      asks ||= name.value === '__schema' || name.value === '__type';
    },
  });
  return asks;
}
