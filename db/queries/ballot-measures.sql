-- title: Ballot measures with totals
-- description: Every ballot measure, past and coming: title, what yes and no mean (both may hold HTML), status, votes for
--   and against, and the percentage of yes among the votes where both are known.
-- grants: elections, results
select
  election.date as election_date,
  district.state,
  district.type as district_type,
  district.name as district,
  measure.name,
  measure.type,
  measure.status,
  measure.official_title,
  measure.yes_vote,
  measure.no_vote,
  measure.yes_votes_total,
  measure.no_votes_total,
  -- As numeric: the sum of two large totals may exceed an integer.
  round(100.0 * measure.yes_votes_total / nullif(measure.yes_votes_total::numeric + measure.no_votes_total, 0), 2)
    as yes_percent,
  measure.url,
  measure.id as ballot_measure_id,
  election.id as election_id,
  district.id as district_id
from ballot_measures measure
join elections election on election.id = measure.election_id
join districts district on district.id = measure.district_id
order by election.date, district.type, district.name, district.id, measure.name, measure.id
