import { type AliasableExpression, type Expression, type OrderByModifiers, type SelectQueryBuilder, sql } from 'kysely';
import type { SqlType, SqlTypes } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { Context } from './context.ts';
import { createQueryLoader, type Keys, type QueryRows } from './query-loader.ts';
import type { Scope } from './scope.ts';

/** A query whose rows are those of a relation. */
export type Rows = AliasableExpression<unknown>;

/** The rows of a query. */
// biome-ignore lint/suspicious/noExplicitAny: of any tables
export type RowsOf<Query> = Query extends SelectQueryBuilder<any, any, infer Found> ? Found : never;

/** The expressions of the keys of a parent. */
export type KeyExpressions<Key extends Keys> = { readonly [Column in keyof Key]: Expression<SqlTypes[Key[Column]]> };
/** A parent with the columns of a key, which may be null. */
export type ParentOf<Key extends Keys> = { readonly [Column in keyof Key]: SqlTypes[Key[Column]] | null };

// biome-ignore lint/suspicious/noExplicitAny: of any arguments
export type AnyScope = Scope<any>;
export type ArgsOf<In> = In extends { readonly argsType?: infer Args } ? Args : never;

/** How the query planner finds the rows that an object field returns. */
export interface PlannedRows extends QueryRows {
  /** The column of the parent with the only key, an id or an array of ids, if it has another name than the key. */
  readonly column?: string;
  /**
   * The member of the parent that has the columns of the key; the parent itself has them if omitted. For a list, the
   * member is a list of rows that a resolver has found, one for each object.
   */
  readonly keyMember?: string;
  /** The columns, none of them nullable, that identify a row; `id` if omitted. */
  readonly distinctOn?: readonly string[];
  /** Whether the key is the `id` of one row, so that the parent's row already contains the id. */
  readonly isById?: boolean;
  /** Whether the parent's row contains the whole row, so that it costs no lookup. */
  readonly isProvided?: boolean;
}

export interface RelationOptions<Key extends Keys, Query, In> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** The columns of the parent by which its rows are found, with their SQL types. If all are null, there are no rows. */
  readonly key: Key;
  /** The columns, none of them nullable, that identify a row; `id` if omitted. */
  readonly distinctOn?: readonly (keyof RowsOf<NoInfer<Query>> & string)[];
  /** Returns the query of the rows of a parent with these key expressions. All its columns are qualified. */
  readonly rows: (key: KeyExpressions<Key>, scope: In) => Query;
}

/** A column of an order, ascending with nulls last, or with Kysely's modifiers. */
export type OrderBy<Found> = readonly (
  | (keyof Found & string)
  | readonly [column: keyof Found & string, modifiers: OrderByModifiers]
)[];

interface ListOptions<Key extends Keys, Query, In> extends RelationOptions<Key, Query, In> {
  /** The columns by which the rows are sorted. It must be a total order. */
  readonly orderBy: OrderBy<RowsOf<NoInfer<Query>>>;
  /**
   * Throws if the arguments are wrong. Only the resolver calls it: the query planner has to leave operations with such
   * arguments to the resolvers, as it does for ranges of days (`hasEmptyRange`).
   */
  readonly check?: (args: never) => unknown;
}

/** A relation: the options of a Pothos field, and a function for other resolvers that need the same rows. */
export interface Relation<Parent, Value, Args> {
  readonly extensions: { readonly relation: PlannedRows };
  readonly resolve: (parent: Parent, args: Args, context: Context) => Promise<Value>;
  readonly load: (context: Context, parent: Parent) => Promise<Value>;
}

/**
 * Defines the rows of a list field once for both ways to read them: for the resolver, which reads the rows of all
 * objects at the same position in one statement, and for the query planner. The type of the rows is that of the query.
 */
export function relation<const Key extends Keys, Query extends Rows, In extends AnyScope = Scope>(
  options: ListOptions<Key, Query, In>,
): Relation<ParentOf<Key>, RowsOf<Query>[], ArgsOf<In>> {
  const rows = options as unknown as PlannedRows;
  const read = createQueryLoader<ParentOf<Key>, RowsOf<Query>, ArgsOf<In>>({ name: options.name, ...rows });
  const resolve = (parent: ParentOf<Key>, args: ArgsOf<In>, context: Context) => {
    options.check?.(args as never);
    return read(parent, args, context);
  };
  return {
    extensions: { relation: rows },
    resolve,
    load: (context, parent) => resolve(parent, {} as ArgsOf<In>, context),
  };
}

/** Defines the row of a field that returns one object or null, as `relation` does for lists. */
export function nullableRelation<const Key extends Keys, Query extends Rows, In extends AnyScope = Scope>(
  options: RelationOptions<Key, Query, In>,
): Relation<ParentOf<Key>, RowsOf<Query> | null, ArgsOf<In>> {
  const rows = options as unknown as PlannedRows;
  const read = createQueryLoader<ParentOf<Key>, RowsOf<Query>, ArgsOf<In>>({ name: options.name, ...rows });
  const resolve = async (parent: ParentOf<Key>, args: ArgsOf<In>, context: Context) =>
    (await read(parent, args, context))[0] ?? null;
  return {
    extensions: { relation: rows },
    resolve,
    load: (context, parent) => resolve(parent, {} as ArgsOf<In>, context),
  };
}

/**
 * Defines the row of a field that always returns an object. If the row was deleted in the meantime, the field is an
 * error.
 */
export function objectRelation<const Key extends Keys, Query extends Rows, In extends AnyScope = Scope>(
  options: RelationOptions<Key, Query, In>,
) {
  return nullableRelation(options) as Relation<ParentOf<Key>, RowsOf<Query>, ArgsOf<In>>;
}

/**
 * Defines the row of a field whose columns were found together with the parent's row.
 * @param columns each column of the row with the member of the parent that contains its value.
 */
export function partOfRow<Parent, Found>(
  columns: Readonly<Record<keyof Found & string, keyof Parent & string>>,
): {
  readonly extensions: Relation<Parent, Found, unknown>['extensions'];
  readonly resolve: (parent: Parent) => Found;
} {
  const members = Object.entries<keyof Parent & string>(columns);
  const rows: PlannedRows = {
    key: Object.fromEntries(members.map(([, member]) => [member, 'text'])),
    isProvided: true,
    rows: (parent) => query.selectNoFrom(members.map(([column, member]) => sql`${parent[member]}`.as(column))),
  };
  return {
    extensions: { relation: rows },
    resolve: (parent) => Object.fromEntries(members.map(([column, member]) => [column, parent[member]])) as Found,
  };
}

/** The only key of rows that are found by an id, in the parent's row; undefined if they are found by other columns. */
export function idColumnOf({ key, column }: PlannedRows): string | undefined {
  const [[name, type] = [], ...others] = Object.entries(key) as [string, SqlType][];
  return others.length === 0 && type === 'int' ? (column ?? name) : undefined;
}
