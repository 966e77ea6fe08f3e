import { type GraphQLInputType, type GraphQLNamedInputType, getNamedType, isEnumType } from 'graphql';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { locationId } from '../../src/graph/districts/location-id.ts';
import { electionKey } from '../support/election-key.ts';

/** Days on which the rich world changes: elections, new boundaries, first and last days of terms, and others. */
const DAYS = [
  ...['2022-11-08', '2022-11-08', '2024-11-05', '2024-11-05', '2024-03-05', '2026-11-03', '2023-01-03', '2023-01-02'],
  ...['2021-12-31', '2022-01-01', '2024-12-01', '2030-05-05', '1999-12-31', '2024-02-29', '0001-01-01', '9999-12-31'],
];
const LATITUDES = [42, 42, 42, 45, 48, 48, 40, 50, 52, 0, -0, 44.125, 90, 1e-7];
const LONGITUDES = [-98, -98, -98, -95, -92, -90, -85, -100, -80, 180, -180, 179.5, 0, -97.0625, -1e-7];

/** Degrees as a number, and at times as text. */
function degrees(values: readonly number[], pick: Pick): number | string {
  const value = pick(values);
  return pick([false, false, false, Math.abs(value) >= 1]) ? String(value) : value;
}

const IDS: Readonly<Record<string, readonly number[]>> = {
  district: [1, 10, 11, 20, 21, 30, 40, 41, 92],
  office: [100, 101, 102, 103, 104, 92, 140, 141, 142],
  officeholder: [1, 2, 3, 4, 5, 6, 90, 140, 142],
  person: [1, 2, 3, 4, 5, 6, 90],
  election: [500, 501, 502, 503, 504, 505],
  race: [600, 601, 602, 603, 604, 605, 606, 607, 608, 640, 642, 643],
  candidate: [800, 802, 803, 804, 808, 810, 811, 812, 814, 840, 842, 890],
  ballotMeasure: [700, 701, 702, 703, 740, 741],
  boundary: [1_000_000, 1_000_001, 1_000_002, 1_000_003],
  party: [1, 2, 3],
};
const cursor = (...position: readonly unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url');
const CURSORS = [
  cursor('County', 'First County', 30),
  cursor('State', 'Alpha', 10),
  cursor('Ben Baker', 2),
  cursor('2022-11-08', 601),
  cursor('2022-11-08', electionKey(501)),
  cursor(200, 'State', 'Governor', 101),
  cursor(2),
  cursor(),
  'no',
  '',
];
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  state: ['AA', 'AA', 'AA', 'BB', 'US', 'aa', 'ZZ'],
  name: ['a', 'able', 'e', 'Cong', 'First', '"', 'ö', ''],
  geoId: ['0400000US91', '91', '92', '9101', 'none'],
  ocdId: ['ocd-division/country:us/state:aa', 'ocd-division/country:us', 'none'],
  types: ['General', 'special', 'Primary'],
  after: CURSORS,
  before: CURSORS,
  stages: ['General', 'primary', 'none'],
  text: ['a', 'School', '%'],
  scheme: ['one', 'two', 'ocdid', 'geoid', 'geoid', 'nces', 'fec', ''],
  value: ['1', '10', '500', '803', '91', '9101', 'ocd-division/country:us', 'none', ''],
};

export type Pick = <Item>(items: readonly Item[]) => Item;

/**
 * Draws a value of a scalar or enum for an argument or input field, most often one for which the rich world has something.
 * @param owner the field that has the argument.
 */
export function leafValue(type: GraphQLInputType, name: string, owner: string, pick: Pick): unknown {
  const named: GraphQLNamedInputType = getNamedType(type);
  if (isEnumType(named)) return pick(named.getValues()).name;
  switch (named.name) {
    case 'Boolean':
      return pick([true, false]);
    case 'Date':
      return pick(DAYS);
    case 'Latitude':
      return degrees(LATITUDES, pick);
    case 'Longitude':
      return degrees(LONGITUDES, pick);
    case 'Float':
      return pick([0, 0, 100, 1000, 0.5, 20_000, -1]);
    case 'ZipCode':
      return pick(['05602', '00501', '99999']);
    case 'ID':
      return idValue(owner, pick);
    case 'Int':
      return intValue(name, owner, pick);
    default:
      return pick(TEXTS[name] ?? ['AA', 'a', '']);
  }
}

/** Most often the id of an object of the type that the field returns. */
function idValue(owner: string, pick: Pick): string {
  const known = IDS[owner] ? owner : pick(Object.keys(IDS));
  const type = `${known.charAt(0).toUpperCase()}${known.slice(1)}`;
  const number = pick(IDS[known] ?? []);
  const id = globalId(type, type === 'Election' ? electionKey(number) : number);
  return pick([id, id, id, id, globalId(type, 99_999), locationId({ latitude: 42, longitude: -98 }), '10', 'none', '']);
}

function intValue(name: string, owner: string, pick: Pick): number {
  if (name === 'first' || name === 'last') return pick([1, 2, 3, 25, 100, 100, 0, 101]);
  if (name === 'parties') return pick([1, 2, 5, 99_999]);
  if (name === 'page') return pick([1, 2, 3, 0]);
  if (name === 'year') return pick([2022, 2024, 2026, 1999]);
  return pick([...(IDS[owner] ?? []), ...(IDS[owner] ?? []), 99_999]);
}
