-- title: Boundaries of districts
-- description: The outline of every district that has a boundary in effect today, as geometry: made for the format
--   geojson; in csv it is WKT. WGS 84, longitude first.
-- grants: districts, boundaries
select
  district.id as district_id,
  district.type,
  district.name,
  district.state,
  district.ocdid,
  district.geo_id,
  boundary.start_date,
  boundary.end_date,
  boundary.precise,
  boundary.geometry
from districts district
-- If two boundaries share a day, the newer one is in effect.
join lateral (
  select b.start_date, b.end_date, b.precise, b.geometry
  from boundaries b
  -- The day of the request; in psql, the day on the server.
  cross join (select coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)) as today(day)
  where b.district_id = district.id and b.start_date <= today.day and (b.end_date is null or b.end_date >= today.day)
  order by b.start_date desc
  limit 1
) boundary on true
order by district.type, district.name, district.id
