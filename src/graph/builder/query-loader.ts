import { hash } from 'node:crypto';
import DataLoader from 'dataloader';
import { CompiledQuery, type Expression, type OrderByModifiers, sql } from 'kysely';
import type { ReadKind } from '../../store/reading/shared-reads.ts';
import { type SqlType, unnested } from '../../store/sql/functions.ts';
import { Parameter, valuesOf } from '../../store/sql/parameter.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { Context } from './context.ts';
import { grantsKey } from './grants.ts';
import { dedupeKeys, loaderFor, MAX_BATCH_SIZE, readKindFor, readShared } from './loader.ts';
import { grantScope } from './required-grants.ts';
import { type Grants, type Scope, scopeOf } from './scope.ts';

type Row = Readonly<Record<string, unknown>>;

/** The columns of a parent by which rows are found, with their SQL types. */
export type Keys = Readonly<Record<string, SqlType>>;

/** Columns of rows in the order by which they are sorted, with Kysely's modifiers. */
export type Order = readonly (string | readonly [column: string, modifiers: OrderByModifiers])[];

// biome-ignore lint/suspicious/noExplicitAny: of any tables; `relation` checks the rows
export type AnyQuery = any;

/** The rows of a relation, without the types by which it is defined. */
export interface QueryRows {
  readonly key: Keys;
  /** Returns the query of the rows of a parent with these key expressions. */
  readonly rows: (key: Readonly<Record<string, Expression<never>>>, scope: Scope<never>) => AnyQuery;
  /** The order of a list, a total one; without it, there is at most one row. */
  readonly orderBy?: Order | undefined;
}

interface LoaderOptions extends QueryRows {
  /** The name of the statement in logs and metrics. */
  readonly name: string;
  /**
   * The most parents of one statement, which is then not shared with other requests: for rows that take long to compute,
   * so that a statement ends before its time limit. Without it, `MAX_BATCH_SIZE`.
   */
  readonly parentsPerStatement?: number | undefined;
}

interface Run {
  readonly parents: readonly unknown[];
  readonly args: unknown;
  readonly context: Context;
}

/**
 * Returns the FROM item `keys` with the keys of a statement and their `ordinal`, from 1.
 * @param find returns the parameter with the values of a column, one for each key.
 */
export function keyTable<Run>(key: Keys, find: (column: string) => Parameter<Run>) {
  const columns = Object.entries(key).map(([column, type]) => [column, [type, find(column)] as const] as const);
  return unnested('keys', Object.fromEntries(columns));
}

/** Returns a query with its rows sorted. */
export function sorted(rows: AnyQuery, alias: string, order: Order): AnyQuery {
  return order.reduce((all: AnyQuery, each) => {
    const [column, modifiers] = typeof each === 'string' ? [each] : each;
    return all.orderBy(sql.ref(`${alias}.${column}`), modifiers);
  }, rows);
}

/** The statement of a loader, which reads the rows of any number of parents. */
export interface LoaderStatement extends Pick<CompiledQuery, 'parameters'> {
  readonly text: string;
  /** Identifies the text. */
  readonly id: string;
  /** The parameters that are not keys. */
  readonly others: readonly unknown[];
}

function columnOf(parent: unknown, column: string): unknown {
  return (parent as Row)[column] ?? null;
}

/**
 * Compiles the statement of a loader, for callers with the given grants. The ORDER BY, or the LIMIT of a single row, is
 * inside the lateral join: PostgreSQL then looks the rows up for each parent. Otherwise it may join all parents with all
 * rows of the table first.
 */
export function compileLoader(
  { name, key, rows, orderBy }: QueryRows & Pick<LoaderOptions, 'name'>,
  grants: Grants,
): LoaderStatement {
  const names = Object.keys(key);
  const ofKeys = new Map(
    names.map((column) => [column, new Parameter(({ parents }: Run) => parents.map((each) => columnOf(each, column)))]),
  );
  const keys = keyTable(key, (column) => ofKeys.get(column) as Parameter<Run>);
  const scope = scopeOf(grants, (run: Run) => [run.args, run.context] as const);
  const ofKey = Object.fromEntries(names.map((column) => [column, sql.ref<never>(`keys.${column}`)]));
  const found = query.selectFrom(rows(ofKey, scope).as('r')).selectAll('r');
  const compiled = query
    .selectFrom(keys)
    .crossJoinLateral((orderBy ? sorted(found, 'r', orderBy) : found.limit(sql.lit(1))).as('r'))
    .select(sql<number>`keys.ordinal::int - 1`.as('ordinal'))
    .selectAll('r' as never)
    .compile();
  const isKey = new Set<unknown>(ofKeys.values());
  const text = `/* ${name} */ ${compiled.sql}`;
  return {
    text,
    id: hash('sha256', text, 'base64url'),
    parameters: compiled.parameters,
    others: compiled.parameters.filter((each) => !isKey.has(each)),
  };
}

/**
 * Creates the function that reads the rows of a relation for one parent: for all objects at the same position of an
 * operation in one statement, which other requests may share. A parent whose keys are all null has no rows.
 */
export function createQueryLoader<Parent, Found, Args>({
  name,
  key,
  rows,
  orderBy,
  parentsPerStatement,
}: LoaderOptions) {
  const names = Object.keys(key);
  const identity = (parent: Parent) => names.map((column) => columnOf(parent, column)).join(' ');
  /** The compiled query for each set of grants; `others` are the parameters that are not keys. */
  const statements = new Map<string, LoaderStatement>();

  function statementFor(context: Context) {
    const grants = grantsKey(context.caller.grants);
    const statement = statements.get(grants) ?? compileLoader({ name, key, rows, orderBy }, grantScope(context));
    statements.set(grants, statement);
    return statement;
  }

  function kindFor(args: Args, context: Context): ReadKind<Parent, Found[]> {
    const { text, id, parameters, others } = statementFor(context);
    const fetch = dedupeKeys<Parent, Found[]>(async (db, parents) => {
      const values = valuesOf({ parameters }, { parents, args, context } satisfies Run);
      const statement = CompiledQuery.raw(text, values) as CompiledQuery<Found & { ordinal: number }>;
      const lists: Found[][] = parents.map(() => []);
      for (const row of (await db.executeQuery(statement)).rows) lists[row.ordinal]?.push(row);
      return lists;
    }, identity);
    const values = valuesOf({ parameters: others }, { parents: [], args, context } satisfies Run);
    return { id: `${id} ${JSON.stringify(values)}`, fetch };
  }

  return async function read(parent: Parent, args: Args, context: Context): Promise<Found[]> {
    if (!names.some((column) => columnOf(parent, column) !== null)) return [];
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
