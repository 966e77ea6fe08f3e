-- title: Upcoming elections
-- description: Every election from today on, by date: its type and status (Postponed and Cancelled ones are not held on
--   that day; empty if no source says so), the district that holds it, how many races and measures are known to be on its
--   ballots, and whether the lists of candidates are complete.
-- grants: election_dates, election_ids, election_districts, elections
select
  election.date,
  election.type,
  district.state,
  district.name as district,
  district.type as district_type,
  election.status,
  election.description,
  election.candidate_lists_complete,
  (select count(*) from races where races.election_id = election.id) as races,
  (select count(*) from ballot_measures where ballot_measures.election_id = election.id) as ballot_measures,
  election.id as election_id,
  district.id as district_id
from elections election
join districts district on district.id = election.district_id
-- The day of the request; in psql, the day on the server.
where election.date >= coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)
order by election.date, election.id
