import { box } from './folders.ts';

/** Returns a Feature of a square one degree wide with the given western edge, or of another geometry. */
export function feature(
  properties: object,
  west: number,
  geometry: object = { type: 'Polygon', coordinates: [box(west, 43, west + 1, 44)] },
) {
  return { type: 'Feature', properties, geometry };
}

/** Returns a FeatureCollection as text. */
export function collection(features: object[], more: object = {}): string {
  return JSON.stringify({ type: 'FeatureCollection', name: 'features', ...more, features });
}

/** Returns a Congress district in the form of the Census, for example `33` and `01` for the first of New Hampshire. */
export const census = (fips: string, code: string, west: number) =>
  feature(
    { STATEFP20: fips, GEOID20: `${fips}${code}`, CD118FP: code, NAMELSAD20: `Congressional District ${code}` },
    west,
  );
