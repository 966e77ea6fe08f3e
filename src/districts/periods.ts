import type { Day } from '../calendar.ts';

/** From a first to a last day, both included; a last day of null means for the foreseeable future. */
export interface Period {
  readonly start_date: Day;
  readonly end_date: Day | null;
}

/** Whether a boundary is in effect on a day (specification, Boundary-in-effect rules, 1). */
export function isInEffect(period: Period, on: Day): boolean {
  return period.start_date <= on && (period.end_date === null || on <= period.end_date);
}

/**
 * The boundary that is in effect on a day, of the boundaries of one district; of two that share the day as last and
 * first day, the newer (contract, Boundary of a race).
 */
export function inEffectOn<Boundary extends Period>(boundaries: readonly Boundary[], on: Day): Boundary | null {
  return boundaries.reduce<Boundary | null>(
    (newest, boundary) =>
      isInEffect(boundary, on) && (newest === null || boundary.start_date > newest.start_date) ? boundary : newest,
    null,
  );
}
