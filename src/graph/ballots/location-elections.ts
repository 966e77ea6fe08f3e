import { builder, requireGrants } from '../builder/builder.ts';
import { LARGEST_PAGE } from '../builder/connection.ts';
import { DistrictObject } from '../districts/district.ts';
import { LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { electionsOfDistrict, electionsOfPoint } from './location-contests.store.ts';

/** The arguments of a range of election dates, one year around today by default. */
export const rangeArgs = builder.args((t) => ({
  from: t.field({
    type: 'Date',
    description: 'The first day, inclusive; one year before today by default, or before `to` if that is earlier.',
  }),
  to: t.field({
    type: 'Date',
    description: 'The last day, inclusive; one year after today by default, or after `from` if that is later.',
  }),
}));

builder.objectField(LocationObject, 'elections', (t) =>
  t.field({
    computation: 20,
    listLength: 10,
    type: [ElectionObject],
    description:
      'The elections that apply to the point, sorted by date, then by id: elections held by a district that covers the point on that day, and elections with a race or measure that the point votes on.',
    ...requireGrants('election_dates'),
    args: {
      ...rangeArgs,
      first: t.arg.int({
        description: `At most this many elections, the earliest, from 0 to ${LARGEST_PAGE}; all by default. Without \`from\` and \`to\`, the next elections from today on that are in the data, of which \`District.loadedElections\` names the types; those that are postponed or cancelled are omitted.`,
      }),
    },
    ...electionsOfPoint,
  }),
);

builder.objectField(DistrictObject, 'elections', (t) =>
  t.field({
    listLength: 5,
    type: [ElectionObject],
    description:
      'The elections in which the district votes on a race or a measure, and those that it only holds, which require another grant, sorted by date, then by id.',
    ...requireGrants('elections'),
    grantOfSomeValues: 'election_districts',
    args: rangeArgs,
    ...electionsOfDistrict,
  }),
);
