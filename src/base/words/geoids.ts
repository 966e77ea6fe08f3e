import { readTable } from './read-table.ts';

/**
 * The beginnings of the long GEOIDs of each type of districts, as the store has them. The first three characters are the
 * summary level; the next two the edition of the map, of Congress and legislatures; then `00`, the whole of the area.
 */
const LEVELS = readTable<'type' | 'prefix' | 'source'>('geoid-levels', import.meta.url);

/** Returns the short form of a GEOID: `0400000US50` → `50`; a short GEOID is returned unchanged. */
export function shortGeoid(geoid: string): string {
  return geoid.replace(/^.*US/, '');
}

/** Returns the summary level of a long GEOID: `500` of `5001900US0639`; undefined for a short one. */
export function levelOfGeoid(geoid: string): string | undefined {
  return /^(\d{3})[\dA-Z]{2}00US/.exec(geoid)?.[1];
}

const prefixesOf = (type: string): string[] => LEVELS.flatMap((row) => (row.type === type ? row.prefix : []));

/** Returns whether a GEOID, short or long and of any edition, can be one of a type of districts. */
export function fitsGeoidLevel(type: string, geoid: string): boolean {
  const isShort = !geoid.includes('US');
  return isShort || prefixesOf(type).some((prefix) => prefix.slice(0, 3) === levelOfGeoid(geoid));
}

/**
 * Returns a GEOID, short or long and of any edition, as the store has it: one long form for all editions. A GEOID that does not fit
 * the type, or of a type with several levels, is returned as it is.
 */
export function storedGeoid(type: string, geoid: string): string {
  const [prefix, ...others] = prefixesOf(type);
  if (prefix === undefined || others.length > 0 || !fitsGeoidLevel(type, geoid)) return geoid;
  return `${prefix}${shortGeoid(geoid)}`;
}
