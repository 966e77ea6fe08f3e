import { type Expression, expressionBuilder, type OrderByDirection, type SqlBool, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyOf, columnsOf } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DistrictType, OfficeBranch, OfficeLevel } from '../../store/sql/tables.ts';
import type { Page } from '../builder/connection.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import type { ElectionRow } from '../elections/elections.store.ts';
import type { OfficeRow } from '../officials/officials.store.ts';
import type { RaceRow } from './ballots.store.ts';
import {
  type BallotDistrictNode,
  ballotDistricts,
  hasOfficialCandidates,
  MEASURE_CONTEST,
  RACE_CONTEST,
} from './contests.store.ts';

export interface StateBallotFilter {
  readonly state: string;
  readonly date: Day;
  readonly levels?: readonly OfficeLevel[] | undefined;
  readonly branches?: readonly OfficeBranch[] | undefined;
  readonly types?: readonly DistrictType[] | undefined;
}

const eb = expressionBuilder();
const { and, or } = eb;
const election = columnsOf<ElectionRow>('e');
/** The district that holds an election. */
const holder = columnsOf<DistrictRow>('holder');
/** The district that votes on a contest. */
const voting = columnsOf<DistrictRow>('voting');
const office = columnsOf<OfficeRow>('o');

/**
 * Returns a page of the districts that have a race with official candidates or a measure on the ballot of the state, sorted by
 * id.
 */
export function pageOfStateBallot(
  db: Database,
  filter: StateBallotFilter,
  { limit, offset, after, before, isBackward }: Page<readonly [number]>,
): Promise<BallotDistrictNode[]> {
  const range = and([
    ...(after ? [eb(voting('id'), '>', after[0])] : []),
    ...(before ? [eb(voting('id'), '<', before[0])] : []),
  ]);
  const direction = isBackward ? 'desc' : 'asc';
  const page = query
    .selectFrom(districtsOnBallot(filter, { range, direction, most: limit + offset }).as('voting'))
    .select('voting.id')
    .where(range)
    .orderBy('voting.id', direction)
    .limit(limit)
    .offset(offset);
  const isOnBallot = or([eb(holder('state'), '=', filter.state), eb(voting('state'), '=', filter.state)]);
  const contests = query
    .with(materialized('page'), () => page)
    .selectFrom(
      racesWith(filter)
        .select(['voting.id as voting_id', ...RACE_CONTEST])
        .where(isOnBallot)
        .as('contest'),
    )
    .innerJoin('page', 'page.id', 'contest.voting_id')
    .select(CONTEST)
    .unionAll((db) =>
      db
        .selectFrom(
          measuresWith(filter)
            .select(['voting.id as voting_id', ...MEASURE_CONTEST])
            .where(isOnBallot)
            .as('contest'),
        )
        .innerJoin('page', 'page.id', 'contest.voting_id')
        .select(CONTEST),
    );
  const parts = query
    .selectFrom(ballotDistricts(contests).as('part'))
    .select(['part.district_id', 'part.boundary_id', 'part.race_ids', 'part.measure_ids'])
    .orderBy('part.district_id');
  return rowsOf(db, 'ballots.pageOfStateBallot', parts);
}

const CONTEST = [
  ...(['contest.district_id', 'contest.boundary_id', 'contest.start_date', 'contest.race_id'] as const),
  ...(['contest.measure_id', 'contest.rank', 'contest.name', 'contest.seat'] as const),
] as const;

export async function countStateBallot(db: Database, filter: StateBallotFilter): Promise<number> {
  const all = districtsOnBallot(filter, { range: sql<SqlBool>`true`, direction: 'asc', most: undefined });
  const counted = query.selectFrom(all.as('voting')).select(({ fn }) => fn.countAll<number>().as('count'));
  const [found] = await rowsOf(db, 'ballots.countStateBallot', counted);
  return found?.count ?? 0;
}

interface Districts {
  /** The condition for `voting.id`. */
  readonly range: Expression<SqlBool>;
  readonly direction: OrderByDirection;
  /** The number of districts that are needed from the start; undefined for all. */
  readonly most: number | undefined;
}

/** Returns the query of the races `r` of an election on the day, with their offices `o` and the districts of both. */
function racesWith(filter: StateBallotFilter) {
  return query
    .selectFrom('elections as e')
    .innerJoin('districts as holder', 'holder.id', 'e.district_id')
    .innerJoin('races as r', 'r.election_id', 'e.id')
    .innerJoin('offices as o', 'o.id', 'r.office_id')
    .innerJoin('districts as voting', 'voting.id', 'o.district_id')
    .where(isListed(filter));
}

/** Returns the query of the measures `m` of an election on the day, with the districts of both. */
function measuresWith(filter: StateBallotFilter) {
  return query
    .selectFrom('elections as e')
    .innerJoin('districts as holder', 'holder.id', 'e.district_id')
    .innerJoin('ballot_measures as m', 'm.election_id', 'e.id')
    .innerJoin('districts as voting', 'voting.id', 'm.district_id')
    .where(isHeldOn(filter));
}

/**
 * Returns the query of the ids of the districts on the ballot. A contest is on the ballot of the state because of its own
 * district or because of the district that holds the election: these are separate queries, as no index serves both
 * conditions.
 *
 * Most are districts of the state with a race. They are looked for in their order until there are enough: `offset 0`
 * keeps PostgreSQL from joining all offices and races of the country first.
 */
function districtsOnBallot(filter: StateBallotFilter, { range, direction, most }: Districts) {
  const { state, types } = filter;
  const isOfTypes = and(types ? [eb(voting('type'), '=', anyOf('district_type', types))] : []);
  const ofState = query
    .selectFrom('districts as voting')
    .select('voting.id')
    .where('voting.state', '=', state)
    .where(isOfTypes)
    .where(range)
    .orderBy('voting.id', direction)
    .offset(sql.lit(0));
  const race = query
    .selectFrom('offices as o')
    .innerJoin('races as r', 'r.office_id', 'o.id')
    .innerJoin('elections as e', 'e.id', 'r.election_id')
    .select('r.id')
    .where('o.district_id', '=', voting('id'))
    .where(isListed(filter))
    .offset(sql.lit(0));
  const withRace = query
    .selectFrom(ofState.as('voting'))
    .select('voting.id')
    .where(({ exists }) => exists(race))
    .orderBy('voting.id', direction)
    .$if(most !== undefined, (found) => found.limit(most as number));
  return query
    .selectFrom(withRace.as('voting'))
    .select('voting.id')
    .union(
      racesWith(filter)
        .select('voting.id')
        .where('holder.state', '=', state)
        .where('voting.state', 'is distinct from', state)
        .where(isOfTypes),
    )
    .union(measuresWith(filter).select('voting.id').where('holder.state', '=', state).where(isOfTypes))
    .union(measuresWith(filter).select('voting.id').where('voting.state', '=', state).where(isOfTypes));
}

/** The condition for a race `r` and its office `o`. */
function isListed(filter: StateBallotFilter): Expression<SqlBool> {
  const { levels, branches } = filter;
  return and([
    isHeldOn(filter),
    ...(levels ? [eb(office('level'), '=', anyOf('office_level', levels))] : []),
    ...(branches ? [eb(office('branch'), '=', anyOf('office_branch', branches))] : []),
    hasOfficialCandidates(columnsOf<RaceRow>('r')('id')),
  ]);
}

function isHeldOn({ date }: StateBallotFilter): Expression<SqlBool> {
  return eb(election('date'), '=', date);
}
