import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';

/** Computes again which candidates hold the office on the day before the election. */
export async function recordIncumbency(db: Database): Promise<void> {
  await sql`/* persons.incumbency */
    update candidates set holds_office = rule.holds_office from candidate_incumbency() as rule
    where rule.candidate_id = candidates.id and candidates.holds_office is distinct from rule.holds_office`.execute(db);
}
