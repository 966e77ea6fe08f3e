import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of the npm package us-atlas, with the outlines of the states and counties. */
export const usAtlasFolder = () => dirname(fileURLToPath(import.meta.resolve('us-atlas/package.json')));

interface AtlasCounty {
  /** The FIPS code of five digits. */
  readonly fips: string;
  readonly name: string;
}

let counties: readonly AtlasCounty[] | undefined;

/** Returns all counties of the country, with their names without `County`. */
export function atlasCounties(): readonly AtlasCounty[] {
  if (counties) return counties;
  const atlas: { objects: { counties: { geometries: { id: string; properties: { name: string } }[] } } } = JSON.parse(
    readFileSync(join(usAtlasFolder(), 'counties-10m.json'), 'utf8'),
  );
  counties = atlas.objects.counties.geometries.map(({ id, properties }) => ({ fips: id, name: properties.name }));
  return counties;
}
