import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, folderOf } from './folders.ts';
import { collection, feature } from './geojson-features.ts';
import { HEADER, line } from './result-rows.ts';

const database = useDatabase();

const reasonsOf = (report: readonly { readonly record: string; readonly reason: string }[]) =>
  report.map(({ record, reason }) => `${record}: ${reason}`).join('\n');

test('a role with only the year or the month of a date is imported without the day, and a committee is skipped', async () => {
  const person = (id: number, name: string, roles: string) =>
    `id: ocd-person/00000000-0000-4000-8000-00000000000${id}\nname: ${name}\nroles:\n${roles}`;
  const role = (start: string, end?: string) =>
    `- type: lower\n  jurisdiction: ocd-jurisdiction/country:us/state:me/government\n  district: '5'\n  start_date: '${start}'\n${end ? `  end_date: '${end}'\n` : ''}`;
  const { report } = await runImport(
    database.db,
    'openstates-people',
    [
      folderOf({
        'a.yml': person(1, 'Ada Quill', role('2018-12-05', '2022')),
        'b.yml': person(2, 'Bo Reed', role('2022-12')),
        'organizations/c.yml': 'id: ocd-organization/1\nname: Committee\n',
      }),
    ],
    { asOf: '2024-03-01' },
  );
  const { rows } = await sql<{ name: string; status: string; start: string | null; end: string | null }>`
    select p.name, h.status, h.start_date as start, h.end_date as end
    from officeholders as h join persons as p on p.id = h.person_id order by p.name`.execute(database.db);
  expect(rows).toEqual([
    { name: 'Ada Quill', status: 'Former', start: '2018-12-05', end: null },
    { name: 'Bo Reed', status: 'Current', start: null, end: null },
  ]);
  expect(reasonsOf(report)).toMatch(/2022 is not a day: the day is left open/);
  expect(reasonsOf(report)).toMatch(/2022-12 is not a day: the day is left open/);
  expect(reasonsOf(report)).toMatch(/c\.yml: is not a person/);
});

test('two features of one ZIP code are its area together', async () => {
  const part = (west: number) =>
    feature({ ZCTA5CE10: '05901' }, 0, { type: 'Polygon', coordinates: [box(west, 44, west + 0.1, 44.1)] });
  const path = folderOf({ 'zcta.geojson': collection([part(-72.5), part(-71.5), part(-72.5)]) });
  for (const imports of ['first', 'second']) {
    const { report } = await runImport(database.db, 'zcta', [path], {});
    const { rows } = await sql<{ west: number; east: number }>`
      select min(ST_XMin(geometry)) as west, max(ST_XMax(geometry)) as east from zip_areas where code = '05901'`.execute(
      database.db,
    );
    expect([imports, ...rows]).toEqual([imports, { west: -72.5, east: expect.closeTo(-71.4) }]);
    expect(reasonsOf(report)).toMatch(/the ZIP code 05901 is in the files twice/);
  }
});

test('an address outside the country is refused, and a ZIP code keeps its zero', async () => {
  const rows = [
    'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH',
    '43.163,-73.073,16,MAIN ST,,MANCHESTER,,VT,05255,1,a',
    '-73.073,43.163,18,MAIN ST,,MANCHESTER,,VT,5255,2,b',
    '10.5,43.163,20,MAIN ST,,MANCHESTER,,VT,05255,3,c',
  ];
  const path = folderOf({ 'vt.csv': `${rows.join('\n')}\n` });
  const { report } = await runImport(database.db, 'address-points', [path], { preset: 'openaddresses' });
  const stored = await sql<{ number: number; zip: string }>`select number, zip from address_points`.execute(
    database.db,
  );
  expect(stored.rows).toEqual([{ number: 18, zip: '05255' }]);
  expect(reasonsOf(report)).toContain(
    'vt.csv#2: has a point that is not in the United States: its longitude and latitude are exchanged',
  );
  expect(reasonsOf(report)).toContain('vt.csv#4: has a point that is not in the United States');
});

test('files of one state settle: repeated in turn, they change nothing', async () => {
  const file = (district: string, candidate: string, level: string) =>
    folderOf({
      'a.csv': [
        HEADER,
        line({ office: 'DISTRICT JUDGE', candidate, votes: 40, district, dataverse: level }),
        line({ office: 'DISTRICT JUDGE', candidate: 'BO POE', votes: 30, district, dataverse: level }),
        line({
          office: `MAYOR ${district === '53' ? 'MT. STERLING' : 'MT STERLING'}`,
          candidate: 'CY LOE',
          votes: 9,
          dataverse: 'LOCAL',
        }),
        '',
      ].join('\n'),
    });
  const [one, other] = [file('53', 'AUSTIN "BOOMER" ROE', 'STATE'), file('053', 'AUSTIN BOOMER ROE', 'LOCAL')];
  const changes = async (path: string) => {
    const { files } = await runImport(database.db, 'medsl', [path], {});
    return files.reduce((sum, { inserted, updated }) => sum + inserted + updated, 0);
  };
  await changes(one);
  await changes(other);
  expect([await changes(one), await changes(other), await changes(one)]).toEqual([0, 0, 0]);
});
