/** The aggregate and window functions that Kysely does not know: the only place where their names are written. */
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';

const { fn } = expressionBuilder();

/** Texts in one, separated by a comma and a space. */
export const joinedTexts = (text: Expression<string>) => fn.agg<string>('string_agg', [text, sql.lit(', ')]);

/** Values as an array. */
export const collected = <Value>(value: Expression<Value>) => fn.agg<Value[]>('array_agg', [value]);

/** Whether a condition is true for all rows. */
export const areAll = (condition: Expression<boolean>) => fn.agg<boolean>('bool_and', [condition]);

/** The place of a row in its window, from 1. */
export const rowNumber = () => fn.agg<number>('row_number');

/** The next value among the rows that are equal in a key; null for the greatest one. */
export const nextWithKey = <Value>(
  value: Expression<Value>,
  key: readonly Expression<unknown>[],
): RawBuilder<Value | null> => sql`lead(${value}) over (partition by ${sql.join(key)} order by ${value})`;

/** The value of the first row in an order among those that are equal in a key. */
export const firstWithKey = <Value>(
  value: Expression<Value>,
  key: readonly Expression<unknown>[],
  order: Expression<unknown>,
): RawBuilder<Value> => sql`first_value(${value}) over (partition by ${sql.join(key)} order by ${order})`;

/** The sum of the numbers of the rows that are equal in a key. */
export const sumWithKey = (
  number: Expression<number | null>,
  key: readonly Expression<unknown>[],
): RawBuilder<number> => sql`sum(${number}) over (partition by ${sql.join(key)})`;

/** The sum of the numbers of the rows that are equal in a key, up to the own row in an order. */
export const sumUntil = <Of>(
  number: Expression<Of>,
  key: readonly Expression<unknown>[],
  order: Expression<unknown>,
): RawBuilder<number> => sql`sum(${number}) over (partition by ${sql.join(key)} order by ${order})`;

/** The number of rows that are equal in a key. */
export const numberWithKey = (key: readonly Expression<unknown>[]): RawBuilder<number> =>
  sql`count(*) over (partition by ${sql.join(key)})`;
