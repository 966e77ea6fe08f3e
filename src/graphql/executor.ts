import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  locatedError,
  OperationTypeNode,
  type ValidatedExecutionArgs,
} from 'graphql';

type Data = ExecutionResult['data'];
type FieldDetailsList = readonly object[];
type Path = object | undefined;

/** The selected fields of an object by response name. */
interface CollectedFields {
  readonly groupedFieldSet: ReadonlyMap<string, FieldDetailsList>;
  readonly newDeferUsages: readonly object[];
}

/** The executor of graphql-js: one instance for each execution. */
interface Executor {
  readonly validatedExecutionArgs: ValidatedExecutionArgs;
  readonly aborted: boolean;
  readonly collectedErrors: { add(error: GraphQLError, path: Path): void };
  executeCollectedRootFields(
    ...args: [
      ...[type: GraphQLObjectType, source: unknown, fields: CollectedFields['groupedFieldSet'], serially: boolean],
      newDeferUsages: CollectedFields['newDeferUsages'],
    ]
  ): Promise<Data> | Data;
  collectAndExecuteSubfields(type: GraphQLObjectType, fields: FieldDetailsList, path: Path, source: unknown): unknown;
  executeCollectedSubfields(
    ...args: [
      ...[type: GraphQLObjectType, source: unknown, path: Path, fields: CollectedFields['groupedFieldSet']],
      newDeferUsages: CollectedFields['newDeferUsages'],
    ]
  ): unknown;
  buildResponse(data: Data): ExecutionResult;
  createAbortedExecutionError(result: unknown): Error;
  abort(reason: unknown): void;
}

type CollectArguments = [
  ...[schema: object, fragments: object, variableValues: object, type: GraphQLObjectType],
  ...[selections: object, hideSuggestions: boolean],
];

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('graphql')), 'execution');
/** Loads a file of graphql-js that the package does not export, but which all its functions for execution use. */
const load = <Exports>(file: string) => require(join(folder, file)) as Exports;

const { ExecutorThrowingOnIncremental } = load<{
  ExecutorThrowingOnIncremental: new (args: ValidatedExecutionArgs, shared: object) => Executor;
}>('ExecutorThrowingOnIncremental.mjs');
const { createSharedExecutionContext } = load<{
  createSharedExecutionContext(abortSignal: AbortSignal | undefined): object;
}>('createSharedExecutionContext.mjs');
const { collectFields, collectSubfields } = load<{
  collectFields(...args: CollectArguments): CollectedFields;
  collectSubfields(...args: CollectArguments): CollectedFields;
}>('collectFields.mjs');

/**
 * Executes one operation with the result of graphql-js, and leaves less to the garbage collector. Of graphql-js,
 *
 * - each execution creates an `AbortController` for the signal of its resolvers (`info.getAbortSignal()`), and aborts it
 *   at the end with a DOMException that has a stack, which takes 21 µs. Here resolvers have the signal of the operation.
 * - each execution assigns a function literal to a property. V8 allocates such functions in the old generation, so that
 *   the whole execution and its data stay in memory until that is collected, 5 kB for the smallest operation.
 * - the selected fields of objects are stored in a `WeakMap` of the process by the arguments of the execution. Here they
 *   are stored in the execution.
 */
export class OperationExecutor extends ExecutorThrowingOnIncremental {
  readonly #subfields = new Map<FieldDetailsList, Map<GraphQLObjectType, CollectedFields>>();
  readonly #aborted = Promise.withResolvers<never>();

  constructor(args: ValidatedExecutionArgs) {
    super(args, createSharedExecutionContext(args.externalAbortSignal));
  }

  /**
   * Executes the operation.
   * @throws the reason of the operation's signal if it is already aborted; an error that has the reason as its cause if
   * it is aborted during the execution.
   */
  async execute(): Promise<ExecutionResult> {
    const { externalAbortSignal: signal } = this.validatedExecutionArgs;
    signal?.throwIfAborted();
    const onAbort = () => this.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      return await Promise.race([this.#execute(), this.#aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the execution with an error that has the reason as its cause. */
  override abort(reason: unknown): void {
    if (this.aborted) return;
    super.abort(reason);
    this.#aborted.reject(this.createAbortedExecutionError(undefined));
  }

  override collectAndExecuteSubfields(type: GraphQLObjectType, fields: FieldDetailsList, path: Path, source: unknown) {
    const { groupedFieldSet, newDeferUsages } = this.#subfieldsOf(type, fields);
    return this.executeCollectedSubfields(type, source, path, groupedFieldSet, newDeferUsages);
  }

  async #execute(): Promise<ExecutionResult> {
    try {
      return this.buildResponse(await this.#executeRootFields());
    } catch (error) {
      this.collectedErrors.add(error instanceof GraphQLError ? error : locatedError(error, undefined), undefined);
      return this.buildResponse(null);
    }
  }

  #executeRootFields(): Promise<Data> | Data {
    const { schema, fragments, rootValue, operation, variableValues, hideSuggestions } = this.validatedExecutionArgs;
    const { operation: kind, selectionSet } = operation;
    const type = schema.getRootType(kind);
    if (!type) throw new GraphQLError(`Schema is not configured to execute ${kind} operation.`, { nodes: operation });
    const collected = collectFields(schema, fragments, variableValues, type, selectionSet, hideSuggestions);
    const { groupedFieldSet, newDeferUsages } = collected;
    const isSerial = kind === OperationTypeNode.MUTATION;
    return this.executeCollectedRootFields(type, rootValue, groupedFieldSet, isSerial, newDeferUsages);
  }

  #subfieldsOf(type: GraphQLObjectType, fields: FieldDetailsList): CollectedFields {
    const byType = this.#subfields.get(fields) ?? new Map<GraphQLObjectType, CollectedFields>();
    this.#subfields.set(fields, byType);
    const { schema, fragments, variableValues, hideSuggestions } = this.validatedExecutionArgs;
    const collected =
      byType.get(type) ?? collectSubfields(schema, fragments, variableValues, type, fields, hideSuggestions);
    byType.set(type, collected);
    return collected;
  }
}
