-- title: Deadlines of elections
-- description: Until when one may register, request or return a ballot, and vote early, in every election that a state holds: a
--   day that is stated for the election ("basis" is Stated), or that a rule of the state gives (Rule). "day" is empty if the
--   rule gives none for certain: "phrase" has what the source says. "is_older_than_election" says that the rule may have
--   changed since its edition.
-- grants: voting, election_dates
select
  election.date as election_date,
  election.type as election_type,
  place.state,
  rule.kind,
  coalesce(rule.day, deadline_day(election.date, rule.days_before, rule.day_kind, rule.weekday)) as day,
  rule.time,
  rule.time_zone,
  rule.phrase,
  rule.language,
  case when rule.election_id is null then 'Rule' else 'Stated' end as basis,
  rule.as_of,
  rule.as_of < election.date as is_older_than_election,
  rule.url,
  rule.id as deadline_id
from elections as election
join districts as holder on holder.id = election.district_id
join deadlines as rule on rule.election_id = election.id
  or rule.election_id is null and holder.type in ('State', 'Country') and not exists (
    select from deadlines as stated
    where stated.election_id = election.id and stated.kind = rule.kind and stated.district_id = rule.district_id)
join districts as place on place.id = rule.district_id
where rule.election_id is not null or holder.type = 'Country' or place.state = holder.state
order by election.date, place.state, day, rule.kind, rule.id
