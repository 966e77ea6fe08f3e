-- title: Results by precinct
-- description: The votes of each candidate in each precinct of past races, where results were imported with their precincts
--   ("--precincts"); county, town and precinct as the source writes them, empty for none. "votes" is empty if the source hides
--   the count. The sums may differ from "votes_in_race": votes that a source counts in no precinct.
-- grants: elections, results
select
  election.date as election_date,
  place.state,
  place.type as district_type,
  place.name as district,
  office.name as office,
  race.stage_type,
  nullif(unit.county, '') as county,
  nullif(unit.town, '') as town,
  unit.precinct,
  unit.district_id as precinct_district_id,
  person.name as candidate,
  counted.votes,
  candidate.votes_for_cand as votes_in_race,
  race.id as race_id,
  candidate.id as candidate_id
from precinct_results as unit
join races as race on race.id = unit.race_id
join elections as election on election.id = race.election_id
join offices as office on office.id = race.office_id
join districts as place on place.id = office.district_id
cross join unnest(unit.candidate_ids, unit.votes) as counted(candidate_id, votes)
join candidates as candidate on candidate.id = counted.candidate_id
join persons as person on person.id = candidate.person_id
-- The day of the request; in psql, the day on the server.
where election.date < coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)
order by election.date, place.state, race.id, unit.county, unit.town, unit.precinct, unit.id,
  candidate.votes_for_cand desc nulls last, candidate.id
