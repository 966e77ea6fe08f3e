import type { Day } from '../dates.ts';

/** A period from a first to a last day, both inclusive; a null last day means that no end is set. */
export interface Period {
  readonly start_date: Day;
  readonly end_date: Day | null;
  /**
   * True if the next boundary of the district begins on the last day, and is therefore the one in effect on that day.
   */
  readonly yields: boolean;
}

/**
 * Returns whether a boundary is in effect on a day (specification, Boundary-in-effect rules, 1). If one boundary ends
 * on the day on which the next one begins, the newer is in effect (contract, Boundary of a race).
 */
export function isInEffect({ start_date, end_date, yields }: Period, on: Day): boolean {
  return start_date <= on && (end_date === null || on < end_date || (on === end_date && !yields));
}

/** Returns the boundary in effect on a day, out of all boundaries of one district; null when there is none. */
export function inEffectOn<Boundary extends Period>(boundaries: readonly Boundary[], on: Day): Boundary | null {
  return boundaries.find((boundary) => isInEffect(boundary, on)) ?? null;
}
