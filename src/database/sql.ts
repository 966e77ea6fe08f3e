import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the condition that each word of a text begins a word of the columns, in any order; undefined, which is no
 * condition, without a text. An index has the words of the same columns (migration 0039).
 */
export function hasWords(columns: readonly string[], text: string | null | undefined): RawBuilder<unknown> | undefined {
  return text == null ? undefined : sql`${wordsOf(columns)} @@ (select words_query(${text}::text))`;
}

/** Returns the SQL for the words of columns of a row. */
export function wordsOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql`search_words(${sql.join(columns.map((column) => sql.ref(column)))})`;
}

/** Returns the condition that a column has one of the values; undefined, which is no condition, without values. */
export function isAnyOf(
  column: string,
  type: string,
  values: readonly unknown[] | null | undefined,
): RawBuilder<unknown> | undefined {
  return values ? sql`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])` : undefined;
}
