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
