-- title: Coverage by state
-- description: What the database has of each state today and what it lacks, layer by layer: districts by type with a
--   boundary, offices by level and branch with a known holder, elections, results and ballot measures. "missing" says what
--   is missing and why; it is empty where nothing is known to be missing.
-- grants: districts, officeholders, election_dates, elections, results
select state, layer, kind, records, covered, first_day, last_day, as_of, missing
-- The day of the request; in psql, the day on the server.
from coverage_on(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date))
order by state, ordinal
