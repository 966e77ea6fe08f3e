import { describe, expect, test } from 'vitest';
import { STATES } from '../../src/base/words/states.ts';
import { countiesOf, countyNamed } from '../../src/importers/facts/counties.ts';

const DAY = '2018-11-06';

describe('the county that a text names', () => {
  test.each<[text: string, state: string, geoid: string, name: string]>([
    ['Orleans', 'LA', '22071', 'Orleans Parish'],
    ['Orleans Parish', 'LA', '22071', 'Orleans Parish'],
    ['ORLEANS COUNTY', 'LA', '22071', 'Orleans Parish'],
    ['St. John the Baptist', 'LA', '22095', 'St. John the Baptist Parish'],
    ['Saint Bernard', 'LA', '22087', 'St. Bernard Parish'],
    ['E. Baton Rouge', 'LA', '22033', 'East Baton Rouge Parish'],
    ['Jeff Davis Parish', 'LA', '22053', 'Jefferson Davis Parish'],
    ['Jeff Davis', 'MS', '28065', 'Jefferson Davis County'],
    ['Jeff Davis', 'GA', '13161', 'Jeff Davis County'],
    ['La Salle', 'LA', '22059', 'LaSalle Parish'],
    ['LaSalle', 'TX', '48283', 'La Salle County'],
    ['Dona Ana', 'NM', '35013', 'Doña Ana County'],
    ['De Kalb', 'MO', '29063', 'DeKalb County'],
    ['Saint Clair', 'IL', '17163', 'St. Clair County'],
    ['Sainte Genevieve', 'MO', '29186', 'Ste. Genevieve County'],
    ['St. Louis', 'MO', '29189', 'St. Louis County'],
    ['Saint Louis County', 'MO', '29189', 'St. Louis County'],
    ['ST LOUIS CITY', 'MO', '29510', 'St. Louis city'],
    ['Saint Louis', 'MN', '27137', 'St. Louis County'],
    ['Prince Georges', 'MD', '24033', "Prince George's County"],
    ['St Marys', 'MD', '24037', "St. Mary's County"],
    ['Baltimore County', 'MD', '24005', 'Baltimore County'],
    ['Baltimore City', 'MD', '24510', 'Baltimore city'],
    ['King & Queen', 'VA', '51097', 'King and Queen County'],
    ['Richmond County', 'VA', '51159', 'Richmond County'],
    ['City of Richmond', 'VA', '51760', 'Richmond city'],
    ['Alexandria', 'VA', '51510', 'Alexandria city'],
    ['Charles City', 'VA', '51036', 'Charles City County'],
    ['Carson City', 'NV', '32510', 'Carson City'],
    ['De Witt', 'TX', '48123', 'DeWitt County'],
    ['Mc Lean', 'IL', '17113', 'McLean County'],
    ['Juneau', 'AK', '02110', 'Juneau City and Borough'],
    ['Juneau Borough', 'AK', '02110', 'Juneau City and Borough'],
    ['Municipality of Anchorage', 'AK', '02020', 'Anchorage Municipality'],
    ['Nome Census Area', 'AK', '02180', 'Nome Census Area'],
    ['Matanuska Susitna', 'AK', '02170', 'Matanuska-Susitna Borough'],
    ['County of Kings', 'CA', '06031', 'Kings County'],
    ['New York', 'NY', '36061', 'New York County'],
    ['District of Columbia', 'DC', '11001', 'District of Columbia'],
    ['MAYAGUEZ', 'PR', '72097', 'Mayagüez Municipio'],
    ['Municipio de Ponce', 'PR', '72113', 'Ponce Municipio'],
    ['Guam', 'GU', '66010', 'Guam'],
  ])('%s in %s is %s, %s', (text, state, geoid, name) => {
    expect(countyNamed(state, text, DAY)).toMatchObject({ geoid, name });
  });

  test.each<[text: string, state: string, why: string]>([
    ['Richmond', 'VA', 'is a county and a city'],
    ['Baltimore', 'MD', 'is a county and a city'],
    ['Kansas City', 'MO', 'is no county'],
    ['City of Chicago', 'IL', 'is no county'],
    ['Cook City', 'IL', 'is no county'],
    ['Ward 1', 'DC', 'is no county'],
    ['Maine', 'ME', 'is the state'],
    ['Aroostock', 'ME', 'is misspelled'],
    ['Cook', 'WI', 'is in another state'],
    ['Jeff Davis', 'AL', 'is in other states'],
    ['E. Carroll', 'MS', 'is in another state'],
    ['TOTALS', 'NH', 'is a sum'],
    ['County', 'ME', 'names none'],
    ['', 'ME', 'names none'],
    ['Cook', 'XX', 'is in no state'],
  ])('%s in %s is none: it %s', (text, state) => {
    expect(countyNamed(state, text, DAY)).toBeUndefined();
  });

  test.each<[text: string, state: string, before: string | undefined, day: string, from: string | undefined]>([
    ['Shannon', 'SD', '46113', '2015-05-01', undefined],
    ['Oglala Lakota', 'SD', undefined, '2015-05-01', '46102'],
    ['Broomfield', 'CO', undefined, '2001-11-15', '08014'],
    ['Bedford', 'VA', undefined, '2013-07-01', '51019'],
    ['Bedford City', 'VA', '51515', '2013-07-01', undefined],
    ['Clifton Forge', 'VA', '51560', '2001-07-01', undefined],
    ['Valdez-Cordova', 'AK', '02261', '2019-01-02', undefined],
    ['Chugach', 'AK', undefined, '2019-01-02', '02063'],
    ['Wade Hampton', 'AK', '02270', '2015-07-01', undefined],
    ['Kusilvak Census Area', 'AK', undefined, '2015-07-01', '02158'],
    ['Petersburg', 'AK', undefined, '2008-06-01', '02195'],
    ['Skagway-Hoonah-Angoon', 'AK', '02232', '2007-06-20', undefined],
    ['Capitol Planning Region', 'CT', undefined, '2022-06-06', '09110'],
    ['Fairfield', 'CT', '09001', '2022-06-06', '09001'],
  ])('%s in %s is %s before %s, and then %s', (text, state, before, day, from) => {
    const eve = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    expect(countyNamed(state, text, eve)?.geoid).toBe(before);
    expect(countyNamed(state, text, day)?.geoid).toBe(from);
  });

  test('has the OCD id of ocd-division-ids', () => {
    const ocdId = (state: string, text: string) =>
      countyNamed(state, text, DAY)?.ocdId.replace('ocd-division/country:us/', '');
    expect(ocdId('NM', 'Dona Ana')).toBe('state:nm/county:doña_ana');
    expect(ocdId('MD', 'St Marys')).toBe('state:md/county:st_mary~s');
    expect(ocdId('LA', 'St. John the Baptist')).toBe('state:la/parish:st_john_the_baptist');
    expect(ocdId('AK', 'Matanuska-Susitna')).toBe('state:ak/borough:matanuska-susitna');
    expect(ocdId('AK', 'Prince of Wales-Hyder')).toBe('state:ak/census_area:prince_of_wales-hyder');
    expect(ocdId('NY', 'New York')).toBe('state:ny/county:new_york');
    expect(ocdId('VA', 'Richmond City')).toBe('state:va/place:richmond');
    expect(ocdId('NV', 'Carson City')).toBe('state:nv/place:carson_city');
    expect(ocdId('DC', 'District of Columbia')).toBe('district:dc');
    expect(ocdId('GU', 'Guam')).toBe('territory:gu');
  });
});

