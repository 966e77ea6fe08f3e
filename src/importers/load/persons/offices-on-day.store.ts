import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Provenance } from '../../exchange/import-rows.ts';

/**
 * Records what the editions of sources show about the terms and offices of a load: on which days they show a person in
 * office, whether an office has one holder at a time, and which offices the newest edition shows vacant.
 * @param isStatusStated whether the statuses of the load are those that a person or a program has written into its rows.
 * Then an office with several current holders without an end is not for one, even if the load is of an earlier day than
 * their first days.
 */
export async function recordOfficesOnDays(
  db: Database,
  provenance: Provenance,
  { isStatusStated = false }: { readonly isStatusStated?: boolean } = {},
): Promise<void> {
  await recordShownDays(db);
  await recordOneHolder(db, isStatusStated ? sql`office_id in (${SHARED})` : sql`false`);
  await recordVacancies(db, provenance);
}

/**
 * The terms of an office with a staged term that an edition shows on its day; none that it calls upcoming. An edition shows a former officeholder
 * without an end if a newer edition of the source has left the term out: otherwise the edition itself says that the
 * term is over.
 */
const SHOWN = sql`
  select t.id, t.office_id, t.person_id, e.name, e.as_of
  from officeholders as t
  join record_sources as r on r.kind = 'officeholder' and r.record_id = t.id
  join sources as e on e.id = r.source_id
  where t.office_id in (select office_id from stage_officeholders)
    and (t.start_date <= e.as_of or t.start_date is null and t.status <> 'Upcoming')
    and (t.end_date > e.as_of or (t.end_date is null and (t.status <> 'Former' or exists (
      select from sources as newer
      where newer.name = e.name and newer.as_of > e.as_of
        and exists (
          select from record_sources as other where other.kind = 'officeholder' and other.source_id = newer.id)
        and not exists (
          select from record_sources as same
          where same.kind = 'officeholder' and same.record_id = t.id and same.source_id = newer.id)))))`;

async function recordShownDays(db: Database): Promise<void> {
  await sql`/* persons.shown-days */
    update officeholders as h set first_shown = s.first, last_shown = s.last
    from (
      select t.id, min(shown.as_of) as first, max(shown.as_of) as last
      from officeholders as t left join (${SHOWN}) as shown on shown.id = t.id
      where t.office_id in (select office_id from stage_officeholders)
      group by t.id
    ) as s
    where s.id = h.id and row(h.first_shown, h.last_shown) is distinct from row(s.first, s.last)`.execute(db);
}

/** The offices with several staged persons who are current holders without an end. */
const SHARED = sql`
  select t.office_id from officeholders as t
  where t.id in (select id from stage_officeholders) and t.status not in ('Former', 'Upcoming') and t.end_date is null
  group by t.office_id having count(distinct t.person_id) > 1`;

async function recordOneHolder(db: Database, isShared: RawBuilder<unknown>): Promise<void> {
  await sql`/* persons.one-holder */
    update offices as o set one_holder = s.one
    from (
      select office_id, max(persons) = 1 and not ${isShared} as one
      from (
        select office_id, name, as_of, count(distinct person_id) as persons from (${SHOWN}) as shown group by 1, 2, 3
      ) as days
      group by office_id
    ) as s
    where s.office_id = o.id and o.one_holder is distinct from s.one`.execute(db);
}

/** An edition covers a body (Congress, a chamber) if it shows holders of at least this share of its offices. */
const COVERED = 0.5;

/**
 * Records the offices that an edition shows vacant: offices of one holder in a body that the edition covers, whose
 * district is in effect, and that have no holder on its day. An office is vacant since the last known end of a term.
 */
async function recordVacancies(db: Database, { name, asOf }: Provenance): Promise<void> {
  if (asOf === null) return;
  await sql`/* persons.vacancies */
    with supplied as (
      select distinct o.id, d.id as district, d.type,
        o.level || ' ' || o.chamber || case o.level when 'State' then ' ' || coalesce(d.state, '') else '' end as body
      from offices as o
      join districts as d on d.id = o.district_id
      join officeholders as h on h.office_id = o.id
      join record_sources as r on r.kind = 'officeholder' and r.record_id = h.id
      join sources as e on e.id = r.source_id and e.name = ${name}
      where o.chamber is not null and o.one_holder
        and (d.type = 'State' or exists (
          select from boundaries as b
          where b.district_id = d.id and b.start_date <= ${asOf}::date
            and (b.end_date is null or b.end_date > ${asOf}::date)))
    ), states as (
      select s.*, exists (select from officeholders_in_office(${asOf}::date) as h where h.office_id = s.id) as held,
        exists (
          select from officeholders as h
          join record_sources as r on r.kind = 'officeholder' and r.record_id = h.id
          join sources as e on e.id = r.source_id and e.name = ${name} and e.as_of > ${asOf}::date
          where h.office_id = s.id
        ) as is_newer
      from supplied as s
    ), covered as (
      select body from states group by body having avg(held::integer) >= ${COVERED} and not bool_or(is_newer)
    )
    update offices as o set vacant_since = v.since
    from (
      select s.id, case when not s.held then coalesce((
        select max(h.end_date) from officeholders as h where h.office_id = s.id and h.end_date <= ${asOf}::date
      ), ${asOf}::date) end as since
      from states as s where s.body in (select body from covered)
    ) as v
    where v.id = o.id and o.vacant_since is distinct from v.since`.execute(db);
}
