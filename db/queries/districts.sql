-- title: Districts with identifiers
-- description: Every district but precincts (see precincts), from the country down, with the identifiers by which it is known elsewhere: division id,
--   GEOID, NCES id, and those of other data sets as scheme:value (several are separated by semicolons); and the period of
--   the boundary that is in effect today, where there is one.
-- grants: districts
select
  district.id as district_id,
  district.type,
  district.name,
  district.state,
  district.ocdid,
  district.geo_id,
  district.nces_id,
  (select string_agg(identifier.scheme || ':' || identifier.value, '; ' order by identifier.scheme, identifier.value)
    from external_identifiers identifier
    where identifier.kind = 'district' and identifier.record_id = district.id) as other_identifiers,
  boundary.start_date as boundary_start_date,
  boundary.end_date as boundary_end_date,
  boundary.precise as precise_boundary,
  district.url
from districts district
-- The day of the request; in psql, the day on the server.
left join boundaries_in_effect(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)) boundary
  on boundary.district_id = district.id
where district.type <> 'Precinct'
order by district.type, district.name, district.id
