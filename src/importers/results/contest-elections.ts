import type { ElectionFacts } from './election-facts.ts';
import { type Place, statePlace } from './places.ts';
import type { Contest } from './result-contests.ts';

/**
 * Returns the election of a contest. The state holds it, except a special election of a single district on a separate
 * day, which the district holds.
 */
export function electionOf({ state, date, special }: Contest, stage: string, place: Place): ElectionFacts {
  if (special && !isGeneralElectionDay(date)) return { place, date, type: 'Special' };
  return { place: statePlace(state), date, type: stage };
}

/** Returns whether a day is the Tuesday after the first Monday of November of an even year (2 U.S.C. § 7). */
export function isGeneralElectionDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  const isTuesday = day.getUTCDay() === 2 && day.getUTCDate() >= 2 && day.getUTCDate() <= 8;
  return isTuesday && day.getUTCMonth() === 10 && day.getUTCFullYear() % 2 === 0;
}

/** Returns a candidate and the running mate: `A AND B`, `A / B`. */
export function runningMates(
  { office, written }: { readonly office: string; readonly written: string },
  name: string,
): string[] {
  // A slate of electors is that of both: `TRUMP, PENCE`.
  if (/\bELECTORS?\b/i.test(written) && /^[\p{L}'’-]+, [\p{L}'’-]+$/u.test(name)) return name.split(', ');
  if (!/^(GOVERNOR|(U\.?S\.? )?PRESIDENT)\b/i.test(office)) return [name];
  return name.split(/ AND | ?\/ ?| & /i).filter((each) => !/^(no (candidate|running mate)|none|n\/?a)$/i.test(each));
}
