/* RaceEdge.node */
with
  "keys" as (
    select
      *
    from
      unnest($1::int[]) with ordinality as "keys" ("id", "ordinal")
  )
select
  "keys"."ordinal"::int as "ordinal",
  concat(
    coalesce(
      (
        select
          concat(
            '{"id":',
            coalesce(
              to_json(rtrim(encode(convert_to('Race:' || "r1"."id", 'UTF8'), 'base64'), '='))::text,
              missing ('Race.id')
            ),
            ',"office":',
            coalesce(
              (
                select
                  concat('{"name":', coalesce(to_json("r2"."name")::text, missing ('Office.name')), '}') as "item"
                from
                  (
                    select
                      *
                    from
                      (
                        select
                          "office"."id",
                          "office"."district_id",
                          "office"."name",
                          "office"."type",
                          "office"."seat",
                          "office"."level",
                          "office"."branch",
                          "office"."chamber",
                          "office"."ballot_rank",
                          "office"."is_partisan",
                          "office"."one_holder",
                          "office"."vacant_since",
                          "office"."url",
                          concat_ws(', ', "office"."name", "office"."seat") as "full_name"
                        from
                          "offices" as "office"
                      ) as "record"
                    where
                      "record"."id" = "r1"."office_id"
                  ) as "r2"
              ),
              missing ('Race.office')
            ),
            ',"candidates":[',
            (
              select
                string_agg("listed"."item", ',') as "items"
              from
                (
                  select
                    concat('{"votes":', coalesce("r3"."votes_for_cand"::text, 'null'), '}') as "item"
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
                        "c"."race_id" = "r1"."id"
                    ) as "r3"
                  order by
                    "r3"."place" desc nulls last,
                    "r3"."person_name",
                    "r3"."id"
                ) as "listed"
            ),
            ']}'
          ) as "item"
        from
          (
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
              "record"."id" = "keys"."id"
          ) as "r1"
      ),
      missing ('RaceEdge.node')
    )
  ) as "json"
from
  "keys";

/* ballots.races (custom plan) */
select
  "page".*,
  json_build_array("page"."key_0", "page"."key_1") as "position"
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
      "race"."left_out",
      "e"."date" as "key_0",
      "race"."id" as "key_1"
    from
      "districts" as "d"
      cross join lateral (
        select
          "office"."id",
          "office"."district_id",
          "office"."name",
          "office"."type",
          "office"."seat",
          "office"."level",
          "office"."branch",
          "office"."chamber",
          "office"."ballot_rank",
          "office"."is_partisan",
          "office"."one_holder",
          "office"."vacant_since",
          "office"."url",
          concat_ws(', ', "office"."name", "office"."seat") as "full_name"
        from
          "offices" as "office"
        where
          "office"."district_id" = "d"."id"
        offset
          0
      ) as "o"
      cross join lateral (
        select
          "race".*
        from
          "races" as "race"
        where
          "race"."office_id" = "o"."id"
        offset
          0
      ) as "race"
      inner join "elections" as "e" on "e"."id" = "race"."election_id"
    where
      "d"."state" = $1
    order by
      "e"."date" asc,
      "race"."id" asc
    limit
      $2
    offset
      $3
  ) as "page"
order by
  "page"."key_0" asc,
  "page"."key_1" asc;
