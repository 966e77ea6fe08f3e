import { builder, requireGrants } from '../builder/builder.ts';
import { connectionFrom, isCursorId, readPage } from '../builder/connection.ts';
import { connectionType, numberedPageArgs } from '../builder/connection-type.ts';
import { DistrictTypeEnum } from '../districts/district-type.ts';
import { readState } from '../districts/state.ts';
import { OfficeBranchEnum, OfficeLevelEnum } from '../officials/enums.ts';
import { BallotDistrictObject } from './ballot-district.ts';
import { ballotDistrictRows } from './contests.store.ts';
import { countStateBallot, pageOfStateBallot } from './state-ballot.store.ts';

const BallotDistrictConnection = connectionType(BallotDistrictObject, 'districts on the ballot', ballotDistrictRows);

builder.queryField('stateBallot', (t) =>
  t.field({
    caching: 'whole',
    type: BallotDistrictConnection,
    description:
      'The ballot of a whole state on an election date, as a list of districts sorted by id. Includes the districts of the state, and districts of no single state (or of the country) in elections that the state or one of its districts holds.',
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
      const requested = readPage(page, readPosition);
      return connectionFrom(
        requested,
        (limit) => pageOfStateBallot(context.db, filter, { ...requested, limit }),
        ({ district_id }) => [district_id] as const,
        () => countStateBallot(context.db, filter),
      );
    },
  }),
);

/** Returns the position in a decoded cursor: the number of the district. */
function readPosition(decoded: unknown): readonly [number] | undefined {
  return Array.isArray(decoded) && decoded.length === 1 && isCursorId(decoded[0]) ? [decoded[0]] : undefined;
}
