-- title: Changes of the maps of Congress
-- description: The newest map of congressional districts of each state, compared with the one before it: one row for each
--   district of the older map and each district of the newer map that share an area, with the share of the area of either. Rows
--   without a district of the newer map have the share that lies in none, rows without one of the older map the share that was in none.
-- grants: districts
with newest as materialized (
  select district.state, max(boundary.start_date) as first_day
  -- The day of the request; in psql, the day on the server.
  from boundaries_in_effect(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)) boundary
  join districts district on district.id = boundary.district_id
  where district.type = 'Congress'
  group by district.state
), overlap as materialized (
  select newest.state, newest.first_day, part.*
  from newest cross join lateral map_overlaps(newest.first_day, 'Congress', newest.state) part
), known as (
  -- The states of which both maps are loaded: nothing is known of the others.
  select state from overlap group by state having bool_or(new_district is null) and bool_or(old_district is null)
), size as (
  -- The outlines of the other map may overlap a little: their sum is then the whole.
  select size.state, size.old_district, size.new_district, size.area,
    greatest(size.area, coalesce(sum(part.area), 0)) as whole, size.area - coalesce(sum(part.area), 0) as rest
  from overlap size join known on known.state = size.state
  left join overlap part on part.old_district is not null and part.new_district is not null
    and (part.old_district = size.old_district or part.new_district = size.new_district)
  where size.old_district is null or size.new_district is null
  group by size.state, size.old_district, size.new_district, size.area
), shared as (
  select state, first_day, old_district, new_district, area from overlap
  where old_district is not null and new_district is not null
  union all
  select size.state, newest.first_day, size.old_district, size.new_district, size.rest
  from size join newest on newest.state = size.state where size.rest > size.area / 1000000
), listed as (
  select shared.state, shared.first_day,
    older.id as old_district_id, older.name as old_district, newer.id as new_district_id, newer.name as new_district,
    round((shared.area / old_size.whole)::numeric, 8)::float8 as share_of_old,
    round((shared.area / new_size.whole)::numeric, 8)::float8 as share_of_new
  from shared
  left join districts older on older.id = shared.old_district
  left join districts newer on newer.id = shared.new_district
  left join size old_size on old_size.old_district = older.id
  left join size new_size on new_size.new_district = newer.id
)
select * from listed where greatest(share_of_old, share_of_new) > 0
order by state, old_district_id nulls last, new_district_id nulls last
