-- title: Contests that are not placed
-- description: The contests of tables of results that are no races, because no row declares their office or their district is
--   not known: office, district, county and names are as the source wrote them. "reason" says why a contest is not placed; it
--   is empty if no row declares its office. "names" has every name with its party, if the source has one, and its votes,
--   the most votes first.
-- grants: elections, results
select contest.state, contest.date as election_date, contest.stage, contest.is_special, contest.party, contest.office,
  contest.district, contest.county, contest.reason, contest.votes,
  (select string_agg(
      (each.value ->> 'name') || coalesce(' (' || nullif(each.value ->> 'party', '') || ')', '') || ' ' || (each.value ->> 'votes'),
      '; ' order by each.ordinality)
    from jsonb_array_elements(contest.names) with ordinality as each) as names,
  source.name as source
from unplaced_contests as contest
join sources as source on source.id = contest.source_id
order by contest.state, contest.date, contest.votes desc, contest.id
