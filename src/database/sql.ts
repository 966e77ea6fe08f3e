import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a condition that is true if a column contains a text, in any letter case. The subquery converts the text to
 * lower case once per statement: PostgreSQL would evaluate a plain expression for every row.
 */
export function containsText(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(lower(${sql.ref(column)}), (select lower(${text}::text))) > 0`;
}

/** Returns the condition that a column has one of the values; undefined, which is no condition, without values. */
export function isAnyOf(
  column: string,
  type: string,
  values: readonly unknown[] | null | undefined,
): RawBuilder<unknown> | undefined {
  return values ? sql`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])` : undefined;
}
