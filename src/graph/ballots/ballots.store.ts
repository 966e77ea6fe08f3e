import { type Expression, expressionBuilder } from 'kysely';
import { columnsOf, concat, joined, literal, nullIf } from '../../store/sql/functions.ts';
import { boundariesForRaces, raceReferenceDay, swearingInDate } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { objectRelation } from '../builder/relation.ts';
import type { Grants } from '../builder/scope.ts';
import { officeName } from '../officials/officials.store.ts';
import { OPEN_MEASURE_STATUSES, visibleStatus } from './results.ts';

/** The columns of a race `race`. */
export const RACE = [
  ...(['race.id', 'race.election_id', 'race.office_id', 'race.type', 'race.year', 'race.stage_type'] as const),
  ...(['race.stage_party', 'race.office_position', 'race.number_of_seats'] as const),
  swearingInDate(columnsOf('race')).as('swearing_in_date'),
  ...(['race.is_marquee', 'race.is_ranked_choice', 'race.results_certified', 'race.scope_basis', 'race.url'] as const),
  'race.left_out',
] as const;

export const races = records({
  name: 'ballots.raceById',
  rows: () => query.selectFrom('races as race').select(RACE),
});

export type RaceRow = RecordOf<typeof races>;

/** Returns the query of the name of the race with an id: its office, and what tells it from other races for the office. */
export function raceNameById(id: Expression<number>) {
  const race = columnsOf<DB['races']>('named');
  const type = nullIf(race('type'), literal('Regular'));
  const stage = nullIf(nullIf(race('stage_type'), literal('General')), race('type'));
  const others = joined(', ', [type, stage, race('stage_party')]);
  return query
    .selectFrom('races as named')
    .innerJoin('offices as filled', 'filled.id', 'named.office_id')
    .select(({ fn }) => {
      const inParentheses = fn('nullif', [concat([literal(' ('), others, literal(')')]), literal(' ()')]);
      return concat([joined(', ', [officeName('filled'), race('office_position')]), inParentheses]).as('name');
    })
    .where('named.id', '=', id);
}

/** The name of a race. */
export const nameOfRace = objectRelation({
  name: 'ballots.nameOfRace',
  key: { id: 'int' },
  rows: ({ id }) => raceNameById(id),
});

/** Returns the query of all measures `m` with their election dates, with the columns that the caller may see. */
export function measureRows(grants: Grants) {
  return query
    .selectFrom('ballot_measures as m')
    .select(['m.id', 'm.election_id', 'm.district_id', 'm.name', 'm.type', 'm.official_title', 'm.yes_vote'])
    .select(({ ref, selectFrom }) => [
      'm.no_vote',
      'm.url',
      selectFrom('elections as held')
        .select('held.date')
        .whereRef('held.id', '=', 'm.election_id')
        .$asScalar()
        .$notNull()
        .as('election_date'),
      visibleStatus(ref('m.status'), OPEN_MEASURE_STATUSES, grants).as('status'),
    ])
    .$if(grants.isGranted('results'), (rows) => rows.select(['m.yes_votes_total', 'm.no_votes_total']));
}

/** A measure with its election date. Vote totals are present only for callers who may see results. */
export const measures = records({ name: 'ballots.measureById', rows: measureRows });

export type MeasureRow = RecordOf<typeof measures>;

export type BoundaryReason =
  | 'ONLY_ONE_MAP'
  | 'SPECIAL_BEFORE_END_OF_OLDER_MAP'
  | 'SPECIAL_ON_NEWEST_MAP'
  | 'SWORN_IN_AFTER_END_OF_OLDER_MAP'
  | 'SWORN_IN_ON_OLDEST_MAP'
  | 'SWEARING_IN_DATE_NOT_KNOWN'
  | 'NO_MAP_IN_EFFECT';

interface UsedBoundary {
  id: number | null;
  start_date: string | null;
}

/** The reason for the boundary `used` that a race uses: the map of another period, and the rule by which it was chosen. */
function reasonOf() {
  type Tables = { race: DB['races']; office: DB['offices']; used: UsedBoundary };
  const eb = expressionBuilder<Tables, keyof Tables>();
  const { not, exists, and } = eb;
  const other = query
    .selectFrom('boundaries as other')
    .select('other.id')
    .where('other.district_id', '=', eb.ref('office.district_id'));
  const isLater = exists(other.where('other.start_date', '>', eb.ref('used.start_date')));
  const isEarlier = exists(other.where('other.start_date', '<', eb.ref('used.start_date')));
  const reason = (text: BoundaryReason) => literal(text);
  return eb
    .case()
    .when('used.id', 'is', null)
    .then(reason('NO_MAP_IN_EFFECT'))
    .when(not(exists(other.where('other.id', '<>', eb.ref('used.id')))))
    .then(reason('ONLY_ONE_MAP'))
    .when(and([eb('race.type', '=', literal('Special')), isLater]))
    .then(reason('SPECIAL_BEFORE_END_OF_OLDER_MAP'))
    .when('race.type', '=', literal('Special'))
    .then(reason('SPECIAL_ON_NEWEST_MAP'))
    .when(swearingInDate(columnsOf('race')), 'is', null)
    .then(reason('SWEARING_IN_DATE_NOT_KNOWN'))
    .when(isEarlier)
    .then(reason('SWORN_IN_AFTER_END_OF_OLDER_MAP'))
    .else(reason('SWORN_IN_ON_OLDEST_MAP'))
    .end();
}

/**
 * The boundary that a race uses, the reason for it, and the day that determines it (specification, Boundary-in-effect
 * rules, 3 to 5; contract, Boundary of a race). There is no boundary if the day is before the first known boundary of the
 * district, or after the last one.
 */
export const boundaryOfRace = objectRelation({
  name: 'ballots.boundaryOfRace',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('races as race')
      .innerJoin('elections as election', 'election.id', 'race.election_id')
      .innerJoin('offices as office', 'office.id', 'race.office_id')
      .crossJoinLateral(({ ref }) =>
        query.selectNoFrom(raceReferenceDay(columnsOf('race'), ref('election.date')).as('day')).as('reference'),
      )
      .leftJoinLateral(
        ({ selectFrom, ref }) =>
          selectFrom(boundariesForRaces(ref('reference.day')).as('boundary'))
            .select(['boundary.id', 'boundary.start_date'])
            .where('boundary.district_id', '=', ref('office.district_id'))
            .as('used'),
        (join) => join.onTrue(),
      )
      .select(['race.id as race_id', 'used.id as boundary_id', 'reference.day as reference_day'])
      .select(reasonOf().as('reason'))
      .where('race.id', '=', id),
});

export type RaceBoundaryRow = Awaited<ReturnType<typeof boundaryOfRace.load>>;
