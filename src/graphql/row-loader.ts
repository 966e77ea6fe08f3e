import DataLoader from 'dataloader';
import { CompiledQuery } from 'kysely';
import type { ReadKind } from '../database/shared-reads.ts';
import type { Context } from './context.ts';
import { grantScope } from './grants.ts';
import type { RowScope } from './in-sql.ts';
import { dedupeKeys, loaderFor, MAX_BATCH_SIZE, readKindFor, readShared } from './relations/loader.ts';

type Row = Readonly<Record<string, unknown>>;

/** The members of a parent by which rows are found, with their SQL types. */
export type Keys = Readonly<Record<string, string>>;

interface RowLoaderOptions<Args> {
  /** The name of the statement in logs and metrics. */
  readonly name: string;
  readonly parentKey: Readonly<Record<string, string | undefined>>;
  readonly from: (key: Readonly<Record<string, string>>, scope: RowScope<Args>) => string;
  /** Returns the order of a list; without it, there is at most one row. */
  readonly orderBy?: (scope: RowScope<Args>) => string;
  /**
   * The most parents of one statement, which is then not shared with other requests: for rows that take long to compute,
   * so that a statement ends before its time limit. Without it, `MAX_BATCH_SIZE`.
   */
  readonly parentsPerStatement?: number | undefined;
}

/**
 * Creates the function that reads the rows of a relation for one parent: for all objects at the same position of an
 * operation in one statement, which other requests may share. A parent whose keys are all null has no rows.
 */
export function createRowLoader<Parent, Found, Args>({
  name,
  parentKey,
  from,
  orderBy,
  parentsPerStatement,
}: RowLoaderOptions<Args>) {
  const types = Object.entries(parentKey) as [string, string][];
  const names = types.map(([member]) => member);
  const columnOf = (parent: Parent, member: string) => (parent as Row)[member] ?? null;
  const identity = (parent: Parent) => names.map((member) => columnOf(parent, member)).join(' ');
  const hasKey = (parent: Parent) => names.some((member) => columnOf(parent, member) !== null);

  /**
   * The ORDER BY, or the LIMIT of a single row, is inside the lateral join: PostgreSQL then looks the rows up for each
   * parent. Otherwise it may join all parents with all rows of the table first.
   */
  function statementFor(scope: RowScope<Args>): string {
    const arrays = types.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
    const rows = from(Object.fromEntries(names.map((member) => [member, `keys.${member}`])), scope);
    const order = orderBy ? `order by ${orderBy(scope)}` : 'limit 1';
    return `/* ${name} */
      select keys.ordinal::int - 1 as ordinal, ${scope.row}.*
      from unnest(${arrays}) with ordinality as keys(${[...names, 'ordinal'].join(', ')})
      cross join lateral (select ${scope.row}.* from ${rows} ${order}) ${scope.row}`;
  }

  function kindFor(args: Args, context: Context): ReadKind<Parent, Found[]> {
    const values: unknown[] = [];
    const statement = statementFor({
      row: 'r',
      ...grantScope(context),
      parameter: (sqlType, find) => `$${types.length + values.push(find(args, context))}::${sqlType}`,
    });
    const fetch = dedupeKeys<Parent, Found[]>(async (db, parents) => {
      const columns = names.map((member) => parents.map((parent) => columnOf(parent, member)));
      const query = CompiledQuery.raw(statement, [...columns, ...values]) as CompiledQuery<Found & { ordinal: number }>;
      const lists: Found[][] = parents.map(() => []);
      for (const row of (await db.executeQuery(query)).rows) lists[row.ordinal]?.push(row);
      return lists;
    }, identity);
    return { id: `${JSON.stringify(values)} ${statement}`, fetch };
  }

  return async function read(parent: Parent, args: Args, context: Context): Promise<Found[]> {
    if (!hasKey(parent)) return [];
    const kind = readKindFor(context, read, JSON.stringify(args), () => kindFor(args, context));
    const batch = (parents: readonly Parent[]) =>
      parentsPerStatement === undefined ? readShared(context, kind, parents) : kind.fetch(context.db, parents);
    return loaderFor(
      context,
      kind.id,
      () => new DataLoader(batch, { cacheKeyFn: identity, maxBatchSize: parentsPerStatement ?? MAX_BATCH_SIZE }),
    ).load(parent);
  };
}
