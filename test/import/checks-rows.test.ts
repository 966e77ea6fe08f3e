import { describe, expect, test } from 'vitest';
import { type DatasetError, loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { type Files, feature, fixtureWith, folderOf } from './folders.ts';
import { added, changed, SQUARE, useRejections, WEST } from './rejections.ts';

const database = useDatabase();
const rejectionOf = useRejections(database);

describe('inconsistent rows reject the load, and are reported', () => {
  test.each<[what: string, files: () => Files, problem: string]>([
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
      'districts.csv:4: ocdid: is also the ocdid of district 2',
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
      'a person who is in a race twice',
      () => changed('candidates.csv', '62,51,23,', '62,51,21,'),
      'candidates.csv:3: person_id: candidate 62: person 21 is in race 51 as candidate 61 (line 2) already; a candidacy for several parties is one row that lists them in party_ids',
    ],
    [
      'a person who is in a race of the database',
      () => ({ 'candidates.csv': 'id,race_id,person_id\n69,51,21\n' }),
      'candidates.csv:2: person_id: candidate 69: person 21 is in race 51 as candidate 61 in the database already',
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
      () => added('boundaries.geojsonl', feature({ ...WEST, district_id: 9 }, SQUARE)),
      'boundaries.geojsonl:5: district_id: there is no district 9',
    ],
    [
      'a boundary that is there twice',
      () =>
        added('boundaries.geojsonl', feature({ ...WEST, start_date: '2000-01-01', end_date: '2000-02-01' }, SQUARE)),
      'boundaries.geojsonl:5: district_id, start_date: is used in line 2 already',
    ],
    [
      'two boundaries in effect at once',
      () => changed('boundaries.geojsonl', '"2022-12-31","precise"', '"2023-01-01","precise"'),
      'boundaries.geojsonl:3: start_date: the district has a boundary from 2000-01-01 to 2023-01-01 (line 2)',
    ],
    [
      'a boundary of one day within another',
      () => added('boundaries.geojsonl', feature({ ...WEST, end_date: '2030-01-01' }, SQUARE)),
      'boundaries.geojsonl:5: start_date: the district has a boundary from 2022-12-31 on (line 3)',
    ],
    [
      'a boundary that ends before it starts',
      () => added('boundaries.geojsonl', feature({ ...WEST, end_date: '2029-12-31' }, SQUARE)),
      'boundaries.geojsonl:5: end_date: 2029-12-31 is before the start, 2030-01-01',
    ],
  ])('%s', async (_, files, problem) => {
    expect(await rejectionOf(fixtureWith(files()))).toContain(`(1 error):\n  ${problem}`);
  });

  test('also against rows of the database', async () => {
    const folder = folderOf({
      'districts.csv': 'id,type,name,ocdid\n5,County,North,ocd-division/country:us/state:vt/county:west\n',
      'boundaries.geojsonl': feature({ ...WEST, start_date: '1990-01-01' }, SQUARE),
    });
    expect(await rejectionOf(folder)).toContain(
      [
        '  districts.csv:2: ocdid: is also the ocdid of district 2',
        '  boundaries.geojsonl:1: start_date: the district has a boundary from 2000-01-01 to 2022-12-31 in the database',
      ].join('\n'),
    );
  });
});

test('an invalid row does not invalidate rows that refer to it', async () => {
  const folder = fixtureWith({
    ...changed('persons.csv', 'Dee Example,', ','),
    ...changed('elections.csv', 'Coming', 'Coming","'),
  });
  expect(await rejectionOf(folder)).toBe(
    [
      'The dataset was rejected; nothing was changed (2 errors):',
      '  persons.csv:5: name: is missing',
      '  elections.csv:3: a quote is inside a cell that is not quoted',
    ].join('\n'),
  );
});

test('all files are checked, all errors counted, and a hundred shown', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `${index + 100},1,Bad,Nowhere,Executive`);
  const folder = fixtureWith({
    ...added('districts.csv', '5,Village,North,VT,,'),
    'offices.csv': ['id,district_id,name,level,branch', ...lines, ''].join('\n'),
    'officeholders.csv': null,
    'contacts.csv': null,
    ...changed('races.csv', '51,41,13', '51,48,13'),
  });
  const error = await loadFolder(database.db, folder).catch((error: unknown) => error);
  expect(error).toHaveProperty('count', 152);
  expect((error as DatasetError).errors).toHaveLength(100);
  expect((error as DatasetError).errors[0]).toMatchObject({ file: 'districts.csv', line: 6, column: 'type' });
  expect((error as DatasetError).message).toMatch(/ {2}… and 52 more$/);
});
