-- title: Ranked-choice rounds
-- description: How ranked-choice races were decided: one row for each candidate and round, with the votes gained in that
--   round, the votes held after it, and what became of the candidate. A surplus that was transferred to others is a
--   negative gain; transferred votes may be fractions.
-- grants: elections, results
select
  election.date as election_date,
  district.state,
  district.name as district,
  office.name as office,
  office.seat,
  race.id as race_id,
  round.round,
  person.name as candidate,
  round.votes_for as votes_gained,
  trim_scale(sum(round.votes_for) over (partition by candidate.id order by round.round)) as votes_held,
  round.status,
  candidate.id as candidate_id
from ranked_choice_rounds round
join candidates candidate on candidate.id = round.candidate_id
join persons person on person.id = candidate.person_id
join races race on race.id = candidate.race_id
join elections election on election.id = race.election_id
join offices office on office.id = race.office_id
join districts district on district.id = office.district_id
order by election.date, race.id, round.round, votes_held desc nulls last, person.name, candidate.id
