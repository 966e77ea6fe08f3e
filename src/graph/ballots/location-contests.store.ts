import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { addDays, addYears, type Day } from '../../base/dates.ts';
import { anyIn, arrayOf, columnsOf, dayInJson, elementsOf, literal, nothing } from '../../store/sql/functions.ts';
import { boundariesForRaces, boundariesInEffect, raceReferenceDay } from '../../store/sql/migration-functions.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';
import { readLimit } from '../builder/connection.ts';
import type { Context } from '../builder/context.ts';
import { objectRelation, relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { coveringBoundaries } from '../districts/districts.store.ts';
import { checkRange, type DateRange } from '../elections/date-range.ts';
import { electionRows } from '../elections/elections.store.ts';
import { type ContestRow, hasOfficialCandidates } from './contests.store.ts';

interface PointKey {
  readonly longitude: Expression<number>;
  readonly latitude: Expression<number>;
}

/**
 * Returns the common table expressions for the contests of a point. `race` and `measure` have the races and measures
 * whose boundary covers the point (contract, Boundary of a race). `applying` has the ids of the elections that apply to the
 * point (specification, `election_dates/point`): those with such a race or measure, with or without candidates, and
 * those held by a district whose boundary in effect on the election date covers the point.
 *
 * The second condition alone would miss a city's race in an election held by a neighbouring county, and a special race
 * on the old map. The first alone would miss every election whose races are not known yet, and clients request dates
 * mainly for such elections. A vacancy in one district of a state is therefore best recorded as an election held by
 * that district: if the state held it, it would be announced to the whole state.
 * @param isIncluded returns the condition for the date of an election.
 */
function contestsOfPoint(point: PointKey, isIncluded: (date: Expression<Day>) => Expression<SqlBool>) {
  return query
    .with(materialized('map'), (db) =>
      db
        .selectFrom(coveringBoundaries(point).as('covering'))
        .innerJoin('boundaries as b', 'b.id', 'covering.boundary_id')
        .select(['b.id', 'b.district_id', 'b.start_date']),
    )
    .with(materialized('here'), (db) =>
      db.selectNoFrom(
        elementsOf(arrayOf<number>(db.selectFrom('map').select('map.district_id').distinct())).as('district_id'),
      ),
    )
    .with(materialized('race'), (db) =>
      db
        .selectFrom('here')
        .innerJoin('offices as o', 'o.district_id', 'here.district_id')
        .innerJoin('races as contest', 'contest.office_id', 'o.id')
        .innerJoin('elections as e', (join) =>
          join.onRef('e.id', '=', 'contest.election_id').on(({ ref }) => isIncluded(ref('e.date'))),
        )
        .innerJoin('map', 'map.district_id', 'here.district_id')
        .innerJoinLateral(
          ({ ref }) => boundariesForRaces(raceReferenceDay(columnsOf('contest'), ref('e.date'))).as('boundary'),
          (join) => join.onRef('boundary.id', '=', 'map.id'),
        )
        .select(['map.district_id', 'map.id as boundary_id', 'map.start_date', 'contest.id as race_id'])
        .select(['e.id as election_id', 'e.date', 'o.ballot_rank as rank', 'o.name', 'o.seat']),
    )
    .with(materialized('measure'), (db) =>
      db
        .selectFrom('here')
        .innerJoin('ballot_measures as contest', 'contest.district_id', 'here.district_id')
        .innerJoin('elections as e', (join) =>
          join.onRef('e.id', '=', 'contest.election_id').on(({ ref }) => isIncluded(ref('e.date'))),
        )
        .innerJoin('map', 'map.district_id', 'here.district_id')
        .innerJoinLateral(
          ({ ref }) => boundariesInEffect(ref('e.date')).as('boundary'),
          (join) => join.onRef('boundary.id', '=', 'map.id'),
        )
        .select(['map.district_id', 'map.id as boundary_id', 'map.start_date', 'contest.id as measure_id'])
        .select(['e.id as election_id', 'e.date', 'contest.name']),
    )
    .with(materialized('applying'), (db) =>
      db
        .selectFrom('race')
        .select(['race.election_id', 'race.date'])
        .union(db.selectFrom('measure').select(['measure.election_id', 'measure.date']))
        .union(
          db
            .selectFrom('here')
            .innerJoin('elections as e', (join) =>
              join.onRef('e.district_id', '=', 'here.district_id').on(({ ref }) => isIncluded(ref('e.date'))),
            )
            .innerJoin('map', 'map.district_id', 'here.district_id')
            .innerJoinLateral(
              ({ ref }) => boundariesInEffect(ref('e.date')).as('boundary'),
              (join) => join.onRef('boundary.id', '=', 'map.id'),
            )
            .select(['e.id as election_id', 'e.date']),
        ),
    );
}

/** The tables of `contestsOfPoint` with days. */
interface Contests extends DB {
  race: Omit<ContestRow, 'measure_id' | 'race_id' | 'rank'> & { race_id: number; rank: number; date: Day };
  measure: Pick<ContestRow, 'district_id' | 'boundary_id' | 'start_date' | 'name'> & { measure_id: number; date: Day };
  applying: { election_id: number; date: Day };
  here: { district_id: number };
  day: { date: Day };
}

/**
 * Returns the columns of the ballot of a point on the day `day`, from the common table expressions of `contestsOfPoint`:
 * whether all candidates of all elections that apply to the point are known, these elections, sorted by id, the states of
 * the point, separated by commas, the numbers of races and measures, and the JSON text of the contests, always in the same order.
 */
function ballotColumns() {
  const eb = expressionBuilder<Contests, 'day'>();
  const { ref, selectFrom } = eb;
  const races = () =>
    selectFrom('race as r')
      .whereRef('r.date', '=', 'day.date')
      .where(({ ref }) => hasOfficialCandidates(ref('r.race_id')));
  const measures = () => selectFrom('measure as m').whereRef('m.date', '=', 'day.date');
  const electionIds = () =>
    arrayOf<number>(
      selectFrom('applying')
        .select('applying.election_id')
        .whereRef('applying.date', '=', 'day.date')
        .orderBy('applying.election_id'),
    );
  const contests = races()
    .select(['r.district_id', 'r.boundary_id', 'r.start_date', 'r.race_id', nothing<number>('int').as('measure_id')])
    .select(['r.rank', 'r.name', 'r.seat'])
    .unionAll(
      measures()
        .select([
          'm.district_id',
          'm.boundary_id',
          'm.start_date',
          nothing<number>('int').as('race_id'),
          'm.measure_id',
        ])
        .select([nothing<number>('int').as('rank'), 'm.name', nothing<string>('text').as('seat')]) as never,
    );
  const count = sql<number>`count(*)::int`.as('count');
  return [
    ref('day.date').as('date'),
    selectFrom('elections as election')
      .select(({ fn }) =>
        fn.coalesce(fn.agg<boolean>('bool_and', ['election.candidate_lists_complete']), sql.lit(false)).as('complete'),
      )
      .where('election.id', '=', anyIn(electionIds()))
      .$asScalar()
      .$notNull()
      .as('candidate_lists_complete'),
    electionIds().as('election_ids'),
    selectFrom('here')
      .innerJoin('districts as place', 'place.id', 'here.district_id')
      .where('place.type', '=', literal('State'))
      .select(({ fn }) => {
        const states = fn.agg<string>('string_agg', ['place.state', literal(',')]).orderBy('place.state');
        return fn.coalesce(states, literal('')).as('states');
      })
      .$asScalar()
      .$notNull()
      .as('states'),
    races().select(count).$asScalar().$notNull().as('race_count'),
    measures().select(count).$asScalar().$notNull().as('measure_count'),
    selectFrom(contests.as('contest'))
      .select(({ fn }) => {
        const rows = fn
          .agg<string>('json_agg', [sql`contest`])
          .orderBy('contest.race_id')
          .orderBy('contest.measure_id')
          .orderBy('contest.boundary_id');
        return sql<string>`coalesce(${rows}, '[]')::text`.as('contests');
      })
      .$asScalar()
      .$notNull()
      .as('contests'),
  ] as const;
}

/** The ballot of a point on an election date. */
export const ballotOfPoint = objectRelation({
  name: 'ballots.ballotOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  rows(point, { param }: Scope<{ readonly electionDate: Day }>) {
    const day = param('date', ({ electionDate }) => electionDate);
    const eb = expressionBuilder();
    return contestsOfPoint(point, (date) => eb(date, '=', day))
      .selectFrom(query.selectNoFrom(sql<Day>`${day}`.as('date')).as('day'))
      .select(ballotColumns());
  },
});

