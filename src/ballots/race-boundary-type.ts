import { BoundaryObject } from '../districts/boundary.ts';
import type { BoundaryRow } from '../districts/districts.store.ts';
import { builder } from '../graphql/builder.ts';
import { BOUNDARY_REASONS, type BoundaryChoice, type BoundaryReason } from './race-boundary.ts';

const BoundaryReasonEnum = builder.enumType('BoundaryReason', {
  description:
    'Why a race uses a boundary of its district (the rules are those of the specification, "Boundary-in-effect").',
  values: Object.fromEntries(
    Object.entries(BOUNDARY_REASONS).map(([reason, description]) => [reason, { description }]),
  ) as Record<BoundaryReason, { description: string }>,
});

export const RaceBoundaryObject = builder.objectRef<BoundaryChoice<BoundaryRow>>('RaceBoundary').implement({
  description:
    'Which boundary of its district a race uses. It need not be the one in effect on election day, nor the one of today.',
  fields: (t) => ({
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description: 'The points it covers are on the ballot of the race. Null when no map is known for the day.',
      resolve: (choice) => choice.boundary,
    }),
    reason: t.field({
      type: BoundaryReasonEnum,
      description: 'What led to this boundary.',
      resolve: (choice) => choice.reason,
    }),
    referenceDay: t.expose('referenceDay', {
      type: 'Date',
      description:
        'The day that decides: of two maps, the one in effect on it is used. The election date of a special race, the swearing-in date of any other.',
    }),
  }),
});
