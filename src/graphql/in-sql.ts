import { type GraphQLLeafType, isEnumType } from 'graphql';
import type { AccessGrant } from '../store/tables.ts';
import type { Context } from './context.ts';

/** Where a field is read in a statement: what its words of SQL may name. */
export interface Place<Args = unknown> {
  /** The row that is read: of its type's table, under a name of its own in the statement. */
  readonly row: string;
  /** Whether the caller's package has the grant: a statement for those who have is not that for others. */
  isGranted(grant: AccessGrant): boolean;
  /** A parameter of the statement, of a type of SQL; its value is found for each run. */
  parameter(type: string, find: (args: Args, context: Context) => unknown): string;
}

/**
 * The rows that hang on a row of another table, in words of SQL: what a field with objects needs to be answered by the
 * store itself (see `sql/`). A loader tells the same in its own statement, and both are held together by tests.
 */
export interface RowsInSql<Args = unknown> {
  /**
   * The column of the parent's row, or the member of a node of ours, on which they hang: an integer, or a list of ids, each
   * of which leads to one row. Or several of these, with their types in SQL.
   */
  readonly by: string | Readonly<Record<string, string>>;
  /** Columns that its rows have beside those of their table: by what they were found. */
  readonly gives?: readonly string[];
  /** Columns, none of them null, that tell one row from all others; the `id` when left out. */
  readonly tellApart?: readonly string[];
  /** Whether `by` are such columns. The field is not answered for other rows, nor with arguments: these ask for others. */
  readonly isGiven?: boolean;
  /** Whether `by` is a column that only rows in SQL have, and no object that a resolver returns. */
  readonly onlyInSql?: boolean;
  /** Whether `by` is the `id` of the one row that there is: who asks for nothing but that has it already. */
  readonly isById?: boolean;
  /**
   * What follows FROM.
   * @param parent the parent's value of `by`; of several members, the row that has them as its columns.
   */
  from(parent: string, place: Place<Args>): string;
  /** What follows ORDER BY; a list has it, but not that of a list of ids, whose order counts. */
  order?(place: Place<Args>): string;
}

/** The one row of a table whose id stands in a column of the parent's row, by a foreign key, or the rows of its list of ids. */
export function rowsById(table: string, by: string): RowsInSql {
  return { by, isById: true, from: (id, { row }) => `${table} ${row} where ${row}.id = ${id}` };
}

/** A leaf that is no column of its type's table by itself: its value as an expression of SQL. */
export type ValueInSql = (place: Place) => string;

/** Options of a field that the store can answer as well. */
export function inSql<Args>(how: RowsInSql<Args> | ValueInSql) {
  return { extensions: { inSql: how as RowsInSql | ValueInSql } };
}

/** A text in SQL. What GraphQL calls names, and JSON of them, holds nothing to escape; this does not rely on it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * How PostgreSQL words a leaf that is not null in JSON, as `JSON.stringify` does, of an expression with its value.
 * @returns undefined for types whose values need more than that.
 */
export function jsonInSql(type: GraphQLLeafType): ((value: string) => string) | undefined {
  if (isEnumType(type)) {
    const cases = type
      .getValues()
      .map(({ name, value }) => `when ${quoted(String(value))} then ${quoted(JSON.stringify(name))}`);
    return (value) => `case ${value} ${cases.join(' ')} end`;
  }
  if (type.name === 'Int' || type.name === 'Boolean') return (value) => `${value}::text`;
  if (type.name === 'String' || type.name === 'Date') return (value) => `to_json(${value})::text`;
  return undefined;
}
