/* ballots.candidatesOfRace */
select
  keys.ordinal::int - 1 as "ordinal",
  "r".*
from
  unnest($1::int[]) with ordinality as "keys" ("id", "ordinal")
  cross join lateral (
    select
      "r".*
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
          "c"."race_id" = "keys"."id"
      ) as "r"
    order by
      "r"."place" desc nulls last,
      "r"."person_name",
      "r"."id"
  ) as "r";

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
      "race"."swearing_in_date",
      "race"."number_of_seats",
      "race"."is_marquee",
      "race"."is_ranked_choice",
      "race"."results_certified",
      "race"."scope_basis",
      "race"."url",
      "e"."date" as "key_0",
      "race"."id" as "key_1"
    from
      "districts" as "d"
      inner join lateral (
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
          "office"."url"
        from
          "offices" as "office"
        where
          "office"."district_id" = "d"."id"
        offset
          0
      ) as "o" on true
      inner join lateral (
        select
          "race"."id",
          "race"."election_id",
          "race"."office_id",
          "race"."type",
          "race"."year",
          "race"."stage_type",
          "race"."stage_party",
          "race"."office_position",
          "race"."swearing_in_date",
          "race"."number_of_seats",
          "race"."is_marquee",
          "race"."is_ranked_choice",
          "race"."results_certified",
          "race"."scope_basis",
          "race"."url"
        from
          "races" as "race"
        where
          "race"."office_id" = "o"."id"
        offset
          0
      ) as "race" on true
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

/* officials.officeById */
select
  keys.ordinal::int - 1 as "ordinal",
  "r".*
from
  unnest($1::int[]) with ordinality as "keys" ("id", "ordinal")
  cross join lateral (
    select
      "r".*
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
              "office"."url"
            from
              "offices" as "office"
          ) as "record"
        where
          "record"."id" = "keys"."id"
      ) as "r"
    limit
      1
  ) as "r";
