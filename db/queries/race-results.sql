-- title: Results of past races
-- description: Every candidate of every race before today: votes, percentage of the votes of the race, and outcome. The
--   percentage is that of the votes for candidates who could win. It is empty for those who withdrew, were disqualified
--   or died (unless they won or advanced), in races in which the votes of a candidate are not known, in races that were decided by later
--   ranked-choice rounds, in which votes move from one candidate to another (see ranked-choice-rounds), and in
--   ranked-choice races without rounds in the data, whose votes are first choices.
-- grants: elections, results
-- position: 1
with moved as (
  select candidate.race_id
  from ranked_choice_rounds round
  join candidates candidate on candidate.id = round.candidate_id
  where round.round > 1
  union
  select race.id from races race
  where race.is_ranked_choice and not exists (
    select from candidates candidate join ranked_choice_rounds round on round.candidate_id = candidate.id
    where candidate.race_id = race.id)
),
-- Who could win, as in src/graph/ballots/tally.ts.
possible as (
  select candidate.id
  from candidates candidate
  where coalesce(candidate.cand_status in ('Won', 'Advanced'), false)
    or (candidate.withdrew_still_on_ballot is not true
      and coalesce(candidate.cand_status not in ('Withdrew', 'Disqualified', 'Deceased'), true))
)
select
  election.date as election_date,
  election.type as election_type,
  district.state,
  district.type as district_type,
  district.name as district,
  office.name as office,
  office.seat,
  race.type as race_type,
  race.stage_type,
  coalesce(candidate.stage_party, race.stage_party) as stage_party,
  race.number_of_seats,
  race.results_certified,
  person.name as candidate,
  (select string_agg(party.name, '; ' order by link.position)
    from candidate_parties link join parties party on party.id = link.party_id
    where link.candidate_id = candidate.id) as parties,
  coalesce(candidate.is_incumbent, candidate.holds_office) as is_incumbent,
  candidate.is_write_in,
  candidate.cand_status as status,
  candidate.votes_for_cand as votes,
  case when moved.race_id is null and possible.id is not null
    and bool_and(candidate.votes_for_cand is not null) filter (where possible.id is not null) over (partition by race.id) then round(
    100.0 * candidate.votes_for_cand
      / nullif(sum(candidate.votes_for_cand) filter (where possible.id is not null) over (partition by race.id), 0), 2)
  end as percent,
  election.id as election_id,
  race.id as race_id,
  candidate.id as candidate_id,
  person.id as person_id
from elections election
join races race on race.election_id = election.id
join offices office on office.id = race.office_id
join districts district on district.id = office.district_id
join candidates candidate on candidate.race_id = race.id
join persons person on person.id = candidate.person_id
left join moved on moved.race_id = race.id
left join possible on possible.id = candidate.id
-- The day of the request; in psql, the day on the server.
where election.date < coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)
order by election.date, district.type, district.name, district.id, office.ballot_rank, office.name, office.seat nulls first, race.id,
  candidate.votes_for_cand desc nulls last, person.name, candidate.id
