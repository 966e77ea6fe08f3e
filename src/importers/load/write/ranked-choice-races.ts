import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Scope } from '../settle/checks.ts';

/**
 * Sets `is_ranked_choice` of the staged races that do not say it and have rounds, staged or stored (contract, what is
 * not known). Staged, so that loading the same rows again changes nothing.
 */
export async function stageRankedChoice(db: Database, { replace, supplied }: Scope): Promise<void> {
  const stored = replace && supplied.has('ranked_choice_rounds') ? sql`` : sql`union ${racesWithStoredRounds}`;
  await sql`/* import.stage-ranked-choice */
    update stage_races set is_ranked_choice = true
    where is_ranked_choice is null and id in (
      select c.race_id from stage_ranked_choice_rounds as r join stage_candidates as c on c.id = r.candidate_id
      union ${racesWithStagedRounds}
      ${stored})`.execute(db);
}

/** Sets it of stored races whose rounds were loaded, and of races that were loaded without the column. */
export async function writeRankedChoice(db: Database): Promise<void> {
  await sql`/* import.ranked-choice */
    update races set is_ranked_choice = true
    where is_ranked_choice is null
      and (id in (select id from stage_races) or id in (${racesWithStagedRounds}))
      and id in (${racesWithStoredRounds})`.execute(db);
}

const racesWithStagedRounds = sql`
  select c.race_id from stage_ranked_choice_rounds as r join candidates as c on c.id = r.candidate_id`;

const racesWithStoredRounds = sql`
  select c.race_id from ranked_choice_rounds as r join candidates as c on c.id = r.candidate_id`;
