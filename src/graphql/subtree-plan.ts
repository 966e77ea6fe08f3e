import { type GraphQLLeafType, type GraphQLObjectType, isLeafType } from 'graphql';
import { jsonInSql, type Place, type RowsInSql, type ValueInSql } from './in-sql.ts';
import type { FieldPlan, LevelPlan } from './level-plan.ts';

/** How the store answers a field by itself: JSON that is always the same, a leaf of a row, or the rows of its objects. */
export type FieldInSql =
  | { readonly kind: 'constant'; readonly json: string }
  | LeafInSql
  | { readonly kind: 'rows'; readonly rows: RowsInSql };

export interface LeafInSql {
  readonly kind: 'leaf';
  /** Its value, in SQL. */
  readonly value: (place: Place) => string;
  /** The column that it is; undefined for others. */
  readonly column: string | undefined;
  /** A value as JSON, in SQL; null for null. */
  readonly json: (value: string) => string;
  readonly isNonNull: boolean;
}

/** A field with objects that the store answers with all below it (see `subtree.ts`). */
export interface SubtreePlan extends Pick<FieldPlan, 'coordinate' | 'args' | 'isList' | 'isNonNull'> {
  readonly rows: RowsInSql;
  readonly level: LevelPlan;
  /** Whether it is found by a list of ids. */
  readonly isListed: boolean;
  /** Whether there are objects below its objects that are read from tables. */
  readonly hasBelow: boolean;
  /** Whether it spares statements, those of what is below it, or making objects of rows where a list takes one in any case. */
  readonly isWorthwhile: boolean;
  /** Whether the row of its parent has all that is asked for: the id of the one row, under another name. */
  readonly isKnown: boolean;
}

/**
 * @param extensions of the field: `inSql`, or the column that it exposes.
 * @returns undefined for a field that only its resolver answers.
 */
export function fieldInSql(
  { inSql, pothosExposedField: column }: Readonly<Record<string, unknown>>,
  field: Pick<FieldPlan, 'isList' | 'isNonNull'> & {
    readonly type: GraphQLLeafType | GraphQLObjectType;
    readonly hasArguments: boolean;
    /** The columns that the rows of the parent are given (`RowsInSql.gives`). */
    readonly given: readonly string[];
  },
): FieldInSql | undefined {
  const { type, isList, isNonNull, hasArguments, given } = field;
  if (!isLeafType(type)) {
    const rows = inSql as RowsInSql | undefined;
    const isElsewhere = rows?.isGiven && (hasArguments || !namesIn(rows.by).every((name) => given.includes(name)));
    return rows && !isElsewhere ? { kind: 'rows', rows } : undefined;
  }
  const value = inSql ?? (column === undefined ? undefined : ({ row }: Place) => `${row}.${column}`);
  const json = jsonInSql(type);
  if (!value || !json || isList) return undefined;
  return {
    ...{ kind: 'leaf', value: value as ValueInSql, json, isNonNull },
    column: inSql === undefined ? (column as string) : undefined,
  };
}

/** The columns by which rows are found. */
function namesIn(by: RowsInSql['by']): string[] {
  return typeof by === 'string' ? [by] : Object.keys(by);
}

/** The subtree of a field, where the store can answer all that is asked for in it. */
export function subtreeOf({
  inSql,
  level,
  ...field
}: Pick<FieldPlan, 'coordinate' | 'args' | 'isList' | 'isNonNull' | 'inSql' | 'level'>): SubtreePlan | undefined {
  if (inSql?.kind !== 'rows' || !level) return undefined;
  const isWhole = level.fields.every((each) => (each.level ? each.subtree && hangsOnRow(each.subtree) : each.inSql));
  if (!isWhole) return undefined;
  const isListed = field.isList && !inSql.rows.order;
  const hasBelow = level.fields.some((each) => each.subtree && !each.subtree.rows.isGiven);
  const isOfNodes = field.isList && typeof inSql.rows.by !== 'string';
  const isWorthwhile = !inSql.rows.isGiven && (isListed || hasBelow || isOfNodes);
  const asksForId = level.fields.every(
    ({ inSql: each }) => each?.kind === 'constant' || (each?.kind === 'leaf' && each.column === 'id'),
  );
  const isKnown = inSql.rows.isById === true && asksForId;
  return { ...field, rows: inSql.rows, level, isListed, hasBelow, isWorthwhile, isKnown };
}

/** Others hang on nodes of ours, which are none of the store's. */
function hangsOnRow({ rows }: SubtreePlan): boolean {
  return typeof rows.by === 'string' || rows.isGiven === true;
}
