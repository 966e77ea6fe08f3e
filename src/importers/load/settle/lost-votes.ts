import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';

/** Votes of a race that are left out: those of a candidate, or of rows that may be of several. */
export interface LostVotes {
  readonly race: number;
  /** Null if they are not known. */
  readonly votes: number | null;
  /** They are those of a candidate whom the other source of the race lacks. */
  readonly isOther: boolean;
}

const CONTRADICTED = 'another source has another candidate with as many votes: the outcome is unknown';

/**
 * Leaves the outcome of races open that what is left out could turn. What a source leaves out of its own race speaks against its own
 * outcome, if the votes are as many as the margin, or not known. A candidate whom the other source lacks speaks against any outcome, if
 * the votes are as many as those of a winner; what other sources have left out is stored with the race, so that it does not depend on
 * the order of imports.
 */
export async function withholdOutcomes(
  db: Database,
  lost: readonly LostVotes[],
  { name }: Provenance,
  report: Report,
): Promise<void> {
  await sql`/* import.left-out */
    create temp table stage_left_out on commit drop as
    select race_id, votes, is_other
    from unnest(${lost.map(({ race }) => race)}::int[], ${lost.map(({ votes }) => votes)}::bigint[],
      ${lost.map(({ isOther }) => isOther)}::boolean[]) as l (race_id, votes, is_other)`.execute(db);
  await sql`/* import.withhold-outcomes */
    with lost as (
      select race_id, sum(votes) as votes, bool_or(votes is null) as is_unknown
      from stage_left_out where not is_other group by race_id
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
  await contradictOutcomes(db, name, report);
}

/** Leaves the outcome of races open, also if it is stored, in which another source has another candidate with the votes of a winner. */
async function contradictOutcomes(db: Database, source: string, report: Report): Promise<void> {
  const { rows } = await sql<{ race: number; origin: string }>`/* import.contradicted-outcomes */
    with other as (
      select race_id, max(votes) as votes
      from (
        select race_id, votes from stage_left_out where is_other
        union all
        select r.id, e.value::bigint from races as r cross join jsonb_each_text(r.left_out) as e
        where r.id in (select id from stage_races) and e.key <> ${source}
      ) as o
      where votes is not null group by race_id
    ), outcomes as (
      -- A source may have the outcome of a candidate, and the other one the votes.
      select race_id, max(votes_for_cand) as votes, max(cand_status) in ('Won', 'Advanced') as is_winner
      from (
        select id, race_id, cand_status::text, votes_for_cand from stage_candidates where race_id in (select race_id from other)
        union all
        select id, race_id, cand_status::text, votes_for_cand from candidates where race_id in (select race_id from other)
      ) as c
      group by id, race_id having max(cand_status) in ('Won', 'Lost', 'Advanced')
    )
    select r.id as race, min(r.origin) as origin
    from stage_races as r join other as o on o.race_id = r.id join outcomes as c on c.race_id = r.id
    group by r.id, o.votes
    -- Without a stored winner, the other candidate may be it.
    having not bool_or(c.is_winner) or bool_or(c.is_winner and (o.votes < c.votes) is not true)`.execute(db);
  const races = rows.map(({ race }) => race);
  for (const table of races.length > 0 ? ['stage_candidates', 'candidates'] : [])
    await sql`/* import.open-outcomes */
      update ${sql.table(table)} set cand_status = null
      where race_id = any(${races}::int[]) and cand_status in ('Won', 'Lost', 'Advanced')`.execute(db);
  for (const { origin } of rows) report.add(origin, 'undecided-contests', CONTRADICTED);
}

/**
 * Records with each race of an import what its source has and the data lack; the races that the source has no longer are those of others.
 * What a source leaves out of a race whose candidates are all of another one is not lacking.
 */
export async function recordLeftOut(db: Database, { name }: Provenance): Promise<void> {
  await sql`/* import.record-left-out */
    with lacking as (
      select race_id, jsonb_build_object(${name}::text, max(votes) filter (where is_other)) as entry
      from stage_left_out as l
      where is_other or exists (
        select from candidates as c where c.race_id = l.race_id and ${name} is not distinct from (
          select o.name from record_sources as s join sources as o on o.id = s.source_id
          where s.kind = 'candidate' and s.record_id = c.id order by o.id limit 1))
        or not exists (select from candidates as c where c.race_id = l.race_id)
      group by race_id
    ), settled as (
      select r.id, nullif(coalesce(r.left_out, '{}') - ${name}::text || coalesce(l.entry, '{}'), '{}') as left_out
      from races as r left join lacking as l on l.race_id = r.id
      where r.id in (select id from stage_races)
    )
    update races as r set left_out = s.left_out from settled as s
    where s.id = r.id and r.left_out is distinct from s.left_out`.execute(db);
}
