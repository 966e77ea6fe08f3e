import type { Day } from '../dates.ts';
import type { BoundedDistrict, Point } from '../districts/districts.store.ts';
import { coverage, LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { electionsOfPoint } from '../elections/location-elections.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { inSql } from '../graphql/in-sql.ts';
import {
  type BallotDistrictNode,
  BallotDistrictObject,
  contestsOn,
  type DistrictContests,
  hasContests,
} from './ballot-district.ts';
import type { BoundContest } from './ballots.store.ts';
import { ballotDistrictsInSql, ballotInSql } from './location-ballot.store.ts';

interface BallotNode {
  readonly point: Point;
  readonly date: Day;
}

/**
 * Returns the ballot of a point, sorted by district type, name and id: each race whose boundary covers the point, and
 * each measure whose boundary in effect on the election date does (contract, Boundary of a race).
 */
async function ballotOfPoint(context: Context, { point, date }: BallotNode): Promise<BallotDistrictNode[]> {
  const covering = await coverage(context).load(point);
  const districts = Map.groupBy(covering, ({ district }) => district.id);
  const contests = await contestsOn(context, [...districts.keys()], date);
  const maps = [...districts.values()];
  return contests.map((each, index) => partOf(maps[index] as BoundedDistrict[], each)).filter(hasContests);
}

/**
 * Returns the part of a ballot for one district.
 * @param maps the boundaries of one district that cover the point, newest first; at least one.
 */
function partOf(maps: readonly BoundedDistrict[], { races, measures }: DistrictContests): BallotDistrictNode {
  const [{ district }] = maps as [BoundedDistrict];
  const used = new Set([...races, ...measures].map(({ boundaryId }) => boundaryId));
  const found = maps.find(({ boundary }) => used.has(boundary.id))?.boundary;
  const isOnBallot = ({ boundaryId }: BoundContest<unknown>) => maps.some(({ boundary }) => boundary.id === boundaryId);
  return {
    district: found ? { ...district, found } : district,
    race_ids: races.filter(isOnBallot).map(({ contest }) => contest.id),
    measures: measures.filter(isOnBallot).map(({ contest }) => contest),
  };
}

const BallotObject = builder.objectRef<BallotNode>('Ballot').implement({
  description: 'The ballot of one point on one day, across all elections of that day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The requested election date.' }),
    candidateListsComplete: t.boolean({
      description:
        'Whether all candidates are known in every election that applies to the point on this day; false when no election applies.',
      resolve: async ({ point, date }, _, context) => {
        const elections = await electionsOfPoint(context, point, date, date);
        return elections.length > 0 && elections.every((election) => election.candidate_lists_complete);
      },
      ...inSql(({ row }) => `${row}.candidate_lists_complete`),
    }),
    elections: t.field({
      type: [ElectionObject],
      description: 'The elections that apply to the point on this day, sorted by id.',
      resolve: ({ point, date }, _, context) => electionsOfPoint(context, point, date, date),
    }),
    districts: t.field({
      type: [BallotDistrictObject],
      description:
        'The districts with a race or measure on this ballot, sorted by district type (country first), then by name.',
      resolve: (ballot, _, context) => ballotOfPoint(context, ballot),
      ...inSql(ballotDistrictsInSql),
    }),
  }),
});

builder.objectField(LocationObject, 'ballot', (t) =>
  t.field({
    type: BallotObject,
    description:
      'The ballot of the point on an election date, past or future; it has no districts when nothing is known for that day. Needs the grant `elections`.',
    ...requireGrants('elections'),
    args: {
      electionDate: t.arg({ type: 'Date', required: true, description: 'The date of the election or elections.' }),
    },
    resolve: (point, { electionDate }) => ({ point, date: electionDate }),
    ...inSql(ballotInSql),
  }),
);
