import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type State, stateByPostal } from '../../src/base/words/states.ts';
import { countyName } from '../../src/importers/facts/county-names.ts';
import {
  congressDistrictName,
  fullDistrictName,
  legislativeDistrictName,
  stateOfficeName,
} from '../../src/importers/facts/full-names.ts';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, counts, feature, folderOf } from './folders.ts';
import { HEADER, line } from './result-rows.ts';

function stateOf(postal: string): State {
  const state = stateByPostal(postal);
  if (!state) throw new Error(postal);
  return state;
}

describe('names of districts and offices contain their state', () => {
  // The recorded responses of the service that the REST paths replace.
  test.each([
    [congressDistrictName(stateOf('WI'), 5), 'Wisconsin District 5'],
    [legislativeDistrictName(stateOf('WI'), 'Lower', '37'), 'Wisconsin State Assembly District 37'],
    [legislativeDistrictName(stateOf('NJ'), 'Upper', '19'), 'New Jersey State Senate District 19'],
    [legislativeDistrictName(stateOf('NJ'), 'Lower', '19'), 'New Jersey General Assembly District 19'],
    [stateOfficeName(stateOf('WI'), 'Governor').name, 'Governor of Wisconsin'],
    [stateOfficeName(stateOf('WI'), 'Lieutenant Governor').name, 'Lieutenant Governor of Wisconsin'],
    [stateOfficeName(stateOf('WI'), 'Attorney General').name, 'Attorney General of Wisconsin'],
    [stateOfficeName(stateOf('WI'), 'Secretary of State').name, 'Wisconsin Secretary of State'],
    [stateOfficeName(stateOf('WI'), 'State Treasurer').name, 'Wisconsin Treasurer'],
    [stateOfficeName(stateOf('WI'), 'Supreme Court').name, 'Wisconsin Supreme Court'],
  ])('%s', (name, expected) => expect(name).toBe(expected));

  test.each([
    ['NV', 'Lower', '5', 'Nevada State Assembly District 5'],
    ['NE', 'Upper', '5', 'Nebraska Legislature District 5'],
    ['VA', 'Lower', '99', 'Virginia House of Delegates District 99'],
    ['WV', 'Lower', '1', 'West Virginia House of Delegates District 1'],
    ['MD', 'Lower', '1A', 'Maryland House of Delegates District 1A'],
    ['AK', 'Upper', 'A', 'Alaska State Senate District A'],
    ['VT', 'Upper', 'Essex-Orleans', 'Vermont State Senate Essex-Orleans District'],
    ['NH', 'Lower', 'Belknap 1', 'New Hampshire House of Representatives Belknap 1 District'],
    ['PR', 'Upper', '2', 'Puerto Rico Senate District 2'],
  ] as const)('%s %s %s is %4$s', (postal, chamber, shown, expected) => {
    expect(legislativeDistrictName(stateOf(postal), chamber, shown)).toBe(expected);
  });

  test('once: names that have it, or the code of the state, are unchanged, and so are other types', () => {
    const maine = stateOf('ME');
    expect(fullDistrictName(maine, 'Judicial District', 'Judicial District 2')).toBe('Maine Judicial District 2');
    for (const name of ['Court of Appeals of Maine', 'ME State District Court - 3rd District'])
      expect(fullDistrictName(maine, 'Judicial District', name)).toBe(name);
    expect(fullDistrictName(maine, 'County', 'York County')).toBe('York County');
    expect(stateOfficeName(maine, 'Governor of Maine').name).toBe('Governor of Maine');
    expect(stateOfficeName(maine, 'Justice of the Supreme Court').name).toBe('Justice of the Supreme Court of Maine');
  });

  test.each([
    ['ME', '23005', 'Cumberland', 'Cumberland County'],
    ['ME', '23005', 'Cumberland County', 'Cumberland County'],
    ['VA', '51095', 'James City', 'James City County'],
    ['VA', '51760', 'Richmond', 'Richmond city'],
    ['CT', '09001', 'Fairfield', 'Fairfield County'],
    ['CT', '09190', 'Western Connecticut', 'Western Connecticut Planning Region'],
    ['AK', '02170', 'Matanuska-Susitna', 'Matanuska-Susitna Borough'],
    ['GU', '66010', 'Guam', 'Guam'],
  ])('county %s %s %s is %s', (postal, fips, name, expected) => {
    expect(countyName(stateOf(postal), fips, name)).toBe(expected);
  });
});