/** The ballot of a point on a day. */
export type BallotRow = Awaited<ReturnType<typeof ballotOfPoint.load>>;

/** The ballots of a point on the days between two days, both inclusive, on which an election applies to it. */
export const ballotsOfPoint = relation({
  name: 'ballots.ballotsOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  distinctOn: ['date', 'election_ids', 'states', 'contests'],
  rows: (point, scope: Scope<DateRange>) =>
    contestsOfPoint(point, isBetween(scope))
      .selectFrom(({ selectFrom }) => selectFrom('applying').select('applying.date').distinct().as('day'))
      .select(ballotColumns()),
  orderBy: ['date'],
});

interface FirstOfRange extends DateRange {
  readonly first?: number | null | undefined;
}

/** Returns whether the next elections are meant: a number of them, without a range. */
const isNext = ({ from, to, first }: FirstOfRange) => first != null && from == null && to == null;

/**
 * Returns the first and the last day of a range. By default it extends from one year before to one year after today, and
 * as far beyond that a range with only one end is never empty.
 */
function rangeOf(
  { from, to, first }: FirstOfRange,
  { today }: Pick<Context, 'today'>,
): { readonly from: Day; readonly to: Day } {
  // No two time zones are further apart.
  if (isNext({ from, to, first })) return { from: addDays(today, -2), to: '9999-12-31' };
  return {
    from: from ?? addYears(to != null && to < today ? to : today, -1),
    to: to ?? addYears(from != null && from > today ? from : today, 1),
  };
}

