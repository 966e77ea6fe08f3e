-- title: Boundaries of districts
-- description: The outline of every district, but precincts (see precincts), that has a boundary in effect today, as geometry: made for the format
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
-- The day of the request; in psql, the day on the server.
join boundaries_in_effect(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)) boundary
  on boundary.district_id = district.id
where district.type <> 'Precinct'
order by district.type, district.name, district.id
