import { type Config, readConfig } from './config/config.ts';
import { type Day, today } from './dates.ts';

export interface Clock {
  /** Returns today's date. */
  today(): Day;
}

const MINUTE = 60_000;

/** Creates the clock of the configuration: a fixed date, or today's date in a time zone. */
export function createClock({ timeZone, today: fixed }: Config['clock'], now: () => number = Date.now): Clock {
  if (fixed !== undefined) return { today: () => fixed };
  let minute = Number.NaN;
  let day: Day = '';
  return {
    // Cached for a minute: days begin on whole minutes in all time zones, and formatting a date costs more than the
    // rest of a request's setup.
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

/** Returns today's date for a command, as `TODAY` and `TIME_ZONE` in its environment say. */
export function commandsToday(): Day {
  return createClock(readConfig(process.env).clock).today();
}
