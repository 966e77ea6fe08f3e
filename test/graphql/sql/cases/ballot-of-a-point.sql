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
            '{"office":',
            coalesce(
              (
                select
                  concat(
                    '{"name":',
                    coalesce(to_json(r2.name)::text, missing ('Office.name')),
                    ',"seat":',
                    coalesce(to_json(r2.seat)::text, 'null'),
                    '}'
                  )
                from
                  offices r2
                where
                  r2.id = r1.office_id
              ),
              missing ('Race.office')
            ),
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
                            concat('{"name":', coalesce(to_json(r4.name)::text, missing ('Person.name')), '}')
                          from
                            persons r4
                          where
                            r4.id = r3.person_id
                        ),
                        missing ('Candidate.person')
                      ),
                      ',"parties":[',
                      (
                        select
                          string_agg(item, ',')
                        from
                          (
                            select
                              concat('{"name":', coalesce(to_json(r5.name)::text, missing ('Party.name')), '}') as item
                            from
                              candidate_parties r5_listed
                              join parties r5 on r5.id = r5_listed.party_id
                            where
                              r5_listed.candidate_id = r3.id
                            order by
                              r5_listed.position
                          ) listed
                      ),
                      '],"status":',
                      coalesce(to_json(r3.cand_status)::text, 'null'),
                      ',"votes":',
                      coalesce(r3.votes_for_cand::text, 'null'),
                      '}'
                    ) as item
                  from
                    candidates r3
                    join persons r3_person on r3_person.id = r3.person_id
                  where
                    r3.race_id = r1.id
                  order by
                    r3.votes_for_cand desc nulls last,
                    r3_person.name,
                    r3.id
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

/* districts.coveringBoundaries */
select
  covering.index,
  d.id,
  d.type,
  d.name,
  d.state,
  d.ocdid,
  d.geo_id,
  d.nces_id,
  d.url,
  b.id as boundary_id,
  b.start_date,
  b.end_date,
  b.precise,
  (
    b.end_date is not null
    and exists (
      select
      from
        boundaries next
      where
        next.district_id = b.district_id
        and next.start_date = b.end_date
        and next.id <> b.id
    )
  ) as yields
from
  (
    select distinct
      requested.index,
      piece.boundary_id
    from
      unnest($1::float8[], $2::float8[], $3::int[]) as requested (longitude, latitude, index)
      join boundary_pieces piece on ST_Covers (piece.geometry, ST_SetSRID (ST_MakePoint (requested.longitude, requested.latitude), 4326))
  ) covering
  join boundaries b on b.id = covering.boundary_id
  join districts d on d.id = b.district_id
order by
  d.type,
  d.name,
  d.id,
  b.start_date desc,
  b.id;

/* elections.electionsOfDistricts */
with
  requested as (
    select
      *
    from
      unnest($1::int[], $2::date[], $3::date[]) with ordinality as requested (district_id, first_day, last_day, index)
  ),
  applying as (
    select
      requested.index,
      e.id,
      boundary.id as boundary_id
    from
      requested
      join elections e on e.district_id = requested.district_id
      and e.date between requested.first_day and requested.last_day
      join lateral (
        select
          b.id
        from
          boundaries b
        where
          b.district_id = e.district_id
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
    union
    select
      requested.index,
      e.id,
      boundary.id
    from
      requested
      join offices o on o.district_id = requested.district_id
      join races r on r.office_id = o.id
      join elections e on e.id = r.election_id
      and e.date between requested.first_day and requested.last_day
      join lateral (
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
    union
    select
      requested.index,
      e.id,
      boundary.id
    from
      requested
      join ballot_measures m on m.district_id = requested.district_id
      join elections e on e.id = m.election_id
      and e.date between requested.first_day and requested.last_day
      join lateral (
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
  )
select
  applying.index::int,
  applying.boundary_id,
  e.id,
  e.date,
  e.type,
  e.district_id,
  e.description,
  e.candidate_lists_complete,
  holder.state
from
  applying
  join elections e on e.id = applying.id
  join districts holder on holder.id = e.district_id
order by
  e.date,
  e.id;
