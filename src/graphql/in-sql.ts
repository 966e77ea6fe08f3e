import { type GraphQLLeafType, isEnumType } from 'graphql';
import type { AccessGrant } from '../database/tables.ts';
import type { Context } from './context.ts';

/** The scope of an SQL fragment: the row that it reads, the caller's grants, and the parameters of its statement. */
export interface RowScope<Args = unknown> {
  /** The alias of the row, unique in the statement. */
  readonly row: string;
  /** Returns whether the caller has the grant: callers with different grants have different statements. */
  isGranted(grant: AccessGrant): boolean;
  /** Adds a parameter of an SQL type to the statement and returns its placeholder; `find` returns its value. */
  parameter(type: string, find: (args: Args, context: Context) => unknown): string;
}

/** The rows that an object field returns, in SQL, for the query planner (see `relation.ts`). */
export interface RowsInSql<Args = unknown> {
  /**
   * The column of the parent's row by which the rows are found: an id, or an array of ids, each of one row. Or columns
   * with their SQL types.
   */
  readonly parentKey: string | Readonly<Record<string, string>>;
  /**
   * The member of the parent that has the columns of `parentKey`; the parent itself has them if omitted. For a list, the
   * member is a list of rows that a resolver has found, one for each object.
   */
  readonly keyMember?: string;
  /** The columns, none of them nullable, that identify a row; `id` if omitted. */
  readonly distinctOn?: readonly string[];
  /** Whether `parentKey` is the `id` of one row, so that the parent's row already contains the id. */
  readonly isById?: boolean;
  /** Whether the parent's row contains the whole row, so that it costs no lookup. */
  readonly isProvided?: boolean;
  /**
   * Returns the SQL that follows FROM.
   * @param parent the parent's value of `parentKey`, or the row if `parentKey` has SQL types.
   */
  from(parent: string, scope: RowScope<Args>): string;
  /**
   * Returns the SQL that follows ORDER BY. Required for lists, except for those found by an array of ids, which keep
   * its order.
   */
  order?(scope: RowScope<Args>): string;
}

/** Returns the SQL expression of a leaf that is not simply a column of its type's table. */
export type ValueInSql = (scope: RowScope) => string;

/**
 * Returns the options of a field that the planner can compile.
 * @param columnInSql the column, if the field is computed from one column of the row only.
 */
export function inSql<Args>(how: RowsInSql<Args> | ValueInSql, columnInSql?: string) {
  return { extensions: { inSql: how as RowsInSql | ValueInSql, columnInSql } };
}

/**
 * Returns an SQL string literal. GraphQL names and JSON of them contain nothing to escape, but this does not rely on
 * it.
 */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The scalars whose values are texts in PostgreSQL, or dates, as they are in responses. */
const TEXTS: ReadonlySet<string> = new Set(['String', 'ID', 'Date', 'DateTime']);

/**
 * The options of a field with a number of votes: a whole number, as Float because Int of GraphQL ends at 2,147,483,647
 * and a scalar of our own would be an unknown type to code generators. Or a `numeric` without trailing zeros, which has
 * the same text in PostgreSQL and JSON.
 */
export const wholeFloat = { type: 'Float', extensions: { isWhole: true } } as const;

/**
 * Returns the function that serialises a non-null leaf in PostgreSQL as `JSON.stringify` does. It takes an SQL
 * expression and returns one.
 * @param isWhole whether all values of a Float are whole numbers or exact decimals (`wholeFloat`).
 * @returns undefined for types that PostgreSQL cannot serialise in the same way.
 */
export function jsonInSql(type: GraphQLLeafType, isWhole = false): ((value: string) => string) | undefined {
  if (isEnumType(type)) {
    const cases = type
      .getValues()
      .map(({ name, value }) => `when ${quoted(String(value))} then ${quoted(JSON.stringify(name))}`);
    return (value) => `case ${value} ${cases.join(' ')} end`;
  }
  if (type.name === 'Int' || type.name === 'Boolean' || (type.name === 'Float' && isWhole)) {
    return (value) => `${value}::text`;
  }
  if (TEXTS.has(type.name)) return (value) => `to_json(${value})::text`;
  return undefined;
}
