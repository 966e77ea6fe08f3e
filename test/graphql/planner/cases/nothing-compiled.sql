/* districts.byId */
select
  keys.ordinal::int - 1 as ordinal,
  r.*
from
  unnest($1::int[]) with ordinality as keys (id, ordinal)
  cross join lateral (
    select
      r.*
    from
      districts r
    where
      r.id = keys.id
    limit
      1
  ) r;
