/* BallotDistrictEdge.node */
with
  "keys" as (
    select
      *
    from
      unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality as "keys" ("district_id", "boundary_id", "race_ids", "measure_ids", "ordinal")
  ),
  "roots" as materialized (
    select
      "keys"."ordinal",
      "r1".*
    from
      "keys"
      cross join lateral (
        select
          "keys"."district_id" as "district_id",
          "keys"."boundary_id" as "boundary_id",
          "keys"."race_ids"::int[] as "race_ids",
          "keys"."measure_ids"::int[] as "measure_ids"
      ) as "r1"
  )
select
  "r1"."ordinal"::int as "ordinal",
  concat(
    '{"district":',
    coalesce(
      (
        select
          concat('{"name":', coalesce(to_json("r2"."name")::text, missing ('District.name')), '}') as "item"
        from
          (
            select
              *
            from
              (
                select
                  "d"."id",
                  "d"."type",
                  "d"."name",
                  "d"."state",
                  "d"."ocdid",
                  "d"."geo_id",
                  "d"."nces_id",
                  "d"."url"
                from
                  "districts" as "d"
              ) as "record"
            where
              "record"."id" = "r1"."district_id"
          ) as "r2"
      ),
      missing ('BallotDistrict.district')
    ),
    ',"races":[',
    (
      select
        string_agg(
          "listed"."item",
          ','
          order by
            "listed"."position"
        ) as "items"
      from
        (
          select
            concat(
              '{"type":',
              coalesce(to_json("r3"."type")::text, missing ('Race.type')),
              ',"candidates":[',
              (
                select
                  string_agg("listed"."item", ',') as "items"
                from
                  (
                    select
                      concat(
                        '{"person":',
                        coalesce(
                          (
                            select
                              concat('{"name":', coalesce(to_json("r5"."name")::text, missing ('Person.name')), '}') as "item"
                            from
                              (
                                select
                                  *
                                from
                                  (
                                    select
                                      "id",
                                      "name",
                                      "first_name",
                                      "last_name",
                                      "url",
                                      "image_url"
                                    from
                                      "persons"
                                  ) as "record"
                                where
                                  "record"."id" = "r4"."person_id"
                              ) as "r5"
                          ),
                          missing ('Candidate.person')
                        ),
                        '}'
                      ) as "item"
                    from
                      (
                        select
                          "c"."id",
                          "c"."race_id",
                          "c"."person_id",
                          "c"."stage_party",
                          "c"."running_mate",
                          "c"."fec_id",
                          "c"."is_write_in",
                          "c"."withdrew_still_on_ballot",
                          coalesce("c"."is_incumbent", "c"."holds_office") as "is_incumbent",
                          "c"."cand_status" as "cand_status",
                          "c"."votes_for_cand",
                          "person"."name" as "person_name",
                          "c"."votes_for_cand" as "place"
                        from
                          "candidates" as "c"
                          inner join "persons" as "person" on "person"."id" = "c"."person_id"
                        where
                          "c"."race_id" = "r3"."id"
                      ) as "r4"
                    order by
                      "r4"."place" desc nulls last,
                      "r4"."person_name",
                      "r4"."id"
                  ) as "listed"
              ),
              ']}'
            ) as "item",
            "listed"."position"
          from
            unnest("r1"."race_ids") with ordinality as listed (id, position)
            cross join lateral (
              select
                *
              from
                (
                  select
                    "race"."id",
                    "race"."election_id",
                    "race"."office_id",
                    "race"."type",
                    "race"."year",
                    "race"."stage_type",
                    "race"."stage_party",
                    "race"."office_position",
                    "race"."number_of_seats",
                    coalesce("race"."swearing_in_date", "race"."term_start_date") as "swearing_in_date",
                    "race"."is_marquee",
                    "race"."is_ranked_choice",
                    "race"."results_certified",
                    "race"."scope_basis",
                    "race"."url",
                    "race"."left_out"
                  from
                    "races" as "race"
                ) as "record"
              where
                "record"."id" = "listed"."id"
            ) as "r3"
        ) as "listed"
    ),
    ']}'
  ) as "json"
from
  "roots" as "r1";

/* ballots.pageOfStateBallot */
select
  "part"."district_id",
  "part"."boundary_id",
  "part"."race_ids",
  "part"."measure_ids"
