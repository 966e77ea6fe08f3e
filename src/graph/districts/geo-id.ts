import type { DistrictType } from '../../store/sql/tables.ts';

/**
 * Census summary levels by district type: the first three digits of a long GEOID (`0400000US50`). School districts have
 * three, one for each kind.
 */
const SUMMARY_LEVELS: Partial<Record<DistrictType, readonly string[]>> = {
  Country: ['010'],
  State: ['040'],
  County: ['050'],
  'County subdivision': ['060'],
  'City-town': ['160'],
  Congress: ['500'],
  'State Legislative (Upper)': ['610'],
  'State Legislative (Lower)': ['620'],
  'School District': ['950', '960', '970'],
};

/** Returns the short form of a GEOID: `0400000US50` → `50`; a short GEOID is returned unchanged. */
export function shortGeoId(geoId: string): string {
  return geoId.replace(/^.*US/, '');
}

/**
 * Returns whether a district has the requested GEOID; both may be in long or short form. A long requested GEOID matches
 * the short GEOID of a district only if the summary level fits the district's type.
 */
export function matchesGeoId(district: { type: DistrictType; geo_id: string | null }, requested: string): boolean {
  if (district.geo_id === null || requested === '') return false;
  if (district.geo_id === requested) return true;
  const isLong = requested.includes('US');
  if (isLong && district.geo_id.includes('US')) return false;
  const fits = !isLong || SUMMARY_LEVELS[district.type]?.includes(requested.slice(0, 3));
  return fits === true && shortGeoId(district.geo_id) === shortGeoId(requested);
}
