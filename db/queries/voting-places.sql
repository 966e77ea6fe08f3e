-- title: Places to vote
-- description: Every place to vote with its election, which is the only one that it is for: kind (Election day, Early voting,
--   Drop box, Vote center), address and hours as the source writes them, the hours by day in local time if they can be read,
--   and the districts whose voters use it, separated by "; ". The source of a place without districts does not state whose it is.
-- grants: voting, election_dates
select
  election.date as election_date,
  election.type as election_type,
  coalesce(place.state, holder.state) as state,
  place.kind,
  place.name,
  place.address,
  place.latitude,
  place.longitude,
  place.hours,
  array_to_string(place.open_intervals, '; ') as open_intervals,
  place.time_zone,
  place.status,
  place.moved_to,
  place.notes,
  place.url,
  (select string_agg(district.name, '; ' order by district.name, district.id)
    from districts as district where district.id = any(place.district_ids)) as districts,
  array_to_string(place.district_ids, ';') as district_ids,
  place.id as voting_place_id
from voting_places as place
join elections as election on election.id = place.election_id
join districts as holder on holder.id = election.district_id
order by election.date, state, place.kind, place.name, place.id
