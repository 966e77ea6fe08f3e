import { type Expression, sql } from 'kysely';
import { APPORTIONMENTS } from '../../importers/facts/house-seats.ts';
import { firstWithKey } from '../../store/sql/aggregates.ts';
import {
  absolute,
  daysAfter,
  daysBetween,
  electionDayOf,
  numberOfPresent,
  plus,
  remainder,
  times,
  typed,
  unnested,
  yearOf,
} from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { matchIn, normalName } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';

/** Executive offices of a state that one person holds by the law of every state that has them. */
const HELD_BY_ONE =
  '^(lieutenant )?governor\\M|^secretary of (the )?(state|commonwealth)|^attorney general|^(state )?(treasurer|auditor|controller|comptroller)\\M';

/** Louisiana elects in December, and before 1997 in October, by the name of a general election. */
const WITH_OTHER_DAYS = 'LA';

/** The seats of states in the House, with the days from and until which they apply. */
const SEATS = (() => {
  const seats = APPORTIONMENTS.flatMap(({ from, to, seats }) =>
    [...seats].map(([state, count]) => ({ state, count, from, to })),
  );
  return unnested('s', {
    state: ['text', seats.map(({ state }) => state)],
    seats: ['int', seats.map(({ count }) => count)],
    since: ['date', seats.map(({ from }) => from)],
    until: ['date', seats.map(({ to }) => to)],
  });
})();

/** The largest ratio of the votes of a contest to those of others of the same voters. */
const MOST_TIMES = 1.7;
const FEWEST_VOTES = 1000;

/** The races, with their offices and the districts of these. */
const RACES = query
  .selectFrom('races as r')
  .innerJoin('offices as o', 'o.id', 'r.office_id')
  .innerJoin('districts as d', 'd.id', 'o.district_id');

