import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DatasetError, loadFolder } from '../../src/import/load.ts';
import type { Database } from '../../src/store/database.ts';
import { useStore } from '../support/store.ts';
import { box, FIXTURE, type Files, feature, fingerprint, fixtureWith, folderOf } from './folders.ts';

const fileOf = (name: string): string => readFileSync(join(FIXTURE, name), 'utf8');
/** A file of the fixture with one text of it exchanged, which must be there. */
const changed = (name: string, from: string, to: string): Files => {
  expect(fileOf(name)).toContain(from);
  return { [name]: fileOf(name).replace(from, to) };
};
const added = (name: string, line: string): Files => ({ [name]: `${fileOf(name)}${line}\n` });

async function refusalOf(db: Database, folder: string): Promise<string> {
  const error = await loadFolder(db, folder).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DatasetError);
  expect(error).toHaveProperty('exitCode', 65);
  return (error as DatasetError).message;
}

const store = useStore();
let before: Record<string, string>;
beforeAll(async () => {
  await loadFolder(store.db, FIXTURE);
  before = await fingerprint(store.db);
});

const square = [box(-72, 43, -71, 44)];
const WEST = { district_id: 2, start_date: '2030-01-01', precise: true };

describe('one bad cell refuses the load, and is named', () => {
  test.each<[what: string, files: () => Files, fault: string]>([
    [
      'an id of 0',
      () => changed('persons.csv', '\n24,', '\n0,'),
      'persons.csv:5: id: "0" is not a whole number from 1 to 2147483647',
    ],
    [
      'a negative id',
      () => changed('persons.csv', '\n24,', '\n-24,'),
      'persons.csv:5: id: "-24" is not a whole number',
    ],
    [
      'an id of more than 32 bits',
      () => changed('persons.csv', '\n24,', '\n2147483648,'),
      'persons.csv:5: id: "2147483648" is not a whole number',
    ],
    [
      'an id with a separator',
      () => changed('persons.csv', '\n24,', '\n"1,024",'),
      'persons.csv:5: id: "1,024" is not a whole number',
    ],
    [
      'an id with a leading zero',
      () => changed('persons.csv', '\n24,', '\n024,'),
      'persons.csv:5: id: "024" is not a whole number',
    ],
    [
      'an id in other digits',
      () => changed('persons.csv', '\n24,', '\n٢٤,'),
      'persons.csv:5: id: "٢٤" is not a whole number',
    ],
    [
      'an id with an exponent',
      () => changed('persons.csv', '\n24,', '\n24e0,'),
      'persons.csv:5: id: "24e0" is not a whole number',
    ],
    ['an id that is missing', () => changed('persons.csv', '\n24,', '\n,'), 'persons.csv:5: id: is missing'],
    ['a name that is missing', () => changed('persons.csv', 'Dee Example', ''), 'persons.csv:5: name: is missing'],
    ['a name of blanks', () => changed('persons.csv', 'Dee Example', '  '), 'persons.csv:5: name: "  " is blank'],
    [
      'an unknown district type',
      () => changed('districts.csv', '3,County', '3,county'),
      'districts.csv:4: type: "county" is not one of: Country, Congress, State, State Legislative (Upper)',
    ],
    [
      'a state in small letters',
      () => changed('districts.csv', 'East,VT', 'East,vt'),
      'districts.csv:4: state: "vt" is not a state of two capital letters',
    ],
    [
      'an unknown level',
      () => changed('offices.csv', 'Local', 'Municipal'),
      'offices.csv:3: level: "Municipal" is not one of: Federal, State, Local',
    ],
    [
      'an unknown branch',
      () => changed('offices.csv', 'Executive', 'Sheriff'),
      'offices.csv:3: branch: "Sheriff" is not one of: Legislative, Executive, Judicial',
    ],
    [
      'an unknown chamber',
      () => changed('offices.csv', 'Lower', 'House'),
      'offices.csv:4: chamber: "House" is not one of: Upper, Lower',
    ],
    [
      'a date that does not exist',
      () => changed('elections.csv', '2022-11-08', '2023-02-30'),
      'elections.csv:2: date: "2023-02-30" is not an existing day, YYYY-MM-DD',
    ],
    [
      'a date that only PostgreSQL knows',
      () => changed('elections.csv', '2022-11-08', 'today'),
      'elections.csv:2: date: "today" is not an existing day',
    ],
    [
      'a date in another order',
      () => changed('elections.csv', '2022-11-08', '11/08/2022'),
      'elections.csv:2: date: "11/08/2022" is not an existing day',
    ],
    [
      'a leap day of a year without',
      () => changed('officeholders.csv', '2019-02-01', '2019-02-29'),
      'officeholders.csv:3: start_date: "2019-02-29" is not an existing day',
    ],
    [
      'a boolean in another form',
      () => changed('elections.csv', 'Coming,false', 'Coming,FALSE'),
      'elections.csv:3: candidate_lists_complete: "FALSE" is neither true nor false',
    ],
    [
      'negative votes',
      () => changed('candidates.csv', 'Lost,45', 'Lost,-45'),
      'candidates.csv:3: votes_for_cand: "-45" is not a whole number from 0 to 2147483647',
    ],
    [
      'votes beyond 32 bits',
      () => changed('candidates.csv', 'Lost,45', 'Lost,2147483648'),
      'candidates.csv:3: votes_for_cand: "2147483648" is not',
    ],
    [
      'votes with a fraction',
      () => changed('ballot_measures.csv', ',70,', ',70.0,'),
      'ballot_measures.csv:2: yes_votes_total: "70.0" is not a whole number',
    ],
    [
      'no seats',
      () => changed('races.csv', 'General,2,', 'General,0,'),
      'races.csv:3: number_of_seats: "0" is not a whole number from 1',
    ],
    [
      'a round of 0',
      () => changed('ranked_choice_rounds.csv', '61,1,', '61,0,'),
      'ranked_choice_rounds.csv:2: round: "0" is not a whole number from 1',
    ],
    [
      'a year of two digits',
      () => changed('races.csv', ',2024,', ',24,'),
      'races.csv:3: year: "24" is not a year of four digits',
    ],
    [
      'an unknown type of race',
      () => changed('races.csv', 'Special', 'special'),
      'races.csv:3: type: "special" is not one of: Regular, Special, Recall, Retention',
    ],
    [
      'a list with another separator',
      () => changed('candidates.csv', '2;8', '"2,8"'),
      'candidates.csv:2: party_ids: "2,8" is not a list of different whole numbers',
    ],
    [
      'a party twice',
      () => changed('candidates.csv', '2;8', '2;2'),
      'candidates.csv:2: party_ids: "2;2" is not a list of different',
    ],
    [
      'a term that ends before it starts',
      () => changed('officeholders.csv', '2027-01-03', '2020-01-03'),
      'officeholders.csv:2: end_date: 2020-01-03 is before the start, 2021-01-03',
    ],
    [
      'a contact of nobody',
      () => changed('contacts.csv', '31,,contact,Phone', ',,contact,Phone'),
      'contacts.csv:2: officeholder_id: exactly one of officeholder_id and person_id is needed',
    ],
    [
      'a contact of two',
      () => changed('contacts.csv', '31,,contact,Phone', '31,21,contact,Phone'),
      'contacts.csv:2: officeholder_id: exactly one of',
    ],
    [
      'an unknown collection',
      () => changed('contacts.csv', ',social,', ',media,'),
      'contacts.csv:5: collection: "media" is not one of: contact, social',
    ],
    [
      'a row with a cell too few',
      () => changed('parties.csv', '2,Democratic,', '2,Democratic'),
      'parties.csv:3: has 2 cells; the header has 3',
    ],
    [
      'a row with a cell too many',
      () => changed('parties.csv', '2,Democratic,', '2,Democratic,,'),
      'parties.csv:3: has 4 cells; the header has 3',
    ],
  ])('%s', async (_, files, fault) => {
    expect(await refusalOf(store.db, fixtureWith(files()))).toContain(`(1 fault):\n  ${fault}`);
    expect(await fingerprint(store.db)).toEqual(before);
  });
});

