import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isCalendarDate } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { jsonArray, type SqlType, tuple, typed } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import {
  type Connection,
  connectionFrom,
  isCursorId,
  isCursorText,
  type Page,
  type PageArgs,
  readPage,
} from './connection.ts';
import type { Context } from './context.ts';
import { grantScope } from './required-grants.ts';
import { type UpdatedKind, type UpdateTimes, updateTimesOf } from './update-times.ts';

const eb = expressionBuilder();

/** A column of a sort order. */
export interface SortColumn {
  /** Its expression, never null. */
  readonly value: Expression<unknown>;
  readonly type: SqlType;
  /** Returns whether a part of a decoded cursor is a value of the column, or its form in cursors. */
  readonly isValid: (part: unknown) => boolean;
  /** The form of the value in cursors, if it is another one, and the function that converts it back. */
  readonly inCursor?: { readonly value: Expression<unknown>; readonly read: (part: unknown) => Expression<unknown> };
}

export const textColumn = (value: Expression<string>): SortColumn => ({ value, type: 'text', isValid: isCursorText });
export const intColumn = (value: Expression<number>): SortColumn => ({ value, type: 'int', isValid: isCursorId });
export const dateColumn = (value: Expression<string>): SortColumn => ({
  value,
  type: 'date',
  isValid: (part) => typeof part === 'string' && isCalendarDate(part),
});

/** A total order: all columns ascending, or all descending, so that one index serves both directions. */
export interface SortOrder {
  readonly columns: readonly SortColumn[];
  readonly isDescending?: boolean;
}

/** Returns an order with a column of ranks before it: the lowest rank is the first in descending orders as well. */
export function rankedFirst({ columns, isDescending = false }: SortOrder, rank: Expression<number>): SortOrder {
  return { columns: [intColumn(isDescending ? sql<number>`(-${rank})` : rank), ...columns], isDescending };
}

/** The values of the columns of an order. */
export type Position = readonly unknown[];

/** A query of any tables. */
// biome-ignore lint/suspicious/noExplicitAny: of any tables
export type RowsQuery<Row> = SelectQueryBuilder<any, any, Row>;

/**
 * A list of records that a connection pages through. Its statements are planned for their values: by how many records match
 * a filter, PostgreSQL reads the list in its order or sorts those that match (`bench/plans.md`).
 */
export interface RecordList<Row> {
  /** The name of its statements in logs and metrics. */
  readonly name: string;
  /** The query of all its records, without an order. */
  readonly rows: RowsQuery<Row>;
  /** The column of `rows` with their ids. */
  readonly id: Expression<number>;
  readonly order: SortOrder;
  /** The kind of the records, by which the times of their changes are found. */
  readonly kind: UpdatedKind;
}

export interface RecordPageArgs extends PageArgs {
  /** Only records that changed after this time; all by default. */
  readonly updatedSince?: string | null | undefined;
}

/** A connection of records. */
export interface RecordConnection<Node> extends Connection<Node> {
  /**
   * Returns the time of the latest change of the records on all pages; null if there are none. Called only if `updatedAt`
   * is selected.
   */
  readonly updatedAt: () => Promise<string | null>;
}

/**
 * Returns a page of a list as a Relay connection. It uses keyset pagination: a cursor is the position of its node in
 * the sort order, so every page costs the same, and an import between two pages neither repeats nor omits records.
 * @throws ServiceError if the page size or number is out of range, or a cursor was not issued by this connection.
 */
export async function connectionOf<Row>(
  context: Context,
  { updatedSince, ...args }: RecordPageArgs,
  all: RecordList<Row>,
): Promise<RecordConnection<Row>> {
  const { db } = context;
  const updates = updateTimesOf(all.kind, all.id, grantScope(context));
  const list = updatedSince == null ? all : { ...all, rows: all.rows.where(updates.after(updatedSince)) };
  const page = readPage(args, (decoded) => readPosition(decoded, list.order));
  const connection = await connectionFrom<Row & { position: Position }, Position>(
    page,
    (limit) => fetchPage<Row>(db, list, page, limit),
    ({ position }) => position,
    () => countRecords(db, list),
  );
  return { ...connection, updatedAt: () => latestUpdate(db, list, updates) };
}

