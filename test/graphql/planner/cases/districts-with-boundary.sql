/* Location.districtsWithBoundary */
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
        '{"id":',
        coalesce(
          to_json(
            rtrim(
              encode(convert_to('LocationDistrict:' || md5(coalesce("r1"."boundary_id"::text, '')), 'UTF8'), 'base64'),
              '='
            )
          )::text,
          missing ('LocationDistrict.id')
        ),
        ',"boundary":',
        coalesce(
          (
            select
              concat(
                '{"id":',
                coalesce(
                  to_json(rtrim(encode(convert_to('Boundary:' || "r2"."id", 'UTF8'), 'base64'), '='))::text,
                  missing ('Boundary.id')
                ),
                ',"startDate":',
                coalesce(to_json("r2"."start_date")::text, missing ('Boundary.startDate')),
                '}'
              ) as "item"
            from
              (
                select
                  "r1"."boundary_id" as "id",
                  "r1"."id" as "district_id",
                  "r1"."start_date" as "start_date",
                  "r1"."end_date" as "end_date",
                  "r1"."precise" as "precise"
              ) as "r2"
          ),
          missing ('LocationDistrict.boundary')
        ),
        ',"district":',
        coalesce(
          (
            select
              concat(
                '{"id":',
                coalesce(
                  to_json(rtrim(encode(convert_to('District:' || "r3"."id", 'UTF8'), 'base64'), '='))::text,
                  missing ('District.id')
                ),
                ',"name":',
                coalesce(to_json("r3"."name")::text, missing ('District.name')),
                ',"offices":[',
                (
                  select
                    string_agg("listed"."item", ',') as "items"
                  from
                    (
                      select
                        concat(
                          '{"id":',
                          coalesce(
                            to_json(rtrim(encode(convert_to('Office:' || "r4"."id", 'UTF8'), 'base64'), '='))::text,
                            missing ('Office.id')
                          ),
                          ',"databaseId":',
                          coalesce("r4"."id"::text, missing ('Office.databaseId')),
                          '}'
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
                            "office"."district_id" = "r3"."id"
                        ) as "r4"
                      order by
                        "r4"."ballot_rank",
                        "r4"."name",
                        "r4"."seat" asc nulls first,
                        "r4"."id"
                    ) as "listed"
                ),
                ']}'
              ) as "item"
            from
              (
                select
                  "r1"."id" as "id",
                  "r1"."type" as "type",
                  "r1"."name" as "name",
                  "r1"."state" as "state",
                  "r1"."ocdid" as "ocdid",
                  "r1"."geo_id" as "geo_id",
                  "r1"."nces_id" as "nces_id",
                  "r1"."url" as "url"
              ) as "r3"
          ),
          missing ('LocationDistrict.district')
        ),
        '}'
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
