/* DistrictSuccession.district */
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
            '{"offices":[',
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
                                '{"person":',
                                coalesce(
                                  (
                                    select
                                      concat('{"name":', coalesce(to_json("r4"."name")::text, missing ('Person.name')), '}') as "item"
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
              "record"."id" = "keys"."id"
          ) as "r1"
      ),
      'null'
    )
  ) as "json"
from
  "keys";

/* ballots.boundariesOfPoint */
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
          "b"."precise",
          (
            select
              min("newer"."since") as "since"
            from
              outdated_boundaries ('infinity'::date) as "newer"
            where
              "newer"."id" = "b"."id"
          ) as "newer_since",
          exists (
            select
              "next"."id"
            from
              "boundaries" as "next"
            where
              "next"."district_id" = "b"."district_id"
              and "next"."start_date" = "b"."end_date"
              and "next"."id" <> "b"."id"
          ) as "is_replaced"
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
          inner join "districts" as "d" on "d"."id" = "b"."district_id"
      ) as "r"
    order by
      "r"."type",
      "r"."state",
      "r"."name",
      "r"."id",
      "r"."start_date",
      "r"."boundary_id"
  ) as "r";

/* districts.byId */
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
          "record"."id" = "keys"."id"
      ) as "r"
    limit
      1
  ) as "r";

/* districts.comparisonOfMaps */
with
  "before" as materialized (
    select
      "b"."id",
      "b"."district_id"
    from
      map_on ($1::date - 1, $2::district_type, $3::text) as "b"
  ),
  "after" as materialized (
    select
      "b"."id",
      "b"."district_id"
    from
      map_on ($4::date, $5::district_type, $6::text) as "b"
  )
select
  (
    select
      count(*)::int as "count"
    from
      (
        select
          "b"."id",
          "b"."district_id"
        from
          map_on ($7::date - 1, $8::district_type, $9::text) as "b"
      ) as "each"
  ) as "old_count",
  (
    select
      count(*)::int as "count"
    from
      (
        select
          "b"."id",
          "b"."district_id"
        from
          map_on ($10::date, $11::district_type, $12::text) as "b"
      ) as "each"
  ) as "new_count",
  case
    when compared_map ($13::date, $14::district_type, $15::text) is null then (
      select
        (2 * count(*)) as "number"
      from
        "before"
        inner join "boundary_pieces" as "one" on "one"."boundary_id" = "before"."id"
        inner join "boundary_pieces" as "two" on "two"."geometry" && "one"."geometry"
        inner join "after" on "after"."id" = "two"."boundary_id"
      where
        "before"."id" not in (
          select
            "after"."id"
          from
            "after"
        )
    )::int
    else 0
  end as "work";

/* districts.edgesOfPoint */
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
          "b"."precise",
          "edge"."distance",
          array(
            select
              "neighbor"."id"
            from
              (
                select distinct
                  "piece"."boundary_id"
                from
                  (
                    values
                      (ST_X ("edge"."beyond")),
                      (
                        case
                          when abs(ST_X ("edge"."beyond")) = 180 then - ST_X ("edge"."beyond")
                        end
                      )
                  ) as twin (longitude)
                  inner join "boundary_pieces" as "piece" on (
                    ST_DWithin (
                      "piece"."geometry",
                      ST_SetSRID (ST_MakePoint ("twin"."longitude", ST_Y ("edge"."beyond")), 4326),
                      1e-9
                    )
                    and (
                      not ST_DWithin (
                        ST_Boundary ("piece"."geometry"),
                        ST_SetSRID (ST_MakePoint ("twin"."longitude", ST_Y ("edge"."beyond")), 4326),
                        1e-9
                      )
                      or exists (
                        select
                          "whole"."id"
                        from
                          "boundaries" as "whole"
                        where
                          "whole"."id" = "piece"."boundary_id"
                          and ST_Covers ("whole"."geometry", ST_SetSRID (ST_MakePoint ("twin"."longitude", ST_Y ("edge"."beyond")), 4326))
                      )
                    )
                  )
              ) as "beyond"
              inner join boundaries_in_effect ($3::date) as "next" on "next"."id" = "beyond"."boundary_id"
              inner join "districts" as "neighbor" on "neighbor"."id" = "next"."district_id"
            where
              "neighbor"."type" = "d"."type"
              and "neighbor"."id" <> "d"."id"
            order by
              "neighbor"."id"
          ) as "neighbor_ids"
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
          cross join lateral nearest_edge (
            "b"."geometry",
            "keys"."longitude",
            "keys"."latitude",
            case
              when "b"."precise" then 50::float8
              else 200::float8
            end
          ) as "edge"
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

/* districts.overlapsOfMaps */
select
  "overlap".*
from
  map_overlaps ($1::date, $2::district_type, $3::text) as "overlap"
order by
  "overlap"."old_boundary",
  "overlap"."new_boundary";

/* officials.officesOfDistrict */
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
      ) as "r"
    order by
      "r"."ballot_rank",
      "r"."name",
      "r"."seat" asc nulls first,
      "r"."id"
  ) as "r";
