import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, feature, folderOf } from './folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const CA = 'ocd-division/country:us/state:ca';
const square = (index: number) => [box(-122 + index, 37, -121.5 + index, 38)];
const divisions = (lines: readonly string[]) =>
  runImport(database.db, 'ocd-division-ids', [folderOf({ 'ca.csv': `id,name,census_geoid\n${lines.join('\n')}\n` })]);
const map = (properties: readonly object[], options: object) =>
  runImport(
    database.db,
    'districts-geojson',
    [folderOf(Object.fromEntries(properties.map((each, index) => [`${index}.geojson`, feature(each, square(index))])))],
    { from: '2019-01-01', ...options },
  );

async function districts(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' | ', d.type, d.name, replace(d.ocdid, ${CA}, ''), d.geo_id, d.nces_id, b.start_date) as line
    from districts as d left join boundaries as b on b.district_id = d.id order by d.type, d.name, d.ocdid`.execute(
    database.db,
  );
  return rows.map(({ line }) => line);
}

describe('one district under a longer name is one record', () => {
  const places = () => map([{ GEOID: '0667000', NAMELSAD: 'San Francisco city' }], { type: 'City-town' });
  const school = () =>
    map([{ NAME: 'Albany School District' }], { type: 'School District', state: 'CA', properties: { name: 'NAME' } });
  const names = () => divisions([`${CA}/place:san_francisco,San Francisco,`]);

  test('a place of a map and of a list of names, in either order', async () => {
    await places();
    await names();
    const expected = await districts();
    expect(expected).toEqual(['City-town | San Francisco city | /place:san_francisco | 1600000US0667000 | 2019-01-01']);
    await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
    await names();
    await places();
    expect(await districts()).toEqual([
      'City-town | San Francisco | /place:san_francisco | 1600000US0667000 | 2019-01-01',
    ]);
  });

  test('a school district of a map without ids, and of a list', async () => {
    await school();
    await divisions([`${CA}/school_district:albany,albany,`]);
    expect(await districts()).toEqual([
      'School District | Albany School District | /school_district:albany | 2019-01-01',
    ]);
  });

  test('but not with another identifier, and not where two could be meant', async () => {
    await places();
    await map([{ GEOID: '0699999', NAMELSAD: 'San Francisco town' }], { type: 'City-town' });
    await divisions([`${CA}/place:san_francisco,San Francisco,`]);
    expect(await districts()).toHaveLength(3);
  });
});

test.each([
  ['county:alameda/school_board_district:1', 'School district subdivision'],
  ['place:albany/school_board_district:a', 'School district subdivision'],
  ['school_district:albany/district:1', 'School district subdivision'],
  ['board_of_regents:1', 'State subdivision'],
  ['board_of_equalization:1', 'State subdivision'],
  ['public_service_commission:2', 'State subdivision'],
  ['county:alameda/park_district:1', 'Special District'],
  ['county:alameda/sanitation:ross', 'Special District'],
  ['water_district:west', 'Special District'],
  ['water_district:west/division:1', 'Special district subdivision'],
  ['county:alameda/council_district:1', 'County subdivision'],
  ['county:alameda/commissioner_district:1', 'County subdivision'],
  ['place:albany/ward:1', 'City-town subdivision'],
  ['place:albany/precinct:1', 'City-town subdivision'],
  ['superior_court:1', 'Judicial District'],
  ['court_of_appeals:1', 'Judicial District'],
  ['court_of_appeals:1/district:2', 'Judicial district subdivision'],
  ['place:albany', 'City-town'],
  ['county:alameda/place:albany', 'City-town'],
  ['county:alameda', 'County'],
  ['cd:7', 'Congress'],
  ['sldu:7', 'State Legislative (Upper)'],
  ['sldl:7', 'State Legislative (Lower)'],
  ['school_district:albany', 'School District'],
])('%s is a %s', async (division, type) => {
  const { report } = await divisions([`${CA}/${division},Some Name,`]);
  expect(report).toEqual([]);
  expect((await districts()).map((line) => line.split(' | ')[0])).toEqual([type]);
});

const OF_CONGRESS = { type: 'Congress' };
const OF_SENATE = { type: 'State Legislative (Upper)' };
test.each<[what: string, properties: Record<string, string>, options: object, stored: string]>([
  ['TIGER/Line of 2018', { CD116FP: '39', GEOID: '0639' }, {}, 'cd:39 | 5001800US0639'],
  ['TIGER/Line of 2022', { CD118FP: '39', GEOID20: '0639', GEOIDFQ20: '5001800US0639' }, {}, 'cd:39 | 5001800US0639'],
  ['a map of 2024', { CD119FP: '39', GEOIDFQ: '5001900US0639', GEOID: '0639' }, {}, 'cd:39 | 5001800US0639'],
  ['a map of a later Congress', { CD121FP: '39', GEOIDFQ: '5002100US0639' }, {}, 'cd:39 | 5001800US0639'],
  ['a map of 2014', { CD114FP: '39', AFFGEOID: '5001400US0639' }, {}, 'cd:39 | 5001800US0639'],
  ['a map of 2010', { GEO_ID: '5001100US0639', CD: '39' }, OF_CONGRESS, 'cd:39 | 5001800US0639'],
  [
    'a long GEOID of an own file',
    { fq: '5001900US0639' },
    { ...OF_CONGRESS, properties: { geoid: 'fq' } },
    'cd:39 | 5001800US0639',
  ],
  ['a district that ended before', { CD116FP: '53', GEOID: '0653' }, {}, 'cd:53 | 5001600US0653'],
  ['a legislature of 2016', { GEOID: '06010', AFFGEOID: '610U600US06010' }, OF_SENATE, 'sldu:10 | 610U600US06010'],
  ['a legislature of 2024', { GEOIDFQ: '610U900US06010' }, OF_SENATE, 'sldu:10 | 610U600US06010'],
  [
    'a lower house of 2022',
    { AFFGEOID20: '620L800US06080' },
    { type: 'State Legislative (Lower)' },
    'sldl:80 | 620L600US06080',
  ],
])('a GEOID of any edition is that of the same district: %s', async (_, properties, options, stored) => {
  await map([properties], { ...options, partial: true });
  expect((await districts()).map((line) => line.split(' | ').slice(2, 4).join(' | '))).toEqual([`/${stored}`]);
});

test.each([
  [{ CD119FP: '39', GEOIDFQ: '0500000US0639' }, 'GEOID 0500000US0639 is not that of a Congress district'],
  [{ CD119FP: '39', GEOID: '06039' }, 'GEOID 06039 is not that of a Congress district'],
])('%j is no district of Congress', async (properties, reason) => {
  const { report } = await map([properties], { partial: true });
  expect(report.map((entry) => entry.reason)).toContain(reason);
});

test.each([
  ['state:ca/cd:7', '5001800US0607'],
  ['state:vt/cd:at-large', '5001800US5000'],
  ['district:dc/cd:at-large', '5001800US1198'],
  ['state:pa/cd:18', null],
  ['state:nj/sldu:19', '610U600US34019'],
  ['state:mn/sldl:1a', '620L600US2701A'],
  ['state:ak/sldu:c', '610U600US0200C'],
  ['state:vt/sldl:addison-1', null],
])('the GEOID of %s is %s', async (division, geoId) => {
  await divisions([`ocd-division/country:us/${division},Some Name,`]);
  const { rows } = await sql<{ geo_id: string | null }>`select geo_id from districts`.execute(database.db);
  expect(rows).toEqual([{ geo_id: geoId }]);
});
