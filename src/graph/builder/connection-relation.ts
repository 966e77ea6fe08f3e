import { type Expression, expressionBuilder, sql } from 'kysely';
import { jsonArray, tuple } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { type Connection, connectionFrom, type Page, type PageArgs, readPage } from './connection.ts';
import type { Context } from './context.ts';
import {
  inOrder,
  keysOf,
  operatorsOf,
  type Position,
  type RowsQuery,
  readPosition,
  type SortColumn,
  type SortOrder,
} from './keyset.ts';
import { createQueryLoader, type Keys } from './query-loader.ts';
import type { AnyScope, ArgsOf, KeyExpressions, ParentOf, Rows, RowsOf } from './relation.ts';
import type { Scope } from './scope.ts';

interface ConnectionRelationOptions<Key extends Keys, Query, In> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** The columns of the parent by which its rows are found, with their SQL types. */
  readonly key: Key;
  /** Returns the query of the rows of all pages, for a parent with these key expressions. */
  readonly rows: (key: KeyExpressions<Key>, scope: In) => Query;
  /** The columns of the order, ascending, and the functions that make them columns of cursors. */
  readonly order: readonly (readonly [
    column: keyof RowsOf<NoInfer<Query>> & string,
    toSortColumn: (value: Expression<never>) => SortColumn,
  ])[];
  /** The most parents of one statement, for rows that take long to compute (see `createQueryLoader`). */
  readonly parentsPerStatement?: number;
}

type OnPage = { readonly page: Page<Position> };

/**
 * Defines a connection that every object of a type has. The pages of all objects at the same position of an operation
 * are read in one statement, and their totals in another one.
 * @returns the resolver of the field.
 */
export function connectionRelation<const Key extends Keys, Query extends Rows, In extends AnyScope>({
  name,
  key,
  rows,
  order: sortedBy,
  parentsPerStatement,
}: ConnectionRelationOptions<Key, Query, In>) {
  type Parent = ParentOf<Key>;
  type Args = ArgsOf<In>;
  type Row = RowsOf<Query>;
  const order = { columns: sortedBy.map(([column, toSortColumn]) => toSortColumn(sql.ref(`r.${column}`))) };
  const all = (keys: object, scope: object) =>
    query.selectFrom(rows(keys as KeyExpressions<Key>, scope as In).as('r')) as RowsQuery<unknown>;

  const pageReader = (isReversed: boolean) =>
    createQueryLoader<Parent, Row & { readonly position: Position }, Args & OnPage>({
      ...{ name, key, parentsPerStatement },
      rows: (keys, scope: Scope<OnPage>) =>
        inOrder(withinBounds(all(keys, scope), order, scope), order, isReversed)
          .selectAll('r')
          .select(jsonArray(order.columns.map(({ value }) => value)).as('position'))
          .limit(scope.param('int', ({ page }) => page.limit)),
      orderBy: sortedBy.map(([column]) => column),
    });
  const [readForward, readBackward] = [pageReader(false), pageReader(true)];
  const readCount = createQueryLoader<Parent, { readonly count: number }, Args>({
    ...{ name: `${name}Count`, key, parentsPerStatement },
    rows: (keys, scope) => all(keys, scope).select(sql<number>`count(*)::int`.as('count')),
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

/** Returns the rows between both cursors, of which either may be null: the statement is the same without them. */
function withinBounds(rows: RowsQuery<unknown>, order: SortOrder, { param }: Scope<OnPage>): RowsQuery<unknown> {
  const { eb, or } = expressionBuilder();
  return (['after', 'before'] as const).reduce((all, bound) => {
    const values = order.columns.map(({ type }, index) =>
      param(type, ({ page }) => (page[bound]?.[index] ?? null) as never),
    );
    const [first] = values as [Expression<unknown>];
    return all.where(or([eb(first, 'is', null), eb(keysOf(order), operatorsOf(order)[bound], tuple(values))]));
  }, rows);
}
