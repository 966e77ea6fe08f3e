import type { Day } from '../dates.ts';
import { inEffectOn, type Period } from '../districts/periods.ts';

/** The properties of a race that determine its boundary. */
export interface RaceSchedule {
  readonly type: string;
  readonly year: number;
  readonly electionDate: Day;
  readonly swearingInDate: Day | null;
}

export const BOUNDARY_REASONS = {
  ONLY_ONE_MAP: 'The district has had only one map.',
  SPECIAL_BEFORE_END_OF_OLDER_MAP:
    'A special race fills the rest of a term: its election date is on or before the last day of an older map, which is used (rule 4).',
  SPECIAL_ON_NEWEST_MAP: 'The race is special, and the newest map is in effect on its election date.',
  SWORN_IN_AFTER_END_OF_OLDER_MAP:
    'The race is not special, and its winner is sworn in after an older map ends: the newer map is used, even if the election is held before then (rule 5).',
  SWORN_IN_ON_OLDEST_MAP:
    'The race is not special, and its winner is sworn in while the oldest map is still in effect.',
  SWEARING_IN_DATE_NOT_KNOWN:
    'The race is not special, the district has several maps, and the swearing-in date is not known: 31 January of the year after the race year is assumed.',
  NO_MAP_IN_EFFECT: 'No known map of the district is in effect on the reference day.',
} as const;

export type BoundaryReason = keyof typeof BOUNDARY_REASONS;

export interface BoundaryChoice<Boundary> {
  readonly boundary: Boundary | null;
  readonly reason: BoundaryReason;
  readonly referenceDay: Day;
}

/** Later days cannot be written as `YYYY-MM-DD`. */
const LAST_RACE_YEAR = 9998;

/**
 * Returns the day that determines the boundary: the election date for a special race, otherwise the swearing-in date.
 * If that is not known, 31 January of the year after the race year is assumed (contract, Boundary of a race).
 */
export function referenceDay(race: RaceSchedule): Day {
  if (race.type === 'Special') return race.electionDate;
  const nextYear = Math.min(race.year, LAST_RACE_YEAR) + 1;
  return race.swearingInDate ?? `${String(nextYear).padStart(4, '0')}-01-31`;
}

/**
 * Returns the boundary used for a race, out of all boundaries of its office's district, and the reason (specification,
 * Boundary-in-effect rules, 3 to 5). `race-boundary.store.ts` implements the same rules in SQL, for ballots; a test
 * verifies that both agree.
 */
export function chooseBoundary<Boundary extends Period>(
  race: RaceSchedule,
  boundaries: readonly Boundary[],
): BoundaryChoice<Boundary> {
  const day = referenceDay(race);
  const boundary = inEffectOn(boundaries, day);
  return { boundary, reason: reasonFor(race, boundary, boundaries), referenceDay: day };
}

function reasonFor(race: RaceSchedule, chosen: Period | null, boundaries: readonly Period[]): BoundaryReason {
  if (!chosen) return 'NO_MAP_IN_EFFECT';
  if (boundaries.length === 1) return 'ONLY_ONE_MAP';
  if (race.type === 'Special') {
    const isNewest = boundaries.every((boundary) => boundary.start_date <= chosen.start_date);
    return isNewest ? 'SPECIAL_ON_NEWEST_MAP' : 'SPECIAL_BEFORE_END_OF_OLDER_MAP';
  }
  if (race.swearingInDate === null) return 'SWEARING_IN_DATE_NOT_KNOWN';
  const isOldest = boundaries.every((boundary) => boundary.start_date >= chosen.start_date);
  return isOldest ? 'SWORN_IN_ON_OLDEST_MAP' : 'SWORN_IN_AFTER_END_OF_OLDER_MAP';
}
