-- title: Coverage
-- description: What is in the database: for each data set that was loaded, how many records of each kind came from it, and,
--   for elections and what is voted on, the first and the last election date among them. A record that several data sets
--   hold counts for each. Places to vote and deadlines are not counted, which need a grant of their own.
-- grants: districts, officeholders, election_dates, elections, contact, social, boundaries
select
  source.name as data_set,
  source.source,
  source.license,
  source.as_of,
  source.loaded_at,
  link.kind,
  count(*) as records,
  min(election.date) as first_election,
  max(election.date) as last_election
from sources source
join record_sources link on link.source_id = source.id
left join candidates candidate on link.kind = 'candidate' and candidate.id = link.record_id
left join races race on race.id = case link.kind when 'race' then link.record_id else candidate.race_id end
left join ballot_measures measure on link.kind = 'ballot_measure' and measure.id = link.record_id
left join elections election
  on election.id = case link.kind when 'election' then link.record_id else coalesce(race.election_id, measure.election_id) end
where link.kind not in ('voting_place', 'deadline')
group by source.id, link.kind
order by source.name, source.as_of, source.id, link.kind
