import { DistrictTypeEnum } from '../districts/district-type.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { numberedConnection, numberedPageArgs } from '../elections/numbered-page.ts';
import { readState } from '../elections/state.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import { connectionType } from '../graphql/connection-type.ts';
import { OfficeBranchEnum, OfficeLevelEnum } from '../officials/enums.ts';
import { type BallotDistrictNode, BallotDistrictObject, contestsOn, type DistrictContests } from './ballot-district.ts';
import type { RaceOnBallot } from './ballots.store.ts';
import { countStateBallot, pageOfStateBallot, type StateBallotFilter } from './state-ballot.store.ts';

const BallotDistrictConnection = connectionType(BallotDistrictObject, 'districts on the ballot');

/**
 * Returns the contests of a district on the ballot of a state, filtered by the same conditions with which
 * `state-ballot.store.ts` found the district.
 */
function partOf(
  district: DistrictRow,
  { races, measures }: DistrictContests,
  filter: StateBallotFilter,
): BallotDistrictNode {
  const isInState = (state: string | null) => district.state === filter.state || state === filter.state;
  const isAskedFor = ({ level, branch }: RaceOnBallot) =>
    (filter.levels?.includes(level) ?? true) && (filter.branches?.includes(branch) ?? true);
  return {
    district,
    race_ids: races.flatMap(({ contest: race }) => (isInState(race.state) && isAskedFor(race) ? [race.id] : [])),
    measures: measures.map(({ contest }) => contest).filter(({ election }) => isInState(election.state)),
  };
}

builder.queryField('stateBallot', (t) =>
  t.field({
    type: BallotDistrictConnection,
    description:
      'The ballot of a whole state on an election date, as a list of districts sorted by id. Includes the districts of the state, and districts of no single state (or of the country) in elections that the state or one of its districts holds. Needs the grant `elections`.',
    ...requireGrants('elections'),
    args: {
      state: t.arg.string({ required: true, description: 'Two-letter abbreviation, case-insensitive.' }),
      electionDate: t.arg({ type: 'Date', required: true, description: 'The date of the election or elections.' }),
      officeLevels: t.arg({
        type: [OfficeLevelEnum],
        description: 'Only races for offices of these levels. Measures, which have no office, are not filtered.',
      }),
      officeBranches: t.arg({
        type: [OfficeBranchEnum],
        description: 'Only races for offices of these branches. Measures, which have no office, are not filtered.',
      }),
      districtTypes: t.arg({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
      ...numberedPageArgs,
    },
    resolve: (_, { state, electionDate, officeLevels, officeBranches, districtTypes, ...page }, context) => {
      const filter = {
        state: readState(state),
        date: electionDate,
        levels: officeLevels ?? undefined,
        branches: officeBranches ?? undefined,
        types: districtTypes ?? undefined,
      };
      return numberedConnection(
        page,
        async (offset, limit) => {
          const districts = await pageOfStateBallot(context.db, filter, offset, limit);
          const ids = districts.map(({ id }) => id);
          const contests = await contestsOn(context, ids, filter.date);
          return contests.map((each, index) => partOf(districts[index] as DistrictRow, each, filter));
        },
        () => countStateBallot(context.db, filter),
      );
    },
  }),
);
