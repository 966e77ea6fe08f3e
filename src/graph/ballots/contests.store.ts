import { type AliasableExpression, type Expression, expressionBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { columnsOf, emptyArray, firstOf, jsonRows, nothing, typed } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { type PlannedRows, relation } from '../builder/relation.ts';
import type { OfficeRow } from '../officials/officials.store.ts';
import type { MeasureRow, RaceRow } from './ballots.store.ts';

/** A district on a ballot, with the ids of the races and measures that it votes on. */
export interface BallotDistrictNode {
  readonly district_id: number;
  /** The boundary of the district that gives a point these contests; null if the ballot is not that of a point. */
  readonly boundary_id: number | null;
  readonly race_ids: readonly number[];
  readonly measure_ids: readonly number[];
}

/** A race or a measure of a district, from which `ballotDistricts` builds the parts of a ballot. */
export interface ContestRow {
  district_id: number;
  boundary_id: number | null;
  start_date: Day | null;
  race_id: number | null;
  measure_id: number | null;
  rank: number | null;
  name: string;
  seat: string | null;
}

const CONTEST_TYPES = {
  district_id: 'int',
  boundary_id: 'int',
  start_date: 'date',
  race_id: 'int',
  measure_id: 'int',
  rank: 'int',
  name: 'text',
  seat: 'text',
} as const;

const race = columnsOf<RaceRow>('r');
const office = columnsOf<OfficeRow>('o');
const measure = columnsOf<MeasureRow>('m');

/** The columns of a `ContestRow` of the race `r` for the office `o`, of no boundary. */
export const RACE_CONTEST = [
  office('district_id').as('district_id'),
  nothing<number>('int').as('boundary_id'),
  nothing<Day>('date').as('start_date'),
  race('id').$castTo<number | null>().as('race_id'),
  nothing<number>('int').as('measure_id'),
  office('ballot_rank').$castTo<number | null>().as('rank'),
  office('name').as('name'),
  office('seat').as('seat'),
] as const;

/** The columns of a `ContestRow` of the measure `m`, of no boundary. */
export const MEASURE_CONTEST = [
  measure('district_id').as('district_id'),
  nothing<number>('int').as('boundary_id'),
  nothing<Day>('date').as('start_date'),
  nothing<number>('int').as('race_id'),
  measure('id').$castTo<number | null>().as('measure_id'),
  nothing<number>('int').as('rank'),
  measure('name').as('name'),
  nothing<string>('text').as('seat'),
] as const;

/**
 * Returns the condition that the race with an id is on a ballot: it has an official candidate, who is one that is not a
 * write-in (specification, Election ballot tree).
 */
export function hasOfficialCandidates(id: Expression<number>) {
  const candidate = query
    .selectFrom('candidates as c')
    .select('c.id')
    .where('c.race_id', '=', id)
    .where('c.is_write_in', 'is not', true);
  return expressionBuilder().exists(candidate);
}

/**
 * Returns the query of a `BallotDistrictNode` for each district that has contests, with the type and name of the
 * district. Races are sorted by the rank of their office on a ballot, then by office name, seat and id; measures by name,
 * then by id.
 */
export function ballotDistricts(contests: AliasableExpression<ContestRow>) {
  const parts = query
    .selectFrom(contests.as('contest'))
    .select('contest.district_id')
    .select(({ fn }) => {
      const boundaries = fn
        .agg<number[]>('array_agg', ['contest.boundary_id'])
        .orderBy('contest.start_date', 'desc')
        .orderBy('contest.boundary_id');
      const races = fn
        .agg<number[]>('array_agg', ['contest.race_id'])
        .orderBy('contest.rank')
        .orderBy('contest.name')
        .orderBy('contest.seat', (seat) => seat.asc().nullsFirst())
        .orderBy('contest.race_id')
        .filterWhere('contest.race_id', 'is not', null);
      const measures = fn
        .agg<number[]>('array_agg', ['contest.measure_id'])
        .orderBy('contest.name')
        .orderBy('contest.measure_id')
        .filterWhere('contest.measure_id', 'is not', null);
      return [
        firstOf(boundaries).as('boundary_id'),
        fn.coalesce(races, emptyArray<number>()).as('race_ids'),
        fn.coalesce(measures, emptyArray<number>()).as('measure_ids'),
      ];
    })
    .groupBy('contest.district_id');
  return query
    .selectFrom(parts.as('part'))
    .innerJoin('districts as d', 'd.id', 'part.district_id')
    .select(['part.district_id', 'part.boundary_id', 'part.race_ids', 'part.measure_ids', 'd.type', 'd.name']);
}

/** A part of a ballot that was found before, for the query planner. The ids are passed as the text of an array. */
export const ballotDistrictRows: PlannedRows = {
  key: { district_id: 'int', boundary_id: 'int', race_ids: 'text', measure_ids: 'text' },
  rows: ({ district_id, boundary_id, race_ids, measure_ids }) =>
    query.selectNoFrom([
      sql`${district_id}`.as('district_id'),
      sql`${boundary_id}`.as('boundary_id'),
      typed('int[]', race_ids).as('race_ids'),
      typed('int[]', measure_ids).as('measure_ids'),
    ]),
};

/** The districts on the ballot of a point, sorted by type (country first), then by name, then by id. */
export const districtsOfBallot = relation({
  name: 'ballots.districtsOfBallot',
  key: { contests: 'text' },
  distinctOn: ['district_id', 'boundary_id', 'race_ids', 'measure_ids'],
  rows: ({ contests }) =>
    ballotDistricts(query.selectFrom(jsonRows<ContestRow, 'row'>('row', contests, CONTEST_TYPES)).selectAll('row')),
  orderBy: ['type', 'name', 'district_id'],
});

/** The districts that vote in an election, in the same order. */
export const districtsOfElection = relation({
  name: 'ballots.districtsOfElection',
  key: { id: 'int' },
  distinctOn: ['district_id', 'race_ids', 'measure_ids'],
  rows: ({ id }) =>
    ballotDistricts(
      query
        .selectFrom('races as r')
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .select(RACE_CONTEST)
        .where('r.election_id', '=', id)
        .where(({ ref }) => hasOfficialCandidates(ref('r.id')))
        .unionAll(query.selectFrom('ballot_measures as m').select(MEASURE_CONTEST).where('m.election_id', '=', id)),
    ),
  orderBy: ['type', 'name', 'district_id'],
});