describe('rows that do not fit together refuse the load, and are named', () => {
  test.each<[what: string, files: () => Files, fault: string]>([
    [
      'an id that is there twice',
      () => added('persons.csv', '22,Other,,'),
      'persons.csv:6: id: is used in line 3 already',
    ],
    [
      'a round that is there twice',
      () => added('ranked_choice_rounds.csv', '61,2,1,'),
      'ranked_choice_rounds.csv:6: candidate_id, round: is used in line 3 already',
    ],
    [
      'an ocdid that is there twice',
      () => changed('districts.csv', 'county:east', 'county:west'),
      'districts.csv:4: ocdid: is the ocdid of district 2 too',
    ],
    [
      'a district that is not there',
      () => changed('offices.csv', '12,2,', '12,9,'),
      'offices.csv:3: district_id: there is no district 9',
    ],
    [
      'an office that is not there',
      () => changed('officeholders.csv', '31,11,', '31,19,'),
      'officeholders.csv:2: office_id: there is no office 19',
    ],
    [
      'a person that is not there',
      () => changed('candidates.csv', '63,52,24', '63,52,29'),
      'candidates.csv:4: person_id: there is no person 29',
    ],
    [
      'a party that is not there',
      () => changed('officeholders.csv', 'Current,2', 'Current,99'),
      'officeholders.csv:2: partisan_affiliation: there is no party 99',
    ],
    [
      'a party of a list that is not there',
      () => changed('candidates.csv', '2;8', '2;98'),
      'candidates.csv:2: party_ids: there is no party 98',
    ],
    [
      'an officeholder that is not there',
      () => changed('contacts.csv', '31,,contact,Phone', '39,,contact,Phone'),
      'contacts.csv:2: officeholder_id: there is no officeholder 39',
    ],
    [
      'an election that is not there',
      () => changed('races.csv', '51,41,', '51,49,'),
      'races.csv:2: election_id: there is no election 49',
    ],
    [
      'a race that is not there',
      () => changed('candidates.csv', '61,51,', '61,59,'),
      'candidates.csv:2: race_id: there is no race 59',
    ],
    [
      'a candidate that is not there',
      () => added('ranked_choice_rounds.csv', '69,1,1,'),
      'ranked_choice_rounds.csv:6: candidate_id: there is no candidate 69',
    ],
    [
      'a boundary of a district that is not there',
      () => added('boundaries.geojsonl', feature({ ...WEST, district_id: 9 }, square)),
      'boundaries.geojsonl:5: district_id: there is no district 9',
    ],
    [
      'a boundary that is there twice',
      () =>
        added('boundaries.geojsonl', feature({ ...WEST, start_date: '2000-01-01', end_date: '2000-02-01' }, square)),
      'boundaries.geojsonl:5: district_id, start_date: is used in line 2 already',
    ],
    [
      'two boundaries in effect at once',
      () => changed('boundaries.geojsonl', '"2022-12-31","precise"', '"2023-01-01","precise"'),
      'boundaries.geojsonl:3: start_date: the district has a boundary from 2000-01-01 to 2023-01-01 (line 2)',
    ],
    [
      'a boundary of one day within another',
      () => added('boundaries.geojsonl', feature({ ...WEST, end_date: '2030-01-01' }, square)),
      'boundaries.geojsonl:5: start_date: the district has a boundary from 2022-12-31 on (line 3)',
    ],
    [
      'a boundary that ends before it starts',
      () => added('boundaries.geojsonl', feature({ ...WEST, end_date: '2029-12-31' }, square)),
      'boundaries.geojsonl:5: end_date: 2029-12-31 is before the start, 2030-01-01',
    ],
  ])('%s', async (_, files, fault) => {
    expect(await refusalOf(store.db, fixtureWith(files()))).toContain(`(1 fault):\n  ${fault}`);
    expect(await fingerprint(store.db)).toEqual(before);
  });

  test('against rows of the store as well', async () => {
    const folder = folderOf({
      'districts.csv': 'id,type,name,ocdid\n5,County,North,ocd-division/country:us/state:vt/county:west\n',
      'boundaries.geojsonl': feature({ ...WEST, start_date: '1990-01-01' }, square),
    });
    expect(await refusalOf(store.db, folder)).toContain(
      [
        '  districts.csv:2: ocdid: is the ocdid of district 2 too',
        '  boundaries.geojsonl:1: start_date: the district has a boundary from 2000-01-01 to 2022-12-31 in the store',
      ].join('\n'),
    );
    expect(await fingerprint(store.db)).toEqual(before);
  });
});

