select
  "id",
  "type",
  "name",
  "state",
  "ocdid",
  "geo_id",
  "nces_id",
  "url"
from
  "districts"
where
  "id" = any ($1::int[]);
