import type { Context } from './context.ts';
import type { RowScope, RowsInSql } from './in-sql.ts';
import { createRowLoader, type Keys } from './row-loader.ts';

/** The SQL types of the members of `Parent` by which rows are found. A member that `Parent` lacks is a type error. */
export type ParentKey<Parent> = { readonly [Member in keyof Parent & string]?: string };

export interface RelationOptions<Parent, Args> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** The members of the parent by which its rows are found, with their SQL types. If all are null, there are no rows. */
  readonly parentKey: ParentKey<Parent>;
  /** The columns, none of them nullable, that identify a row; `id` if omitted. */
  readonly distinctOn?: readonly string[];
  /** Returns the SQL that follows FROM: rows with the alias `scope.row`, for a parent with these key expressions. */
  readonly from: (key: Readonly<Record<string, string>>, scope: RowScope<Args>) => string;
}

interface ListOptions<Parent, Args> extends RelationOptions<Parent, Args> {
  /** Returns the SQL that follows ORDER BY. It must be a total order. */
  readonly orderBy: (scope: RowScope<Args>) => string;
  /**
   * Throws if the arguments are wrong. Only the resolver calls it: the query planner has to leave operations with such
   * arguments to the resolvers, as it does for ranges of days (`range-arguments.ts`).
   */
  readonly check?: (args: Args) => void;
}

/** A relation: the options of a Pothos field, and a function for other resolvers that need the same rows. */
export interface Relation<Parent, Value, Args> {
  readonly extensions: { readonly inSql: RowsInSql };
  readonly resolve: (parent: Parent, args: Args, context: Context) => Promise<Value>;
  readonly load: (context: Context, parent: Parent) => Promise<Value>;
}

/**
 * Defines the rows of a list field once for both ways to read them: for the resolver, which reads the rows of all
 * objects at the same position in one statement, and for the query planner.
 */
export function relation<Parent, Found, Args = unknown>(
  options: ListOptions<Parent, Args>,
): Relation<Parent, Found[], Args> {
  const read = createRowLoader<Parent, Found, Args>(options);
  const resolve = (parent: Parent, args: Args, context: Context) => {
    options.check?.(args);
    return read(parent, args, context);
  };
  return {
    extensions: { inSql: { ...rowsInSql(options), order: options.orderBy as RowsInSql['order'] } as RowsInSql },
    resolve,
    load: (context, parent) => resolve(parent, {} as Args, context),
  };
}

/**
 * Defines the row of a field that returns one object, as `relation` does for lists.
 * @typeParam Found the row; with null if there may be none.
 */
export function objectRelation<Parent, Found, Args = unknown>(
  options: RelationOptions<Parent, Args>,
): Relation<Parent, Found, Args> {
  const read = createRowLoader<Parent, NonNullable<Found>, Args>(options);

  async function resolve(parent: Parent, args: Args, context: Context): Promise<Found> {
    const [row = null] = await read(parent, args, context);
    return row as Found;
  }

  return {
    extensions: { inSql: rowsInSql(options) as RowsInSql },
    resolve,
    load: (context, parent) => resolve(parent, {} as Args, context),
  };
}

/**
 * Defines the row of a field whose columns were found together with the parent's row.
 * @param columns each column of the row with the member of the parent that contains its value.
 */
export function partOfRow<Parent, Found>(
  columns: Readonly<Record<keyof Found & string, keyof Parent & string>>,
): Pick<Relation<Parent, Found, unknown>, 'extensions'> & { readonly resolve: (parent: Parent) => Found } {
  const members = Object.entries<keyof Parent & string>(columns);
  const inSql: RowsInSql = {
    parentKey: Object.fromEntries(members.map(([, member]) => [member, 'unknown'])),
    isProvided: true,
    from: (parent, { row }) =>
      `lateral (select ${members.map(([column, member]) => `${parent}.${member} as ${column}`).join(', ')}) ${row}`,
  };
  return {
    extensions: { inSql },
    resolve: (parent) => Object.fromEntries(members.map(([column, member]) => [column, parent[member]])) as Found,
  };
}

function rowsInSql<Parent, Args>({ parentKey, from, distinctOn }: RelationOptions<Parent, Args>) {
  const key = parentKey as Keys;
  const names = Object.keys(key);
  const [first] = names as [string];
  const isId = names.length === 1 && key[first] === 'int';
  const rows: RowsInSql<Args> = {
    parentKey: isId ? first : key,
    ...(distinctOn && { distinctOn }),
    from: (parent, scope) =>
      from(Object.fromEntries(names.map((name) => [name, isId ? parent : `${parent}.${name}`])), scope),
  };
  return rows;
}
