import { describe, expect, test } from 'vitest';
import { stateByPostal } from '../../src/base/words/states.ts';
import { legislativePlace } from '../../src/importers/facts/places.ts';
import { readRole } from '../../src/importers/sources/openstates/openstates-person.ts';

const placeOf = (postal: string, code: string) => {
  const state = stateByPostal(postal);
  if (!state) throw new Error(`${postal} is no state`);
  const { ocdid, name, geo_id } = legislativePlace(state, 'Upper', code).row.values;
  return [ocdid, name, geo_id];
};

describe('the district of a legislature', () => {
  test.each(['i', '1'])(
    '%s of the Senate of Puerto Rico has a Roman numeral, and digits in its identifiers',
    (code) => {
      expect(placeOf('PR', code)).toEqual([
        'ocd-division/country:us/territory:pr/sldu:1',
        'Puerto Rico Senate District I',
        '610U600US72001',
      ]);
    },
  );

  test('has its own letter in other states', () => {
    expect(placeOf('AK', 'i')).toEqual([
      'ocd-division/country:us/state:ak/sldu:i',
      'Alaska State Senate District I',
      '610U600US0200I',
    ]);
  });

  test('keeps the commas of its name, which its OCD id does not have', () => {
    const role = readRole({
      type: 'upper',
      jurisdiction: 'ocd-jurisdiction/country:us/state:ma/government',
      district: 'Berkshire, Hampden, Franklin and Hampshire',
    });
    expect(typeof role === 'string' ? role : role.office.place.row.values).toMatchObject({
      ocdid: 'ocd-division/country:us/state:ma/sldu:berkshire_hampden_franklin_and_hampshire',
      name: 'Massachusetts State Senate Berkshire, Hampden, Franklin and Hampshire District',
    });
  });
});
