import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Generated open data in editions that are imported one after the other: each changes every record of the previous
 * edition and adds one, and a response reveals which edition it was made from. A response from two editions at once is
 * torn.
 */
export interface EditionKind {
  readonly name: 'map' | 'results';
  /**
   * Writes an edition into a folder.
   * @returns the command-line arguments that import it.
   */
  write(folder: string, edition: number): string[];
  /** Queries the same facts in several ways at once, so that no single statement can produce the whole response. */
  readonly query: string;
  /** Returns the editions that a response to the query contains: one if it is consistent, none before the first. */
  editionsIn(response: unknown): Set<number>;
}

export interface EditionSize {
  /** Number of cities on the map, or of districts with a contest. */
  readonly districts: number;
  /** Number of points in the outline of a city, or of precincts in a district. */
  readonly details: number;
}

/** The day of the generated election. */
const DAY = '2018-11-06';

/**
 * Returns the editions of a map: cities of Maine in a grid, with outlines that no two editions share; edition n has n
 * cities more than edition 0.
 */
export function map({ districts, details }: EditionSize): EditionKind {
  const columns = Math.ceil(Math.sqrt(districts * 4));
  const centre = (index: number) => ({
    longitude: -70 + (index % columns) * 0.02,
    latitude: 43.5 + Math.floor(index / columns) * 0.02,
  });
  const outline = (index: number, edition: number) => {
    const { longitude, latitude } = centre(index);
    const ring = Array.from({ length: details }, (_, at) => {
      const angle = (2 * Math.PI * at) / details;
      const radius = 0.008 + 0.001 * Math.sin(angle * 7 + edition);
      return [longitude + radius * Math.cos(angle), latitude + radius * Math.sin(angle)];
    });
    return [...ring, ring[0]];
  };
  const points = [0, Math.floor(districts / 2), districts - 1].map(centre);
  return {
    name: 'map',
    write(folder, edition) {
      const features = Array.from({ length: districts + edition }, (_, index) => ({
        type: 'Feature',
        properties: { NAME: `City ${index} of edition ${edition}`, GEOID: `23${String(index).padStart(5, '0')}` },
        geometry: { type: 'Polygon', coordinates: [outline(index, edition)] },
      }));
      const file = join(folder, 'cities.geojson');
      writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
      const properties = 'name=NAME,geoid=GEOID';
      return [
        'districts-geojson',
        file,
        '--type',
        'City-town',
        '--from',
        '2000-01-01',
        '--name',
        'Cities of Maine',
      ].concat(['--properties', properties]);
    },
    query: `{
      ${points.map(({ latitude, longitude }, at) => `at${at}: location(latitude: ${latitude}, longitude: ${longitude}) { districts(types: [CITY_TOWN]) { name boundary { area } } }`).join('\n')}
      all: districts(state: "ME", types: [CITY_TOWN], first: 100) { totalCount edges { node { name } } }
    }`,
    editionsIn(response) {
      const names = [...JSON.stringify(response).matchAll(/of edition (\d+)/g)].map(([, edition]) => Number(edition));
      const [total] = numbersOf(response, 'totalCount');
      return new Set([...names, ...(total ? [total - districts] : [])]);
    },
  };
}

/**
 * Returns the editions of results: contests for Maine's House; edition n also has n contests for its Senate, and all
 * votes for the House end with the number of the edition.
 */
export function results({ districts, details }: EditionSize): EditionKind {
  const LAST_DIGITS = 1_000;
  const header =
    'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,' +
    'jurisdiction_fips,candidate,district,magnitude,dataverse,year,stage,state,special,writein,state_po,state_fips,' +
    'state_cen,state_ic,date,readme_check';
  const line = (precinct: number, office: string, votes: number, candidate: string, district: number) =>
    [precinct, office, 'DEMOCRAT,DEMOCRAT,TOTAL', votes, 'YORK,23031', precinct, '', candidate, district]
      .concat(['1,STATE,2018,GEN,MAINE,FALSE,FALSE,ME,23,11,2', DAY, 'FALSE'])
      .join(',');
  return {
    name: 'results',
    write(folder, edition) {
      const lines = [header];
      for (let district = 1; district <= districts; district++) {
        for (const [rank, candidate] of ['ADA LOVELACE', 'GRACE HOPPER', 'MARY JACKSON'].entries()) {
          for (let precinct = 1; precinct <= details; precinct++) {
            const votes = LAST_DIGITS * (3 - rank) + (precinct === 1 ? edition : 0);
            lines.push(line(precinct, 'STATE HOUSE', votes, candidate, district));
          }
        }
      }
      for (let district = 1; district <= edition; district++)
        lines.push(line(1, 'STATE SENATE', 1, 'KATHERINE JOHNSON', district));
      const file = join(folder, 'results.csv');
      writeFileSync(file, `${lines.join('\n')}\n`);
      return ['medsl', file];
    },
    query: `{
      house: stateBallot(state: "ME", electionDate: "${DAY}", districtTypes: [STATE_LEGISLATIVE_LOWER], first: 20) {
        edges { node { district { name } races { office { name } candidates { votes person { name } } } } }
      }
      senate: districts(state: "ME", types: [STATE_LEGISLATIVE_UPPER], first: 1) { totalCount }
    }`,
    editionsIn(response) {
      const votes = numbersOf(response, 'votes').map((count) => count % LAST_DIGITS);
      return new Set([...votes, ...numbersOf(response, 'totalCount').filter((total) => total > 0)]);
    },
  };
}

function numbersOf(response: unknown, field: string): number[] {
  return [...JSON.stringify(response).matchAll(new RegExp(`"${field}":(\\d+)`, 'g'))].map(([, digits]) =>
    Number(digits),
  );
}
