import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableValues,
  visit,
} from 'graphql';
import type { AccessGrant } from '../store/tables.ts';
import type { Context } from './context.ts';
import type { Loads } from './loader.ts';
import { type FieldInSql, fieldInSql, type SubtreePlan, subtreeOf } from './subtree-plan.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What is asked of all objects at one place of an operation. */
export interface LevelPlan {
  readonly fields: readonly FieldPlan[];
  /** An answer with all fields, in their order, that is to be filled: a copy of it has its size from the start. */
  readonly blank: Readonly<Record<string, null>>;
}

export interface FieldPlan {
  /** Its name in the answer. */
  readonly key: string;
  /** Its type and name, for example `Office.name`. */
  readonly coordinate: string;
  /** Its value for one object. */
  readonly resolve: (parent: unknown, args: Arguments, context: Context) => unknown;
  /** How its values for all objects are loaded; undefined where each is resolved by itself. */
  readonly loads: Loads<unknown, unknown, unknown, unknown> | undefined;
  /** It is null for callers with none of these. */
  readonly grants: readonly AccessGrant[] | undefined;
  readonly args: (variables: VariableValues) => Arguments;
  readonly isNonNull: boolean;
  readonly isList: boolean;
  readonly isItemNonNull: boolean;
  /** A leaf as it is answered. */
  readonly leaf: ((value: unknown) => unknown) | undefined;
  /** What is asked of the objects that it leads to; undefined for a leaf. */
  readonly level: LevelPlan | undefined;
  /** How the store itself answers it; undefined where only its resolver does. */
  readonly inSql: FieldInSql | undefined;
  /** With all below it, where the store can answer that as a whole. */
  readonly subtree: SubtreePlan | undefined;
}

/**
 * Plans a query that has been validated and that `isSupported` accepts.
 * @param conditions the values of the variables of `@skip` and `@include`; all of them are Booleans.
 */
export function planQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  conditions: Readonly<Record<string, unknown>>,
): LevelPlan {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  function isAskedFor({ directives = [] }: SelectionNode): boolean {
    return directives.every(({ name, arguments: given = [] }) => {
      const value = given[0]?.value;
      const isTrue =
        value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
      return isTrue === (name.value === 'include');
    });
  }

  /** The nodes of each field, merged: by their names in the answer, in order. */
  function collect(selections: readonly SelectionNode[], found = new Map<string, FieldNode[]>()) {
    for (const selection of selections) {
      if (!isAskedFor(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = found.get(key);
        if (nodes) nodes.push(selection);
        else found.set(key, [selection]);
        continue;
      }
      // Every type is an object's, so a fragment that is valid here fits.
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      collect(inner?.selectionSet.selections ?? [], found);
    }
    return found;
  }

  /** @param given the columns that its rows are given, in SQL. */
  function planLevel(
    type: GraphQLObjectType,
    sets: readonly (readonly SelectionNode[])[],
    given: readonly string[],
  ): LevelPlan {
    const found = new Map<string, FieldNode[]>();
    for (const selections of sets) collect(selections, found);
    return {
      fields: [...found].map(([key, nodes]) => planField(type, key, nodes, given)),
      blank: Object.fromEntries([...found.keys()].map((key) => [key, null])),
    };
  }

  function planField(
    parent: GraphQLObjectType,
    key: string,
    nodes: readonly FieldNode[],
    given: readonly string[],
  ): FieldPlan {
    const [node] = nodes as [FieldNode];
    if (node.name.value === '__typename') return typeName(key, parent.name);
    const field = parent.getFields()[node.name.value];
    if (!field) throw new Error(`${parent.name} has no field ${node.name.value}: the document was not validated`);
    const coordinate = `${parent.name}.${field.name}`;
    const { isNonNull, isList, isItemNonNull, type } = unwrapped(field.type);
    const { loads, grants } = field.extensions as Pick<FieldPlan, 'loads' | 'grants'>;
    const sets = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet.selections] : []));
    const args = argumentsOf(field, node);
    const hasArguments = (node.arguments?.length ?? 0) > 0;
    const inSql = fieldInSql(field.extensions, { type, isList, isNonNull, hasArguments, given });
    const gives = inSql?.kind === 'rows' ? inSql.rows.gives : undefined;
    const level = isObjectType(type) ? planLevel(type, sets, gives ?? []) : undefined;
    return {
      ...{ key, coordinate, isNonNull, isList, isItemNonNull, loads, grants, args, level, inSql },
      resolve: resolverOf(field),
      leaf: isLeafType(type) ? leafOf(type) : undefined,
      subtree: subtreeOf({ coordinate, args, isList, isNonNull, inSql, level }),
    };
  }

  const root = schema.getQueryType();
  if (!root) throw new Error('The schema has no query type');
  return planLevel(root, [operation.selectionSet.selections], []);
}

function typeName(key: string, name: string): FieldPlan {
  return {
    ...{ key, coordinate: `${name}.__typename`, loads: undefined, grants: undefined },
    ...{ isNonNull: true, isList: false, isItemNonNull: false },
    ...{ resolve: () => name, args: () => NO_ARGUMENTS, leaf: (value) => value, level: undefined },
    ...{ inSql: { kind: 'constant', json: JSON.stringify(name) }, subtree: undefined },
  };
}

function unwrapped(type: GraphQLOutputType) {
  const nullable = getNullableType(type);
  const [isNonNull, isList] = [isNonNullType(type), isListType(nullable)];
  const item: GraphQLOutputType = isListType(nullable) ? nullable.ofType : nullable;
  const named = getNullableType(item);
  if (!isLeafType(named) && !isObjectType(named)) throw new Error(`${type} is not supported by the query planner`);
  return { isNonNull, isList, isItemNonNull: isNonNullType(item), type: named };
}

/** The resolver of a field. It gets no fourth argument (`info`): the resolvers of this schema do not use it. */
function resolverOf({ name, resolve }: GraphQLField<unknown, unknown>): FieldPlan['resolve'] {
  if (resolve && resolve !== defaultFieldResolver) return resolve as FieldPlan['resolve'];
  return (parent) => (parent as Record<string, unknown>)[name];
}

const NO_ARGUMENTS: Arguments = Object.freeze({});

/** The arguments of a field are the same for all objects: with literals alone even for all requests. */
function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): FieldPlan['args'] {
  if (field.args.length === 0) return () => NO_ARGUMENTS;
  let hangsOnVariables = false;
  visit(node, {
    [Kind.SELECTION_SET]: () => false,
    [Kind.VARIABLE]: () => {
      hangsOnVariables = true;
    },
  });
  if (hangsOnVariables) return (variables) => getArgumentValues(field, node, variables);
  const values = getArgumentValues(field, node);
  return () => values;
}

/** What a leaf is answered as; what needs no look is let through without one. */
function leafOf(type: GraphQLLeafType): (value: unknown) => unknown {
  const coerce = (value: unknown) => {
    const coerced = type.coerceOutputValue(value);
    if (coerced === null || coerced === undefined) throw new Error(`${type.name} has no output for a value`);
    return coerced;
  };
  if (type.name === 'String') return (value) => (typeof value === 'string' ? value : coerce(value));
  if (type.name === 'Boolean') return (value) => (typeof value === 'boolean' ? value : coerce(value));
  if (type.name === 'Int') return (value) => ((value as number | 0) === value ? value : coerce(value));
  return coerce;
}
