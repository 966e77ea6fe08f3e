import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Changes } from '../../exchange/load-summary.ts';
import { affected } from './write-changes.ts';

const WANTED = sql`(
  select s.id as candidate_id, p.position, p.party_id
  from stage_candidates as s cross join lateral unnest(s.party_ids) with ordinality as p (party_id, position)
)`;

/** Returns how many otherwise unchanged candidates get other parties, or the same ones in another order. */
export async function countPartyChanges(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* import.count-party-changes */
    select count(*) as count
    from stage_candidates as s
    join candidates as t on t.id = s.id
    left join (
      select candidate_id, array_agg(party_id order by position) as party_ids from candidate_parties group by 1
    ) as p on p.candidate_id = s.id
    where coalesce(p.party_ids, '{}') <> coalesce(s.party_ids, '{}')
      and row(t.race_id, t.person_id, t.stage_party, t.running_mate, t.fec_id, t.is_incumbent, t.is_write_in,
          t.withdrew_still_on_ballot, t.cand_status, t.votes_for_cand)
        is not distinct from row(s.race_id, s.person_id, s.stage_party, s.running_mate, s.fec_id, s.is_incumbent,
          s.is_write_in, s.withdrew_still_on_ballot, s.cand_status, s.votes_for_cand)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Writes the parties of the staged candidates, in order. */
export async function writeCandidateParties(db: Database): Promise<void> {
  await sql`/* import.remove-candidate-parties */
    delete from candidate_parties as c using stage_candidates as s
    where c.candidate_id = s.id and c.party_id is distinct from s.party_ids[c.position]`.execute(db);
  await sql`/* import.insert-candidate-parties */
    insert into candidate_parties (candidate_id, position, party_id)
    select candidate_id, position, party_id from ${WANTED} as w
    where not exists (
      select from candidate_parties as c where c.candidate_id = w.candidate_id and c.position = w.position)
    order by candidate_id, position`.execute(db);
}

/**
 * Writes the rounds of each candidate together: rounds of a supplied candidate that are not in the load are deleted.
 */
export async function writeRounds(db: Database): Promise<Changes> {
  const removed = await affected(
    db,
    sql`/* import.stale-rounds */
      delete from ranked_choice_rounds as t
      where t.candidate_id in (select candidate_id from stage_ranked_choice_rounds)
        and not exists (
          select from stage_ranked_choice_rounds as s where s.candidate_id = t.candidate_id and s.round = t.round)`,
  );
  const updated = await affected(
    db,
    sql`/* import.update-rounds */
      update ranked_choice_rounds as t set votes_for = s.votes_for, status = s.status
      from stage_ranked_choice_rounds as s
      where s.candidate_id = t.candidate_id and s.round = t.round
        and row(t.votes_for, t.status) is distinct from row(s.votes_for, s.status)`,
  );
  const inserted = await affected(
    db,
    sql`/* import.insert-rounds */
      insert into ranked_choice_rounds (candidate_id, round, votes_for, status)
      select candidate_id, round, votes_for, status from stage_ranked_choice_rounds as s
      where not exists (
        select from ranked_choice_rounds as t where t.candidate_id = s.candidate_id and t.round = s.round)
      order by candidate_id, round`,
  );
  const { rows } = await sql<{ count: number }>`select count(*) as count from stage_ranked_choice_rounds`.execute(db);
  return { inserted, updated, unchanged: (rows[0]?.count ?? 0) - inserted - updated, removed };
}

/** Deletes the rounds that are not in the load. */
export function removeRounds(db: Database): Promise<number> {
  return affected(
    db,
    sql`/* import.remove-rounds */
      delete from ranked_choice_rounds as t
      where not exists (
        select from stage_ranked_choice_rounds as s where s.candidate_id = t.candidate_id and s.round = t.round)`,
  );
}

const MOST_WARNINGS = 100;

/** Returns a warning for each candidate of the load whose rounds do not add up to the votes. */
export async function roundSumWarnings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number; votes: number; sum: number; total: number }>`/* import.round-sums */
    select c.id, c.votes_for_cand as votes, trim_scale(sum(r.votes_for)) as sum, count(*) over () as total
    from candidates as c join ranked_choice_rounds as r on r.candidate_id = c.id
    where c.votes_for_cand is not null
      and c.id in (select id from stage_candidates union select candidate_id from stage_ranked_choice_rounds)
    group by c.id, c.votes_for_cand
    having round(sum(r.votes_for)) <> c.votes_for_cand
    order by c.id limit ${sql.lit(MOST_WARNINGS)}`.execute(db);
  const warnings = rows.map(
    ({ id, votes, sum }) => `the rounds of candidate ${id} add up to ${sum}, but votes_for_cand is ${votes}`,
  );
  const more = (rows[0]?.total ?? 0) - rows.length;
  return more > 0 ? [...warnings, `… and ${more} more candidates whose rounds do not add up`] : warnings;
}
