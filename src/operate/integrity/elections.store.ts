import { type Expression, sql } from 'kysely';
import { joinedTexts, numberWithKey, sumUntil, sumWithKey } from '../../store/sql/aggregates.ts';
import {
  absolute,
  asText,
  minus,
  over,
  plus,
  rounded,
  times,
  typed,
  withoutTrailingZeros,
  yearOf,
} from '../../store/sql/functions.ts';
import { mayOverlap, sharedBy, squareDegreesOf } from '../../store/sql/geometry-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { lowerCase } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';

const racesIn = (scope: Scope) =>
  query.selectFrom('races as r').where(({ ref }) => inScope(scope, 'races', ref('r.id')));

const measuresIn = (scope: Scope) =>
  query.selectFrom('ballot_measures as m').where(({ ref }) => inScope(scope, 'ballot_measures', ref('m.id')));

const candidatesIn = (scope: Scope) =>
  query.selectFrom('candidates as c').where(({ ref }) => inScope(scope, 'candidates', ref('c.id')));

/** The votes of a race or a measure of a state that are percentages if they add up to about 100. */
const PERCENTAGES = [98, 101] as const;

export const ELECTION_CHECKS: readonly Check[] = [
  {
    name: 'winners-over-seats',
    finds: 'races with more winners than seats',
    over: ['races'],
    query: (_, scope) =>
      racesIn(scope)
        .innerJoin('candidates as c', 'c.race_id', 'r.id')
        .where('c.cand_status', '=', 'Won')
        .groupBy('r.id')
        .having(({ eb, fn }) => eb('r.number_of_seats', '<', fn.countAll<number>()))
        .select(({ fn, ref }) =>
          violation('race', ref('r.id'), text`${fn.countAll()} winners for ${ref('r.number_of_seats')} seats`),
        ),
  },
  {
    name: 'winners-without-votes',
    finds:
      'winners without votes in races with votes for others; a count that the source hides is no proof against them',
    over: ['candidates'],
    query: (_, scope) =>
      candidatesIn(scope)
        .innerJoin('races as r', 'r.id', 'c.race_id')
        .where('c.cand_status', '=', 'Won')
        .where(({ eb, or, and }) =>
          or([
            eb('c.votes_for_cand', '=', 0),
            and([eb('c.votes_for_cand', 'is', null), eb('r.scope_basis', 'is', null)]),
          ]),
        )
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('candidates as o')
              .select('o.id')
              .whereRef('o.race_id', '=', 'c.race_id')
              .where('o.votes_for_cand', '>', 0),
          ),
        )
        .select(({ fn, ref }) => {
          const votes = fn.coalesce(asText(ref('c.votes_for_cand')), sql.lit('an unknown number of'));
          return violation('candidate', ref('c.id'), text`won with ${votes} votes`);
        }),
  },
  {
    name: 'outcomes-without-proof',
    finds: 'races with a winner whose district is assumed to be the county with the votes',
    over: ['races'],
    query: (_, scope) =>
      racesIn(scope)
        .innerJoin('candidates as c', 'c.race_id', 'r.id')
        .where('c.cand_status', '=', 'Won')
        .where('r.scope_basis', '=', 'County')
        .groupBy('r.id')
        .select(({ fn, ref }) =>
          violation(
            'race',
            ref('r.id'),
            text`candidate ${fn.min('c.id')} won, but no source states who votes on the race`,
          ),
        ),
  },
  {
    name: 'votes-of-other-races',
    finds:
      'races of a whole state for one seat with 1.7 times the votes of any other on the day: repeated rows, totals that are added',
    over: ['races'],
    query: (_, scope) =>
      query
        .with('votes', (db) =>
          db
            .selectFrom('races as r')
            .innerJoin('offices as o', 'o.id', 'r.office_id')
            .innerJoin('districts as d', 'd.id', 'o.district_id')
            .innerJoin('candidates as c', 'c.race_id', 'r.id')
            .where('d.type', 'in', ['State', 'Country'])
            .where('r.number_of_seats', '=', 1)
            .where('r.stage_type', '=', 'General')
            .where('r.type', '=', 'Regular')
            .groupBy('r.id')
            .having(({ fn }) => fn.count('c.votes_for_cand'), '>', 1)
            .select(({ fn }) => ['r.id', 'r.election_id', fn.sum<number>('c.votes_for_cand').as('votes')]),
        )
        .selectFrom('votes as v')
        .innerJoin('votes as o', (join) =>
          join.onRef('o.election_id', '=', 'v.election_id').onRef('o.id', '<>', 'v.id'),
        )
        .where(({ ref }) => inScope(scope, 'races', ref('v.id')))
        .groupBy(['v.id', 'v.votes'])
        .having(({ fn }) => fn.max('o.votes'), '>=', 1000)
        .having(({ eb, fn }) => eb('v.votes', '>', times(1.7, fn.max('o.votes'))))
        .select(({ fn, ref }) =>
          violation(
            'race',
            ref('v.id'),
            text`has ${ref('v.votes')} votes, no other one of the state more than ${fn.max('o.votes')}`,
          ),
        ),
  },
  {
    name: 'negative-rounds',
    finds: 'candidates with a negative number of votes after a round',
    over: ['candidates'],
    query: (_, scope) => {
      const rounds = query
        .selectFrom('ranked_choice_rounds as k')
        .select(({ ref }) => [
          'k.candidate_id',
          'k.round',
          sumUntil(ref('k.votes_for'), [ref('k.candidate_id')], ref('k.round')).as('held'),
        ]);
      return query
        .selectFrom(rounds.as('k'))
        .where('k.held', '<', 0)
        .where(({ ref }) => inScope(scope, 'candidates', ref('k.candidate_id')))
        .select(({ ref }) =>
          violation('candidate', ref('k.candidate_id'), text`${ref('k.held')} votes after round ${ref('k.round')}`),
        );
    },
  },
  {
    name: 'percentages-as-votes',
    finds: 'races of a state or a Congress district, and statewide measures, in which all votes together are about 100',
    over: ['races', 'ballot_measures'],
    query: (_, scope) =>
      racesIn(scope)
        .innerJoin('candidates as c', 'c.race_id', 'r.id')
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .innerJoin('districts as d', 'd.id', 'o.district_id')
        .where('d.type', 'in', ['State', 'Congress'])
        .where('r.stage_type', '=', 'General')
        .groupBy('r.id')
        .having(({ fn }) => fn.count('c.votes_for_cand'), '>', 1)
        .having(({ between, fn }) => between(fn.sum<number>('c.votes_for_cand'), ...PERCENTAGES))
        .select(({ fn, ref }) =>
          violation('race', ref('r.id'), text`has ${fn.sum('c.votes_for_cand')} votes in all: percentages?`),
        )
        .unionAll(
          measuresIn(scope)
            .innerJoin('districts as d', 'd.id', 'm.district_id')
            .where('d.type', '=', 'State')
            .where(({ between, ref }) =>
              between(plus(ref('m.yes_votes_total'), ref('m.no_votes_total')), ...PERCENTAGES),
            )
            .select(({ ref }) =>
              violation(
                'measure',
                ref('m.id'),
                text`has ${plus(ref('m.yes_votes_total'), ref('m.no_votes_total'))} votes in all: percentages?`,
              ),
            ),
        ),
  },
  {
    name: 'outcome-against-votes',
    finds: 'races with a loser who has more votes than a winner, without ranked-choice rounds',
    over: ['races'],
    query: (_, scope) =>
      racesIn(scope)
        .innerJoin('candidates as w', (join) =>
          join.onRef('w.race_id', '=', 'r.id').on('w.cand_status', '=', 'Won').on('w.votes_for_cand', 'is not', null),
        )
        .innerJoin('candidates as l', (join) =>
          join
            .onRef('l.race_id', '=', 'r.id')
            .on('l.cand_status', '=', 'Lost')
            .onRef('l.votes_for_cand', '>', 'w.votes_for_cand'),
        )
        .where('r.is_ranked_choice', 'is not', true)
        .where('r.type', '<>', 'Retention')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('ranked_choice_rounds as k')
                .innerJoin('candidates as c', 'c.id', 'k.candidate_id')
                .select('c.id')
                .whereRef('c.race_id', '=', 'r.id'),
            ),
          ),
        )
        .groupBy('r.id')
        .select(({ fn, ref }) =>
          violation(
            'race',
            ref('r.id'),
            text`a loser has ${fn.max('l.votes_for_cand')} votes, a winner ${fn.min('w.votes_for_cand')}`,
          ),
        ),
  },
  {
    name: 'votes-of-rounds',
    finds: 'candidates whose ranked-choice rounds do not add up to their votes, rounded to a whole number',
    over: ['ranked_choice_rounds'],
    query: (_, scope) =>
      candidatesIn(scope)
        .innerJoin('ranked_choice_rounds as k', 'k.candidate_id', 'c.id')
        .groupBy('c.id')
        .having(({ eb, fn }) => eb(fn.countAll(), '=', fn.count('k.votes_for')))
        .having(({ eb, fn }) => eb('c.votes_for_cand', 'is distinct from', rounded(fn.sum<number>('k.votes_for'), 0)))
        .select(({ fn, ref }) => {
          const votes = fn.coalesce(asText(ref('c.votes_for_cand')), sql.lit('no'));
          const inRounds = withoutTrailingZeros(fn.sum('k.votes_for'));
          return violation('candidate', ref('c.id'), text`has ${votes} votes, the rounds ${inRounds}`);
        }),
  },
  {
    name: 'rounds-in-sequence',
    finds: 'candidates whose ranked-choice rounds do not count from 1 without gaps',
    over: ['ranked_choice_rounds'],
    query: (_, scope) =>
      query
        .selectFrom('ranked_choice_rounds as k')
        .where(({ ref }) => inScope(scope, 'candidates', ref('k.candidate_id')))
        .groupBy('k.candidate_id')
        .having(({ eb, or, fn }) =>
          or([eb(fn.min('k.round'), '<>', 1), eb(fn.max('k.round'), '<>', fn.countAll<number>())]),
        )
        .select(({ ref }) =>
          violation(
            'candidate',
            ref('k.candidate_id'),
            text`has the rounds ${joinedTexts(asText(ref('k.round'))).orderBy(ref('k.round'))}`,
          ),
        ),
  },
  {
    name: 'subtotals-as-votes',
    finds:
      'races in which one candidate has exactly the votes of all others, of three or more: a total among candidates',
    over: ['candidates'],
    query: (_, scope) => {
      const counted = candidatesIn(scope).select(({ ref }) => [
        'c.id',
        'c.votes_for_cand as votes',
        sumWithKey(ref('c.votes_for_cand'), [ref('c.race_id')]).as('total'),
        numberWithKey([ref('c.race_id')]).as('number'),
      ]);
      return query
        .selectFrom(counted.as('c'))
        .where('c.number', '>', 3)
        .where('c.votes', '>', 1000)
        .where(({ eb, ref }) => eb(times(ref('c.votes'), 2), '=', ref('c.total')))
        .select(({ ref }) =>
          violation('candidate', ref('c.id'), text`has ${ref('c.votes')} votes, as many as all others of the race`),
        );
    },
  },
  {
    name: 'results-before-election',
    finds: 'candidates and measures with results before their election day',
    over: ['candidates', 'ballot_measures'],
    query: (today, scope) =>
      candidatesIn(scope)
        .innerJoin('races as r', 'r.id', 'c.race_id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .where('e.date', '>', typed('date', today))
        .where(({ eb, or }) =>
          or([eb('c.votes_for_cand', 'is not', null), eb('c.cand_status', 'in', ['Won', 'Lost', 'Advanced'])]),
        )
        .select(({ fn, ref }) => {
          const result = fn.coalesce('c.cand_status', text`${ref('c.votes_for_cand')} votes`);
          return violation('candidate', ref('c.id'), text`${result} on ${ref('e.date')}`);
        })
        .unionAll(
          measuresIn(scope)
            .innerJoin('elections as e', 'e.id', 'm.election_id')
            .where('e.date', '>', typed('date', today))
            .where(({ eb, or }) =>
              or([eb('m.yes_votes_total', 'is not', null), eb('m.status', 'in', ['Approved', 'Defeated'])]),
            )
            .select(({ fn, ref }) => {
              const result = fn.coalesce('m.status', text`${ref('m.yes_votes_total')} votes`);
              return violation('measure', ref('m.id'), text`${result} on ${ref('e.date')}`);
            }),
        ),
  },
  {
    name: 'outcome-of-measures',
    finds: 'approved measures with fewer votes for yes than for no',
    over: ['ballot_measures'],
    query: (_, scope) =>
      measuresIn(scope)
        .where('m.status', '=', 'Approved')
        .whereRef('m.yes_votes_total', '<', 'm.no_votes_total')
        .select(({ ref }) =>
          violation(
            'measure',
            ref('m.id'),
            text`${ref('m.status')} with ${ref('m.yes_votes_total')} to ${ref('m.no_votes_total')} votes`,
          ),
        ),
  },
  {
    name: 'ballots-of-other-states',
    finds: 'races and measures in an election of another state',
    over: ['races', 'ballot_measures'],
    query: (_, scope) => {
      const problem = (state: Expression<string | null>, election: Expression<number>, of: Expression<string | null>) =>
        text`of ${state} in election ${election} of ${of}`;
      return racesIn(scope)
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .innerJoin('districts as d', 'd.id', 'o.district_id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin('districts as h', 'h.id', 'e.district_id')
        .whereRef('d.state', '<>', 'h.state')
        .where('d.state', '<>', 'US')
        .where('h.state', '<>', 'US')
        .select(({ ref }) => violation('race', ref('r.id'), problem(ref('d.state'), ref('e.id'), ref('h.state'))))
        .unionAll(
          measuresIn(scope)
            .innerJoin('districts as d', 'd.id', 'm.district_id')
            .innerJoin('elections as e', 'e.id', 'm.election_id')
            .innerJoin('districts as h', 'h.id', 'e.district_id')
            .whereRef('d.state', '<>', 'h.state')
            .where('d.state', '<>', 'US')
            .where('h.state', '<>', 'US')
            .select(({ ref }) =>
              violation('measure', ref('m.id'), problem(ref('d.state'), ref('e.id'), ref('h.state'))),
            ),
        );
    },
  },
  {
    name: 'ballots-beyond-their-election',
    finds: 'races and measures of a district that lies outside the district of their election',
    query: () =>
      query
        .with('ballots', (db) =>
          db
            .selectFrom('races as r')
            .innerJoin('offices as o', 'o.id', 'r.office_id')
            .select(({ ref }) => [text`race ${ref('r.id')}`.as('record'), 'r.election_id', 'o.district_id'])
            .unionAll(
              db
                .selectFrom('ballot_measures as m')
                .select(({ ref }) => [text`measure ${ref('m.id')}`.as('record'), 'm.election_id', 'm.district_id']),
            ),
        )
        .with('pairs', (db) =>
          db
            .selectFrom('ballots as b')
            .innerJoin('elections as e', 'e.id', 'b.election_id')
            .innerJoin('districts as d', 'd.id', 'e.district_id')
            .where('d.type', 'not in', ['Country', 'State'])
            .whereRef('b.district_id', '<>', 'e.district_id')
            .select(['b.district_id', 'e.district_id as of_election'])
            .distinct(),
        )
        .with('beyond', (db) =>
          db
            .selectFrom('pairs as p')
            .select(['p.district_id', 'p.of_election'])
            .where(({ exists, selectFrom }) =>
              exists(selectFrom('boundaries as b').select('b.id').whereRef('b.district_id', '=', 'p.district_id')),
            )
            .where(({ exists, selectFrom }) =>
              exists(selectFrom('boundaries as b').select('b.id').whereRef('b.district_id', '=', 'p.of_election')),
            )
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('boundaries as own')
                    .innerJoin('boundaries as whole', (join) => join.onRef('whole.district_id', '=', 'p.of_election'))
                    .select('own.id')
                    .whereRef('own.district_id', '=', 'p.district_id')
                    .where(({ ref }) => mayOverlap(ref('own.geometry'), ref('whole.geometry')))
                    .where(({ eb, ref }) => {
                      const shared = squareDegreesOf(sharedBy(ref('own.geometry'), ref('whole.geometry')));
                      return eb(shared, '>', over(squareDegreesOf(ref('own.geometry')), 100));
                    }),
                ),
              ),
            ),
        )
        .selectFrom('ballots as b')
        .innerJoin('elections as e', 'e.id', 'b.election_id')
        .innerJoin('beyond as y', (join) =>
          join.onRef('y.district_id', '=', 'b.district_id').onRef('y.of_election', '=', 'e.district_id'),
        )
        .select(({ ref }) => [
          'b.record',
          text`of district ${ref('b.district_id')} in election ${ref('e.id')} of district ${ref('e.district_id')}`.as(
            'problem',
          ),
        ]),
  },
  {
    name: 'wins-in-two-districts',
    finds: 'persons who win or seek the same legislative seat, or the same office, of two districts on one day',
    over: ['candidates'],
    query: (_, scope) =>
      query
        .selectFrom('candidates as c')
        .innerJoin('races as r', 'r.id', 'c.race_id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .innerJoin('persons as p', 'p.id', 'c.person_id')
        .where('p.name', '!~*', '^none of ')
        .where(({ ref }) => inScope(scope, 'persons', ref('p.id')))
        .groupBy(['c.person_id', 'e.date', 'o.level'])
        .groupBy(({ fn, ref }) => fn.coalesce(asText(ref('o.chamber')), lowerCase(ref('o.name'))))
        .having(({ fn }) => fn.count('o.district_id').distinct(), '>', 1)
        .select(({ ref }) => {
          const districts = joinedTexts(asText(ref('o.district_id'))).distinct();
          return violation(
            'person',
            ref('c.person_id'),
            text`is a candidate on ${ref('e.date')} in the districts ${districts}`,
          );
        }),
  },
  {
    name: 'dates-of-races',
    finds: 'races whose year or swearing-in date does not fit their election day',
    over: ['races'],
    query: (_, scope) => {
      const races = racesIn(scope).innerJoin('elections as e', 'e.id', 'r.election_id');
      return races
        .where(({ eb, ref }) => eb(absolute(minus(ref('r.year'), yearOf(ref('e.date')))), '>', 1))
        .select(({ ref }) =>
          violation('race', ref('r.id'), text`of ${ref('r.year')} in an election on ${ref('e.date')}`),
        )
        .unionAll(
          races
            .whereRef('r.swearing_in_date', '<', 'e.date')
            .select(({ ref }) =>
              violation(
                'race',
                ref('r.id'),
                text`swearing-in on ${ref('r.swearing_in_date')}, election on ${ref('e.date')}`,
              ),
            ),
        );
    },
  },
];
