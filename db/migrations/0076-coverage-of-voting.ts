import { type Kysely, sql } from 'kysely';

/**
 * Adds to the coverage of a state (`0029-coverage-of-a-state.ts`) on how many of its election days places to vote and deadlines are known.
 * A function of its own: gateways of the release before would show the layers to packages that have no grant of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function coverage_of_voting(day date, of_state text) returns table (
      state text, layer text, kind text, ordinal integer, records integer, covered integer,
      first_day date, last_day date, as_of date, missing text
    ) language sql stable as $$
      with states as (
        select distinct d.state::text from districts as d
        where d.type = 'State' and d.state is not null and (of_state is null or d.state = of_state)
      ), days as (
        select d.state::text, e.date,
          bool_or(e.voting is not distinct from 'By mail only'
            or exists (select from voting_places as p where p.election_id = e.id)) as placed,
          bool_or(exists (select from deadlines as stated where stated.election_id = e.id)
            or d.type = 'State' and exists (
              select from deadlines as rule where rule.election_id is null and rule.district_id = d.id)) as dated
        from elections as e join districts as d on d.id = e.district_id
        where d.state is not null and (of_state is null or d.state = of_state)
        group by d.state, e.date
      ), by_layer as (
        select s.state, l.layer, l.ordinal, l.words, count(days.date)::int as records,
          count(*) filter (where is_covered)::int as covered,
          min(days.date) filter (where is_covered) as first_day, max(days.date) filter (where is_covered) as last_day,
          min(days.date) filter (where not is_covered and days.date >= day) as next_missing
        from states as s
        cross join (values ('voting places', 203, 'places to vote'), ('deadlines', 204, 'deadlines')) as l (layer, ordinal, words)
        left join lateral (
          select d.date, case l.layer when 'deadlines' then d.dated else d.placed end as is_covered
          from days as d where d.state = s.state
        ) as days on true
        group by s.state, l.layer, l.ordinal, l.words
      )
      select state, layer, null, ordinal, records, covered, first_day, last_day, null::date,
        case when records = 0 then 'no data set with elections was loaded'
          when covered = 0 then 'no data set with ' || words || ' was loaded for an election of this state'
          when covered < records then (records - covered) || ' election days have no ' || words || ' in the data sets'
            || coalesce(', the next of them on ' || next_missing, '') end
      from by_layer
    $$;
    comment on function coverage_of_voting is
      'On how many election days of a state (two letters, or all with null) places to vote and deadlines are known.';
  `.execute(db);
}