/** Returns the function that returns the condition that a date is in the range of the arguments. */
function isBetween<Args extends DateRange>({ param }: Scope<Args>) {
  const first = param('date', (args, context) => checkRange(rangeOf(args, context)).from);
  const last = param('date', (args, context) => rangeOf(args, context).to);
  return (date: Expression<Day>) => expressionBuilder().between(date, first, last);
}

/**
 * The elections that apply to a point between two days, both inclusive, sorted by date, then by id. A limited number of
 * them are the next elections, which are held: none is postponed or cancelled.
 */
export const electionsOfPoint = relation({
  name: 'ballots.electionsOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  rows(point, scope: Scope<FirstOfRange>) {
    const limit = scope.param('int', (args) => readLimit(args.first));
    const from = scope.param('date', (args, { today }) => (isNext(args) ? today : '0001-01-01'));
    const elsewhere = scope.param('text', (args, context) => (isNext(args) ? (context.elsewhere ?? null) : null));
    return firstElections(contestsOfPoint(point, isBetween(scope)), limit, todayHere(from, elsewhere));
  },
  orderBy: ['date', 'id'],
});

/** The next elections that apply to a point, at most as many as its member `most`, soonest first, as `electionsOfPoint`. */
export const nextElectionsOfPoint = relation({
  name: 'ballots.nextElectionsOfPoint',
  key: { longitude: 'float8', latitude: 'float8', most: 'int' },
  rows({ most, ...point }, { param, today }) {
    const earliest = param('date', (_, context) => rangeOf({ first: 1 }, context).from);
    const elsewhere = param('text', (_, context) => context.elsewhere ?? null);
    const contests = contestsOfPoint(point, (date) => expressionBuilder()(date, '>=', earliest));
    return firstElections(contests, most, todayHere(today, elsewhere));
  },
  orderBy: ['date', 'id'],
});

/** Returns today at the point of `contestsOfPoint`: the day of its state, otherwise a given one. */
function todayHere(today: Expression<Day>, elsewhere: Expression<string>) {
  const { fn } = expressionBuilder();
  return fn.coalesce(
    expressionBuilder<Contests, never>()
      .selectFrom('here')
      .innerJoin('districts as place', 'place.id', 'here.district_id')
      .where('place.type', '=', literal('State'))
      .select(({ ref }) => {
        const day = fn.coalesce(dayInJson(elsewhere, ref('place.state')), today);
        return fn.min<Day>(day).as('day');
      })
      .$asScalar(),
    today,
  );
}

/**
 * Returns the query of the first elections of `contestsOfPoint` from a day on that are held; all of them, held or not, without
 * a limit.
 */
function firstElections(
  contests: ReturnType<typeof contestsOfPoint>,
  limit: Expression<number>,
  from: Expression<Day>,
) {
  const ids = contests.selectFrom('applying').select('applying.election_id').where('applying.date', '>=', from);
  return electionRows()
    .where('e.id', '=', anyIn(arrayOf<number>(ids)))
    .where(({ eb, or }) =>
      or([
        eb(limit, 'is', null),
        eb('e.status', 'is', null),
        eb('e.status', 'not in', [literal('Postponed'), literal('Cancelled')]),
      ]),
    )
    .orderBy('e.date')
    .orderBy('e.id')
    .limit(limit);
}

/**
 * The elections in which a district votes on a race or a measure, and those that it holds if the caller may see who
 * holds an election, between two days, both inclusive, sorted by date, then by id.
 */
export const electionsOfDistrict = relation({
  name: 'ballots.electionsOfDistrict',
  key: { id: 'int' },
  check: checkRange,
  rows({ id }, scope: Scope<DateRange>) {
    const ids = query
      .selectFrom('offices as office')
      .innerJoin('races as race', 'race.office_id', 'office.id')
      .select('race.election_id as id')
      .where('office.district_id', '=', id)
      .union(
        query
          .selectFrom('ballot_measures as measure')
          .select('measure.election_id as id')
          .where('measure.district_id', '=', id),
      )
      .$if(scope.isGranted('election_districts'), (found) =>
        found.union(query.selectFrom('elections as held').select('held.id').where('held.district_id', '=', id)),
      );
    // OFFSET keeps them found by their ids, of which there are few: with a plan for any days, all elections between are read.
    const found = electionRows()
      .where('e.id', '=', anyIn(arrayOf<number>(ids)))
      .offset(sql.lit(0));
    return query
      .selectFrom(found.as('election'))
      .selectAll('election')
      .where(({ ref }) => isBetween(scope)(ref('election.date')));
  },
  orderBy: ['date', 'id'],
});
