/* RaceEdge.node */
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
            '{"id":',
            coalesce(
              to_json(rtrim(encode(convert_to('Race:' || r1.id, 'UTF8'), 'base64'), '='))::text,
              missing ('Race.id')
            ),
            ',"office":',
            coalesce(
              (
                select
                  concat('{"name":', coalesce(to_json(r2.name)::text, missing ('Office.name')), '}')
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
                    concat('{"votes":', coalesce(r3.votes_for_cand::text, 'null'), '}') as item
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
                    ) r3
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
      missing ('RaceEdge.node')
    )
  ) as json
from
  keys;

/* ballots.races (custom plan) */
select
  page.*,
  json_build_array(key_0, key_1) as position
from
  (
    select
      r.*,
      e.date as key_0,
      r.id as key_1
    from
      districts d
      cross join lateral (
        select
          *
        from
          offices o_found
        where
          o_found.district_id = d.id
        offset
          0
      ) o
      cross join lateral (
        select
          *
        from
          races r_found
        where
          r_found.office_id = o.id
        offset
          0
      ) r
      join elections e on e.id = r.election_id
    where
      d.state = $1
    order by
      e.date asc,
      r.id asc
    limit
      $2
    offset
      $3
  ) page
order by
  key_0 asc,
  key_1 asc;
