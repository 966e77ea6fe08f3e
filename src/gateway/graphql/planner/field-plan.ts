import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type VariableValues,
  visit,
} from 'graphql';
import type { Expression } from 'kysely';
import { jsonOf, type LeafValue, type PlannedLeaf } from '../../../graph/builder/leaf.ts';
import { idColumnOf, type PlannedRows } from '../../../graph/builder/relation.ts';
import type { AccessGrant } from '../../../store/sql/tables.ts';
import type { SelectedField } from './selection.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * How SQL computes a field: as constant JSON, as an expression over the row of its object, or as the rows of other
 * objects.
 */
export type FieldSql =
  | { readonly kind: 'constant'; readonly json: string }
  | LeafSql
  | { readonly kind: 'rows'; readonly rows: PlannedRows };

export interface LeafSql {
  readonly kind: 'leaf';
  readonly value: LeafValue;
  /** The name of the column, if it is computed from one column only. */
  readonly column: string | undefined;
  /** Returns the expression of a value as JSON; null for null. */
  readonly json: (value: Expression<unknown>) => Expression<string>;
}

/** A selected field with its plan. */
export interface FieldPlan {
  /** Its response key. */
  readonly key: string;
  /** Its schema coordinate: type and name. */
  readonly coordinate: string;
  /** Whether the caller has a grant for it; if not, it is the constant null. */
  readonly isGranted: boolean;
  readonly isNonNull: boolean;
  readonly sql: FieldSql | undefined;
  /** Its whole selection; undefined if SQL cannot compute all of it. */
  readonly subtree: Subtree | undefined;
}

/** A field that returns objects, with its whole selection. */
export interface Subtree {
  readonly coordinate: string;
  readonly isNonNull: boolean;
  readonly isList: boolean;
  readonly args: (variables: VariableValues) => Arguments;
  readonly rows: PlannedRows;
  readonly fields: readonly FieldPlan[];
  /** Whether it is a list whose objects are found by a list of keys in the parent. */
  readonly fromIdList: boolean;
  /** Whether its selection contains objects of other tables. */
  readonly hasChildren: boolean;
  /** Whether only the id is selected, which the parent's row already contains. */
  readonly idOnly: boolean;
  /** Whether compiling it saves a statement or saves building row objects for a list. */
  readonly shouldCompile: boolean;
}

/**
 * Plans a selected field with its whole selection, for callers with the given grants: fields without a grant are null,
 * and nothing is read for them.
 */
export function planField(
  { key, nodes, parent, field, fields }: SelectedField,
  grants: ReadonlySet<AccessGrant>,
): FieldPlan {
  const coordinate = `${parent.name}.${nodes[0].name.value}`;
  const constant = (json: string, isGranted: boolean): FieldPlan => ({
    ...{ key, coordinate, isGranted, isNonNull: false },
    ...{ sql: { kind: 'constant', json }, subtree: undefined },
  });
  if (!field) return constant(JSON.stringify(parent.name), true);
  const needed = field.extensions.grants as readonly AccessGrant[] | undefined;
  if (needed && !needed.some((grant) => grants.has(grant))) return constant('null', false);
  const isNonNull = isNonNullType(field.type);
  const sql = sqlOf(field, (nodes[0].arguments?.length ?? 0) > 0);
  const inner = fields?.map((each) => planField(each, grants));
  const subtree = sql?.kind === 'rows' && inner ? subtreeOf(coordinate, field, nodes[0], sql.rows, inner) : undefined;
  return { key, coordinate, isGranted: true, isNonNull, sql, subtree };
}

/** Returns how SQL computes a field; undefined if only its resolver can. */
function sqlOf(
  { type: fieldType, extensions }: GraphQLField<unknown, unknown>,
  hasArguments: boolean,
): FieldSql | undefined {
  const {
    relation,
    leaf,
    pothosExposedField: column,
    isWhole = false,
  } = extensions as {
    relation?: PlannedRows;
    leaf?: PlannedLeaf;
    pothosExposedField?: string;
    isWhole?: boolean;
  };
  const type = getNamedType(fieldType) as GraphQLLeafType | GraphQLObjectType;
  if (!isLeafType(type)) return relation && { kind: 'rows', rows: relation };
  const json = jsonOf(type, isWhole);
  const isList = isListType(getNullableType(fieldType));
  if (!json || isList) return undefined;
  // The expression of a leaf is written for its default arguments.
  if (leaf) return hasArguments ? undefined : { kind: 'leaf', value: leaf.value, column: leaf.column, json };
  if (column === undefined) return undefined;
  return { kind: 'leaf', value: (columnOf) => columnOf(column as never), column, json };
}

/** Returns the subtree of a field; undefined if SQL cannot compute its whole selection. */
function subtreeOf(
  coordinate: string,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  rows: PlannedRows,
  fields: readonly FieldPlan[],
): Subtree | undefined {
  const isWhole = fields.every(({ sql, subtree }) => (sql?.kind === 'rows' ? subtree : sql));
  if (!isWhole) return undefined;
  const isList = isListType(getNullableType(field.type));
  const fromIdList = isList && !rows.orderBy;
  const isNewList = fromIdList || idColumnOf(rows) === undefined;
  const hasChildren = fields.some(({ subtree }) => subtree && (!subtree.rows.isProvided || subtree.hasChildren));
  const selectsIdOnly = fields.every(
    ({ sql }) => sql?.kind === 'constant' || (sql?.kind === 'leaf' && sql.column === 'id'),
  );
  return {
    ...{ coordinate, isNonNull: isNonNullType(field.type), isList, rows, fields, fromIdList, hasChildren },
    args: argumentsOf(field, node),
    idOnly: rows.isById === true && selectsIdOnly,
    // A parent that a resolver found provides the row itself, and that of a connection the rows of its nodes.
    shouldCompile: !rows.isProvided && (hasChildren || (isList && rows.keyMember === undefined && isNewList)),
  };
}

const NO_ARGUMENTS: Arguments = Object.freeze({});

/**
 * Returns the function that reads the arguments of a field, which are the same for all its objects. Literals are read
 * once.
 */
function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): Subtree['args'] {
  if (field.args.length === 0) return () => NO_ARGUMENTS;
  let usesVariables = false;
  visit(node, {
    [Kind.SELECTION_SET]: () => false,
    [Kind.VARIABLE]: () => {
      usesVariables = true;
    },
  });
  let values: Arguments | undefined;
  return (variables) => {
    if (usesVariables) return getArgumentValues(field, node, variables);
    values ??= getArgumentValues(field, node, variables);
    return values;
  };
}
