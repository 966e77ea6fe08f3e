import type { Day } from '../../base/dates.ts';
import { ServiceError } from '../../base/errors.ts';

/** The first and the last day of a range, both inclusive. */
export interface DateRange {
  readonly from?: Day | null | undefined;
  readonly to?: Day | null | undefined;
}

/**
 * Checks that a range of dates contains at least one day.
 * @throws ServiceError INVALID_PARAMETER if the first day is after the last day.
 */
export function checkRange<Range extends DateRange>(range: Range): Range {
  const { from, to } = range;
  if (from == null || to == null || from <= to) return range;
  throw new ServiceError('INVALID_PARAMETER', `from must not be after to: ${from} is after ${to}.`, [
    { name: 'from', reason: `must not be after ${to}` },
  ]);
}
