import { builder, requireGrants } from '../builder/builder.ts';
import { ElectionObject } from '../elections/election.ts';
import { BallotDistrictObject } from './ballot-district.ts';
import { districtsOfElection } from './contests.store.ts';

builder.objectField(ElectionObject, 'districts', (t) =>
  t.field({
    listLength: 200,
    type: [BallotDistrictObject],
    description:
      'The districts that vote in the election, with their races and measures, sorted by district type (country first), then by name.',
    ...requireGrants('elections'),
    ...districtsOfElection,
  }),
);
