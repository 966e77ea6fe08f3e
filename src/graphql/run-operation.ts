import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { Caches } from '../observe/caches.ts';
import type { Context } from './context.ts';
import { conditionsOf, type LevelPlan, planQuery } from './level-plan.ts';
import { runLevels } from './run-levels.ts';
import type { Shape } from './shape.ts';
import { Subtrees } from './subtree.ts';

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

/** Runs operations by graphql-js alone. */
export function createPlainRunner(schema: GraphQLSchema): RunOperation {
  return async ({ asText: _, shapes: __, ...operation }) => {
    const size = (operation.contextValue as Context | undefined)?.responseSize;
    size?.restart();
    // Else a response that is too large would go on with an error for each of its fields.
    const signals = [operation.abortSignal, size?.exceeded].filter((signal) => signal instanceof AbortSignal);
    const abortSignal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      return await execute({ schema, ...operation, abortSignal, options: { maxCoercionErrors: MOST_ERRORS } });
    } catch (error) {
      throw size?.exceeded.aborted ? size.exceeded.reason : error;
    }
  };
}

/** The same runner, timed in the trace of the request. */
export function traceRunner(run: RunOperation): RunOperation {
  return (operation) => {
    const { trace } = operation.contextValue as Context;
    return trace ? trace.during('graphql.operation', () => run(operation)) : run(operation);
  };
}

/**
 * Runs queries by plans, level by level and whole subtrees in SQL, which takes a fraction of the time of graphql-js; by
 * graphql-js what cannot be planned. An answer with errors is found by graphql-js in any case: it words them, and what it
 * asks loaders for a second time they still have. As long as an operation has errors, it goes there at once.
 */
export function createPlannedRunner(
  schema: GraphQLSchema,
  { caches = new Caches() }: { readonly caches?: Caches } = {},
): RunOperation {
  const runPlainly = createPlainRunner(schema);
  const subtrees = new Subtrees();
  const operations = caches.open<DocumentNode, Plannables>('operations', { max: KEPT });

  function plannableOf({ document, operationName }: Operation): Plannable | undefined {
    let known = operations.get(document);
    if (!known) {
      known = new Map();
      operations.set(document, known);
    }
    const name = operationName ?? '';
    if (!known.has(name)) known.set(name, readPlannable(document, operationName));
    return known.get(name);
  }

  function planFor({ document }: Operation, plannable: Plannable, coerced: Readonly<Record<string, unknown>>) {
    const { operation, conditions, plans } = plannable;
    const key = conditions.map((name) => (coerced[name] === true ? '1' : '0')).join('');
    const known = plans.get(key);
    if (known || plans.size === MOST_PLANS) return known;
    const plan = planQuery(schema, document, operation, coerced);
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
    if (!plannable) return runPlainly(operation);
    if (!plannable.hasErrors) {
      const result = await runPlanned(operation, plannable).catch(() => {
        operation.abortSignal?.throwIfAborted();
        (operation.contextValue as Context).responseSize?.exceeded.throwIfAborted();
      });
      if (result) return result;
    }
    const result = await runPlainly(operation);
    plannable.hasErrors = result.errors !== undefined;
    return result;
  };
}

/** The operations of a document by their names; undefined for those that graphql-js runs. */
type Plannables = Map<string, Plannable | undefined>;

/** A query that may be planned, with its plans so far. */
interface Plannable {
  readonly operation: OperationDefinitionNode;
  readonly conditions: readonly string[];
  readonly plans: Map<string, LevelPlan>;
  /** Whether its last answer had errors. */
  hasErrors: boolean;
}

function readPlannable(document: DocumentNode, operationName: string | null | undefined): Plannable | undefined {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query' || asksForSchema(document)) return undefined;
  return { operation, conditions: conditionsOf(document), plans: new Map(), hasErrors: false };
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
