import { LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import { electionsOfPoint } from './contests.store.ts';

builder.objectField(LocationObject, 'elections', (t) =>
  t.field({
    type: [ElectionObject],
    description:
      'The elections that apply to the point, sorted by date, then by id: elections held by a district that covers the point on that day, and elections with a race or measure that the point votes on.',
    ...requireGrants('election_dates'),
    args: {
      from: t.arg({
        type: 'Date',
        description: 'The first day, inclusive; one year before today by default.',
      }),
      to: t.arg({ type: 'Date', description: 'The last day, inclusive; one year after today by default.' }),
    },
    ...electionsOfPoint,
  }),
);
