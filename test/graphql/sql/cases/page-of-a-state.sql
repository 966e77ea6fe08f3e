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
                    ) r2
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

/* districts.byId */
select
  keys.ordinal::int - 1 as ordinal,
  r.*
from
  unnest($1::int[]) with ordinality as keys (id, ordinal)
  cross join lateral (
    select
      r.*
    from
      districts r
    where
      r.id = keys.id
    limit
      1
  ) r;
