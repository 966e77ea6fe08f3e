import { type Config, readConfig } from './config/config.ts';
import { type Day, today } from './dates.ts';
import { LAST_TIME_ZONES } from './words/states.ts';

/** Which day it is. */
export interface Days {
  /** The date that counts as today wherever no state is meant. */
  readonly today: Day;
  /**
   * The dates of the states in which it is another day than `today`, as JSON, by postal abbreviation. A day of a state ends
   * when it has ended in all of it. Omitted if it is `today` everywhere.
   */
  readonly elsewhere?: string | undefined;
}

export type Clock = () => Days;

const MINUTE = 60_000;

/** Creates the clock of the configuration: a fixed date, or today's date in a time zone and in the states. */
export function createClock({ timeZone, today: fixed }: Config['clock'], now: () => number = Date.now): Clock {
  if (fixed !== undefined) return () => ({ today: fixed });
  const zones = [...new Set([timeZone, ...LAST_TIME_ZONES.values()])];
  let minute = Number.NaN;
  let days: Days = { today: '' };
  // Cached for a minute: days begin on whole minutes in all time zones, and formatting a date costs more than the
  // rest of a request's setup.
  return () => {
    const current = Math.floor(now() / MINUTE);
    if (current !== minute) {
      const dayIn = new Map(zones.map((zone) => [zone, today(zone, new Date(current * MINUTE))]));
      const here = dayIn.get(timeZone) ?? '';
      const others = [...LAST_TIME_ZONES].filter(([, zone]) => dayIn.get(zone) !== here);
      const elsewhere = JSON.stringify(Object.fromEntries(others.map(([state, zone]) => [state, dayIn.get(zone)])));
      days = { today: here, ...(others.length > 0 && { elsewhere }) };
      minute = current;
    }
    return days;
  };
}

/** Returns today's date in a state, by its postal abbreviation; that of the clock for any other text. */
export function todayIn(state: string | null | undefined, { today, elsewhere }: Days): Day {
  const days: Readonly<Record<string, Day>> = elsewhere === undefined ? {} : JSON.parse(elsewhere);
  return days[state ?? ''] ?? today;
}

/** Returns today's date for a command, as `TODAY` and `TIME_ZONE` in its environment say. */
export function commandsToday(): Day {
  return createClock(readConfig(process.env).clock)().today;
}
