import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Provenance } from '../../exchange/import-rows.ts';

/**
 * Ends every open-ended boundary where the next one of its district starts, whether staged or stored, so that maps can
 * be imported in any order. Open-ended are boundaries without an end and those that end on the day on which another one
 * starts. A boundary with another end is unchanged: an overlap with it is a conflict.
 */
export async function settleBoundaries(db: Database): Promise<void> {
  await sql`/* import.stage-interrupted-boundaries */
    insert into stage_boundaries (line, district_id, start_date, end_date, precise, digest, wraps, batch)
    select -b.id, b.district_id, b.start_date, b.end_date, b.precise, b.digest, false, -1
    from boundaries as b
    where exists (
        select from stage_boundaries as s
        where s.district_id = b.district_id and s.start_date > b.start_date
          and s.start_date < coalesce(b.end_date, 'infinity'))
      and (b.end_date is null or b.end_date in (
        select start_date from stage_boundaries as s where s.district_id = b.district_id
        union select start_date from boundaries as o where o.district_id = b.district_id))
      and not exists (
        select from stage_boundaries as s where s.district_id = b.district_id and s.start_date = b.start_date)`.execute(
    db,
  );
  await sql`/* import.close-boundaries */
    with periods as (
      select district_id, start_date from stage_boundaries
      union select district_id, start_date from boundaries
      where district_id in (select district_id from stage_boundaries)
    ), following as (
      select district_id, start_date, lead(start_date) over (partition by district_id order by start_date) as next
      from periods
    )
    update stage_boundaries as s set end_date = n.next
    from following as n
    where n.district_id = s.district_id and n.start_date = s.start_date and n.next is not null
      and (s.end_date is null or n.next < s.end_date and exists (
        select from periods as p where p.district_id = s.district_id and p.start_date = s.end_date))`.execute(db);
}

const COLUMNS = sql`id, office_id, person_id, status, partisan_affiliation, start_date, end_date`;

/**
 * Reconciles the terms of offices that have one holder at a time. A snapshot has the scheduled end of a term: if a
 * successor took over earlier, the term ends then. In office is the holder in the latest snapshot of the source.
 */
export async function settleTerms(db: Database, { name, asOf }: Provenance): Promise<void> {
  await sql`/* import.stage-terms */
    insert into stage_officeholders (line, ${COLUMNS})
    select -h.id, ${COLUMNS} from officeholders as h
    where (h.office_id in (select office_id from stage_officeholders) or h.status not in ('Former', 'Upcoming'))
      and not exists (select from stage_officeholders as s where s.id = h.id)
      and exists (
        select from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = 'officeholder' and r.record_id = h.id and o.name = ${name})`.execute(db);
  await sql`/* import.end-terms */
    update stage_officeholders as s set end_date = n.next
    from (
      select a.id, min(b.start_date) as next
      from stage_officeholders as a
      join stage_officeholders as b on b.office_id = a.office_id and b.person_id <> a.person_id and b.start_date > a.start_date
      group by a.id
    ) as n
    where n.id = s.id and (s.end_date is null or s.end_date > n.next)`.execute(db);
  await sql`/* import.former-holders */
    update stage_officeholders as s set status = 'Former'
    where status not in ('Former', 'Upcoming') and (
      s.end_date <= ${asOf}::date
      or s.line < 0 and not ${isLater(sql`'officeholder'`, sql`s.id`, name, asOf)}
      or s.line > 0 and not ${isLater(sql`'officeholder'`, sql`s.id`, name, asOf)}
        and exists (select from sources as o where o.name = ${name} and o.as_of > ${asOf}::date))`.execute(db);
}

/** Leaves out contacts of officeholders for whom a later snapshot of the source has contacts. */
export async function dropOlderContacts(db: Database, { name, asOf }: Provenance): Promise<void> {
  await sql`/* import.older-contacts */
    delete from stage_contacts as s
    where exists (
      select from contacts as c
      join record_sources as r on r.kind = 'contact' and r.record_id = c.id
      join sources as o on o.id = r.source_id
      where (c.officeholder_id = s.officeholder_id or c.person_id = s.person_id)
        and o.name = ${name} and o.as_of > ${asOf}::date)`.execute(db);
}

function isLater(kind: ReturnType<typeof sql>, id: ReturnType<typeof sql>, name: string, asOf: string | null) {
  return sql`exists (
    select from record_sources as r join sources as o on o.id = r.source_id
    where r.kind = ${kind}::record_kind and r.record_id = ${id} and o.name = ${name} and o.as_of > ${asOf}::date)`;
}

/**
 * Retains the stored rounds of a candidate that another source supplied first. The votes are the sum of the rounds: a
 * source of totals counts first choices.
 */
export async function settleRounds(db: Database, { name }: Provenance): Promise<void> {
  await sql`/* import.other-rounds */
    delete from stage_ranked_choice_rounds as s
    where exists (select from ranked_choice_rounds as t where t.candidate_id = s.candidate_id)
      and (
        select o.name from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = 'candidate' and r.record_id = s.candidate_id order by o.id limit 1) <> ${name}`.execute(db);
  await sql`/* import.votes-of-rounds */
    update stage_candidates as s set votes_for_cand = r.votes
    from (
      select candidate_id, round(sum(votes_for)) as votes
      from (
        select candidate_id, votes_for from stage_ranked_choice_rounds
        union all
        select candidate_id, votes_for from ranked_choice_rounds as t
        where not exists (select from stage_ranked_choice_rounds as s where s.candidate_id = t.candidate_id)
      ) as rounds
      group by candidate_id
    ) as r
    where r.candidate_id = s.id and r.votes is not null`.execute(db);
}
