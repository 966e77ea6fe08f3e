import { builder } from '../builder/builder.ts';
import { describedEnum } from '../builder/described-enum.ts';
import { contentId } from '../builder/global-id.ts';
import { BoundaryObject } from '../districts/boundary.ts';
import { boundaries } from '../districts/districts.store.ts';
import type { BoundaryReason, RaceBoundaryRow } from './ballots.store.ts';

/** What each reason means, in words. */
export const BOUNDARY_REASONS: Readonly<Record<BoundaryReason, string>> = {
  ONLY_ONE_MAP: 'The district has had only one map.',
  SPECIAL_BEFORE_END_OF_OLDER_MAP:
    'A special race fills the rest of a term: its election date is on or before the last day of an older map, which is used (rule 4).',
  SPECIAL_ON_NEWEST_MAP:
    'The race is special, and no older map reaches its election date: the newest map is used, even if it begins later.',
  SWORN_IN_AFTER_END_OF_OLDER_MAP:
    'The race is not special, and its winner is sworn in after an older map ends: the newer map is used, even if the election is held before then, and even if the newer map begins later (rule 5).',
  SWORN_IN_ON_OLDEST_MAP:
    'The race is not special, and its winner is sworn in while the oldest map is still in effect.',
  SWEARING_IN_DATE_NOT_KNOWN:
    'The race is not special, the district has several maps, and neither a swearing-in date nor a term that begins after the election is known: 31 January of the year after the race year is assumed.',
  NO_MAP_IN_EFFECT: 'The reference day is before the first known map of the district or after the last one.',
};

const BoundaryReasonEnum = describedEnum(
  'BoundaryReason',
  'Why a race uses a particular boundary of its district. Rules are numbered as in "Boundary-in-effect" in the specification.',
  BOUNDARY_REASONS,
);

export const RaceBoundaryObject = builder.objectRef<RaceBoundaryRow>('RaceBoundary').implement({
  description:
    'The boundary of its district that a race uses. It may differ from the boundary in effect on election day and from the current one.',
  fields: (t) => ({
    id: t.id(contentId('RaceBoundary', 'the race', ['race_id'])),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description:
        'The boundary; the race is on the ballot of every point that it covers. Null when the reference day is before the first known map or after the last one.',
      ...boundaries.ofNullable('boundary_id'),
    }),
    reason: t.expose('reason', { type: BoundaryReasonEnum, description: 'Why the race uses this boundary.' }),
    referenceDay: t.expose('reference_day', {
      type: 'Date',
      description:
        'The day that determines the boundary: the map in effect on this day is used or, in a gap between two maps, the newer one. It is the election date of a special race and the swearing-in date of any other race (`Race.swearingInDate`), or 31 January of the year after the race year if that is not known.',
    }),
  }),
});