from
  (
    select
      "part"."district_id",
      "part"."boundary_id",
      "part"."race_ids",
      "part"."measure_ids",
      "d"."type",
      "d"."name"
    from
      (
        select
          "contest"."district_id",
          (
            array_agg(
              "contest"."boundary_id"
              order by
                "contest"."start_date" desc,
                "contest"."boundary_id"
            )
          ) [1] as "boundary_id",
          coalesce(
            array_agg(
              "contest"."race_id"
              order by
                "contest"."rank",
                "contest"."name",
                "contest"."seat" asc nulls first,
                "contest"."race_id"
            ) filter (
              where
                "contest"."race_id" is not null
            ),
            '{}'
          ) as "race_ids",
          coalesce(
            array_agg(
              "contest"."measure_id"
              order by
                "contest"."name",
                "contest"."measure_id"
            ) filter (
              where
                "contest"."measure_id" is not null
            ),
            '{}'
          ) as "measure_ids"
        from
          (
            with
              "page" as materialized (
                select
                  "voting"."id"
                from
                  (
                    select
                      "voting"."id"
                    from
                      (
                        select
                          "voting"."id"
                        from
                          (
                            select
                              "voting"."id"
                            from
                              "districts" as "voting"
                            where
                              "voting"."state" = $1
                              and 1 = 1
                              and 1 = 1
                            order by
                              "voting"."id" asc
                            offset
                              0
                          ) as "voting"
                        where
                          exists (
                            select
                              "r"."id"
                            from
                              "offices" as "o"
                              inner join "races" as "r" on "r"."office_id" = "o"."id"
                              inner join "elections" as "e" on "e"."id" = "r"."election_id"
                            where
                              "o"."district_id" = "voting"."id"
                              and (
                                "e"."date" = $2
                                and exists (
                                  select
                                    "c"."id"
                                  from
                                    "candidates" as "c"
                                  where
                                    "c"."race_id" = "r"."id"
                                    and "c"."is_write_in" is not true
                                )
                              )
                            offset
                              0
                          )
                        order by
                          "voting"."id" asc
                        limit
                          $3
                      ) as "voting"
                    union
                    select
                      "voting"."id"
                    from
                      "elections" as "e"
                      inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                      inner join "races" as "r" on "r"."election_id" = "e"."id"
                      inner join "offices" as "o" on "o"."id" = "r"."office_id"
                      inner join "districts" as "voting" on "voting"."id" = "o"."district_id"
                    where
                      (
                        "e"."date" = $4
                        and exists (
                          select
                            "c"."id"
                          from
                            "candidates" as "c"
                          where
                            "c"."race_id" = "r"."id"
                            and "c"."is_write_in" is not true
                        )
                      )
                      and "holder"."state" = $5
                      and "voting"."state" is distinct from $6
                      and 1 = 1
                    union
                    select
                      "voting"."id"
                    from
                      "elections" as "e"
                      inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                      inner join "ballot_measures" as "m" on "m"."election_id" = "e"."id"
                      inner join "districts" as "voting" on "voting"."id" = "m"."district_id"
                    where
                      "e"."date" = $7
                      and "holder"."state" = $8
                      and 1 = 1
                    union
                    select
                      "voting"."id"
                    from
                      "elections" as "e"
                      inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                      inner join "ballot_measures" as "m" on "m"."election_id" = "e"."id"
                      inner join "districts" as "voting" on "voting"."id" = "m"."district_id"
                    where
                      "e"."date" = $9
                      and "voting"."state" = $10
                      and 1 = 1
                  ) as "voting"
                where
                  1 = 1
                order by
                  "voting"."id" asc
                limit
                  $11
                offset
                  $12
              )
            select
              "contest"."district_id",
              "contest"."boundary_id",
              "contest"."start_date",
              "contest"."race_id",
              "contest"."measure_id",
              "contest"."rank",
              "contest"."name",
              "contest"."seat"
            from
              (
                select
                  "voting"."id" as "voting_id",
                  "o"."district_id" as "district_id",
                  null::int as "boundary_id",
                  null::date as "start_date",
                  "r"."id" as "race_id",
                  null::int as "measure_id",
                  "o"."ballot_rank" as "rank",
                  "o"."name" as "name",
                  "o"."seat" as "seat"
                from
                  "elections" as "e"
                  inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                  inner join "races" as "r" on "r"."election_id" = "e"."id"
                  inner join "offices" as "o" on "o"."id" = "r"."office_id"
                  inner join "districts" as "voting" on "voting"."id" = "o"."district_id"
                where
                  (
                    "e"."date" = $13
                    and exists (
                      select
                        "c"."id"
                      from
                        "candidates" as "c"
                      where
                        "c"."race_id" = "r"."id"
                        and "c"."is_write_in" is not true
                    )
                  )
                  and (
                    "holder"."state" = $14
                    or "voting"."state" = $15
                  )
              ) as "contest"
              inner join "page" on "page"."id" = "contest"."voting_id"
            union all
            select
              "contest"."district_id",
              "contest"."boundary_id",
              "contest"."start_date",
              "contest"."race_id",
              "contest"."measure_id",
              "contest"."rank",
              "contest"."name",
              "contest"."seat"
            from
              (
                select
                  "voting"."id" as "voting_id",
                  "m"."district_id" as "district_id",
                  null::int as "boundary_id",
                  null::date as "start_date",
                  null::int as "race_id",
                  "m"."id" as "measure_id",
                  null::int as "rank",
                  "m"."name" as "name",
                  null::text as "seat"
                from
                  "elections" as "e"
                  inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                  inner join "ballot_measures" as "m" on "m"."election_id" = "e"."id"
                  inner join "districts" as "voting" on "voting"."id" = "m"."district_id"
                where
                  "e"."date" = $16
                  and (
                    "holder"."state" = $17
                    or "voting"."state" = $18
                  )
              ) as "contest"
              inner join "page" on "page"."id" = "contest"."voting_id"
          ) as "contest"
        group by
          "contest"."district_id"
      ) as "part"
      inner join "districts" as "d" on "d"."id" = "part"."district_id"
  ) as "part"
order by
  "part"."district_id";
