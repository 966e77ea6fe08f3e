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
  /** The columns that its rows have in addition to those of their type's table. */
  readonly provides?: readonly string[];
  /** The columns, none of them nullable, that identify a row; `id` if omitted. */
  readonly distinctOn?: readonly string[];
  /** Returns the SQL that follows FROM: rows with the alias `scope.row`, for a parent with these key expressions. */
  readonly from: (key: Readonly<Record<string, string>>, scope: RowScope<Args>) => string;
}

interface ListOptions<Parent, Args> extends RelationOptions<Parent, Args> {
  /** Returns the SQL that follows ORDER BY. It must be a total order. */
  readonly orderBy: (scope: RowScope<Args>) => string;
}

interface ObjectOptions<Parent, Args> extends RelationOptions<Parent, Args> {
  /**
   * The columns of the row, each with the member of the parent that contains its value if the parent was found together
   * with the row. The first of these members is null if it was not. Applies if the field has no arguments.
   */
  readonly provided?: { readonly [column: string]: keyof Parent & string };
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
  const resolve = (parent: Parent, args: Args, context: Context) => read(parent, args, context);
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
  options: ObjectOptions<Parent, Args>,
): Relation<Parent, Found, Args> {
  const { provided } = options;
  const read = createRowLoader<Parent, NonNullable<Found>, Args>(options);
  const inSql = rowsInSql(options);

  async function resolve(parent: Parent, args: Args, context: Context): Promise<Found> {
    if (provided && isWithoutArguments(args)) {
      const members = Object.entries(provided);
      if (members[0] && parent[members[0][1]] != null)
        return Object.fromEntries(members.map(([column, member]) => [column, parent[member]])) as Found;
    }
    const [row = null] = await read(parent, args, context);
    return row as Found;
  }

  return {
    extensions: { inSql: (provided ? { ...inSql, whenProvided: whenProvided(inSql, provided) } : inSql) as RowsInSql },
    resolve,
    load: (context, parent) => resolve(parent, {} as Args, context),
  };
}

function isWithoutArguments(args: unknown): boolean {
  return Object.values(args as object).every((value) => value == null);
}

function rowsInSql<Parent, Args>({ parentKey, from, provides, distinctOn }: RelationOptions<Parent, Args>) {
  const key = parentKey as Keys;
  const names = Object.keys(key);
  const [first] = names as [string];
  const isId = names.length === 1 && key[first] === 'int';
  const rows: RowsInSql<Args> = {
    parentKey: isId ? first : key,
    ...(provides && { provides }),
    ...(distinctOn && { distinctOn }),
    from: (parent, scope) =>
      from(Object.fromEntries(names.map((name) => [name, isId ? parent : `${parent}.${name}`])), scope),
  };
  return rows;
}

/** Returns the relation for parents that provide the row; if its columns are null, the row is looked up. */
function whenProvided<Args>(
  { parentKey, from }: RowsInSql<Args>,
  provided: Readonly<Record<string, string>>,
): RowsInSql<Args>['whenProvided'] {
  const columns = Object.keys(provided);
  const [first] = Object.values(provided);
  const rows: RowsInSql<Args> = {
    parentKey: { ...provided },
    isProvided: true,
    from(parent, scope) {
      const key = typeof parentKey === 'string' ? `${parent}.${parentKey}` : parent;
      const other = `${scope.row}_other`;
      const found = columns.map((column) => `${parent}.${provided[column]} as ${column}`);
      return `lateral (
        select ${found.join(', ')} where ${parent}.${first} is not null
        union all
        select * from (
          select ${columns.map((column) => `${other}.${column}`).join(', ')} from ${from(key, { ...scope, row: other })}
        ) ${other} where ${parent}.${first} is null) ${scope.row}`;
    },
  };
  return { columns: Object.values(provided), rows: rows as RowsInSql };
}
