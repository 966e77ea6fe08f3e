import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

type Row = readonly [
  type: 'State' | 'County' | 'City-town' | 'County subdivision' | 'School District',
  name: string,
  state: string,
];
const STATES: readonly Row[] = [
  ['State', 'Maine', 'ME'],
  ['State', 'Vermont', 'VT'],
  ['State', 'Missouri', 'MO'],
  ['State', 'New York', 'NY'],
  ['State', 'Iowa', 'IA'],
  ['State', 'Maryland', 'MD'],
  ['State', 'Hawaii', 'HI'],
  ['State', 'Louisiana', 'LA'],
  ['State', 'Utah', 'UT'],
  ['State', 'Puerto Rico', 'PR'],
  ['State', 'Guam', 'GU'],
  ['State', 'District of Columbia', 'DC'],
];
/** Towns are loaded of Maine, Vermont and Iowa. */
const PLACES: readonly Row[] = [
  ['City-town', 'Montpelier', 'VT'],
  ['City-town', 'Barre', 'VT'],
  ['County subdivision', 'Barre city', 'VT'],
  ['County subdivision', 'Barre town', 'VT'],
  ['City-town', 'Augusta', 'ME'],
  ['City-town', 'Washington', 'ME'],
  ['City-town', 'Iowa City', 'IA'],
  ['City-town', 'West Vermont Junction', 'IA'],
  ['School District', 'Augusta Public Schools', 'ME'],
  ['County', 'Washington County', 'ME'],
  ['County', 'Kennebec County', 'ME'],
  ['County', 'Washington County', 'VT'],
  ['County', "O'Brien County", 'IA'],
  ['County', 'Iowa County', 'IA'],
  ['County', 'St. Louis County', 'MO'],
  ['County', 'St. Louis city', 'MO'],
  ['County', 'Ste. Genevieve County', 'MO'],
  ['County', 'DeKalb County', 'MO'],
  ['County', "St. Mary's County", 'MD'],
  ['County', "Prince George's County", 'MD'],
  ['County', 'New York County', 'NY'],
  ['County', 'Orleans Parish', 'LA'],
  ['County', 'Utah County', 'UT'],
  ['County', 'Mayagüez Municipio', 'PR'],
  ['County', 'Guam', 'GU'],
  ['County', 'District of Columbia', 'DC'],
  ['County', 'Adair County', 'MO'],
];

beforeAll(async () => {
  for (const [index, [type, name, state]] of [...STATES, ...PLACES].entries()) {
    await insert(database.db, 'districts', [{ id: index + 1, type, name, state }]);
    await boundary(database.db, index + 1, ['2000-01-01', null], [index / 10, 0, index / 10 + 0.05, 1]);
  }
});

interface Found {
  readonly ambiguous: boolean;
  readonly missing: readonly string[];
  readonly matches: readonly { readonly label: string; readonly point: unknown; readonly district: { name: string } }[];
}

async function geocode(text: string): Promise<Found> {
  const query =
    'query ($text: String!) { geocode(text: $text) { ambiguous missing matches { label point { latitude } district { name } } } }';
  const { data, errors } = await request(database.db, query, { variables: { text } });
  expect(errors).toBeUndefined();
  return (data as { geocode: Found }).geocode;
}

const labels = ({ matches }: Found) => matches.map(({ label }) => label);

describe('a place is certain', () => {
  it.each([
    // Abbreviations, apostrophes, accents and hyphens.
    ['St. Louis County, MO', 'St. Louis County, MO'],
    ['Saint Louis County Missouri', 'St. Louis County, MO'],
    ['st louis co mo', 'St. Louis County, MO'],
    ['St. Louis city, MO', 'St. Louis city, MO'],
    ['Sainte Genevieve County, MO', 'Ste. Genevieve County, MO'],
    ['De Kalb County, MO', 'DeKalb County, MO'],
    ["St. Mary's County, MD", "St. Mary's County, MD"],
    ['SAINT MARYS COUNTY MARYLAND', "St. Mary's County, MD"],
    ['Prince George’s County, Maryland', "Prince George's County, MD"],
    ["O'Brien County, IA", "O'Brien County, IA"],
    ['OBrien County, Iowa', "O'Brien County, IA"],
    ['Mayaguez Municipio, PR', 'Mayagüez Municipio, PR'],
    ['mayagüez municipio puerto rico', 'Mayagüez Municipio, PR'],
    // Another word for the kind of a county, and the kind before the name.
    ['Orleans County, LA', 'Orleans Parish, LA'],
    ['County of Kennebec, Maine', 'Kennebec County, ME'],
    ['City of Augusta, ME', 'Augusta, ME'],
    // The state at any place, by name or code.
    ['Augusta Maine', 'Augusta, ME'],
    ['Maine, Augusta', 'Augusta, ME'],
    ['AUGUSTA ME USA', 'Augusta, ME'],
    ['Iowa City, Iowa', 'Iowa City, IA'],
    ['Kennebec, ME', 'Kennebec County, ME'],
    ['Augusta Public Schools, ME', 'Augusta Public Schools, ME'],
    // States by name and code, and the city that is a district.
    ['NY', 'New York'],
    ['new york', 'New York'],
    ['State of Maine', 'Maine'],
    ['DC', 'District of Columbia'],
    ['D.C.', 'District of Columbia'],
    ['Washington, DC', 'District of Columbia'],
    ['Washington D.C.', 'District of Columbia'],
    ['washington district of columbia', 'District of Columbia'],
    ['Guam', 'Guam'],
    ['hawaiʻi', 'Hawaii'],
  ])('%s', async (text, label) => {
    const found = await geocode(text);
    expect([labels(found)[0], found.ambiguous, found.missing], JSON.stringify(found)).toEqual([label, false, []]);
    expect(found.matches[0]?.point).toBeNull();
  });
});

describe('a person is asked', () => {
  it.each([
    // Without a state.
    ['Montpelier', ['Montpelier, VT']],
    ['Washington County', ['Washington County, ME', 'Washington County, VT']],
    // Two places of the name.
    ['Washington, ME', ['Washington, ME', 'Washington County, ME']],
    ['Barre, VT', ['Barre, VT', 'Barre town, VT']],
    // Of states without towns in the data, the name may be that of a city.
    ['St. Louis, MO', ['St. Louis city, MO', 'St. Louis County, MO']],
    ['Adair, Missouri', ['Adair County, MO']],
    ['New York, NY', ['New York County, NY', 'New York']],
    ['Utah, Utah', ['Utah County, UT', 'Utah']],
    // A wrong letter, and the beginning of a name.
    ['Kenebec County, ME', ['Kennebec County, ME']],
    ['Kenne', ['Kennebec County, ME']],
  ])('%s', async (text, expected) => {
    const found = await geocode(text);
    expect([new Set(labels(found)), found.ambiguous], JSON.stringify(found)).toEqual([new Set(expected), true]);
  });
});

describe('what is unrelated is not offered', () => {
  it.each([
    ['Springfield, Missouri', ['TOWNS']],
    ['Bangor, Maine', []],
    ['Nowhere County, VT', []],
    ['Paris', []],
    ['05602', ['ZIP_CODES']],
    ['12 Main St', ['ADDRESSES']],
    ['1600 Pennsylvania Ave NW, Springfield', ['ADDRESSES']],
  ])('%s', async (text, missing) => {
    expect(await geocode(text)).toMatchObject({ matches: [], ambiguous: false, missing });
  });
});
