import { type RawBuilder, sql } from 'kysely';

/** `any($1)` over ids: one parameter and one plan, however many there are, where `in (…)` has one for each. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::int[])`;
}