export const CONTEST_CHECKS: readonly Check[] = [
  {
    name: 'seats-beyond-the-law',
    finds: 'races for several seats of an office that one person holds by law: Congress, governors, state officers',
    over: ['races'],
    query: (_, scope) =>
      RACES.where('r.number_of_seats', '>', 1)
        .where(({ eb, or, and }) =>
          or([
            eb('o.level', '=', 'Federal'),
            and([
              eb('o.level', '=', 'State'),
              eb('o.branch', '=', 'Executive'),
              eb('d.type', '=', 'State'),
              eb('o.name', '~*', HELD_BY_ONE),
            ]),
          ]),
        )
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .select(({ ref }) => violation('race', ref('r.id'), text`${ref('o.name')}: ${ref('r.number_of_seats')} seats`)),
  },
  {
    name: 'days-without-law',
    finds: 'regular general elections to Congress on another day than the Tuesday after the first Monday of November',
    over: ['races'],
    query: (_, scope) =>
      RACES.innerJoin('elections as e', 'e.id', 'r.election_id')
        .where('o.level', '=', 'Federal')
        .where('r.type', '=', 'Regular')
        .where('r.stage_type', '=', 'General')
        .where('e.date', '>=', '1960-01-01')
        .where('d.state', 'is distinct from', WITH_OTHER_DAYS)
        .where(({ eb, or, ref }) =>
          or([eb('e.date', '<>', electionDayOf(ref('e.date'))), eb(remainder(yearOf(ref('e.date')), 2), '=', 1)]),
        )
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .select(({ ref }) => violation('race', ref('r.id'), text`${ref('o.name')} on ${ref('e.date')}`)),
  },
  {
    name: 'days-beside-others',
    severity: 'warning',
    finds: 'general elections of a state with few races, beside another one within two months',
    over: ['elections'],
    query: (_, scope) => {
      const races = (election: Expression<number>) =>
        query
          .selectFrom('races as r')
          .select(({ fn }) => fn.countAll<number>().as('number'))
          .where('r.election_id', '=', election)
          .$asScalar();
      return query
        .selectFrom('elections as e')
        .innerJoin('elections as f', (join) =>
          join
            .onRef('f.district_id', '=', 'e.district_id')
            .onRef('f.type', '=', 'e.type')
            .onRef('f.date', '<>', 'e.date')
            .on(({ eb, ref }) => eb(absolute(daysBetween(ref('e.date'), ref('f.date'))), '<=', 60)),
        )
        .where('e.type', '=', 'General')
        .where(({ ref }) => inScope(scope, 'elections', ref('e.id')))
        .where(({ eb, ref }) => eb(times(races(ref('e.id')), 5), '<', races(ref('f.id'))))
        .select(({ ref }) =>
          violation(
            'election',
            ref('e.id'),
            text`${races(ref('e.id'))} races on ${ref('e.date')}, and ${races(ref('f.id'))} on ${ref('f.date')}`,
          ),
        );
    },
  },
  {
    name: 'congress-districts-beyond-seats',
    finds: 'races of a Congress district with a number that the state has no seat for',
    over: ['races'],
    query: (_, scope) =>
      RACES.innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin(SEATS, 's.state', 'd.state')
        .where('d.type', '=', 'Congress')
        .where('r.type', '=', 'Regular')
        .where(({ eb, ref }) => eb(daysAfter(ref('e.date'), 60), '>=', ref('s.since')))
        .where(({ eb, ref }) => eb(daysAfter(ref('e.date'), 60), '<', ref('s.until')))
        .where(({ eb, fn, ref }) => {
          const number = typed('int', matchIn(ref('d.ocdid'), String.raw`/cd:(\d+)$`));
          return eb(fn.coalesce(number, sql.lit(1)), '>', ref('s.seats'));
        })
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .select(({ ref }) =>
          violation('race', ref('r.id'), text`${ref('d.name')} on ${ref('e.date')}, with ${ref('s.seats')} seats`),
        ),
  },
  {
    name: 'one-name-in-two-contests',
    severity: 'warning',
    finds: 'equal names of printed candidates in two contests of a state on one day that exclude each other',
    over: ['candidates'],
    query: (_, scope) => {
      const candidacies = query
        .selectFrom('candidates as c')
        .innerJoin('persons as p', 'p.id', 'c.person_id')
        .innerJoin('races as r', 'r.id', 'c.race_id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .innerJoin('districts as d', 'd.id', 'o.district_id')
        // Offices of which a person can hold one at most, and seek one at most on a day.
        .where('d.type', '<>', 'Country')
        .where(({ eb, or, and }) =>
          or([
            eb('o.level', '=', 'Federal'),
            and([eb('o.level', '=', 'State'), eb('o.branch', 'in', ['Executive', 'Legislative'])]),
          ]),
        )
        .where(({ ref }) => inScope(scope, 'elections', ref('e.id')))
        .where('p.name', 'like', '% %')
        .where('p.name', '!~*', '^none of')
        .where('c.is_write_in', 'is not', true)
        .select(['c.id', 'e.date', 'd.state', 'r.stage_type', 'r.office_id', 'o.name as office', 'd.name as district'])
        .select(({ ref }) => normalName(ref('p.name')).as('name'));
      // One window over all candidacies: a join of them with themselves by a computed name has no statistics for its plan.
      const compared = query
        .selectFrom(candidacies.as('c'))
        .selectAll('c')
        .select(({ ref }) => {
          const key = [ref('c.name'), ref('c.date'), ref('c.state'), ref('c.stage_type')];
          return [
            firstWithKey(ref('c.id'), key, ref('c.id')).as('first'),
            firstWithKey(ref('c.office_id'), key, ref('c.id')).as('first_office_id'),
            firstWithKey(text`${ref('c.office')}, ${ref('c.district')}`, key, ref('c.id')).as('first_office'),
          ];
        });
      return query
        .selectFrom(compared.as('c'))
        .whereRef('c.office_id', '<>', 'c.first_office_id')
        .where(({ or, ref }) =>
          or([inScope(scope, 'candidates', ref('c.id')), inScope(scope, 'candidates', ref('c.first'))]),
        )
        .select(({ ref }) =>
          violation(
            'candidate',
            ref('c.id'),
            text`${ref('c.name')}: ${ref('c.office')}, ${ref('c.district')}, and ${ref('c.first_office')}`,
          ),
        );
    },
  },
  {
    name: 'outcomes-unknown',
    severity: 'warning',
    finds: 'races for one seat with a majority for one candidate and without an outcome',
    over: ['races'],
    query: (today, scope) => {
      const counted = query
        .selectFrom('races as r')
        .innerJoin('candidates as c', 'c.race_id', 'r.id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .where('e.date', '<', today)
        .where('r.stage_type', '=', 'General')
        .where('r.type', '<>', 'Retention')
        .where('r.number_of_seats', '=', 1)
        .where('r.scope_basis', 'is distinct from', 'County')
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .groupBy('r.id')
        .having(({ eb, fn }) => eb(fn.countAll(), '=', fn.count('c.votes_for_cand')))
        .having(
          ({ fn }) =>
            fn.count('c.cand_status').filterWhere('c.cand_status', 'in', ['Won', 'Lost', 'Advanced', 'Withdrawn']),
          '=',
          0,
        )
        .select(({ ref, fn }) => [
          'r.id',
          fn.sum<number>(ref('c.votes_for_cand')).as('all'),
          fn.max(ref('c.votes_for_cand')).as('most'),
        ]);
      return query
        .selectFrom(counted.as('n'))
        .where(({ eb, ref }) => eb(times(ref('n.most'), 2), '>', ref('n.all')))
        .select(({ ref }) =>
          violation('race', ref('n.id'), text`one candidate has ${ref('n.most')} of ${ref('n.all')} votes`),
        );
    },
  },
  {
    name: 'races-over-counties',
    severity: 'warning',
    finds: 'races that are joined over counties because their candidates are the same',
    over: ['races'],
    query: (_, scope) =>
      RACES.where('r.scope_basis', '=', 'Same candidates')
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .select(({ ref }) => violation('race', ref('r.id'), text`${ref('o.name')}, ${ref('d.name')}`)),
  },
  {
    name: 'districts-of-one-contest',
    severity: 'warning',
    finds: 'districts without an identifier and a boundary that only one contest names',
    over: ['races', 'ballot_measures'],
    query: (_, scope) => {
      const races = (district: Expression<number>) =>
        query
          .selectFrom('races as r')
          .innerJoin('offices as o', 'o.id', 'r.office_id')
          .where('o.district_id', '=', district)
          .select(({ fn }) => fn.countAll<number>().as('number'))
          .$asScalar();
      const measures = (district: Expression<number>) =>
        query
          .selectFrom('ballot_measures as m')
          .where('m.district_id', '=', district)
          .select(({ fn }) => fn.countAll<number>().as('number'))
          .$asScalar();
      return query
        .selectFrom('districts as d')
        .where('d.ocdid', 'is', null)
        .where('d.geo_id', 'is', null)
        .where('d.nces_id', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('boundaries as b').select('b.id').whereRef('b.district_id', '=', 'd.id'))),
        )
        .where(({ ref }) => inScope(scope, 'districts', ref('d.id')))
        .where(({ eb, ref }) => eb(plus(races(ref('d.id')), measures(ref('d.id'))), '=', 1))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.type')} ${ref('d.name')}`));
    },
  },
  {
    name: 'votes-beyond-voters',
    finds: 'county officers with 1.7 times the votes of any other officer of the county on the day',
    over: ['races'],
    query: (_, scope) => {
      const races = RACES.innerJoin('candidates as c', 'c.race_id', 'r.id')
        .where('r.number_of_seats', '=', 1)
        .where('r.stage_type', '=', 'General')
        .where('r.type', '=', 'Regular')
        .where('d.type', '=', 'County')
        .where('o.branch', '=', 'Executive')
        .groupBy(['r.id', 'o.district_id'])
        .select(({ ref, fn }) => [
          'r.id',
          'r.election_id',
          'o.district_id',
          fn.sum<number>(ref('c.votes_for_cand')).as('votes'),
        ]);
      return query
        .selectFrom(races.as('v'))
        .innerJoin(races.as('o'), (join) =>
          join
            .onRef('o.election_id', '=', 'v.election_id')
            .onRef('o.district_id', '=', 'v.district_id')
            .onRef('o.id', '<>', 'v.id'),
        )
        .where(({ ref }) => inScope(scope, 'races', ref('v.id')))
        .groupBy(['v.id', 'v.votes'])
        .having(({ fn }) => fn.countAll(), '>', 1)
        .having(({ fn }) => fn.max('o.votes'), '>=', FEWEST_VOTES)
        .having(({ eb, fn }) => eb('v.votes', '>', times(MOST_TIMES, fn.max('o.votes'))))
        .select(({ ref, fn }) =>
          violation(
            'race',
            ref('v.id'),
            text`has ${ref('v.votes')} votes, no other officer of the county more than ${fn.max(ref('o.votes'))}`,
          ),
        );
    },
  },
  {
    name: 'questions-with-one-answer',
    severity: 'warning',
    finds: 'ballot measures with votes for one of the two answers only',
    over: ['ballot_measures'],
    query: (_, scope) =>
      query
        .selectFrom('ballot_measures as m')
        .where(({ eb, ref }) => eb(numberOfPresent([ref('m.yes_votes_total'), ref('m.no_votes_total')]), '=', 1))
        .where(({ ref }) => inScope(scope, 'ballot_measures', ref('m.id')))
        .select(({ ref }) =>
          violation('measure', ref('m.id'), text`yes ${ref('m.yes_votes_total')}, no ${ref('m.no_votes_total')}`),
        ),
  },
  {
    name: 'results-without-votes',
    severity: 'warning',
    finds: 'races with a count for every candidate and no vote for any',
    over: ['races'],
    query: (_, scope) =>
      query
        .selectFrom('races as r')
        .innerJoin('candidates as c', 'c.race_id', 'r.id')
        .where(({ ref }) => inScope(scope, 'races', ref('r.id')))
        .groupBy('r.id')
        .having(({ eb, fn }) => eb(fn.countAll(), '=', fn.count('c.votes_for_cand')))
        .having(({ fn }) => fn.sum('c.votes_for_cand'), '=', 0)
        .select(({ ref }) => violation('race', ref('r.id'), text`no candidate has a vote`)),
  },
];
