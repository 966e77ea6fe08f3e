import { type RawBuilder, sql } from 'kysely';

/** `any($1)` over ids: one parameter and one plan, however many there are, where `in (…)` has one for each. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::int[])`;
}

/**
 * Whether a column contains a text, in any letter case. The subquery lowers the text once for the statement: in a plain
 * expression PostgreSQL does that again for every row.
 */
export function containsText(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(lower(${sql.ref(column)}), (select lower(${text}::text))) > 0`;
}
