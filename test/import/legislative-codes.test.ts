import { expect, test } from 'vitest';
import { stateByPostal } from '../../src/base/words/states.ts';
import { legislativeDistrict } from '../../src/importers/facts/legislative-codes.ts';

const stateOf = (postal: string) => {
  const state = stateByPostal(postal);
  if (!state) throw new Error(postal);
  return state;
};

// The codes are those of the project ocd-division-ids.
test.each([
  ['MA Lower', 'First Suffolk', '1st_suffolk'],
  ['MA Lower', '1ST SUFFOLK', '1st_suffolk'],
  ['MA Lower', '01ST SUFFOLK', '1st_suffolk'],
  ['MA Lower', 'Bristol, Fifth', '5th_bristol'],
  ['MA Lower', 'BRISTOL 6', '6th_bristol'],
  ['MA Lower', 'Third Bristol District', '3rd_bristol'],
  ['MA Lower', 'Thirty-Seventh Middlesex', '37th_middlesex'],
  ['MA Lower', 'TWENTIETH MIDDLESEX', '20th_middlesex'],
  ['MA Lower', 'Twenty Third Middlesex', '23rd_middlesex'],
  ['MA Lower', 'Barnstable, Dukes & Nantucket', 'barnstable_dukes_and_nantucket'],
  ['MA Upper', 'Berkshire, Hampden, Franklin & Hampshire', 'berkshire_hampden_franklin_and_hampshire'],
  ['MA Upper', 'Second Hampden and Hampshire', '2nd_hampden_and_hampshire'],
  ['MA Upper', 'Cape and Islands', 'cape_and_islands'],
  ['NH Lower', 'Belknap County No. 1', 'belknap_1'],
  ['NH Lower', 'Belknap 1', 'belknap_1'],
  ['NH Lower', 'HI 05', 'hillsborough_5'],
  ['VT Upper', 'Grand Isle-Chittenden', 'grand_isle-chittenden'],
  ['VT Upper', 'Grand-Isle-Chittenden', 'grand_isle-chittenden'],
  ['VT Upper', 'Chittenden Central', 'chittenden-central'],
  ['VT Upper', 'CHI CT 1', 'chittenden-central'],
  ['VT Lower', 'Addison-1', 'addison-1'],
  ['VT Lower', 'Chittenden 6-1', 'chittenden-6-1'],
  ['VT Lower', 'GI CHI', 'grand_isle-chittenden'],
  ['MN Lower', '001', '1'],
  ['MN Lower', '01A', '1a'],
  ['AK Upper', 'A', 'a'],
])('in %s, %s is the district %s', (of, name, code) => {
  const [postal = '', chamber] = of.split(' ');
  expect(legislativeDistrict(stateOf(postal), chamber as 'Upper' | 'Lower', name).code).toBe(code);
});

test('a number is a district of the county where a chamber counts within counties', () => {
  expect(legislativeDistrict(stateOf('NH'), 'Lower', '05', 'Coos').code).toBe('coos_5');
  expect(legislativeDistrict(stateOf('MA'), 'Lower', '05', 'Bristol').isListed).toBe(false);
});

test('a district beyond those of the table is not listed', () => {
  expect(legislativeDistrict(stateOf('MA'), 'Lower', '15th Bristol').isListed).toBe(false);
  expect(legislativeDistrict(stateOf('VT'), 'Upper', 'Addison-Rutland').isListed).toBe(false);
});

test.each([
  ['ID Lower', '10a', '10', 'Seat A'],
  ['ID Upper', '10', '10', undefined],
  ['WA Lower', '5-2', '5', 'Position 2'],
  ['MN Lower', '10a', '10a', undefined],
])('in %s, %s is the district %s and %s', (of, text, code, position) => {
  const [postal = '', chamber] = of.split(' ');
  const found = legislativeDistrict(stateOf(postal), chamber as 'Upper' | 'Lower', text);
  expect([found.code, found.position]).toEqual([code, position]);
});
