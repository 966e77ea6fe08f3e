import { expect, test } from 'vitest';
import { stateByPostal } from '../../src/base/words/states.ts';
import { districtCode, seatOfDistrict } from '../../src/importers/facts/legislative-codes.ts';

// The codes are those of the project ocd-division-ids.
test.each([
  ['First Suffolk', '1st_suffolk'],
  ['1ST SUFFOLK', '1st_suffolk'],
  ['01ST SUFFOLK', '1st_suffolk'],
  ['Thirty-Seventh Middlesex', '37th_middlesex'],
  ['TWENTIETH WORCESTER', '20th_worcester'],
  ['Twenty Third Middlesex', '23rd_middlesex'],
  ['Berkshire, Hampden, Franklin & Hampshire', 'berkshire_hampden_franklin_and_hampshire'],
  ['Second Hampden and Hampshire', '2nd_hampden_and_hampshire'],
  ['Belknap County No. 1', 'belknap_1'],
  ['Belknap 1', 'belknap_1'],
  ['Grand Isle-Chittenden', 'grand_isle-chittenden'],
  ['Chittenden Central', 'chittenden-central'],
  ['Grand-Isle-Chittenden', 'grand_isle-chittenden'],
  ['Addison-1', 'addison-1'],
  ['001', '1'],
  ['01A', '1a'],
  ['A', 'a'],
])('the code of %s is %s', (name, code) => expect(districtCode(name)).toBe(code));

test('a letter is a seat in the House of Idaho, and a district elsewhere', () => {
  const split = (postal: string, chamber: 'Upper' | 'Lower', code: string) => {
    const state = stateByPostal(postal);
    if (!state) throw new Error(postal);
    return seatOfDistrict(state, chamber, code);
  };
  expect(split('ID', 'Lower', '10a')).toEqual({ code: '10', position: 'Seat A' });
  expect(split('ID', 'Upper', '10')).toEqual({ code: '10' });
  expect(split('MN', 'Lower', '10a')).toEqual({ code: '10a' });
});
