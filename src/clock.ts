import { type Day, today } from './calendar.ts';
import type { Config } from './config.ts';

export interface Clock {
  /** The day that counts as today. */
  today(): Day;
}

const MINUTE = 60_000;

/** The clock of the configuration: a fixed day, or today in a time zone. */
export function createClock({ timeZone, today: fixed }: Config['clock'], now: () => number = Date.now): Clock {
  if (fixed !== undefined) return { today: () => fixed };
  let minute = Number.NaN;
  let day: Day = '';
  return {
    // Days begin on whole minutes everywhere, and formatting a date costs more than the rest of a request's set-up.
    today() {
      const current = Math.floor(now() / MINUTE);
      if (current !== minute) {
        day = today(timeZone, new Date(current * MINUTE));
        minute = current;
      }
      return day;
    },
  };
}
