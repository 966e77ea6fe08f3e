import { type GraphQLLeafType, isEnumType } from 'graphql';
import type { AccessGrant } from '../store/tables.ts';
import type { Context } from './context.ts';

/** The scope of an SQL fragment: the row that it reads, who reads it, and the parameters of its statement. */
export interface Place<Args = unknown> {
  /** The alias of the row, unique in the statement. */
  readonly row: string;
  /** Whether the caller has the grant: callers with other grants have a statement of their own. */
  isGranted(grant: AccessGrant): boolean;
  /** Adds a parameter of an SQL type to the statement and returns its placeholder; `find` returns its value. */
  parameter(type: string, find: (args: Args, context: Context) => unknown): string;
}

/**
 * A relation as SQL: the rows that a field with objects leads to. The planner compiles it (see `sql/`); the loader of the
 * field reads the same rows by a statement of its own, and tests hold both to the same results.
 */
export interface RowsInSql<Args = unknown> {
  /**
   * The column of the parent's row by which they are found: an id, or an array of ids each of which leads to one row. Or
   * several columns with their SQL types.
   */
  readonly parentKey: string | Readonly<Record<string, string>>;
  /** Columns that its rows have in addition to those of their table: by what they were found. */
  readonly provides?: readonly string[];
  /** Columns, none of them null, that identify a row; the `id` when left out. */
  readonly distinctOn?: readonly string[];
  /** Whether `parentKey` are columns that the parent's relation provides: without them, and with arguments, it is resolved. */
  readonly requiresProvided?: boolean;
  /** Whether `parentKey` is a column of rows in SQL alone, which no object of a resolver has. */
  readonly onlyInSql?: boolean;
  /** Whether `parentKey` is the `id` of one row: the parent knows it already. */
  readonly isById?: boolean;
  /**
   * Returns what follows FROM.
   * @param parent the parent's value of `parentKey`; of several columns, the row that has them.
   */
  from(parent: string, place: Place<Args>): string;
  /** Returns what follows ORDER BY. A list has it, but not that of an array of ids, whose order counts. */
  order?(place: Place<Args>): string;
}

/** Returns the relation to the row of a table whose id is in a column of the parent's row, or to the rows of its array of ids. */
export function rowsById(table: string, parentKey: string): RowsInSql {
  return { parentKey, isById: true, from: (id, { row }) => `${table} ${row} where ${row}.id = ${id}` };
}

/** The SQL expression of a leaf that is not simply a column of its type's table. */
export type ValueInSql = (place: Place) => string;

/** Returns the options of a field that the planner can compile. */
export function inSql<Args>(how: RowsInSql<Args> | ValueInSql) {
  return { extensions: { inSql: how as RowsInSql | ValueInSql } };
}

/** Returns an SQL string literal. GraphQL names, and JSON of them, have nothing to escape; this does not rely on that. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns how PostgreSQL serialises a leaf that is not null as `JSON.stringify` does, from an expression with its value.
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
