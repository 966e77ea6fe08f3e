import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';

/** A rule that the data has to follow. Its query returns the records that violate it, one row for each fault. */
export interface Check {
  readonly name: string;
  /** What the query finds, as a heading: `races with more winners than seats`. */
  readonly finds: string;
  query(today: Day): RawBuilder<Fault>;
}

/** A record that violates a rule, and how. */
export interface Fault {
  readonly record: string;
  readonly problem: string;
}

export interface CheckResult {
  readonly name: string;
  readonly finds: string;
  readonly count: number;
  /** The first faults, at most `MOST_FAULTS_SHOWN`. */
  readonly faults: readonly Fault[];
}

export const MOST_FAULTS_SHOWN = 20;

/** Runs a check; all faults are counted, the first ones returned, sorted by record. */
export async function runCheck(db: Database, { name, finds, query }: Check, today: Day): Promise<CheckResult> {
  const { rows } = await sql<Fault & { total: number }>`/* integrity.${sql.raw(name)} */
    select record, problem, (count(*) over ())::int as total
    from (${query(today)}) as found
    order by record collate "C", problem collate "C" limit ${sql.lit(MOST_FAULTS_SHOWN)}`.execute(db);
  const faults = rows.map(({ record, problem }) => ({ record, problem }));
  return { name, finds, count: rows[0]?.total ?? 0, faults };
}

/** Returns the SQL of a name as it is compared: without letter case and punctuation. */
export function normalName(column: string): RawBuilder<string> {
  return sql`trim(lower(regexp_replace(${sql.ref(column)}, '[^[:alnum:]]+', ' ', 'g')))`;
}
