-- title: Coverage by state
-- description: What the database has of each state today and what it lacks, layer by layer: districts by type with a
--   boundary, offices by level and branch with a known holder, elections, results and ballot measures. "missing" says what
--   is missing and why; it is empty where nothing is known to be missing. "unplaced" and "unplaced_votes" count the contests
--   of results that are no races (see unplaced-contests); they are empty for other layers.
-- grants: districts, officeholders, election_dates, elections, results
select c.state, layer, kind, records, covered, first_day, last_day, as_of, missing,
  case when layer = 'results' then coalesce(left_over.contests, 0) end as unplaced,
  case when layer = 'results' then coalesce(left_over.votes, 0) end as unplaced_votes
-- The day of the request; in psql, the day on the server.
from coverage_on(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)) as c
left join (
  select state, count(*) as contests, sum(votes)::bigint as votes from unplaced_contests
  where date <= coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date)
  group by state
) as left_over on left_over.state = c.state
order by c.state, ordinal
