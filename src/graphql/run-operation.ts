import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { toServiceError } from '../errors.ts';
import { Caches } from '../observe/caches.ts';
import type { Context } from './context.ts';
import { type LevelPlan, planQuery } from './level-plan.ts';
import { runLevels } from './run-levels.ts';
import type { Shape } from './shape.ts';
import { Subtrees } from './subtree.ts';
import { conditionsOf, isPlannable, isPlannableSchema } from './supported.ts';

/** A document that has been validated against the schema, with what it is run with. */
export type Operation = Pick<ExecutionArgs, 'variableValues' | 'operationName' | 'contextValue' | 'abortSignal'> & {
  readonly document: DocumentNode;
  /** Whether parts of the answer may be JSON already (`JsonText`): for those who word it by `wordJson`. */
  readonly asText?: boolean;
  /**
   * The shapes in which the store may word fields with all below them, by type and name: parts of the answer are then JSON
   * in that shape. One document is always run with the same for the same grants and the same fields that are asked for.
   */
  readonly shapes?: Readonly<Record<string, Shape>> | undefined;
};

export type RunOperation = (operation: Operation) => Promise<ExecutionResult>;

const MOST_ERRORS = 5;
/** Documents whose plans are kept; those of one take some ten kilobytes. */
const KEPT = 200;
/** Plans that are kept of one operation: one for each set of values of the variables that leave out fields. */
const MOST_PLANS = 32;
/** For how long graphql-js alone runs an operation after the planner failed on it: a fault is not repeated each time. */
const PAUSE_MS = 60_000;

/** Runs operations by graphql-js alone. */
export function createPlainRunner(schema: GraphQLSchema): RunOperation {
  return async ({ asText: _, shapes: __, ...operation }) =>
    execute({ schema, ...operation, options: { maxCoercionErrors: MOST_ERRORS } });
}

/** The same runner, timed in the trace of the request. */
export function traceRunner(run: RunOperation): RunOperation {
  return (operation) => {
    const { trace } = operation.contextValue as Context;
    return trace ? trace.during('graphql.operation', () => run(operation)) : run(operation);
  };
}

export interface PlannedRunnerOptions {
  readonly caches?: Caches;
  /** Called with the error of a planned execution that graphql-js does not have: a fault of the planner. */
  readonly onFailure?: (error: unknown, document: DocumentNode) => void;
  /** Milliseconds, from any time on. */
  readonly now?: () => number;
}

/**
 * Runs queries by plans, level by level and whole subtrees in SQL, which takes a fraction of the time of graphql-js. What
 * cannot be planned is known before anything runs, and graphql-js executes it.
 *
 * An operation with errors is executed by graphql-js in any case: it formats the errors, and loaders serve the repeated
 * reads. As long as an operation has errors, it goes there at once. Where graphql-js has no such error, the planner
 * failed: that is reported to `onFailure`, and the answer is that of graphql-js.
 */
export function createPlannedRunner(
  schema: GraphQLSchema,
  { caches = new Caches(), onFailure = () => undefined, now = () => performance.now() }: PlannedRunnerOptions = {},
): RunOperation {
  const runPlainly = createPlainRunner(schema);
  if (!isPlannableSchema(schema)) return runPlainly;
  const subtrees = new Subtrees(caches);
  const operations = caches.open<DocumentNode, Plannables>('operations', { max: KEPT });

  function plannableOf({ document, operationName }: Operation): Plannable | undefined {
    let known = operations.get(document);
    if (!known) {
      known = readPlannables(document);
      operations.set(document, known);
    }
    const operation = known.size > 0 ? getOperationAST(document, operationName) : undefined;
    return operation ? known.get(operation) : undefined;
  }

  function planFor({ document }: Operation, plannable: Plannable, coerced: Readonly<Record<string, unknown>>) {
    const { operation, conditions, defaulted, plans } = plannable;
    // Where it stands for a value that may not be null, an error of each field that comes to be resolved.
    if (defaulted.some((name) => coerced[name] === null)) return undefined;
    const key = conditions.map((name) => (coerced[name] === true ? '1' : '0')).join('');
    const plan = plans.get(key) ?? planQuery(schema, document, operation, coerced);
    plans.set(key, plan);
    return plan;
  }

  async function runPlanned(operation: Operation, plannable: Plannable): Promise<ExecutionResult | undefined> {
    const { variableValues, contextValue, abortSignal, asText, shapes } = operation;
    const { variableValues: variables } = getVariableValues(
      schema,
      plannable.operation.variableDefinitions ?? [],
      variableValues ?? {},
      { maxErrors: MOST_ERRORS },
    );
    const plan = variables && planFor(operation, plannable, variables.coerced);
    if (!plan) return undefined;
    const context = contextValue as Context;
    return { data: await runLevels(plan, { context, variables, ending: abortSignal, subtrees, asText, shapes }) };
  }

  return async (operation) => {
    const plannable = plannableOf(operation);
    if (!plannable || now() < plannable.pausedUntil) return runPlainly(operation);
    let failed: { readonly error: unknown } | undefined;
    if (!plannable.hasErrors) {
      try {
        const result = await runPlanned(operation, plannable);
        if (result) return result;
      } catch (error) {
        operation.abortSignal?.throwIfAborted();
        // The database is away or too slow: the same for every way to execute the operation.
        if (STORE_FAULTS.has(toServiceError(error).code)) throw error;
        failed = { error };
      }
    }
    const result = await runPlainly(operation);
    plannable.hasErrors = result.errors !== undefined;
    if (failed && !hasError(result, failed.error)) {
      plannable.pausedUntil = now() + PAUSE_MS;
      onFailure(failed.error, operation.document);
    }
    return result;
  };
}

/** Errors that are not of an operation: the database does not answer, or not in time. */
export const STORE_FAULTS: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'DEADLINE_EXCEEDED']);

/** Whether a result has an error, as graphql-js has located it. */
function hasError({ errors = [] }: ExecutionResult, thrown: unknown): boolean {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return errors.some((error) => error.message === message || error.originalError?.message === message);
}

/** The queries of a document that are planned; none of a document that graphql-js executes. */
type Plannables = ReadonlyMap<OperationDefinitionNode, Plannable>;

/** A query that may be planned, with its plans so far. */
interface Plannable {
  readonly operation: OperationDefinitionNode;
  /** Its variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** Its variables that may be null in spite of a default, which validation lets stand where null may not. */
  readonly defaulted: readonly string[];
  /** By the values of the conditions. */
  readonly plans: LRUCache<string, LevelPlan>;
  /** Whether its last answer had errors. */
  hasErrors: boolean;
  /** Until when graphql-js alone executes it, as the planner failed. */
  pausedUntil: number;
}

function readPlannables(document: DocumentNode): Plannables {
  if (!isPlannable(document)) return new Map();
  const conditions = conditionsOf(document);
  const plannables = new Map<OperationDefinitionNode, Plannable>();
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION || operation.operation !== OperationTypeNode.QUERY) continue;
    const { variableDefinitions = [] } = operation;
    const nameOf = ({ variable }: VariableDefinitionNode) => variable.name.value;
    plannables.set(operation, {
      operation,
      conditions: variableDefinitions.map(nameOf).filter((name) => conditions.has(name)),
      defaulted: variableDefinitions
        .filter(({ type, defaultValue }) => defaultValue && type.kind !== Kind.NON_NULL_TYPE)
        .map(nameOf),
      plans: new LRUCache({ max: MOST_PLANS }),
      hasErrors: false,
      pausedUntil: Number.NEGATIVE_INFINITY,
    });
  }
  return plannables;
}
