import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';

/** A rule that the data has to follow. Its query returns the records that violate it, one row for each violation. */
export interface Check {
  readonly name: string;
  /** What the query finds, as a heading: `races with more winners than seats`. */
  readonly finds: string;
  query(today: Day): RawBuilder<Violation>;
}

/** A record that violates a rule, and how. */
export interface Violation {
  readonly record: string;
  readonly problem: string;
}

export interface CheckResult {
  readonly name: string;
  readonly finds: string;
  readonly count: number;
  /** The first violations, at most `MAX_SHOWN`. */
  readonly violations: readonly Violation[];
}

export const MAX_SHOWN = 20;

/** Runs a check; all violations are counted, the first ones returned, sorted by record. */
export async function runCheck(db: Database, { name, finds, query }: Check, today: Day): Promise<CheckResult> {
  const { rows } = await sql<Violation & { total: number }>`/* integrity.${sql.raw(name)} */
    select record, problem, (count(*) over ())::int as total
    from (${query(today)}) as found
    order by record collate "C", problem collate "C" limit ${sql.lit(MAX_SHOWN)}`.execute(db);
  const violations = rows.map(({ record, problem }) => ({ record, problem }));
  return { name, finds, count: rows[0]?.total ?? 0, violations };
}

/** Returns the SQL of a name as it is compared: without letter case and punctuation. */
export function normalName(column: string): RawBuilder<string> {
  return sql`trim(lower(regexp_replace(${sql.ref(column)}, '[^[:alnum:]]+', ' ', 'g')))`;
}
