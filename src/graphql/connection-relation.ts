import { type Connection, connectionFrom, type Page, type PageArgs, readPage } from './connection.ts';
import type { Context } from './context.ts';
import type { RowScope } from './in-sql.ts';
import { keysInSql, operatorsOf, orderInSql, type Position, readPosition, type SortOrder } from './keyset.ts';
import type { ParentKey } from './relation.ts';
import { createRowLoader } from './row-loader.ts';

interface ConnectionRelationOptions<Parent, Args> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** The members of the parent by which its rows are found, with their SQL types. */
  readonly parentKey: ParentKey<Parent>;
  /** Returns an SQL subquery with the rows of all pages, for a parent with these key expressions. */
  readonly rows: (parent: Readonly<Record<string, string>>, scope: RowScope<Args>) => string;
  /** The order, of rows with the alias `r`. */
  readonly order: SortOrder;
  /** The most parents of one statement, for rows that take long to compute (see `createRowLoader`). */
  readonly parentsPerStatement?: number;
}

type ArgsOnPage<Args> = Args & { readonly page: Page<Position> };

/**
 * Defines a connection that every object of a type has. The pages of all objects at the same position of an operation
 * are read in one statement, and their totals in another one.
 * @returns the resolver of the field.
 */
export function connectionRelation<Parent, Row, Args>({
  name,
  parentKey,
  rows,
  order,
  parentsPerStatement,
}: ConnectionRelationOptions<Parent, Args>) {
  const pageReader = (isReversed: boolean) =>
    createRowLoader<Parent, Row & { readonly position: Position }, ArgsOnPage<Args>>({
      name,
      parentKey,
      parentsPerStatement,
      from: (key, scope) => `(
        select r.*, json_build_array(${keysInSql(order)}) as position from ${rows(key, scope)} r
        where ${boundsInSql(order, scope)} order by ${orderInSql(order, isReversed)}
        limit ${scope.parameter('int', ({ page }) => page.limit)}) ${scope.row}`,
      orderBy: () => orderInSql(order, false),
    });
  const [readForward, readBackward] = [pageReader(false), pageReader(true)];
  const readCount = createRowLoader<Parent, { readonly count: number }, Args>({
    name: `${name}Count`,
    parentKey,
    parentsPerStatement,
    from: (key, scope) => `(select count(*)::int as count from ${rows(key, scope)} r) ${scope.row}`,
  });

  return async (parent: Parent, args: Args, pageArgs: PageArgs, context: Context): Promise<Connection<Row>> => {
    const page = readPage(pageArgs, (decoded) => readPosition(decoded, order));
    const read = page.isBackward ? readBackward : readForward;
    return connectionFrom(
      page,
      (limit) => read(parent, { ...args, page: { ...page, limit } }, context),
      ({ position }) => position,
      async () => (await readCount(parent, args, context))[0]?.count ?? 0,
    );
  };
}

/** Returns the conditions for both cursors, of which either may be null: the statement is the same without them. */
function boundsInSql(order: SortOrder, { parameter }: RowScope<{ readonly page: Page<Position> }>): string {
  const conditions = (['after', 'before'] as const).map((bound) => {
    const values = order.columns.map(({ type }, index) => parameter(type, ({ page }) => page[bound]?.[index] ?? null));
    return `(${values[0]} is null or (${keysInSql(order)}) ${operatorsOf(order)[bound]} (${values.join(', ')}))`;
  });
  return conditions.join(' and ');
}
