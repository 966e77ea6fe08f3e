import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';
import { type DistrictNode, DistrictObject } from '../districts/district.ts';
import { DISTRICT_TYPES } from '../districts/district-type.ts';
import { builder } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createSharedLoader, loadAll } from '../graphql/loader.ts';
import { BallotMeasureObject } from './ballot-measure.ts';
import {
  type BoundContest,
  type DistrictOnDate,
  type MeasureRow,
  measuresOnDates,
  type RaceOnBallot,
  racesInSql,
  racesOnDates,
} from './ballots.store.ts';
import { ballotDistrictInSql, ballotMeasuresInSql } from './location-ballot.store.ts';
import { RaceObject, raceById } from './race.ts';
import { byResults } from './results.ts';

/** A district on a ballot, with the ids of its races and its measures. */
export interface BallotDistrictNode {
  readonly district: DistrictNode;
  readonly race_ids: readonly number[];
  readonly measures: readonly MeasureRow[];
}

const identity = ({ districtId, date }: DistrictOnDate) => `${districtId} ${date}`;

const racesOn = createSharedLoader<DistrictOnDate, BoundContest<RaceOnBallot>[]>(
  () => ({ id: 'races on dates', fetch: racesOnDates }),
  identity,
);

const measuresWith = byResults((withResults) => ({
  id: `measures on dates${withResults ? ' with results' : ''}`,
  fetch: (db: Database, requested: readonly DistrictOnDate[]) => measuresOnDates(db, requested, withResults),
}));

const measuresOn = createSharedLoader<DistrictOnDate, BoundContest<MeasureRow>[]>(measuresWith, identity);

/** The races and measures of a district, each with the boundary whose points have it on their ballot. */
export interface DistrictContests {
  readonly races: readonly BoundContest<RaceOnBallot>[];
  readonly measures: readonly BoundContest<MeasureRow>[];
}

/** Returns the races and measures of each of the districts on a date, in input order. */
export async function contestsOn(
  context: Context,
  districtIds: readonly number[],
  date: Day,
): Promise<DistrictContests[]> {
  const requested = districtIds.map((districtId) => ({ districtId, date }));
  const [races, measures] = await Promise.all([
    loadAll(racesOn(context), requested),
    loadAll(measuresOn(context), requested),
  ]);
  return requested.map((_, index) => ({ races: races[index] ?? [], measures: measures[index] ?? [] }));
}

/** Returns whether a district has races or measures; without any it is not on a ballot (contract, Shapes). */
export function hasContests({ race_ids, measures }: BallotDistrictNode): boolean {
  return race_ids.length > 0 || measures.length > 0;
}

const RANKS = new Map(DISTRICT_TYPES.map(([, type], rank) => [type, rank]));

/** Compares districts by type, from the country down, then by name, then by id (contract, Shapes: order). */
export function inDistrictOrder(
  { district: one }: BallotDistrictNode,
  { district: other }: BallotDistrictNode,
): number {
  const byType = (RANKS.get(one.type) ?? 0) - (RANKS.get(other.type) ?? 0);
  const byName = one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
  return byType || byName || one.id - other.id;
}

export const BallotDistrictObject = builder.objectRef<BallotDistrictNode>('BallotDistrict').implement({
  description: 'One district on a ballot, with the races and measures that it votes on; it has at least one.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      description:
        'The district. On the ballot of a point, its `boundary` is the one that covers the point and that these contests use; the newest if there are two.',
      resolve: (parent) => parent.district,
      ...inSql(ballotDistrictInSql),
    }),
    races: t.field({
      type: [RaceObject],
      description: 'The races of the district that have candidates, sorted by office name, then by seat, then by id.',
      resolve: async ({ race_ids }, _, context) => {
        const races = await Promise.all(race_ids.map((id) => raceById(context).load(id)));
        // A race may have been deleted in the meantime: the operation then runs again because the data has changed.
        return races.filter((race) => race !== null);
      },
      ...inSql(racesInSql),
    }),
    ballotMeasures: t.field({
      type: [BallotMeasureObject],
      description: 'The ballot measures of the district, sorted by name, then by id.',
      resolve: (parent) => parent.measures,
      ...inSql(ballotMeasuresInSql),
    }),
  }),
});
