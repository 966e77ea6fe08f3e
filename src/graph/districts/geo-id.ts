import { fitsGeoidLevel, levelOfGeoid, shortGeoid } from '../../base/words/geoids.ts';
import type { DistrictType } from '../../store/sql/tables.ts';

/**
 * Returns whether a district has the requested GEOID; both may be in long or short form, and of different editions: a district is
 * the same in each Congress. A long GEOID matches only if its summary level fits the district's type and stored GEOID.
 */
export function matchesGeoId(district: { type: DistrictType; geo_id: string | null }, requested: string): boolean {
  const { type, geo_id: stored } = district;
  if (stored === null || requested === '') return false;
  if (stored === requested) return true;
  const levels = new Set([stored, requested].flatMap((geoid) => levelOfGeoid(geoid) ?? []));
  return levels.size < 2 && fitsGeoidLevel(type, requested) && shortGeoid(stored) === shortGeoid(requested);
}