describe('a district from different sources', () => {
  const database = useDatabase();
  const names = async () => {
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' | ', d.name, d.ocdid, d.geo_id) as line from districts as d order by d.name`.execute(
      database.db,
    );
    return rows.map(({ line }) => line.replace('ocd-division/country:us/', ''));
  };
  const map = (properties: object, type: string) =>
    runImport(
      database.db,
      'districts-geojson',
      [folderOf({ 'a.geojson': feature(properties, [box(-117, 38, -116, 39)]) })],
      { type, from: '2013-01-03', partial: true },
    );

  test('a Census file without OCD ids, a list of OCD ids and a file with OCD ids describe one district', async () => {
    const ocdid = 'ocd-division/country:us/state:nv/sldl:5';
    await map({ GEOID20: '32005', NAMELSAD20: 'Assembly District 5' }, 'State Legislative (Lower)');
    await runImport(database.db, 'ocd-division-ids', [folderOf({ 'nv.csv': `id,name\n${ocdid},Assembly 5\n` })]);
    await map({ ocdid, name: '5' }, 'State Legislative (Lower)');
    await map({ GEOID20: '3202', NAMELSAD20: 'Congressional District 2' }, 'Congress');
    await map({ GEOID20: '33201', NAMELSAD20: 'State House District Belknap 1' }, 'State Legislative (Lower)');
    expect(await names()).toEqual([
      'Nevada District 2 | state:nv/cd:2 | 5001800US3202',
      'Nevada State Assembly District 5 | state:nv/sldl:5 | 620L600US32005',
      'New Hampshire House of Representatives Belknap 1 District | state:nh/sldl:belknap_1 | 620L600US33201',
    ]);
  });

  test('Census, Open States and results write the name of a district in different ways, and mean one', async () => {
    const role = (district: string, type: string) =>
      `id: ocd-person/00000000-0000-4000-8000-${type.padEnd(12, '0').replaceAll(/[^0]/g, '1')}
name: Ann ${type}
roles: [{type: ${type}, district: '${district}', jurisdiction: 'ocd-jurisdiction/country:us/state:ma/government'}]`;
    await map({ GEOID20: '25164', NAMELSAD20: 'First Suffolk District' }, 'State Legislative (Lower)');
    await map(
      { GEOID20: '25D01', NAMELSAD20: 'Berkshire, Hampden, Franklin and Hampshire District' },
      'State Legislative (Upper)',
    );
    const people = {
      'a.yml': role('1st Suffolk', 'lower'),
      'b.yml': role('Berkshire, Hampden, Franklin, and Hampshire', 'upper'),
    };
    await runImport(database.db, 'openstates-people', [folderOf(people)], { asOf: '2023-06-01' });
    const row = (office: string, district: string) =>
      line({ office, district, candidate: 'BO ROE', votes: 5, county: 'SUFFOLK', fips: '25025', dataverse: 'STATE' });
    const results = [
      HEADER,
      row('STATE HOUSE', 'FIRST SUFFOLK'),
      row('STATE SENATE', 'BERKSHIRE, HAMPDEN, FRANKLIN & HAMPSHIRE'),
    ];
    const text = `${results.join('\n')}\n`.replaceAll('"NE"', '"MA"');
    await runImport(database.db, 'medsl', [folderOf({ 'a.csv': text })], {});
    expect((await names()).filter((name) => name.includes('state:ma/'))).toEqual([
      'Massachusetts House of Representatives 1st Suffolk District | state:ma/sldl:1st_suffolk | 620L600US25164',
      'Massachusetts State Senate Berkshire, Hampden, Franklin and Hampshire District | state:ma/sldu:berkshire_hampden_franklin_and_hampshire | 610U600US25D01',
    ]);
  });

  test('waters outside the legislative districts are not imported as a district', async () => {
    const before = await names();
    const { report } = await map({ GEOID20: '26ZZZ', NAMELSAD20: 'not defined' }, 'State Legislative (Upper)');
    expect(report).toEqual([expect.objectContaining({ reason: expect.stringContaining('waters') })]);
    expect(await names()).toEqual(before);
  });
});

describe('records with the names of an earlier version', () => {
  const database = useDatabase();

  test('get the new names from the next import of their source, and no second record', async () => {
    const snapshot = join(import.meta.dirname, '../fixtures/congress/2026-06-15');
    const run = () => runImport(database.db, 'congress-legislators', [snapshot]);
    const stored = async () => {
      const { rows } = await sql<{ id: number; name: string; district: string; type: string | null }>`
        select o.id, o.name, o.type, d.name as district from offices as o join districts as d on d.id = o.district_id
        order by o.id`.execute(database.db);
      return rows;
    };
    await run();
    const before = await stored();
    await sql`update districts set name = 'Congressional District 1' where type = 'Congress'`.execute(database.db);
    await sql`update offices set name = 'U.S. Representative', type = null where chamber = 'Lower'`.execute(
      database.db,
    );
    const summary = await run();
    expect(counts(summary)['offices.csv']?.slice(0, 2)).toEqual([
      0,
      before.filter(({ type }) => /^(De|Re)/.test(type ?? '')).length,
    ]);
    expect(await stored()).toEqual(before);
  });
});