/** Returns the position in a decoded cursor; undefined if it is not one of the order. */
export function readPosition(decoded: unknown, { columns }: SortOrder): Position | undefined {
  if (!Array.isArray(decoded) || decoded.length !== columns.length) return undefined;
  return columns.every(({ isValid }, index) => isValid(decoded[index])) ? decoded : undefined;
}

async function fetchPage<Row>(
  db: Database,
  { name, rows, order }: RecordList<Row>,
  page: Page<Position>,
  limit: number,
): Promise<(Row & { position: Position })[]> {
  const keys = order.columns.map(({ value }, index) => sql`${value}`.as(`key_${index}`));
  const others = order.columns.flatMap(({ inCursor }, index) =>
    inCursor ? [sql`${inCursor.value}`.as(`part_${index}`)] : [],
  );
  const position = order.columns.map(({ inCursor }, index) => sql.ref(`page.${inCursor ? 'part' : 'key'}_${index}`));
  const inPage = order.columns.map((column, index) => ({ ...column, value: sql.ref(`page.key_${index}`) }));
  const bounded = boundsOf(page, order).reduce((all, bound) => all.where(bound), rows.select([...keys, ...others]));
  const ordered = inOrder(bounded, order, page.isBackward).limit(limit).offset(page.offset);
  // The positions are made outside: a list without an index for its order is sorted first, and has many more rows.
  const whole = query
    .selectFrom(ordered.as('page'))
    .selectAll('page')
    .select(jsonArray(position).as('position')) as RowsQuery<Row & { position: Position }>;
  const found = await rowsOf(db, name, inOrder(whole, { ...order, columns: inPage }, page.isBackward), {
    customPlan: true,
  });
  return page.isBackward ? found.reverse() : found;
}

/** Returns a query with its rows in an order, or in the reverse of it. */
export function inOrder<Row>(
  rows: RowsQuery<Row>,
  { columns, isDescending = false }: SortOrder,
  isReversed: boolean,
): RowsQuery<Row> {
  const direction = isReversed === isDescending ? 'asc' : 'desc';
  return columns.reduce((all, { value }) => all.orderBy(value, direction), rows);
}

/** Returns the operators by which the rows of a page compare with the positions of its cursors. */
export function operatorsOf({ isDescending = false }: SortOrder): Readonly<Record<'after' | 'before', '<' | '>'>> {
  return isDescending ? { after: '<', before: '>' } : { after: '>', before: '<' };
}

/** Returns the columns of an order as one value. */
export function keysOf({ columns }: SortOrder): Expression<unknown> {
  return tuple(columns.map(({ value }) => value));
}

function boundsOf(page: Page<Position>, order: SortOrder): Expression<SqlBool>[] {
  return (['after', 'before'] as const).flatMap((bound) => {
    const position = page[bound];
    if (!position) return [];
    const values = order.columns.map(({ type, inCursor }, index) =>
      inCursor ? inCursor.read(position[index]) : typed(type, position[index]),
    );
    return [eb(keysOf(order), operatorsOf(order)[bound], tuple(values))];
  });
}

async function countRecords<Row>(db: Database, { name, rows }: RecordList<Row>): Promise<number> {
  const counted = rows.clearSelect().select(sql<number>`count(*)::int`.as('count'));
  const [found] = await rowsOf(db, `${name}Count`, counted, { customPlan: true });
  return found?.count ?? 0;
}

async function latestUpdate<Row>(
  db: Database,
  { name, rows }: RecordList<Row>,
  { latest }: UpdateTimes,
): Promise<string | null> {
  const [found] = await rowsOf(db, `${name}Updated`, rows.clearSelect().select(latest.as('time')), {
    customPlan: true,
  });
  return found?.time ?? null;
}
