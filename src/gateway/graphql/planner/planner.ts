import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { codeOf, toServiceError } from '../../../base/errors.ts';
import { Caches } from '../../../base/lru-caches.ts';
import type { Context } from '../../../graph/builder/context.ts';
import { grantsKey } from '../../../graph/builder/grants.ts';
import { RawJson } from '../../../graph/builder/raw-json.ts';
import type { RangeArguments } from '../documents/analysis.ts';
import type { PreparedDocument } from '../documents/documents.ts';
import { type Conditions, conditionsOf, givenValue, valuesOf } from '../documents/selections.ts';
import type { Operation, Rewrite } from '../execution/execute.ts';
import type { Shape } from '../execution/shape.ts';
import { composeStatement } from './compose.ts';
import { makeExecutionSchema, rawFieldName } from './execution-schema.ts';
import { planField } from './field-plan.ts';
import { createReader } from './read.ts';
import { type SelectedField, selectFields } from './selection.ts';

/**
 * Maximum number of cached rewritten documents, about 20 kB each. There is one for each combination of document,
 * operation, conditions, grants and shapes.
 */
const MAX_PLANS = 500;

const NOTHING: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };

/** A selection that is read in SQL. */
interface Leaf {
  readonly read: ReturnType<typeof createReader>;
  /** Converts the JSON that is read. */
  readonly toValue: (text: string) => unknown;
  /** Whether it may have several parents. */
  readonly isInList: boolean;
  /** All leaves of its operation. */
  readonly all: readonly Leaf[];
  readonly prepared: PreparedDocument;
}

interface PlannerOptions {
  readonly caches?: Caches;
  /** Called with the original document if a compiled selection fails because of an error in the planner. */
  readonly onFailure?: (error: unknown, prepared: PreparedDocument) => void;
}

/**
 * Creates the query planner. Fields above the rewritten selections are executed unchanged, so that nullability, order,
 * arguments and the locations of errors remain those of the executor. Fields that SQL cannot compute are resolved; this
 * is decided here, before anything is executed.
 */
