/* District.offices */
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
    '[',
    (
      select
        string_agg("listed"."item", ',') as "items"
      from
        (
          select
            concat(
              '{"name":',
              coalesce(to_json("r1"."name")::text, missing ('Office.name')),
              ',"officeholders":[',
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
                              concat('{"name":', coalesce(to_json("r3"."name")::text, missing ('Person.name')), '}') as "item"
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
                                  "record"."id" = "r2"."person_id"
                              ) as "r3"
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
                            when $2::date = $3::date then "term"."status"
                            else (
                              select
                                "known"."status"
                              from
                                officeholders_with_status ($3::date) as "known"
                              where
                                "known"."id" = "term"."id"
                            )
                          end as "status"
                        from
                          officeholders_in_office ($2::date) as "term"
                        where
                          "term"."office_id" = "r1"."id"
                      ) as "r2"
                    order by
                      "r2"."start_date" asc nulls first,
                      "r2"."id"
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
                "office"."district_id" = "keys"."id"
            ) as "r1"
          order by
            "r1"."ballot_rank",
            "r1"."name",
            "r1"."seat" asc nulls first,
            "r1"."id"
        ) as "listed"
    ),
    ']'
  ) as "json"
from
  "keys";

/* districts.boundaryGeometries */
select
  "requested"."ordinal"::int as "ordinal",
  ST_AsGeoJSON (
    case
      when "requested"."tolerance" > 0 then ST_SimplifyPreserveTopology ("b"."geometry", "requested"."tolerance")
      else "b"."geometry"
    end,
    7
  ) as "geometry"
from
  unnest($1::int[], $2::float8[]) with ordinality as "requested" ("id", "tolerance", "ordinal")
  inner join "boundaries" as "b" on "b"."id" = "requested"."id";

/* districts.boundaryOfDistrict */
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
          "b"."id",
          "b"."district_id",
          "b"."start_date",
          "b"."end_date",
          "b"."precise"
        from
          boundaries_in_effect ($2::date) as "b"
        where
          "b"."district_id" = "keys"."id"
      ) as "r"
    limit
      1
  ) as "r";

/* districts.districtsOfPoint */
select
  keys.ordinal::int - 1 as "ordinal",
  "r".*
from
  unnest($1::float8[], $2::float8[]) with ordinality as "keys" ("longitude", "latitude", "ordinal")
  cross join lateral (
    select
      "r".*
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
      ) as "r"
    order by
      "r"."type",
      "r"."name",
      "r"."id",
      "r"."boundary_id"
  ) as "r";

/* districts.verticesOfBoundaries */
select
  "b"."id",
  ST_NPoints ("b"."geometry") as "vertices"
from
  "boundaries" as "b"
where
  "b"."id" = any ($1::int[]);