describe('a boundary that is not right refuses the load, and is named', () => {
  test.each<[what: string, line: string, fault: string]>([
    ['no JSON', '{"type":"Feature"', 'is not JSON (one whole Feature a line is needed): "{\\"type\\":\\"Feature\\""'],
    ['something after it', `${feature(WEST, square)},`, 'is not JSON'],
    ['another type', '{"type":"FeatureCollection","features":[]}', 'is not a GeoJSON Feature'],
    ['a list', '[]', 'is not a GeoJSON Feature'],
    ['an unknown member', '{"type":"Feature","style":{},"properties":{},"geometry":null}', 'unknown member "style"'],
    ['no properties', '{"type":"Feature","geometry":null}', 'properties: are missing'],
    [
      'an unknown property',
      feature({ ...WEST, name: 'West' }, square),
      'unknown property "name"; known are district_id, start_date, end_date, precise',
    ],
    ['no district', feature({ ...WEST, district_id: null }, square), 'district_id: is missing'],
    [
      'a district that is a text',
      feature({ ...WEST, district_id: 'West' }, square),
      'district_id: "West" is not a whole number',
    ],
    ['no start', feature({ ...WEST, start_date: undefined }, square), 'start_date: is missing'],
    ['precise as a text', feature({ ...WEST, precise: 'yes' }, square), 'precise: "yes" is neither true nor false'],
    [
      'no geometry',
      '{"type":"Feature","properties":{"district_id":2,"start_date":"2030-01-01","precise":true},"geometry":null}',
      'geometry: is missing',
    ],
    [
      'another coordinate system',
      feature(WEST, square).replace('{', '{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},'),
      'crs: "EPSG:3857" is not WGS 84',
    ],
    ['an open ring', feature(WEST, [box(-72, 43, -71, 44).slice(0, 4)]), 'geometry: has a ring that is not closed'],
    [
      'a latitude out of range',
      feature(WEST, [box(-72, 43, -71, 100)]),
      'geometry: has the latitude 100, which is out of range',
    ],
    [
      'a bow-tie',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 44],
          [-71, 43],
          [-72, 44],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid and cannot be repaired: Self-intersection',
    ],
    [
      'two lobes of different size',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 44],
          [-71, 43.5],
          [-72, 44],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid, and repairing it would change its area by',
    ],
    [
      'no area',
      feature(WEST, [
        [
          [-72, 43],
          [-71, 43],
          [-72, 43],
          [-72, 43],
        ],
      ]),
      'geometry: is invalid and cannot be repaired: Too few points',
    ],
    ['a hole outside', feature(WEST, [box(-72, 43, -71, 44), box(-70, 43, -69, 44)]), 'geometry: is invalid'],
    [
      'nesting without end',
      `{"type":"Feature","properties":{"district_id":2,"start_date":"2030-01-01","precise":true},"geometry":{"type":"Polygon","coordinates":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'geometry: has a ring of 1 positions',
    ],
    [
      'nesting without end in a property',
      feature(WEST, square).replace('true', '['.repeat(20_000) + ']'.repeat(20_000)),
      'precise: "(not a plain value)" is neither',
    ],
  ])('%s', async (_, line, fault) => {
    const files = added('boundaries.geojsonl', line).valueOf() as Record<string, string>;
    files['boundaries.geojsonl'] = (files['boundaries.geojsonl'] ?? '').replace(
      '{"district_id":2,"start_date":"2022-12-31"',
      '{"district_id":2,"end_date":"2029-01-01","start_date":"2022-12-31"',
    );
    expect(await refusalOf(store.db, fixtureWith(files))).toContain(`\n  boundaries.geojsonl:5: ${fault}`);
    expect(await fingerprint(store.db)).toEqual(before);
  });
});

test('a bad row does not make those that refer to it bad', async () => {
  const folder = fixtureWith({
    ...changed('persons.csv', 'Dee Example,', ','),
    ...changed('elections.csv', 'Coming', 'Coming","'),
  });
  expect(await refusalOf(store.db, folder)).toBe(
    [
      'The dataset is refused; nothing was changed (2 faults):',
      '  persons.csv:5: name: is missing',
      '  elections.csv:3: a quote stands within a cell that is not quoted',
    ].join('\n'),
  );
});

test('all files are checked, all faults counted, and a hundred shown', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `${index + 100},1,Bad,Nowhere,Executive`);
  const folder = fixtureWith({
    ...added('districts.csv', '5,Village,North,VT,,'),
    'offices.csv': ['id,district_id,name,level,branch', ...lines, ''].join('\n'),
    'officeholders.csv': null,
    'contacts.csv': null,
    ...changed('races.csv', '51,41,13', '51,48,13'),
  });
  const error = await loadFolder(store.db, folder).catch((error: unknown) => error);
  expect(error).toHaveProperty('count', 152);
  expect((error as DatasetError).faults).toHaveLength(100);
  expect((error as DatasetError).faults[0]).toMatchObject({ file: 'districts.csv', line: 6, column: 'type' });
  expect((error as DatasetError).message).toMatch(/ {2}… and 52 more$/);
});
