import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Report } from '../../exchange/report.ts';

/** A candidate of a race whose row is left out, with the votes; null if these are not known. */
export interface LostVotes {
  readonly race: number;
  readonly votes: number | null;
  /** The other source of the race lacks the candidate. */
  readonly isOther: boolean;
}

/**
 * Leaves the outcome of races open that what is left out could turn: the votes that a race loses are as many as the margin, or not
 * known. An outcome that the database has already stays, unless another source contradicts it.
 */
export async function withholdOutcomes(db: Database, lost: readonly LostVotes[], report: Report): Promise<void> {
  await contradictOutcomes(db, lost, report);
  const own = lost.filter(({ isOther }) => !isOther);
  if (own.length === 0) return;
  await sql`/* import.withhold-outcomes */
    with lost as (
      select race_id, sum(votes) as votes, bool_or(votes is null) as is_unknown
      from unnest(${own.map(({ race }) => race)}::int[], ${own.map(({ votes }) => votes)}::bigint[]) as l (race_id, votes)
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

const CONTRADICTED = 'another source has other candidates with as many votes: the outcome is unknown';

/** Leaves the outcome of races open, also if it is stored, in which another source has another candidate with the votes of a winner. */
async function contradictOutcomes(db: Database, lost: readonly LostVotes[], report: Report): Promise<void> {
  const others = lost.filter(({ isOther, votes }) => isOther && votes !== null);
  if (others.length === 0) return;
  const { rows } = await sql<{ race_id: number; origin: string }>`/* import.contradicted-outcomes */
    with other as (
      select race_id, max(votes) as votes
      from unnest(${others.map(({ race }) => race)}::int[], ${others.map(({ votes }) => votes)}::bigint[]) as o (race_id, votes)
      group by race_id
    ), all_candidates as (
      -- A source may have the outcome of a candidate, and the other one the votes.
      select race_id, max(cand_status) as cand_status, max(votes_for_cand) as votes_for_cand
      from (
        select id, race_id, cand_status::text, votes_for_cand from stage_candidates
        union all
        select id, race_id, cand_status::text, votes_for_cand from candidates where race_id in (select race_id from other)
      ) as c
      group by id, race_id
    )
    select r.id as race_id, r.origin from stage_races as r join other as o on o.race_id = r.id
    where exists (select from all_candidates as c
      where c.race_id = r.id and c.cand_status in ('Won', 'Advanced') and (o.votes < c.votes_for_cand) is not true)`.execute(
    db,
  );
  const races = rows.map(({ race_id }) => race_id);
  for (const table of ['stage_candidates', 'candidates'])
    await sql`/* import.open-outcomes */
      update ${sql.table(table)} set cand_status = null
      where race_id = any(${races}::int[]) and cand_status in ('Won', 'Lost', 'Advanced')`.execute(db);
  for (const { origin } of rows) report.add(origin, 'undecided-contests', CONTRADICTED);
}
