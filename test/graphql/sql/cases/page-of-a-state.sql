/* BallotDistrict.races */
with
  keys as (
    select
      *
    from
      unnest($1::int[]) with ordinality as keys (key, ordinal)
  )
select
  keys.ordinal::int,
  concat(
    coalesce(
      (
        select
          concat(
            '{"type":',
            coalesce(to_json(r1.type)::text, missing ('Race.type')),
            ',"candidates":[',
            (
              select
                string_agg(item, ',')
              from
                (
                  select
                    concat(
                      '{"person":',
                      coalesce(
                        (
                          select
                            concat('{"name":', coalesce(to_json(r3.name)::text, missing ('Person.name')), '}')
                          from
                            persons r3
                          where
                            r3.id = r2.person_id
                        ),
                        missing ('Candidate.person')
                      ),
                      '}'
                    ) as item
                  from
                    candidates r2
                    join persons r2_person on r2_person.id = r2.person_id
                  where
                    r2.race_id = r1.id
                  order by
                    r2.votes_for_cand desc nulls last,
                    r2_person.name,
                    r2.id
                ) listed
            ),
            ']}'
          )
        from
          races r1
        where
          r1.id = keys.key
      ),
      'null'
    )
  ) as json
from
  keys;

/* ballots.measuresOnDates */
select
  requested.index::int,
  boundary.id as boundary_id,
  m.id,
  m.election_id,
  m.district_id,
  m.name,
  m.type,
  m.official_title,
  m.yes_vote,
  m.no_vote,
  m.url,
  json_build_object(
    'id',
    e.id,
    'date',
    e.date,
    'type',
    e.type,
    'district_id',
    e.district_id,
    'description',
    e.description,
    'candidate_lists_complete',
    e.candidate_lists_complete,
    'state',
    holder.state
  ) as election,
  m.status,
  m.yes_votes_total,
  m.no_votes_total
from
  unnest($1::int[], $2::date[]) with ordinality as requested (district_id, date, index)
  join ballot_measures m
  join elections e on e.id = m.election_id
  join districts holder on holder.id = e.district_id on m.district_id = requested.district_id
  and e.date = requested.date
  left join lateral (
    select
      b.id
    from
      boundaries b
    where
      b.district_id = m.district_id
      and b.start_date <= e.date
      and (
        b.end_date is null
        or e.date <= b.end_date
      )
    order by
      b.start_date desc
    limit
      1
  ) boundary on true
order by
  m.name,
  m.id;

/* ballots.pageOfStateBallot */
select
  d.id,
  d.type,
  d.name,
  d.state,
  d.ocdid,
  d.geo_id,
  d.nces_id,
  d.url
from
  districts d
where
  d.id in (
    select
      voting.id
    from
      elections e
      join districts holder on holder.id = e.district_id
      join races r on r.election_id = e.id
      join offices o on o.id = r.office_id
      join districts voting on voting.id = o.district_id
    where
      e.date = $1::date
      and holder.state = $2
      and true
      and true
      and true
      and exists (
        select
        from
          candidates c
        where
          c.race_id = r.id
      )
    union
    select
      voting.id
    from
      elections e
      join districts holder on holder.id = e.district_id
      join races r on r.election_id = e.id
      join offices o on o.id = r.office_id
      join districts voting on voting.id = o.district_id
    where
      e.date = $3::date
      and voting.state = $4
      and true
      and true
      and true
      and exists (
        select
        from
          candidates c
        where
          c.race_id = r.id
      )
    union
    select
      voting.id
    from
      elections e
      join districts holder on holder.id = e.district_id
      join ballot_measures m on m.election_id = e.id
      join districts voting on voting.id = m.district_id
    where
      e.date = $5::date
      and holder.state = $6
      and true
    union
    select
      voting.id
    from
      elections e
      join districts holder on holder.id = e.district_id
      join ballot_measures m on m.election_id = e.id
      join districts voting on voting.id = m.district_id
    where
      e.date = $7::date
      and voting.state = $8
      and true
  )
order by
  d.id
limit
  $9
offset
  $10;

/* ballots.racesOnDates */
select
  requested.index::int,
  boundary.id as boundary_id,
  r.id,
  o.level,
  o.branch,
  holder.state
from
  unnest($1::int[], $2::date[]) with ordinality as requested (district_id, date, index)
  join races r
  join offices o on o.id = r.office_id
  join elections e on e.id = r.election_id
  join districts holder on holder.id = e.district_id on o.district_id = requested.district_id
  and e.date = requested.date
  left join lateral (
    select
      b.id
    from
      boundaries b
    where
      b.district_id = o.district_id
      and b.start_date <= (
        case
          when r.type = 'Special' then e.date
          else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31))
        end
      )
      and (
        b.end_date is null
        or (
          case
            when r.type = 'Special' then e.date
            else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31))
          end
        ) <= b.end_date
      )
    order by
      b.start_date desc
    limit
      1
  ) boundary on true
where
  exists (
    select
    from
      candidates c
    where
      c.race_id = r.id
  )
order by
  o.name,
  o.seat nulls first,
  r.id;