describe('the counties of a state on a day', () => {
  test.each<[state: string, day: string, count: number]>([
    ['LA', DAY, 64],
    ['TX', DAY, 254],
    ['CT', '2024-11-05', 8],
    ['VA', '2001-06-30', 135],
    ['VA', '2013-06-30', 134],
    ['VA', '2013-07-01', 133],
    ['CO', '2001-11-14', 63],
    ['CO', '2001-11-15', 64],
    ['SD', '2015-04-30', 66],
    ['SD', '2015-05-01', 66],
    ['AK', '2000-11-07', 27],
    ['AK', '2008-11-04', 29],
    ['AK', DAY, 29],
    ['AK', '2020-11-03', 30],
    ['PR', DAY, 78],
    ['XX', DAY, 0],
  ])('%s has on %s %i', (state, day, count) => {
    expect(countiesOf(state, day)).toHaveLength(count);
  });

  test('each is named by its own name, and by no other', () => {
    for (const { postal } of STATES) {
      const counties = countiesOf(postal, DAY);
      expect(counties.map(({ name }) => countyNamed(postal, name, DAY)?.geoid)).toEqual(
        counties.map(({ geoid }) => geoid),
      );
      expect(new Set(counties.map(({ ocdId }) => ocdId)).size).toBe(counties.length);
    }
  });
});
