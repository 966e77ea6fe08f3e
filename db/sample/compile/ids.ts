/**
 * The numbering of the sample, documented in its README: an id can be read, and it stays the same when the sample is
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
