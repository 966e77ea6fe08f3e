-- title: Candidates of the next election date
-- description: Who is on the ballots of the next election date for which candidates are known, or else of the last one:
--   one row for each candidate, with race, office, district and parties (several are separated by semicolons). A race
--   whose candidates are all write-ins is left out. For another date, copy this query and write the date into its
--   first lines.
-- grants: elections
with today as (
  -- The day of the request; in psql, the day on the server.
  select coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date) as day
),
known as (
  select distinct election.date
  from elections election
  where exists (
    select from races race join candidates candidate on candidate.race_id = race.id
    where race.election_id = election.id and candidate.is_write_in is not true)
),
-- For a certain date: requested as (select date '2024-11-05' as date)
requested as (
  select coalesce(min(known.date) filter (where known.date >= today.day), max(known.date)) as date
  from known
  cross join today
),
-- Races on the ballot: those with an official candidate, who is no write-in.
listed as (
  select distinct race_id from candidates where is_write_in is not true
)
select
  election.date as election_date,
  election.type as election_type,
  district.state,
  district.type as district_type,
  district.name as district,
  office.name as office,
  office.seat,
  office.level,
  office.branch,
  race.type as race_type,
  race.stage_type,
  coalesce(candidate.stage_party, race.stage_party) as stage_party,
  race.number_of_seats,
  person.name as candidate,
  person.first_name,
  person.last_name,
  (select string_agg(party.name, '; ' order by link.position)
    from candidate_parties link join parties party on party.id = link.party_id
    where link.candidate_id = candidate.id) as parties,
  candidate.running_mate,
  coalesce(candidate.is_incumbent, candidate.holds_office) as is_incumbent,
  candidate.is_write_in,
  candidate.withdrew_still_on_ballot,
  candidate.fec_id,
  election.id as election_id,
  race.id as race_id,
  candidate.id as candidate_id,
  person.id as person_id
from requested
join elections election on election.date = requested.date
join races race on race.election_id = election.id
join listed on listed.race_id = race.id
join offices office on office.id = race.office_id
join districts district on district.id = office.district_id
join candidates candidate on candidate.race_id = race.id
join persons person on person.id = candidate.person_id
order by district.type, district.name, district.id, office.ballot_rank, office.name, office.seat nulls first, race.id,
  person.name, candidate.id
