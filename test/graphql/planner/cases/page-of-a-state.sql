/* BallotDistrictEdge.node */
with
  keys as (
    select
      *
    from
      unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality as keys (district_id, boundary_id, race_ids, measure_ids, ordinal)
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
          lateral (
            select
              keys.district_id,
              keys.boundary_id,
              keys.race_ids::int[] as race_ids,
              keys.measure_ids::int[] as measure_ids
          ) r1
      ) r1
  )
select
  r1.ordinal::int,
  concat(
    '{"district":',
    coalesce(
      (
        select
          concat('{"name":', coalesce(to_json(r2.name)::text, missing ('District.name')), '}')
        from
          districts r2
        where
          r2.id = r1.district_id
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
              '{"type":',
              coalesce(to_json(r3.type)::text, missing ('Race.type')),
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
                              concat('{"name":', coalesce(to_json(r5.name)::text, missing ('Person.name')), '}')
                            from
                              persons r5
                            where
                              r5.id = r4.person_id
                          ),
                          missing ('Candidate.person')
                        ),
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
                      ) r4
                      join persons r4_person on r4_person.id = r4.person_id
                    where
                      r4.race_id = r3.id
                    order by
                      r4.votes_for_cand desc nulls last,
                      r4_person.name,
                      r4.id
                  ) listed
              ),
              ']}'
            ) as item,
            position
          from
            unnest(r1.race_ids) with ordinality listed (id, position),
            races r3
          where
            r3.id = listed.id
        ) listed
    ),
    ']}'
  ) as json
from
  roots r1;

/* ballots.pageOfStateBallot */
with
  page as materialized (
    select
      voting.id
    from
      (
        (
          select
            voting.id
          from
            (
              select
                voting.id
              from
                districts voting
              where
                voting.state = $1
                and true
                and true
              order by
                voting.id asc
              offset
                0
            ) voting
          where
            exists (
              select
              from
                offices o
                join races r on r.office_id = o.id
                join elections e on e.id = r.election_id
              where
                o.district_id = voting.id
                and e.date = $2::date
                and true
                and true
                and exists (
                  select
                  from
                    candidates c
                  where
                    c.race_id = r.id
                    and c.is_write_in is not true
                )
              offset
                0
            )
          order by
            voting.id asc
          limit
            $3
        )
        union
        select
          voting.id
        from
          (
            elections e
            join districts holder on holder.id = e.district_id
            join races r on r.election_id = e.id
            join offices o on o.id = r.office_id
            join districts voting on voting.id = o.district_id
          )
        where
          holder.state = $4
          and voting.state is distinct from $5
          and true
          and e.date = $6::date
          and true
          and true
          and exists (
            select
            from
              candidates c
            where
              c.race_id = r.id
              and c.is_write_in is not true
          )
        union
        select
          voting.id
        from
          (
            elections e
            join districts holder on holder.id = e.district_id
            join ballot_measures m on m.election_id = e.id
            join districts voting on voting.id = m.district_id
          )
        where
          holder.state = $7
          and true
          and e.date = $8::date
        union
        select
          voting.id
        from
          (
            elections e
            join districts holder on holder.id = e.district_id
            join ballot_measures m on m.election_id = e.id
            join districts voting on voting.id = m.district_id
          )
        where
          voting.state = $9
          and true
          and e.date = $10::date
      ) voting
    where
      true
    order by
      voting.id asc
    limit
      $11
    offset
      $12
  ),
  contests as (
    select
      voting.id as district_id,
      null::int as boundary_id,
      null::date as start_date,
      r.id as race_id,
      null::int as measure_id,
      o.ballot_rank as rank,
      o.name,
      o.seat
    from
      page
      join (
        elections e
        join districts holder on holder.id = e.district_id
        join races r on r.election_id = e.id
        join offices o on o.id = r.office_id
        join districts voting on voting.id = o.district_id
      ) on voting.id = page.id
    where
      (
        holder.state = $13
        or voting.state = $14
      )
      and e.date = $15::date
      and true
      and true
      and exists (
        select
        from
          candidates c
        where
          c.race_id = r.id
          and c.is_write_in is not true
      )
    union all
    select
      voting.id,
      null,
      null,
      null,
      m.id,
      null,
      m.name,
      null
    from
      page
      join (
        elections e
        join districts holder on holder.id = e.district_id
        join ballot_measures m on m.election_id = e.id
        join districts voting on voting.id = m.district_id
      ) on voting.id = page.id
    where
      (
        holder.state = $16
        or voting.state = $17
      )
      and e.date = $18::date
  )
select
  part.district_id,
  part.boundary_id,
  part.race_ids,
  part.measure_ids
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
          contests
        group by
          district_id
      ) part
      join districts d on d.id = part.district_id
  ) part
order by
  part.district_id;
