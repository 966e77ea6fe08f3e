import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Draw, oneOf, type PlantedFault } from './fault.ts';

type Position = readonly [number, number];
type Polygon = readonly (readonly Position[])[];
interface Feature {
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: readonly unknown[] };
}

const polygonsOf = ({ geometry }: Feature): Polygon[] =>
  (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Polygon[];
const isObject = (file: string) => file.endsWith('.geojson');

function read(folder: string, file: string): Feature {
  const parsed = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return parsed.type === 'FeatureCollection' ? parsed.features[0] : parsed;
}

function write(folder: string, file: string, feature: Feature, polygons: readonly Polygon[]): void {
  feature.geometry = { type: 'MultiPolygon', coordinates: polygons };
  writeFileSync(join(folder, file), JSON.stringify(feature));
}

/** A square in the middle of Kansas, and one in Wyoming. */
const ELSEWHERE: readonly Position[] = [
  [-98.5, 38.3],
  [-107.5, 43],
];

/** The faults of a map, a folder with a file for each district, by kind. */
export const MAP_FAULTS: Readonly<Record<string, (folder: string, draw: Draw) => PlantedFault | undefined>> = {
  'a gap of a map'(folder, draw) {
    const file = oneOf(draw, readdirSync(folder).filter(isObject));
    if (!file) return undefined;
    rmSync(join(folder, file));
    return {
      kind: 'a gap of a map',
      checks: ['refused', 'incomplete-maps', 'gaps-in-maps', 'missing-districts'],
      names: [],
    };
  },
  'an overlap of a map'(folder, draw) {
    const files = readdirSync(folder).filter(isObject);
    const [one, other] = [oneOf(draw, files), oneOf(draw, files)];
    if (!one || !other || one === other) return undefined;
    const feature = read(folder, one);
    write(folder, one, feature, [...polygonsOf(feature), ...polygonsOf(read(folder, other))]);
    return { kind: 'an overlap of a map', checks: ['overlaps-in-maps'], names: ['overlap'] };
  },
  'a district with a part in another state'(folder, draw) {
    const file = oneOf(draw, readdirSync(folder).filter(isObject));
    const [x, y] = oneOf(draw, ELSEWHERE) ?? [0, 0];
    if (!file) return undefined;
    const feature = read(folder, file);
    const [east, north] = [x + 0.3 + draw() / 2, y + 0.3 + draw() / 2];
    const ring: Position[] = [
      [x, y],
      [east, y],
      [east, north],
      [x, north],
      [x, y],
    ];
    write(folder, file, feature, [...polygonsOf(feature), [ring]]);
    return {
      kind: 'a district with a part in another state',
      checks: ['parts-in-other-states', 'districts-outside-their-state'],
      names: ['has a part in'],
    };
  },
};

/** Plants terms that are longer than the law allows in a file of members of Congress; returns the text and the faults. */
export function plantTerms(
  text: string,
  draw: Draw,
  count: number,
): { readonly text: string; readonly faults: PlantedFault[] } {
  const terms = [...text.matchAll(/ {2}- type: rep\n {4}start: '(\d{4}-\d\d-\d\d)'\n {4}end: '2023-01-03'\n/g)];
  const faults: PlantedFault[] = [];
  let planted = text;
  for (let number = 0; number < count; number++) {
    const term = oneOf(draw, terms);
    if (!term) break;
    terms.splice(terms.indexOf(term), 1);
    const end = `20${24 + number}-0${1 + Math.floor(draw() * 9)}-1${Math.floor(draw() * 10)}`;
    planted =
      planted.slice(0, term.index) + term[0].replace('2023-01-03', end) + planted.slice(term.index + term[0].length);
    faults.push({
      kind: 'a holder beyond the term of the office',
      checks: ['terms-beyond-the-law', 'terms-not-begun'],
      names: [end],
    });
  }
  return { text: planted, faults };
}
