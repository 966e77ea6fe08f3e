-- title: Coverage of voting by election
-- description: For every election how many places to vote are in the data, by kind, how many precincts have one on election day,
--   of how many that have an outline on that day, and how many deadlines are stated for it; "rules" counts those that its state
--   has for all of its elections. "voting" is what a source states of all places of the election.
-- grants: voting, election_dates, election_ids, election_districts, districts
select
  election.date as election_date,
  election.type as election_type,
  holder.state,
  holder.name as district,
  election.voting,
  coalesce(place.total, 0) as places,
  coalesce(place.on_election_day, 0) as election_day_places,
  coalesce(place.early, 0) as early_voting_places,
  coalesce(place.drop_boxes, 0) as drop_boxes,
  coalesce(place.vote_centers, 0) as vote_centers,
  coalesce(place.without_districts, 0) as places_without_districts,
  (select count(distinct precinct.id)::int from voting_places as of_day
    join districts as precinct on precinct.id = any(of_day.district_ids) and precinct.type = 'Precinct'
    where of_day.election_id = election.id and of_day.kind = 'Election day') as precincts_with_place,
  case when holder.type = 'State' then (
    select count(distinct precinct.id)::int from boundaries_in_effect(election.date) as outline
    join districts as precinct on precinct.id = outline.district_id
    where precinct.type = 'Precinct' and precinct.state = holder.state) end as precincts_with_outline,
  (select count(*)::int from deadlines as stated where stated.election_id = election.id) as stated_deadlines,
  case when holder.type = 'State' then (
    select count(*)::int from deadlines as rule where rule.election_id is null and rule.district_id = holder.id) end as rules,
  election.id as election_id
from elections as election
join districts as holder on holder.id = election.district_id
left join (
  select election_id, count(*)::int as total,
    count(*) filter (where kind = 'Election day')::int as on_election_day,
    count(*) filter (where kind = 'Early voting')::int as early,
    count(*) filter (where kind = 'Drop box')::int as drop_boxes,
    count(*) filter (where kind = 'Vote center')::int as vote_centers,
    count(*) filter (where district_ids is null)::int as without_districts
  from voting_places group by election_id
) as place on place.election_id = election.id
order by election.date, holder.state, election.id
