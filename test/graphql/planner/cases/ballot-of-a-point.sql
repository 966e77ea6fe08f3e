/* Location.ballot */
with
  "keys" as (
    select
      *
    from
      unnest($1::float8[], $2::float8[]) with ordinality as "keys" ("longitude", "latitude", "ordinal")
  ),
  "roots" as materialized (
    select
      "keys"."ordinal",
      "r1".*
    from
      "keys"
      cross join lateral (
        with
          "map" as materialized (
            select
              "b"."id",
              "b"."district_id",
              "b"."start_date"
            from
              (
                select distinct
                  "piece"."boundary_id"
                from
                  (
                    values
                      ("keys"."longitude"),
                      (
                        case
                          when abs("keys"."longitude") = 180 then - "keys"."longitude"
                        end
                      )
                  ) as twin (longitude)
                  inner join "boundary_pieces" as "piece" on (
                    ST_DWithin ("piece"."geometry", ST_SetSRID (ST_MakePoint ("twin"."longitude", "keys"."latitude"), 4326), 1e-9)
                    and (
                      not ST_DWithin (
                        ST_Boundary ("piece"."geometry"),
                        ST_SetSRID (ST_MakePoint ("twin"."longitude", "keys"."latitude"), 4326),
                        1e-9
                      )
                      or exists (
                        select
                          "whole"."id"
                        from
                          "boundaries" as "whole"
                        where
                          "whole"."id" = "piece"."boundary_id"
                          and ST_Covers ("whole"."geometry", ST_SetSRID (ST_MakePoint ("twin"."longitude", "keys"."latitude"), 4326))
                      )
                    )
                  )
              ) as "covering"
              inner join "boundaries" as "b" on "b"."id" = "covering"."boundary_id"
          ),
          "here" as materialized (
            select
              unnest(
                array(
                  select distinct
                    "map"."district_id"
                  from
                    "map"
                )
              ) as "district_id"
          ),
          "race" as materialized (
            select
              "map"."district_id",
              "map"."id" as "boundary_id",
              "map"."start_date",
              "contest"."id" as "race_id",
              "e"."id" as "election_id",
              "e"."date",
              "o"."ballot_rank" as "rank",
              "o"."name",
              "o"."seat"
            from
              "here"
              inner join "offices" as "o" on "o"."district_id" = "here"."district_id"
              inner join "races" as "contest" on "contest"."office_id" = "o"."id"
              inner join "elections" as "e" on "e"."id" = "contest"."election_id"
              and "e"."date" = $3::date
              inner join "map" on "map"."district_id" = "here"."district_id"
              inner join lateral boundaries_for_races (
                race_reference_day (
                  "contest"."type",
                  "contest"."year",
                  coalesce("contest"."swearing_in_date", "contest"."term_start_date"),
                  "e"."date"
                )
              ) as "boundary" on "boundary"."id" = "map"."id"
          ),
          "measure" as materialized (
            select
              "map"."district_id",
              "map"."id" as "boundary_id",
              "map"."start_date",
              "contest"."id" as "measure_id",
              "e"."id" as "election_id",
              "e"."date",
              "contest"."name"
            from
              "here"
              inner join "ballot_measures" as "contest" on "contest"."district_id" = "here"."district_id"
              inner join "elections" as "e" on "e"."id" = "contest"."election_id"
              and "e"."date" = $3::date
              inner join "map" on "map"."district_id" = "here"."district_id"
              inner join lateral boundaries_in_effect ("e"."date") as "boundary" on "boundary"."id" = "map"."id"
          ),
          "applying" as materialized (
            select
              "race"."election_id",
              "race"."date"
            from
              "race"
            union
            select
              "measure"."election_id",
              "measure"."date"
            from
              "measure"
            union
            select
              "e"."id" as "election_id",
              "e"."date"
            from
              "here"
              inner join "elections" as "e" on "e"."district_id" = "here"."district_id"
              and "e"."date" = $3::date
              inner join "map" on "map"."district_id" = "here"."district_id"
              inner join lateral boundaries_in_effect ("e"."date") as "boundary" on "boundary"."id" = "map"."id"
          )
        select
          "day"."date" as "date",
          (
            select
              coalesce(bool_and("election"."candidate_lists_complete"), false) as "complete"
            from
              "elections" as "election"
            where
              "election"."id" = any (
                array(
                  select
                    "applying"."election_id"
                  from
                    "applying"
                  where
                    "applying"."date" = "day"."date"
                  order by
                    "applying"."election_id"
                )
              )
          ) as "candidate_lists_complete",
          array(
            select
              "applying"."election_id"
            from
              "applying"
            where
              "applying"."date" = "day"."date"
            order by
              "applying"."election_id"
          ) as "election_ids",
          (
            select
              coalesce(
                string_agg(
                  "place"."state",
                  ','
                  order by
                    "place"."state"
                ),
                ''
              ) as "states"
            from
              "here"
              inner join "districts" as "place" on "place"."id" = "here"."district_id"
            where
              "place"."type" = 'State'
          ) as "states",
          (
            select
              count(*)::int as "count"
            from
              "race" as "r"
            where
              "r"."date" = "day"."date"
              and exists (
                select
                  "c"."id"
                from
                  "candidates" as "c"
                where
                  "c"."race_id" = "r"."race_id"
                  and "c"."is_write_in" is not true
              )
          ) as "race_count",
          (
            select
              count(*)::int as "count"
            from
              "measure" as "m"
            where
              "m"."date" = "day"."date"
          ) as "measure_count",
          (
            select
              coalesce(
                json_agg(
                  contest
                  order by
                    "contest"."race_id",
                    "contest"."measure_id",
                    "contest"."boundary_id"
                ),
                '[]'
              )::text as "contests"
            from
              (
                select
                  "r"."district_id",
                  "r"."boundary_id",
                  "r"."start_date",
                  "r"."race_id",
                  null::int as "measure_id",
                  "r"."rank",
                  "r"."name",
                  "r"."seat"
                from
                  "race" as "r"
                where
                  "r"."date" = "day"."date"
                  and exists (
                    select
                      "c"."id"
                    from
                      "candidates" as "c"
                    where
                      "c"."race_id" = "r"."race_id"
                      and "c"."is_write_in" is not true
                  )
                union all
                select
                  "m"."district_id",
                  "m"."boundary_id",
                  "m"."start_date",
                  null::int as "race_id",
                  "m"."measure_id",
                  null::int as "rank",
                  "m"."name",
                  null::text as "seat"
                from
                  "measure" as "m"
                where
                  "m"."date" = "day"."date"
              ) as "contest"
          ) as "contests"
        from
          (
            select
              $3::date as "date"
          ) as "day"
      ) as "r1"
  ),
  "found_r3" as materialized (
    select
      "r1"."ordinal",
      "r3".*
    from
      "roots" as "r1"
      cross join lateral (
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
                select
                  "row".*
                from
                  json_to_recordset("r1"."contests"::json) as "row" (
                    "district_id" int,
                    "boundary_id" int,
                    "start_date" date,
                    "race_id" int,
                    "measure_id" int,
                    "rank" int,
                    "name" text,
                    "seat" text
                  )
              ) as "contest"
            group by
              "contest"."district_id"
          ) as "part"
          inner join "districts" as "d" on "d"."id" = "part"."district_id"
      ) as "r3"
  ),
  "serialized_r3" as materialized (
    select
      "r3"."district_id",
      "r3"."boundary_id",
      "r3"."race_ids",
      "r3"."measure_ids",
      concat(
        '{"district":',
        coalesce(
          (
            select
              concat('{"name":', coalesce(to_json("r4"."name")::text, missing ('District.name')), '}') as "item"
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
                  "record"."id" = "r3"."district_id"
              ) as "r4"
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
                  '{"name":',
                  coalesce(
                    to_json(
                      (
                        select
                          concat(
                            concat_ws(', ', concat_ws(', ', "filled"."name", "filled"."seat"), "named"."office_position"),
                            nullif(
                              concat(
                                ' (',
                                concat_ws(
                                  ', ',
                                  nullif("named"."type", 'Regular'),
                                  nullif(nullif("named"."stage_type", 'General'), "named"."type"),
                                  "named"."stage_party"
                                ),
                                ')'
                              ),
                              ' ()'
                            )
                          ) as "name"
                        from
                          "races" as "named"
                          inner join "offices" as "filled" on "filled"."id" = "named"."office_id"
                        where
                          "named"."id" = "r5"."id"
                      )
                    )::text,
                    missing ('Race.name')
                  ),
                  ',"office":',
                  coalesce(
                    (
                      select
                        concat(
                          '{"fullName":',
                          coalesce(to_json("r6"."full_name")::text, missing ('Office.fullName')),
                          ',"name":',
                          coalesce(to_json("r6"."name")::text, missing ('Office.name')),
                          ',"seat":',
                          coalesce(to_json("r6"."seat")::text, 'null'),
                          '}'
                        ) as "item"
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
                            "record"."id" = "r5"."office_id"
                        ) as "r6"
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
                          concat(
                            '{"name":',
                            coalesce(
                              to_json(
                                (
                                  select
                                    "named"."name"
                                  from
                                    "persons" as "named"
                                  where
                                    "named"."id" = "r7"."person_id"
                                )
                              )::text,
                              missing ('Candidate.name')
                            ),
                            ',"person":',
                            coalesce(
                              (
                                select
                                  concat('{"name":', coalesce(to_json("r8"."name")::text, missing ('Person.name')), '}') as "item"
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
                                      "record"."id" = "r7"."person_id"
                                  ) as "r8"
                              ),
                              missing ('Candidate.person')
                            ),
                            ',"parties":[',
                            (
                              select
                                string_agg("listed"."item", ',') as "items"
                              from
                                (
                                  select
                                    concat('{"name":', coalesce(to_json("r9"."name")::text, missing ('Party.name')), '}') as "item"
                                  from
                                    (
                                      select
                                        "party"."id",
                                        "party"."name",
                                        "party"."url",
                                        "listed"."position"
                                      from
                                        "candidate_parties" as "listed"
                                        inner join "parties" as "party" on "party"."id" = "listed"."party_id"
                                      where
                                        "listed"."candidate_id" = "r7"."id"
                                    ) as "r9"
                                  order by
                                    "r9"."position"
                                ) as "listed"
                            ),
                            '],"status":',
                            coalesce(to_json("r7"."cand_status")::text, 'null'),
                            ',"votes":',
                            coalesce("r7"."votes_for_cand"::text, 'null'),
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
                              "c"."race_id" = "r5"."id"
                          ) as "r7"
                        order by
                          "r7"."place" desc nulls last,
                          "r7"."person_name",
                          "r7"."id"
                      ) as "listed"
                  ),
                  ']}'
                ) as "item",
                "listed"."position"
              from
                unnest("r3"."race_ids") with ordinality as listed (id, position)
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
                ) as "r5"
            ) as "listed"
        ),
        '],"ballotMeasures":[',
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
                  '{"name":',
                  coalesce(to_json("r10"."name")::text, missing ('BallotMeasure.name')),
                  ',"status":',
                  coalesce(to_json("r10"."status")::text, 'null'),
                  '}'
                ) as "item",
                "listed"."position"
              from
                unnest("r3"."measure_ids") with ordinality as listed (id, position)
                cross join lateral (
                  select
                    *
                  from
                    (
                      select
                        "m"."id",
                        "m"."election_id",
                        "m"."district_id",
                        "m"."name",
                        "m"."type",
                        "m"."official_title",
                        "m"."yes_vote",
                        "m"."no_vote",
                        "m"."url",
                        (
                          select
                            "held"."date"
                          from
                            "elections" as "held"
                          where
                            "held"."id" = "m"."election_id"
                        ) as "election_date",
                        "m"."status" as "status",
                        "m"."yes_votes_total",
                        "m"."no_votes_total"
                      from
                        "ballot_measures" as "m"
                    ) as "record"
                  where
                    "record"."id" = "listed"."id"
                ) as "r10"
            ) as "listed"
        ),
        ']}'
      ) as "item"
    from
      (
        select distinct
          on ("found_r3"."district_id", "found_r3"."boundary_id", "found_r3"."race_ids", "found_r3"."measure_ids") *
        from
          "found_r3"
      ) as "r3"
  ),
  "listed_r3" as (
    select
      "r3"."ordinal",
      string_agg(
        "serialized_r3"."item",
        ','
        order by
          "r3"."type",
          "r3"."name",
          "r3"."district_id"
      ) as "items"
    from
      "found_r3" as "r3"
      inner join "serialized_r3" on "r3"."district_id" = "serialized_r3"."district_id"
      and "r3"."boundary_id" = "serialized_r3"."boundary_id"
      and "r3"."race_ids" = "serialized_r3"."race_ids"
      and "r3"."measure_ids" = "serialized_r3"."measure_ids"
    group by
      "r3"."ordinal"
  )
