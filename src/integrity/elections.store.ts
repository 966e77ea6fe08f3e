import { sql } from 'kysely';
import type { Check } from './check.ts';
import { inScope } from './scope.ts';

export const ELECTION_CHECKS: readonly Check[] = [
  {
    name: 'winners-over-seats',
    finds: 'races with more winners than seats',
    over: ['races'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record, count(*) || ' winners for ' || r.number_of_seats || ' seats' as problem
      from races as r join candidates as c on c.race_id = r.id and c.cand_status = 'Won'
      where ${inScope(scope, 'races', 'r.id')}
      group by r.id having count(*) > r.number_of_seats`,
  },
  {
    name: 'winners-without-votes',
    finds:
      'winners without votes in races with votes for others; a count that the source hides is no proof against them',
    over: ['candidates'],
    query: (_, scope) => sql`
      select 'candidate ' || w.id as record, 'won with ' || coalesce(w.votes_for_cand::text, 'an unknown number of') || ' votes' as problem
      from candidates as w join races as r on r.id = w.race_id
      where w.cand_status = 'Won' and (w.votes_for_cand = 0 or w.votes_for_cand is null and r.scope_basis is null) and ${inScope(scope, 'candidates', 'w.id')}
        and exists (select from candidates as o where o.race_id = w.race_id and o.votes_for_cand > 0)`,
  },
  {
    name: 'outcomes-without-proof',
    finds: 'races with a winner whose district is assumed to be the county with the votes',
    over: ['races'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record, 'candidate ' || min(c.id) || ' won, but no source states who votes on the race' as problem
      from races as r join candidates as c on c.race_id = r.id and c.cand_status = 'Won'
      where r.scope_basis = 'County' and ${inScope(scope, 'races', 'r.id')} group by r.id`,
  },
  {
    name: 'votes-of-other-races',
    finds:
      'races of a whole state for one seat with 1.7 times the votes of any other on the day: repeated rows, totals that are added',
    over: ['races'],
    query: (_, scope) => sql`
      with votes as (
        select r.id, r.election_id, sum(c.votes_for_cand) as votes
        from races as r join offices as o on o.id = r.office_id
        join districts as d on d.id = o.district_id and d.type in ('State', 'Country')
        join candidates as c on c.race_id = r.id
        where r.number_of_seats = 1 and r.stage_type = 'General' and r.type = 'Regular'
        group by r.id having count(c.votes_for_cand) > 1
      )
      select 'race ' || v.id as record, 'has ' || v.votes || ' votes, no other one of the state more than ' || max(o.votes) as problem
      from votes as v join votes as o on o.election_id = v.election_id and o.id <> v.id
      where ${inScope(scope, 'races', 'v.id')}
      group by v.id, v.votes having max(o.votes) >= 1000 and v.votes > 1.7 * max(o.votes)`,
  },
  {
    name: 'impossible-counts',
    finds: 'negative numbers of votes, also after a round, and races and rounds without a positive number',
    over: ['candidates', 'ballot_measures'],
    query: (_, scope) => sql`
      select 'candidate ' || id as record, votes_for_cand || ' votes' as problem from candidates
      where votes_for_cand < 0 and ${inScope(scope, 'candidates', 'candidates.id')}
      union all
      select 'candidate ' || candidate_id, held || ' votes after round ' || round
      from (
        select *, sum(votes_for) over (partition by candidate_id order by round) as held from ranked_choice_rounds
      ) as rounds
      where (held < 0 or round < 1) and ${inScope(scope, 'candidates', 'rounds.candidate_id')}
      union all
      select 'measure ' || id, yes_votes_total || ' to ' || no_votes_total || ' votes' from ballot_measures
      where (yes_votes_total < 0 or no_votes_total < 0) and ${inScope(scope, 'ballot_measures', 'ballot_measures.id')}
      union all
      select 'race ' || id, number_of_seats || ' seats' from races
      where number_of_seats < 1 and ${inScope(scope, 'races', 'races.id')}`,
  },
  {
    name: 'percentages-as-votes',
    finds: 'races of a state or a Congress district, and statewide measures, in which all votes together are about 100',
    over: ['races', 'ballot_measures'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record, 'has ' || sum(c.votes_for_cand) || ' votes in all: percentages?' as problem
      from races as r join candidates as c on c.race_id = r.id
      join offices as o on o.id = r.office_id
      join districts as d on d.id = o.district_id and d.type in ('State', 'Congress')
      where r.stage_type = 'General' and ${inScope(scope, 'races', 'r.id')}
      group by r.id having count(c.votes_for_cand) > 1 and sum(c.votes_for_cand) between 98 and 101
      union all
      select 'measure ' || m.id, 'has ' || m.yes_votes_total + m.no_votes_total || ' votes in all: percentages?'
      from ballot_measures as m join districts as d on d.id = m.district_id and d.type = 'State'
      where m.yes_votes_total + m.no_votes_total between 98 and 101 and ${inScope(scope, 'ballot_measures', 'm.id')}`,
  },
  {
    name: 'outcome-against-votes',
    finds: 'races with a loser who has more votes than a winner, without ranked-choice rounds',
    over: ['races'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record,
        'a loser has ' || max(l.votes_for_cand) || ' votes, a winner ' || min(w.votes_for_cand) as problem
      from races as r
      join candidates as w on w.race_id = r.id and w.cand_status = 'Won' and w.votes_for_cand is not null
      join candidates as l on l.race_id = r.id and l.cand_status = 'Lost' and l.votes_for_cand > w.votes_for_cand
      where ${inScope(scope, 'races', 'r.id')} and r.is_ranked_choice is not true and r.type <> 'Retention' and not exists (
        select from ranked_choice_rounds as k join candidates as c on c.id = k.candidate_id where c.race_id = r.id)
      group by r.id`,
  },
  {
    name: 'votes-of-rounds',
    finds: 'candidates whose ranked-choice rounds do not add up to their votes, rounded to a whole number',
    over: ['ranked_choice_rounds'],
    query: (_, scope) => sql`
      select 'candidate ' || c.id as record,
        'has ' || coalesce(c.votes_for_cand::text, 'no') || ' votes, the rounds ' || trim_scale(sum(k.votes_for)) as problem
      from candidates as c join ranked_choice_rounds as k on k.candidate_id = c.id
      where ${inScope(scope, 'candidates', 'c.id')}
      group by c.id having count(*) = count(k.votes_for) and round(sum(k.votes_for)) is distinct from c.votes_for_cand`,
  },
  {
    name: 'rounds-in-sequence',
    finds: 'candidates whose ranked-choice rounds do not count from 1 without gaps',
    over: ['ranked_choice_rounds'],
    query: (_, scope) => sql`
      select 'candidate ' || candidate_id as record, 'has the rounds ' || string_agg(round::text, ', ' order by round) as problem
      from ranked_choice_rounds as k where ${inScope(scope, 'candidates', 'k.candidate_id')}
      group by candidate_id having min(round) <> 1 or max(round) <> count(*)`,
  },
  {
    name: 'subtotals-as-votes',
    finds:
      'races in which one candidate has exactly the votes of all others, of three or more: a total among candidates',
    over: ['candidates'],
    query: (_, scope) => sql`
      select 'candidate ' || id as record, 'has ' || votes_for_cand || ' votes, as many as all others of the race' as problem
      from (
        select c.*, sum(votes_for_cand) over (partition by race_id) as total, count(*) over (partition by race_id) as number
        from candidates as c where ${inScope(scope, 'candidates', 'c.id')}
      ) as c
      where number > 3 and votes_for_cand > 1000 and votes_for_cand * 2 = total`,
  },
  {
    name: 'results-before-election',
    finds: 'candidates and measures with results before their election day',
    over: ['candidates', 'ballot_measures'],
    query: (today, scope) => sql`
      select 'candidate ' || c.id as record, coalesce(c.cand_status, c.votes_for_cand || ' votes') || ' on ' || e.date as problem
      from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
      where ${inScope(scope, 'candidates', 'c.id')} and e.date > ${today}::date and (c.votes_for_cand is not null or c.cand_status in ('Won', 'Lost', 'Advanced'))
      union all
      select 'measure ' || m.id, coalesce(m.status, m.yes_votes_total || ' votes') || ' on ' || e.date
      from ballot_measures as m join elections as e on e.id = m.election_id
      where ${inScope(scope, 'ballot_measures', 'm.id')} and e.date > ${today}::date and (m.yes_votes_total is not null or m.status in ('Approved', 'Defeated'))`,
  },
  {
    name: 'outcome-of-measures',
    finds: 'approved measures with fewer votes for yes than for no',
    over: ['ballot_measures'],
    query: (_, scope) => sql`
      select 'measure ' || id as record, status || ' with ' || yes_votes_total || ' to ' || no_votes_total || ' votes' as problem
      from ballot_measures as m
      where status = 'Approved' and yes_votes_total < no_votes_total and ${inScope(scope, 'ballot_measures', 'm.id')}`,
  },
  {
    name: 'ballots-of-other-states',
    finds: 'races and measures in an election of another state',
    over: ['races', 'ballot_measures'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record, 'of ' || d.state || ' in election ' || e.id || ' of ' || h.state as problem
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join elections as e on e.id = r.election_id join districts as h on h.id = e.district_id
      where d.state <> h.state and 'US' not in (d.state, h.state) and ${inScope(scope, 'races', 'r.id')}
      union all
      select 'measure ' || m.id, 'of ' || d.state || ' in election ' || e.id || ' of ' || h.state
      from ballot_measures as m join districts as d on d.id = m.district_id
      join elections as e on e.id = m.election_id join districts as h on h.id = e.district_id
      where d.state <> h.state and 'US' not in (d.state, h.state) and ${inScope(scope, 'ballot_measures', 'm.id')}`,
  },
  {
    name: 'ballots-beyond-their-election',
    finds: 'races and measures of a district that lies outside the district of their election',
    query: () => sql`
      with ballots as (
        select 'race ' || r.id as record, r.election_id, o.district_id from races as r join offices as o on o.id = r.office_id
        union all select 'measure ' || id, election_id, district_id from ballot_measures
      ), pairs as (
        select distinct b.district_id, e.district_id as of_election from ballots as b
        join elections as e on e.id = b.election_id
        join districts as d on d.id = e.district_id and d.type not in ('Country', 'State')
        where b.district_id <> e.district_id
      ), beyond as (
        select p.district_id, p.of_election from pairs as p
        where exists (select from boundaries as b where b.district_id = p.district_id)
          and exists (select from boundaries as b where b.district_id = p.of_election)
          and not exists (
            select from boundaries as own join boundaries as whole on whole.district_id = p.of_election
            where own.district_id = p.district_id and own.geometry && whole.geometry
              and ST_Area(ST_Intersection(own.geometry, whole.geometry)) > ST_Area(own.geometry) / 100)
      )
      select b.record, 'of district ' || b.district_id || ' in election ' || e.id || ' of district ' || e.district_id as problem
      from ballots as b join elections as e on e.id = b.election_id
      join beyond as y on y.district_id = b.district_id and y.of_election = e.district_id`,
  },
  {
    name: 'wins-in-two-districts',
    finds: 'persons who win or seek the same legislative seat, or the same office, of two districts on one day',
    over: ['candidates'],
    query: (_, scope) => sql`
      select 'person ' || c.person_id as record,
        'is a candidate on ' || e.date || ' in the districts ' || string_agg(distinct o.district_id::text, ', ') as problem
      from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
      join offices as o on o.id = r.office_id join persons as p on p.id = c.person_id
      where p.name !~* '^none of ' and ${inScope(scope, 'persons', 'p.id')}
      group by c.person_id, e.date, o.level, coalesce(o.chamber::text, lower(o.name))
      having count(distinct o.district_id) > 1`,
  },
  {
    name: 'dates-of-races',
    finds: 'races whose year or swearing-in date does not fit their election day',
    over: ['races'],
    query: (_, scope) => sql`
      select 'race ' || r.id as record, 'of ' || r.year || ' in an election on ' || e.date as problem
      from races as r join elections as e on e.id = r.election_id
      where abs(r.year - extract(year from e.date)) > 1 and ${inScope(scope, 'races', 'r.id')}
      union all
      select 'race ' || r.id, 'swearing-in on ' || r.swearing_in_date || ', election on ' || e.date
      from races as r join elections as e on e.id = r.election_id where r.swearing_in_date < e.date and ${inScope(scope, 'races', 'r.id')}`,
  },
];
