import { createHash } from 'node:crypto';

/**
 * The numbering of the sample, documented in its README: ids are readable, and stay the same when the sample is
 * compiled again.
 */

/** District id of the United States. */
export const countryId = 1;

/** District id of a state, DC or territory: 100 + its FIPS code. */
export const stateId = (fips: string): number => 100 + Number(fips);

/** District id of a Congress district: 10000 + its four-digit Census code (state FIPS, then 00 at large, 98 delegate). */
export const congressId = (geoid: string): number => 10_000 + Number(geoid);

/** Office ids of the country. */
export const presidentId = 1;
export const vicePresidentId = 2;

/** Office id of a Senate seat: state FIPS, 20, class; Alaska's class 2 is 2202. */
export const senateOfficeId = (fips: string, senateClass: number): number => Number(fips) * 1000 + 200 + senateClass;

/** Office id of a House seat: state FIPS, 3, the last two digits of its Census code; New Mexico's third is 35303. */
export const houseOfficeId = (geoid: string): number => Number(geoid.slice(0, 2)) * 1000 + 300 + Number(geoid.slice(2));

/** Office id of a statewide office: state FIPS, 4 and two digits for the executive, 5 and two for the courts. */
export const stateOfficeId = (fips: string, code: number): number => Number(fips) * 1000 + code;

/** Election id: the day, then the state's FIPS code; Vermont's on 2018-11-06 is 2018110650. */
export const electionId = (date: string, fips: string): number => Number(date.replaceAll('-', '') + fips);

/** Race id: the two-digit year (plus 50 for a special race), then five digits of the office plus the ballot position. */
export const raceId = (year: number, special: boolean, office: number, position: number | null): number =>
  ((year % 100) + (special ? 50 : 0)) * 100_000 + office + (position ?? 0);

/**
 * Candidate id: the race, then two digits in the order of names, since ids are visible to callers without the grant
 * `results`.
 */
export const candidateId = (race: number, place: number): number => race * 100 + place;

/** Person id: nine digits of a hash, of the same form for officeholders and for candidates who lost an election. */
export const personId = (key: string): number =>
  100_000_000 + (createHash('sha256').update(key).digest().readUIntBE(0, 6) % 900_000_000);

/** Measure id: year and month, state FIPS, two digits; Maine's second of November 2018 is 18112302. */
export const measureId = (date: string, fips: string, number: number): number =>
  Number(date.slice(2, 4) + date.slice(5, 7) + fips + String(number).padStart(2, '0'));
