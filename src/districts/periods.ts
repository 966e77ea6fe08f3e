import type { Day } from '../calendar.ts';

/** From a first to a last day, both included; a last day of null means for the foreseeable future. */
export interface Period {
  readonly start_date: Day;
  readonly end_date: Day | null;
  /** Whether the next boundary of the district begins on the last day, and so is the one that counts on it. */
  readonly yields: boolean;
}

/**
 * Whether a boundary is in effect on a day (specification, Boundary-in-effect rules, 1); of two that share the day as
 * last and first day, the newer (contract, Boundary of a race).
 */
export function isInEffect({ start_date, end_date, yields }: Period, on: Day): boolean {
  return start_date <= on && (end_date === null || on < end_date || (on === end_date && !yields));
}

/** The boundary that is in effect on a day, of all boundaries of one district; null when none is. */
export function inEffectOn<Boundary extends Period>(boundaries: readonly Boundary[], on: Day): Boundary | null {
  return boundaries.find((boundary) => isInEffect(boundary, on)) ?? null;
}
