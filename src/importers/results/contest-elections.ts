import { type Place, statePlace } from '../facts/places.ts';
import type { ElectionFacts } from './election-facts.ts';
import type { FileRace } from './races.ts';

/**
 * Returns the election of a contest. The state holds it, except a special election of a single district on a separate
 * day, which the district holds.
 */
export function electionOf(
  { state, date, stage, isSpecial }: Pick<FileRace, 'state' | 'date' | 'stage' | 'isSpecial'>,
  place: Place,
): ElectionFacts {
  if (isSpecial && !isGeneralElectionDay(date)) return { place, date, type: 'Special' };
  return { place: statePlace(state), date, type: stage };
}

/** Returns whether a day is the Tuesday after the first Monday of November of an even year (2 U.S.C. § 7). */
export function isGeneralElectionDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  const isTuesday = day.getUTCDay() === 2 && day.getUTCDate() >= 2 && day.getUTCDate() <= 8;
  return isTuesday && day.getUTCMonth() === 10 && day.getUTCFullYear() % 2 === 0;
}
