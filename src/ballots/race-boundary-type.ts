import { BoundaryObject } from '../districts/boundary.ts';
import type { BoundaryRow } from '../districts/districts.store.ts';
import { builder } from '../graphql/builder.ts';
import { BOUNDARY_REASONS, type BoundaryChoice, type BoundaryReason } from './race-boundary.ts';

const BoundaryReasonEnum = builder.enumType('BoundaryReason', {
  description:
    'Why a race uses a particular boundary of its district. Rules are numbered as in "Boundary-in-effect" in the specification.',
  values: Object.fromEntries(
    Object.entries(BOUNDARY_REASONS).map(([reason, description]) => [reason, { description }]),
  ) as Record<BoundaryReason, { description: string }>,
});

export const RaceBoundaryObject = builder.objectRef<BoundaryChoice<BoundaryRow>>('RaceBoundary').implement({
  description:
    'The boundary of its district that a race uses. It may differ from the boundary in effect on election day and from the current one.',
  fields: (t) => ({
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description:
        'The race is on the ballot of every point that this boundary covers. Null when no map is known for the reference day.',
      resolve: (choice) => choice.boundary,
    }),
    reason: t.field({
      type: BoundaryReasonEnum,
      description: 'Why the race uses this boundary.',
      resolve: (choice) => choice.reason,
    }),
    referenceDay: t.expose('referenceDay', {
      type: 'Date',
      description:
        'The day that determines the boundary: the map in effect on this day is used. It is the election date of a special race and the swearing-in date of any other race.',
    }),
  }),
});
