import DataLoader from 'dataloader';
import { CompiledQuery } from 'kysely';
import type { ReadKind } from '../database/shared-reads.ts';
import type { Context } from './context.ts';
import { isGranted } from './grants.ts';
import type { RowScope, RowsInSql } from './in-sql.ts';
import { dedupeKeys, loaderFor, MAX_BATCH_SIZE, readShared } from './loader.ts';

type Row = Readonly<Record<string, unknown>>;

export interface RelationOptions<Parent, Args> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** The members of the parent by which its rows are found, with their SQL types. */
  readonly parentKey: { readonly [Member in keyof Parent & string]?: string };
  /** Returns the SQL that follows FROM: rows with the alias `place.row`, for a parent with these key expressions. */
  readonly from: (key: Readonly<Record<string, string>>, scope: RowScope<Args>) => string;
  readonly orderBy: (scope: RowScope<Args>) => string;
}

/**
 * Defines the rows of a list field once for both ways to read them: for the resolver, which reads the rows of all
 * objects at the same position in one statement, and for the query planner.
 * @returns the options of the Pothos field.
 */
export function relation<Parent, Found, Args = unknown>(options: RelationOptions<Parent, Args>) {
  const { name, parentKey, from, orderBy } = options;
  const key = Object.entries(parentKey as Record<string, string>);
  const [[first, type]] = key as [[string, string]];
  const isId = key.length === 1 && type === 'int';
  const expressions = (of: (member: string) => string) =>
    Object.fromEntries(key.map(([member]) => [member, of(member)]));

  const inSql: RowsInSql<Args> = {
    parentKey: isId ? first : (parentKey as Record<string, string>),
    from: (parent, scope) =>
      from(
        expressions((member) => (isId ? parent : `${parent}.${member}`)),
        scope,
      ),
    order: orderBy,
  };

  /** The ORDER BY is inside the lateral join: outside, PostgreSQL joins all parents with all rows first. */
  function statementFor(scope: RowScope<Args>): string {
    const arrays = key.map(([, each], index) => `$${index + 1}::${each}[]`).join(', ');
    const rows = from(
      expressions((member) => `keys.${member}`),
      scope,
    );
    return `/* ${name} */
      select keys.ordinal::int - 1 as ordinal, ${scope.row}.*
      from unnest(${arrays}) with ordinality as keys(${[...key.map(([member]) => member), 'ordinal'].join(', ')})
      cross join lateral (select ${scope.row}.* from ${rows} order by ${orderBy(scope)}) ${scope.row}`;
  }

  const identity = (parent: Parent) => key.map(([member]) => (parent as Row)[member]).join(' ');

  function kindFor(args: Args, context: Context): ReadKind<Parent, Found[]> {
    const values: unknown[] = [];
    const statement = statementFor({
      row: 'r',
      isGranted: (grant) => isGranted(context, [grant]),
      parameter: (sqlType, find) => `$${key.length + values.push(find(args, context))}::${sqlType}`,
    });
    const fetch = dedupeKeys<Parent, Found[]>(async (db, parents) => {
      const columns = key.map(([member]) => parents.map((parent) => (parent as Row)[member]));
      const query = CompiledQuery.raw(statement, [...columns, ...values]) as CompiledQuery<Found & { ordinal: number }>;
      const lists: Found[][] = parents.map(() => []);
      for (const row of (await db.executeQuery(query)).rows) lists[row.ordinal]?.push(row);
      return lists;
    }, identity);
    return { id: `${JSON.stringify(values)} ${statement}`, fetch };
  }

  return {
    extensions: { inSql: inSql as RowsInSql },
    resolve: (parent: Parent, args: Args, context: Context): Promise<Found[]> => {
      const kind = kindFor(args, context);
      const batch = (parents: readonly Parent[]) => readShared(context, kind, parents);
      return loaderFor(
        context,
        kind.id,
        () => new DataLoader(batch, { cacheKeyFn: identity, maxBatchSize: MAX_BATCH_SIZE }),
      ).load(parent);
    },
  };
}
