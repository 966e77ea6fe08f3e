import { InvalidArgumentError } from 'commander';
import { addDays, isCalendarDate } from '../../base/dates.ts';

const UNITS_MS = { h: 60 * 60 * 1_000, d: 24 * 60 * 60 * 1_000 };
const DURATION = /^(?<count>\d{1,5})(?<unit>[hd])$/;
const TIME = /^(?<day>\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d)?Z$/;

/** What `readTime` reads, for the help of options. */
export const TIME_FORMATS = '30d, 12h, a day (to its end in UTC), or 2027-01-31T12:00Z';

/**
 * Reads a time in the future: a number of days or hours from now, a day, which means its end in UTC, or a time in UTC.
 * @throws InvalidArgumentError
 */
export function readTime(text: string, now: Date = new Date()): Date {
  const time = timeOf(text, now);
  if (time === undefined) throw new InvalidArgumentError(`It must be ${TIME_FORMATS}.`);
  if (time <= now) throw new InvalidArgumentError('It must be in the future.');
  return time;
}

function timeOf(text: string, now: Date): Date | undefined {
  const { count, unit } = DURATION.exec(text)?.groups ?? {};
  if (count !== undefined) return new Date(now.getTime() + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (isCalendarDate(text)) return new Date(`${addDays(text, 1)}T00:00:00Z`);
  const isTime = isCalendarDate(TIME.exec(text)?.groups?.day ?? '') && !Number.isNaN(Date.parse(text));
  return isTime ? new Date(text) : undefined;
}
