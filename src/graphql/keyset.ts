import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { isCalendarDate } from '../dates.ts';
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
import { grantScope } from './grants.ts';
import { type UpdatedKind, type UpdateTimes, updateTimesOf } from './update-times.ts';

/** A column of a sort order. */
export interface SortColumn {
  /** The SQL expression of the column, never null. */
  readonly sql: string;
  /** Its SQL type. */
  readonly type: string;
  /** Returns whether a part of a decoded cursor is a value of the column, or its form in cursors. */
  readonly isValid: (part: unknown) => boolean;
  /** The form of the value in cursors, if it is another one: its SQL expression, and the SQL that converts it back. */
  readonly inCursor?: { readonly sql: string; readonly read: (part: unknown) => RawBuilder<unknown> };
}

export const textColumn = (column: string): SortColumn => ({ sql: column, type: 'text', isValid: isCursorText });
export const intColumn = (column: string): SortColumn => ({ sql: column, type: 'int', isValid: isCursorId });
export const dateColumn = (column: string): SortColumn => ({
  sql: column,
  type: 'date',
  isValid: (part) => typeof part === 'string' && isCalendarDate(part),
});

/** A total order: all columns ascending, or all descending, so that one index serves both directions. */
export interface SortOrder {
  readonly columns: readonly SortColumn[];
  readonly isDescending?: boolean;
}

/** Returns an order with a column of ranks before it: the lowest rank is the first in descending orders as well. */
export function rankedFirst({ columns, isDescending = false }: SortOrder, rank: string): SortOrder {
  return { columns: [intColumn(isDescending ? `(-${rank})` : rank), ...columns], isDescending };
}

/** The values of the columns of an order. */
export type Position = readonly unknown[];

/**
 * A list of records that a connection pages through. Its statements are planned for their values: by how many records match
 * a filter, PostgreSQL reads the list in its order or sorts those that match (`bench/plans.md`).
 */
export interface RecordList {
  /** The name of its statements in logs and metrics. */
  readonly name: string;
  /** The SQL that follows FROM: rows with the alias `r`. */
  readonly from: RawBuilder<unknown>;
  /** Conditions, all of which a record must match; undefined is no condition. */
  readonly where: readonly (RawBuilder<unknown> | undefined)[];
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
  all: RecordList,
): Promise<RecordConnection<Row>> {
  const { db } = context;
  const updates = updateTimesOf(all.kind, grantScope(context));
  const list = updatedSince == null ? all : { ...all, where: [...all.where, updates.after(updatedSince)] };
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
  { name, from, where, order }: RecordList,
  page: Page<Position>,
  limit: number,
): Promise<(Row & { position: Position })[]> {
  const keys = order.columns.map((column, index) => sql.raw(`${column.sql} as key_${index}`));
  const others = order.columns.map(({ inCursor }, index) =>
    sql.raw(inCursor ? `, ${inCursor.sql} as part_${index}` : ''),
  );
  const position = order.columns.map(({ inCursor }, index) => sql.raw(inCursor ? `part_${index}` : `key_${index}`));
  const inPage = { ...order, columns: order.columns.map((column, index) => ({ ...column, sql: `key_${index}` })) };
  const conditions = [...where, ...boundsOf(page, order)];
  // The positions are made outside: a list without an index for its order is sorted first, and has many more rows.
  const { rows } = await sql<Row & { position: Position }>`/* ${sql.raw(name)} (custom plan) */
    select page.*, json_build_array(${sql.join(position)}) as position from (
      select r.*, ${sql.join(keys)}${sql.join(others, sql``)}
      from ${from} where ${allOf(conditions)}
      order by ${sql.raw(orderInSql(order, page.isBackward))}
      limit ${limit} offset ${page.offset}) page
    order by ${sql.raw(orderInSql(inPage, page.isBackward))}`.execute(db);
  return page.isBackward ? rows.reverse() : rows;
}

/** Returns the columns of an order as an SQL list. */
export function keysInSql({ columns }: SortOrder): string {
  return columns.map((column) => column.sql).join(', ');
}

/** Returns the SQL that follows ORDER BY, for the order or the reverse of it. */
export function orderInSql({ columns, isDescending = false }: SortOrder, isReversed: boolean): string {
  const direction = isReversed === isDescending ? 'asc' : 'desc';
  return columns.map((column) => `${column.sql} ${direction}`).join(', ');
}

/** Returns the operators by which the rows of a page compare with the positions of its cursors. */
export function operatorsOf({ isDescending = false }: SortOrder): Readonly<Record<'after' | 'before', '<' | '>'>> {
  return isDescending ? { after: '<', before: '>' } : { after: '>', before: '<' };
}

function boundsOf(page: Page<Position>, order: SortOrder): RawBuilder<unknown>[] {
  const keys = sql.raw(keysInSql(order));
  return (['after', 'before'] as const).flatMap((bound) => {
    const position = page[bound];
    if (!position) return [];
    const values = order.columns.map(({ type, inCursor }, index) =>
      inCursor ? inCursor.read(position[index]) : sql`${position[index]}::${sql.raw(type)}`,
    );
    return [sql`(${keys}) ${sql.raw(operatorsOf(order)[bound])} (${sql.join(values)})`];
  });
}

async function countRecords(db: Database, { name, from, where }: RecordList): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* ${sql.raw(name)}Count (custom plan) */
    select count(*)::int as count from ${from} where ${allOf(where)}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function latestUpdate(
  db: Database,
  { name, from, where }: RecordList,
  updates: UpdateTimes,
): Promise<string | null> {
  const { rows } = await sql<{ time: string | null }>`/* ${sql.raw(name)}Updated (custom plan) */
    select ${sql.raw(updates.latest)} as time from ${from} where ${allOf(where)}`.execute(db);
  return rows[0]?.time ?? null;
}

/** Returns the condition that all conditions are true; undefined is no condition. */
export function allOf(where: RecordList['where']): RawBuilder<unknown> {
  const conditions = where.filter((condition) => condition !== undefined);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
