/* Location.ballot */
with
  keys as (
    select
      *
    from
      unnest($1::float8[], $2::float8[]) with ordinality as keys (longitude, latitude, ordinal)
  ),
  roots as materialized (
    select
      ordinal,
      r1.*
    from
      keys,
      lateral (
        select
          r1.*
        from
          (
            with
              map as materialized (
                select
                  b.id,
                  b.district_id,
                  b.start_date
                from
                  (
                    select distinct
                      piece.boundary_id
                    from
                      (
                        values
                          (keys.longitude),
                          (
                            case
                              when abs(keys.longitude) = 180 then - keys.longitude
                            end
                          )
                      ) twin (longitude)
                      join boundary_pieces piece on ST_DWithin (piece.geometry, ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326), 1e-9)
                      and (
                        not ST_DWithin (ST_Boundary (piece.geometry), ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326), 1e-9)
                        or exists (
                          select
                          from
                            boundaries whole
                          where
                            whole.id = piece.boundary_id
                            and ST_Covers (whole.geometry, ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326))
                        )
                      )
                  ) covering
                  join boundaries b on b.id = covering.boundary_id
              ),
              here as materialized (
                select
                  unnest(
                    array(
                      select distinct
                        district_id
                      from
                        map
                    )
                  ) as district_id
              ),
              race as materialized (
                select
                  map.district_id,
                  map.id as boundary_id,
                  map.start_date,
                  contest.id as race_id,
                  e.id as election_id,
                  e.date,
                  o.ballot_rank as rank,
                  o.name,
                  o.seat
                from
                  here
                  join offices o on o.district_id = here.district_id
                  join races contest on contest.office_id = o.id
                  join elections e on e.id = contest.election_id
                  and e.date = $3::date
                  join map on map.district_id = here.district_id
                  join boundaries_for_races (race_reference_day (contest.type, contest.year, contest.swearing_in_date, e.date)) boundary on boundary.id = map.id
              ),
              measure as materialized (
                select
                  map.district_id,
                  map.id as boundary_id,
                  map.start_date,
                  contest.id as measure_id,
                  e.id as election_id,
                  e.date,
                  contest.name
                from
                  here
                  join ballot_measures contest on contest.district_id = here.district_id
                  join elections e on e.id = contest.election_id
                  and e.date = $3::date
                  join map on map.district_id = here.district_id
                  join boundaries_in_effect (e.date) boundary on boundary.id = map.id
              ),
              applying as materialized (
                select
                  election_id,
                  date
                from
                  race
                union
                select
                  election_id,
                  date
                from
                  measure
                union
                select
                  e.id,
                  e.date
                from
                  here
                  join elections e on e.district_id = here.district_id
                  and e.date = $3::date
                  join map on map.district_id = here.district_id
                  join boundaries_in_effect (e.date) boundary on boundary.id = map.id
              )
            select
              day.date,
              (
                select
                  coalesce(bool_and(candidate_lists_complete), false)
                from
                  elections
                where
                  id = any (
                    array(
                      select
                        election_id
                      from
                        applying
                      where
                        applying.date = day.date
                      order by
                        election_id
                    )
                  )
              ) as candidate_lists_complete,
              array(
                select
                  election_id
                from
                  applying
                where
                  applying.date = day.date
                order by
                  election_id
              ) as election_ids,
              (
                select
                  count(*)::int
                from
                  race r
                where
                  r.date = day.date
                  and exists (
                    select
                    from
                      candidates c
                    where
                      c.race_id = r.race_id
                      and c.is_write_in is not true
                  )
              ) as race_count,
              (
                select
                  count(*)::int
                from
                  measure
                where
                  measure.date = day.date
              ) as measure_count,
              (
                select
                  coalesce(
                    json_agg(
                      contest
                      order by
                        race_id,
                        measure_id,
                        boundary_id
                    ),
                    '[]'
                  )::text
                from
                  (
                    select
                      district_id,
                      boundary_id,
                      start_date,
                      race_id,
                      null::int as measure_id,
                      rank,
                      name,
                      seat
                    from
                      race r
                    where
                      r.date = day.date
                      and exists (
                        select
                        from
                          candidates c
                        where
                          c.race_id = r.race_id
                          and c.is_write_in is not true
                      )
                    union all
                    select
                      district_id,
                      boundary_id,
                      start_date,
                      null,
                      measure_id,
                      null,
                      name,
                      null
                    from
                      measure
                    where
                      measure.date = day.date
                  ) contest
              ) as contests
            from
              (
                select
                  $3::date as date
              ) day
          ) r1
      ) r1
  ),
  found_r3 as materialized (
    select
      ordinal,
      r3.*
    from
      roots r1,
      lateral (
        select
          r3.*
        from
          (
            select
              part.*,
              d.type,
              d.name
            from
              (
                select
                  district_id,
                  (
                    array_agg(
                      boundary_id
                      order by
                        start_date desc,
                        boundary_id
                    )
                  ) [1] as boundary_id,
                  coalesce(
                    array_agg(
                      race_id
                      order by
                        rank,
                        name,
                        seat nulls first,
                        race_id
                    ) filter (
                      where
                        race_id is not null
                    ),
                    '{}'
                  ) as race_ids,
                  coalesce(
                    array_agg(
                      measure_id
                      order by
                        name,
                        measure_id
                    ) filter (
                      where
                        measure_id is not null
                    ),
                    '{}'
                  ) as measure_ids
                from
                  json_to_recordset(r1.contests::json) as contest (
                    district_id int,
                    boundary_id int,
                    start_date date,
                    race_id int,
                    measure_id int,
                    rank int,
                    name text,
                    seat text
                  )
                group by
                  district_id
              ) part
              join districts d on d.id = part.district_id
          ) r3
      ) r3
  ),
  serialized_r3 as materialized (
    select
      r3.district_id,
      r3.boundary_id,
      r3.race_ids,
      r3.measure_ids,
      concat(
        '{"district":',
        coalesce(
          (
            select
              concat('{"name":', coalesce(to_json(r4.name)::text, missing ('District.name')), '}')
            from
              districts r4
            where
              r4.id = r3.district_id
          ),
          missing ('BallotDistrict.district')
        ),
        ',"races":[',
        (
          select
            string_agg(
              item,
              ','
              order by
                position
            )
          from
            (
              select
                concat(
                  '{"office":',
                  coalesce(
                    (
                      select
                        concat(
                          '{"name":',
                          coalesce(to_json(r6.name)::text, missing ('Office.name')),
                          ',"seat":',
                          coalesce(to_json(r6.seat)::text, 'null'),
                          '}'
                        )
                      from
                        offices r6
                      where
                        r6.id = r5.office_id
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
                                  concat('{"name":', coalesce(to_json(r8.name)::text, missing ('Person.name')), '}')
                                from
                                  persons r8
                                where
                                  r8.id = r7.person_id
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
                                    concat('{"name":', coalesce(to_json(r9.name)::text, missing ('Party.name')), '}') as item
                                  from
                                    candidate_parties r9_listed
                                    join parties r9 on r9.id = r9_listed.party_id
                                  where
                                    r9_listed.candidate_id = r7.id
                                  order by
                                    r9_listed.position
                                ) listed
                            ),
                            '],"status":',
                            coalesce(to_json(r7.cand_status)::text, 'null'),
                            ',"votes":',
                            coalesce(r7.votes_for_cand::text, 'null'),
                            '}'
                          ) as item
                        from
                          (
                            select
                              c.id,
                              c.race_id,
                              c.person_id,
                              c.stage_party,
                              c.running_mate,
                              c.fec_id,
                              coalesce(c.is_incumbent, c.holds_office) as is_incumbent,
                              c.is_write_in,
                              c.withdrew_still_on_ballot,
                              c.cand_status as cand_status,
                              c.votes_for_cand
                            from
                              candidates c
                          ) r7
                          join persons r7_person on r7_person.id = r7.person_id
                        where
                          r7.race_id = r5.id
                        order by
                          r7.votes_for_cand desc nulls last,
                          r7_person.name,
                          r7.id
                      ) listed
                  ),
                  ']}'
                ) as item,
                position
              from
                unnest(r3.race_ids) with ordinality listed (id, position),
                races r5
              where
                r5.id = listed.id
            ) listed
        ),
        '],"ballotMeasures":[',
        (
          select
            string_agg(
              item,
              ','
              order by
                position
            )
          from
            (
              select
                concat(
                  '{"name":',
                  coalesce(to_json(r10.name)::text, missing ('BallotMeasure.name')),
                  ',"status":',
                  coalesce(to_json(r10.status)::text, 'null'),
                  '}'
                ) as item,
                position
              from
                unnest(r3.measure_ids) with ordinality listed (id, position),
                (
                  select
                    m.id,
                    m.election_id,
                    m.district_id,
                    m.name,
                    m.type,
                    m.official_title,
                    m.yes_vote,
                    m.no_vote,
                    m.url,
                    (
                      select
                        date
                      from
                        elections e
                      where
                        e.id = m.election_id
                    ) as election_date,
                    m.status as status,
                    m.yes_votes_total,
                    m.no_votes_total
                  from
                    ballot_measures m
                ) r10
              where
                r10.id = listed.id
            ) listed
        ),
        ']}'
      ) as item
    from
      (
        select distinct
          on (district_id, boundary_id, race_ids, measure_ids) *
        from
          found_r3
      ) r3
  ),
  listed_r3 as (
    select
      r3.ordinal,
      string_agg(
        serialized_r3.item,
        ','
        order by
          r3.type,
          r3.name,
          r3.district_id
      ) as items
    from
      found_r3 r3
      join serialized_r3 using (district_id, boundary_id, race_ids, measure_ids)
    group by
      r3.ordinal
  )
select
  r1.ordinal::int,
  concat(
    '{"elections":[',
    (
      select
        string_agg(
          item,
          ','
          order by
            position
        )
      from
        (
          select
            concat(
              '{"date":',
              coalesce(to_json(r2.date)::text, missing ('Election.date')),
              ',"type":',
              coalesce(to_json(r2.type)::text, missing ('Election.type')),
              '}'
            ) as item,
            position
          from
            unnest(r1.election_ids) with ordinality listed (id, position),
            (
              select
                e.id,
                e.date,
                e.type,
                e.district_id,
                e.description,
                e.candidate_lists_complete,
                e.status,
                holder.state,
                election_key (e.id) as key
              from
                elections e
                join districts holder on holder.id = e.district_id
            ) r2
          where
            r2.id = listed.id
        ) listed
    ),
    '],"districts":[',
    listed_r3.items,
    ']}'
  ) as json
from
  roots r1
  left join listed_r3 using (ordinal);
