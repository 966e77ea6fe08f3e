import { type Kysely, sql } from 'kysely';

/**
 * Adds the coverage of one state: the function of a day alone computes all states, which takes seconds in a database of the
 * whole country. Both return the same rows; see `0016-coverage.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function coverage_on(day date, of_state text) returns table (
      state text, layer text, kind text, ordinal integer, records integer, covered integer,
      first_day date, last_day date, as_of date, missing text
    ) language sql stable as $$
      with states as (
        select distinct d.state from districts as d
        where d.type = 'State' and d.state is not null and (of_state is null or d.state = of_state)
      ), maps as (
        select d.state, d.type, count(*)::int as records, count(b.id)::int as covered,
          count(*) filter (where not b.precise)::int as generalised, max(b.start_date) as last_day
        from districts as d
        left join lateral (
          select x.id, x.precise, x.start_date from boundaries as x
          where x.district_id = d.id and x.start_date <= day and (x.end_date is null or x.end_date >= day)
          order by x.start_date desc limit 1
        ) as b on true
        where (of_state is null or d.state = of_state)
        group by d.state, d.type
      ), expected_maps (type) as (
        select unnest(array['State', 'Congress', 'State Legislative (Upper)', 'State Legislative (Lower)', 'County',
          'City-town', 'School District']::district_type[])
      ), map_rows as (
        select s.state, t.type, coalesce(m.records, 0) as records, coalesce(m.covered, 0) as covered, m.generalised, m.last_day
        from states as s
        cross join (select type from expected_maps union select type from maps) as t
        left join maps as m on m.state = s.state and m.type = t.type
        where m.records is not null or t.type in (select type from expected_maps)
      ), holders as (
        select d.state, o.level, o.branch, count(*)::int as records,
          count(*) filter (where h.known)::int as covered, max(h.as_of) as as_of
        from offices as o join districts as d on d.id = o.district_id
        left join lateral (
          select bool_or((x.start_date is null or x.start_date <= day) and (x.end_date is null and x.status = 'Current'
            or x.end_date >= day)) as known, max(source.as_of) as as_of
          from officeholders as x
          left join record_sources as link on link.kind = 'officeholder' and link.record_id = x.id
          left join sources as source on source.id = link.source_id
          where x.office_id = o.id
        ) as h on true
        where (of_state is null or d.state = of_state)
        group by d.state, o.level, o.branch
      ), expected_offices (level, branch) as (
        values ('Federal'::office_level, 'Legislative'::office_branch), ('State', 'Executive'), ('State', 'Legislative'),
          ('State', 'Judicial'), ('Local', 'Executive'), ('Local', 'Legislative')
      ), office_rows as (
        select s.state, t.level, t.branch, coalesce(h.records, 0) as records, coalesce(h.covered, 0) as covered, h.as_of
        from states as s
        cross join (select level, branch from expected_offices union select level, branch from holders) as t
        left join holders as h on h.state = s.state and h.level = t.level and h.branch = t.branch
        where h.records is not null or (t.level, t.branch) in (select e.level, e.branch from expected_offices as e)
      ), votes as (
        select d.state, count(distinct e.id)::int as elections, min(e.date) as first_day, max(e.date) as last_day,
          count(distinct e.id) filter (where e.candidate_lists_complete)::int as complete
        from elections as e join districts as d on d.id = e.district_id where (of_state is null or d.state = of_state) group by d.state
      ), race_facts as (
        select d.state, r.id, e.date,
          exists (select from candidates as c where c.race_id = r.id and c.votes_for_cand is not null) as counted
        from races as r join elections as e on e.id = r.election_id
        join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
        where e.date < day and (of_state is null or d.state = of_state)
      ), results as (
        select f.state, count(*)::int as records, count(*) filter (where counted)::int as covered,
          min(date) filter (where counted) as first_day, max(date) filter (where counted) as last_day
        from race_facts as f group by f.state
      ), measures as (
        select d.state, count(*)::int as records, count(m.yes_votes_total)::int as covered, min(e.date) as first_day,
          max(e.date) as last_day
        from ballot_measures as m join elections as e on e.id = m.election_id
        join districts as d on d.id = m.district_id where e.date < day and (of_state is null or d.state = of_state) group by d.state
      )
      select state::text, 'districts', type::text, array_position(enum_range(null::district_type), type), records, covered,
        null::date, last_day, null::date,
        case when records = 0 then 'no data set with districts of this type was loaded'
          when covered = 0 then 'the districts have no boundary on this day: no map of this day was loaded'
          when covered < records then (records - covered) || ' districts have no boundary on this day: no map of this day that has them was loaded'
          when generalised > 0 then generalised || ' boundaries are generalised: near their edges the district is uncertain' end
      from map_rows
      union all
      select state, 'officeholders', level || ' ' || branch, 100 + array_position(enum_range(null::office_level), level) * 10
          + array_position(enum_range(null::office_branch), branch), records, covered, null, null, as_of,
        case when records = 0 then 'no data set with these offices was loaded'
          when covered = 0 then 'no data set with the officeholders of this day was loaded'
          when covered < records then (records - covered) || ' offices have no known holder on this day: vacant, or not in the data sets' end
      from office_rows
      union all
      select s.state, 'elections', null, 200, coalesce(elections, 0), coalesce(complete, 0), first_day, last_day, null,
        case when elections is null then 'no data set with elections was loaded'
          when complete < elections then (elections - complete) || ' elections have no complete list of candidates in the data sets' end
      from states as s left join votes on votes.state = s.state
      union all
      select s.state, 'results', null, 201, coalesce(records, 0), coalesce(covered, 0), first_day, last_day, null,
        case when records is null then 'no data set with races of past elections was loaded'
          when covered < records then (records - covered) || ' races of past elections have no votes in the data sets' end
      from states as s left join results on results.state = s.state
      union all
      select s.state, 'ballot measures', null, 202, coalesce(records, 0), coalesce(covered, 0), first_day, last_day, null,
        case when records is null then 'no data set with ballot measures was loaded'
          when covered < records then (records - covered) || ' measures have no votes in the data sets' end
      from states as s left join measures on measures.state = s.state
    $$;
  `.execute(db);
  await sql`
    create or replace function coverage_on(day date) returns table (
      state text, layer text, kind text, ordinal integer, records integer, covered integer,
      first_day date, last_day date, as_of date, missing text
    ) language sql stable as 'select * from coverage_on(day, null)';
    comment on function coverage_on(date, text) is
      'What the database has on a day and what it lacks, by state and layer: of one state (two letters), or of all with null.';
    comment on function coverage_on(date) is 'What the database has on a day and what it lacks, by state and layer.';
  `.execute(db);
}
