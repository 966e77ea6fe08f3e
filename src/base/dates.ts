/** A date as a string `YYYY-MM-DD`: it has no time zone and sorts chronologically. */
export type Day = string;

const FORMAT = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns whether a text is an existing date of the years 0001 to 9999, in the form `YYYY-MM-DD`. */
export function isCalendarDate(text: string): text is Day {
  const parts = FORMAT.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Returns whether a text names a time zone, as in the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the current date in a time zone (IANA name). */
export function today(timeZone: string, now: Date = new Date()): Day {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(now);
}

/**
 * Returns the same date in another year, limited to the years 0001 to 9999, since no other year can be written. 29
 * February becomes 28 February if the year is not a leap year.
 */
export function addYears(day: Day, years: number): Day {
  const [year, month, date] = split(day);
  const target = Math.min(Math.max(year + years, 1), 9999);
  return format(target, month, Math.min(date, daysInMonth(target, month)));
}

/** Returns the date a number of days later, or earlier if it is negative, within the years 1 to 9999. */
export function addDays(day: Day, days: number): Day {
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000);
  if (date.getUTCFullYear() < 1) return '0001-01-01';
  return date.getUTCFullYear() > 9999 ? '9999-12-31' : date.toISOString().slice(0, 10);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function split(day: Day): [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
}

function format(year: number, month: number, date: number): Day {
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}
