import { storedGeoid } from '../../base/words/geoids.ts';
import type { State } from '../../base/words/states.ts';
import { houseSeats } from './house-seats.ts';

/** The first day of the 118th Congress, of whose edition the stored GEOIDs are. */
const CONGRESS_118 = '2023-01-03';

/**
 * Returns the long GEOID of a Congress district by its number; 0 is an at-large state or the district of a delegate.
 * Undefined for a number that the 118th Congress did not have.
 */
export function congressGeoid({ fips, postal, kind }: State, number: number): string | undefined {
  if (kind !== 'state') return number === 0 ? storedGeoid('Congress', `${fips}98`) : undefined;
  const seats = houseSeats(postal, CONGRESS_118) ?? 0;
  if (number === 0 ? seats !== 1 : number > seats || seats === 1) return undefined;
  return storedGeoid('Congress', `${fips}${String(number).padStart(2, '0')}`);
}

/**
 * Returns the long GEOID of a legislative district by its code in OCD ids: the Census writes numbers and letters with
 * three characters, `610U600US34019` for district 19 of New Jersey's Senate. Undefined for names such as `addison-1`,
 * which have other codes.
 */
export function legislativeGeoid({ fips }: State, chamber: 'Upper' | 'Lower', code: string): string | undefined {
  if (!/^(\d{1,3}|\d{1,2}[a-z]|[a-z])$/i.test(code)) return undefined;
  return storedGeoid(`State Legislative (${chamber})`, `${fips}${code.toUpperCase().padStart(3, '0')}`);
}
