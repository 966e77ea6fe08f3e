import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';

/** A candidate of a race whose row is left out, with the votes; null if these are not known. */
export interface LostVotes {
  readonly race: number;
  readonly votes: number | null;
}

/**
 * Leaves the outcome of races open that what is left out could turn: the votes that a race loses are as many as the margin, or not
 * known. An outcome that the database has already stays.
 */
export async function withholdOutcomes(db: Database, lost: readonly LostVotes[]): Promise<void> {
  if (lost.length === 0) return;
  await sql`/* import.withhold-outcomes */
    with lost as (
      select race_id, sum(votes) as votes, bool_or(votes is null) as is_unknown
      from unnest(${lost.map(({ race }) => race)}::int[], ${lost.map(({ votes }) => votes)}::bigint[]) as l (race_id, votes)
      group by race_id
    ), margins as (
      select race_id,
        min(votes_for_cand) filter (where cand_status in ('Won', 'Advanced'))
          - coalesce(max(votes_for_cand) filter (where cand_status is null or cand_status not in ('Won', 'Advanced')), 0) as margin
      from stage_candidates where race_id in (select race_id from lost) group by race_id
    )
    update stage_candidates as s set cand_status = null
    from lost as l join margins as m using (race_id)
    where s.race_id = l.race_id and s.cand_status in ('Won', 'Lost', 'Advanced')
      and (l.is_unknown or (l.votes < m.margin) is not true)
      and not exists (select from candidates as c where c.id = s.id and c.cand_status is not null)`.execute(db);
}