export function createPlanner(
  schema: GraphQLSchema,
  { caches = new Caches(), onFailure }: PlannerOptions = {},
): Rewrite {
  /** The leaves by their nodes in the rewritten documents. */
  const leaves = new WeakMap<FieldNode, Leaf>();
  const reported = new WeakSet<object>();
  const plans = caches.open<string, { readonly rewritten: ReturnType<Rewrite> }>('plans', { max: MAX_PLANS });
  const numberOf = createNumbering();
  const executionSchema = makeExecutionSchema(schema, resolveLeaf);

  async function resolveLeaf(
    parent: unknown,
    _: unknown,
    context: Context,
    { fieldNodes, variableValues }: GraphQLResolveInfo,
  ) {
    const leaf = leaves.get(fieldNodes[0] as FieldNode);
    if (!leaf) throw new Error('The document was not rewritten by this planner');
    // Nothing can share its statement within the operation.
    const isOnly = leaf.all.length === 1 && !leaf.isInList;
    try {
      const text = await leaf.read(parent as Record<string, unknown>, context, variableValues, isOnly);
      return text === null ? null : leaf.toValue(text);
    } catch (error) {
      // All parents that share a statement share its error.
      if (isPlannerFailure(error) && !reported.has(error)) onFailure?.(error, leaf.prepared);
      if (typeof error === 'object' && error !== null) reported.add(error);
      throw error;
    }
  }

  /** Compiles the whole selection of a field; undefined if it is left to the resolvers. */
  function compile(
    selected: SelectedField,
    { contextValue, asText }: Operation,
    shape: Shape | undefined,
  ): Pick<Leaf, 'read' | 'toValue'> | undefined {
    const { grants } = contextValue.caller;
    const { subtree } = planField(selected, grants);
    if (!subtree?.shouldCompile) return undefined;
    const read = createReader(subtree, composeStatement(subtree, grants, shape));
    return { read, toValue: asText || shape ? (text) => new RawJson(text) : JSON.parse };
  }

  function plan(
    planned: Operation,
    operation: OperationDefinitionNode,
    conditions: Conditions,
  ): DocumentNode | undefined {
    const { prepared, shapes } = planned;
    const selected = selectFields(schema, prepared.analysis.definitions, operation, conditions);
    if (!selected) return undefined;
    const all: Leaf[] = [];

    function rewriteField(selection: SelectedField, isInList: boolean): readonly FieldNode[] {
      const { nodes, parent, field, fields } = selection;
      const compiled = field && fields && compile(selection, planned, shapes?.[`${parent.name}.${field.name}`]);
      if (compiled) {
        const leaf: Leaf = { ...compiled, prepared, isInList, all };
        all.push(leaf);
        const hidden = nodes.map(({ kind, loc, alias, name }): FieldNode => {
          return { kind, loc, alias: alias ?? name, name: { ...name, value: rawFieldName(name.value) } };
        });
        leaves.set(hidden[0] as FieldNode, leaf);
        return hidden;
      }
      // All nodes are kept because errors have the locations of all; the first one has the merged selection.
      const isList = isInList || (field !== undefined && isListType(getNullableType(field.type)));
      return nodes.map(({ directives: _, ...node }, index) =>
        fields ? { ...node, selectionSet: index === 0 ? rewriteAll(fields, isList) : NOTHING } : node,
      );
    }

    function rewriteAll(fields: readonly SelectedField[], isInList: boolean): SelectionSetNode {
      return { kind: Kind.SELECTION_SET, selections: fields.flatMap((field) => rewriteField(field, isInList)) };
    }

    const definition: OperationDefinitionNode = { ...operation, selectionSet: rewriteAll(selected, false) };
    return all.length > 0 ? { kind: Kind.DOCUMENT, definitions: [definition] } : undefined;
  }

  return (planned, operation) => {
    const { prepared, variableValues, contextValue, asText, shapes } = planned;
    const { analysis } = prepared;
    if (operation.operation !== 'query' || hasNullForDefault(operation, variableValues)) return undefined;
    // SQL could not report the error at the path of each object that has the field.
    if (hasEmptyRange(analysis.ranges, operation, variableValues)) return undefined;
    const conditions = conditionsOf(operation, analysis.conditionNames, variableValues);
    if (!conditions) return undefined;
    let key = `${numberOf(operation)} ${conditions.key} ${grantsKey(contextValue.caller.grants)} ${asText === true}`;
    for (const field in shapes) key += ` ${numberOf(shapes[field] as Shape)}`;
    const found = plans.get(key);
    if (found) return found.rewritten;
    const document = plan(planned, operation, conditions);
    const rewritten = document && { schema: executionSchema, document };
    if (!analysis.holdsPlace) plans.set(key, { rewritten }, contextValue.caller.keyId);
    return rewritten;
  };
}

/** Raised by `missing`: a value is missing in the data, which is not an error of the planner. */
const NULL_VALUE_NOT_ALLOWED = '22004';

/**
 * Returns whether the error of a compiled selection is caused neither by the caller, nor by an unavailable database,
 * nor by the data.
 */
function isPlannerFailure(error: unknown): error is object {
  if (error instanceof GraphQLError || codeOf(error) === NULL_VALUE_NOT_ALLOWED) return false;
  return toServiceError(error).code === 'INTERNAL';
}

/**
 * Returns whether a variable is null although it has a default. Such a variable may have a nullable type and still be
 * used where null is an error, and only the executor decides for which fields that matters.
 */
function hasNullForDefault(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Operation['variableValues'],
): boolean {
  return variableDefinitions.some(
    ({ variable, defaultValue }) => defaultValue && givenValue(variables, variable.name.value) === null,
  );
}

/**
 * Returns whether one of the ranges has no day. Values that are not texts are left to GraphQL's coercion.
 * @param variables the values of the operation's variables as the request has them.
 */
function hasEmptyRange(
  ranges: readonly RangeArguments[],
  operation: OperationDefinitionNode,
  variables: Operation['variableValues'],
): boolean {
  if (ranges.length === 0) return false;
  const values = valuesOf(operation, variables);
  return ranges.some((range) => {
    const [from, to] = [valueFromASTUntyped(range.from, values), valueFromASTUntyped(range.to, values)];
    return typeof from === 'string' && typeof to === 'string' && from > to;
  });
}

/**
 * Creates a function that numbers objects: the same number for the same object, different numbers for different
 * objects.
 */
function createNumbering(): (object: object) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (object) => {
    const number = numbers.get(object) ?? ++last;
    numbers.set(object, number);
    return number;
  };
}