select
  "r1"."ordinal"::int as "ordinal",
  concat(
    '{"elections":[',
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
              '{"name":',
              coalesce(to_json("r2"."name")::text, missing ('Election.name')),
              ',"date":',
              coalesce(to_json("r2"."date")::text, missing ('Election.date')),
              ',"type":',
              coalesce(to_json("r2"."type")::text, missing ('Election.type')),
              '}'
            ) as "item",
            "listed"."position"
          from
            unnest("r1"."election_ids") with ordinality as listed (id, position)
            cross join lateral (
              select
                *
              from
                (
                  select
                    "e"."id",
                    "e"."date",
                    "e"."type",
                    "e"."district_id",
                    "e"."description",
                    "e"."candidate_lists_complete",
                    "e"."status",
                    "e"."voting",
                    "holder"."state",
                    election_key ("e"."id") as "key",
                    concat_ws(
                      ' in ',
                      concat(
                        "e"."type",
                        case lower(right("e"."type", 8))
                          when 'election' then ''
                          else ' election'
                        end
                      ),
                      case "holder"."state"
                        when 'US' then 'the United States'
                        when 'AL' then 'Alabama'
                        when 'AK' then 'Alaska'
                        when 'AZ' then 'Arizona'
                        when 'AR' then 'Arkansas'
                        when 'CA' then 'California'
                        when 'CO' then 'Colorado'
                        when 'CT' then 'Connecticut'
                        when 'DE' then 'Delaware'
                        when 'DC' then 'District of Columbia'
                        when 'FL' then 'Florida'
                        when 'GA' then 'Georgia'
                        when 'HI' then 'Hawaii'
                        when 'ID' then 'Idaho'
                        when 'IL' then 'Illinois'
                        when 'IN' then 'Indiana'
                        when 'IA' then 'Iowa'
                        when 'KS' then 'Kansas'
                        when 'KY' then 'Kentucky'
                        when 'LA' then 'Louisiana'
                        when 'ME' then 'Maine'
                        when 'MD' then 'Maryland'
                        when 'MA' then 'Massachusetts'
                        when 'MI' then 'Michigan'
                        when 'MN' then 'Minnesota'
                        when 'MS' then 'Mississippi'
                        when 'MO' then 'Missouri'
                        when 'MT' then 'Montana'
                        when 'NE' then 'Nebraska'
                        when 'NV' then 'Nevada'
                        when 'NH' then 'New Hampshire'
                        when 'NJ' then 'New Jersey'
                        when 'NM' then 'New Mexico'
                        when 'NY' then 'New York'
                        when 'NC' then 'North Carolina'
                        when 'ND' then 'North Dakota'
                        when 'OH' then 'Ohio'
                        when 'OK' then 'Oklahoma'
                        when 'OR' then 'Oregon'
                        when 'PA' then 'Pennsylvania'
                        when 'RI' then 'Rhode Island'
                        when 'SC' then 'South Carolina'
                        when 'SD' then 'South Dakota'
                        when 'TN' then 'Tennessee'
                        when 'TX' then 'Texas'
                        when 'UT' then 'Utah'
                        when 'VT' then 'Vermont'
                        when 'VA' then 'Virginia'
                        when 'WA' then 'Washington'
                        when 'WV' then 'West Virginia'
                        when 'WI' then 'Wisconsin'
                        when 'WY' then 'Wyoming'
                        when 'AS' then 'American Samoa'
                        when 'GU' then 'Guam'
                        when 'MP' then 'Northern Mariana Islands'
                        when 'PR' then 'Puerto Rico'
                        when 'VI' then 'U.S. Virgin Islands'
                        else "holder"."state"
                      end
                    ) as "name"
                  from
                    "elections" as "e"
                    inner join "districts" as "holder" on "holder"."id" = "e"."district_id"
                ) as "record"
              where
                "record"."id" = "listed"."id"
            ) as "r2"
        ) as "listed"
    ),
    '],"districts":[',
    "listed_r3"."items",
    ']}'
  ) as "json"
from
  "roots" as "r1"
  left join "listed_r3" on "listed_r3"."ordinal" = "r1"."ordinal";
