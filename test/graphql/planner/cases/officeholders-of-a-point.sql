/* Location.districts */
with
  "keys" as (
    select
      *
    from
      unnest($1::float8[], $2::float8[]) with ordinality as "keys" ("longitude", "latitude", "ordinal")
  ),
  "found_r1" as materialized (
    select
      "keys"."ordinal",
      "r1".*
    from
      "keys"
      cross join lateral (
        select
          "d"."id",
          "d"."type",
          "d"."name",
          "d"."state",
          "d"."ocdid",
          "d"."geo_id",
          "d"."nces_id",
          "d"."url",
          "b"."id" as "boundary_id",
          "b"."start_date",
          "b"."end_date",
          "b"."precise"
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
          inner join boundaries_in_effect ($3::date) as "b" on "b"."id" = "covering"."boundary_id"
          inner join "districts" as "d" on "d"."id" = "b"."district_id"
        where
          (
            $4::district_type[] is null
            or "d"."type" = any ($4::district_type[])
          )
      ) as "r1"
  ),
  "serialized_r1" as materialized (
    select
      "r1"."boundary_id",
      concat(
        '{"type":',
        coalesce(
          case "r1"."type"
            when 'City-town' then '"CITY_TOWN"'
            when 'City-town subdivision' then '"CITY_TOWN_SUBDIVISION"'
            when 'Congress' then '"CONGRESS"'
            when 'Country' then '"COUNTRY"'
            when 'County' then '"COUNTY"'
            when 'County subdivision' then '"COUNTY_SUBDIVISION"'
            when 'Judicial District' then '"JUDICIAL_DISTRICT"'
            when 'Judicial district subdivision' then '"JUDICIAL_DISTRICT_SUBDIVISION"'
            when 'Precinct' then '"PRECINCT"'
            when 'School District' then '"SCHOOL_DISTRICT"'
            when 'School district subdivision' then '"SCHOOL_DISTRICT_SUBDIVISION"'
            when 'Special District' then '"SPECIAL_DISTRICT"'
            when 'Special district subdivision' then '"SPECIAL_DISTRICT_SUBDIVISION"'
            when 'State' then '"STATE"'
            when 'State Legislative (Lower)' then '"STATE_LEGISLATIVE_LOWER"'
            when 'State Legislative (Upper)' then '"STATE_LEGISLATIVE_UPPER"'
            when 'State subdivision' then '"STATE_SUBDIVISION"'
          end,
          missing ('District.type')
        ),
        ',"name":',
        coalesce(to_json("r1"."name")::text, missing ('District.name')),
        ',"offices":[',
        (
          select
            string_agg("listed"."item", ',') as "items"
          from
            (
              select
                concat(
                  '{"name":',
                  coalesce(to_json("r2"."name")::text, missing ('Office.name')),
                  ',"officeholders":[',
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
                                    "named"."id" = "r3"."person_id"
                                )
                              )::text,
                              missing ('Officeholder.name')
                            ),
                            ',"person":',
                            coalesce(
                              (
                                select
                                  concat(
                                    '{"name":',
                                    coalesce(to_json("r4"."name")::text, missing ('Person.name')),
                                    ',"contacts":[',
                                    (
                                      select
                                        string_agg("listed"."item", ',') as "items"
                                      from
                                        (
                                          select
                                            concat(
                                              '{"type":',
                                              coalesce(to_json("r5"."contact_type")::text, missing ('Contact.type')),
                                              ',"value":',
                                              coalesce(to_json("r5"."contact")::text, missing ('Contact.value')),
                                              '}'
                                            ) as "item"
                                          from
                                            (
                                              select
                                                "contacts"."id",
                                                "contacts"."contact_type",
                                                "contacts"."contact"
                                              from
                                                "contacts"
                                              where
                                                "contacts"."person_id" = "r4"."id"
                                                and "contacts"."collection" = 'contact'
                                            ) as "r5"
                                          order by
                                            "r5"."id"
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
                                      "record"."id" = "r3"."person_id"
                                  ) as "r4"
                              ),
                              'null'
                            ),
                            ',"party":',
                            coalesce(
                              (
                                select
                                  concat('{"name":', coalesce(to_json("r6"."name")::text, missing ('Party.name')), '}') as "item"
                                from
                                  (
                                    select
                                      *
                                    from
                                      (
                                        select
                                          "id",
                                          "name",
                                          "url"
                                        from
                                          "parties"
                                      ) as "record"
                                    where
                                      "record"."id" = "r3"."partisan_affiliation"
                                  ) as "r6"
                              ),
                              'null'
                            ),
                            '}'
                          ) as "item"
                        from
                          (
                            select
                              "term"."id",
                              "term"."office_id",
                              "term"."person_id",
                              "term"."start_date",
                              "term"."end_date",
                              "term"."partisan_affiliation",
                              case
                                when $5::date = $6::date then "term"."status"
                                else (
                                  select
                                    "known"."status"
                                  from
                                    officeholders_with_status ($6::date) as "known"
                                  where
                                    "known"."id" = "term"."id"
                                )
                              end as "status"
                            from
                              officeholders_in_office ($5::date) as "term"
                            where
                              "term"."office_id" = "r2"."id"
                          ) as "r3"
                        order by
                          "r3"."start_date" asc nulls first,
                          "r3"."id"
                      ) as "listed"
                  ),
                  ']}'
                ) as "item"
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
                  where
                    "office"."district_id" = "r1"."id"
                ) as "r2"
              order by
                "r2"."ballot_rank",
                "r2"."name",
                "r2"."seat" asc nulls first,
                "r2"."id"
            ) as "listed"
        ),
        ']}'
      ) as "item"
    from
      (
        select distinct
          on ("found_r1"."boundary_id") *
        from
          "found_r1"
      ) as "r1"
  ),
  "listed_r1" as (
    select
      "r1"."ordinal",
      string_agg(
        "serialized_r1"."item",
        ','
        order by
          "r1"."type",
          "r1"."name",
          "r1"."id",
          "r1"."boundary_id"
      ) as "items"
    from
      "found_r1" as "r1"
      inner join "serialized_r1" on "r1"."boundary_id" = "serialized_r1"."boundary_id"
    group by
      "r1"."ordinal"
  )
select
  "keys"."ordinal"::int as "ordinal",
  concat('[', "listed_r1"."items", ']') as "json"
from
  "keys"
  left join "listed_r1" on "listed_r1"."ordinal" = "keys"."ordinal";
