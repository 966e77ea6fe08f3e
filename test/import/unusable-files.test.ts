import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { countiesOf } from '../../src/importers/facts/counties.ts';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();
const HEADER = 'county,precinct,office,district,party,candidate,votes';
const GOOD = [HEADER, 'Taos,1,State House,45,DEM,Ada Drake,95', 'Taos,1,State House,45,REP,Cara Oak,78', ''].join('\n');

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'unusable-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('a file of results', () => {
  test('of which nothing can be stored is an error with the cause', async () => {
    const text = [HEADER, 'Taos,1,Registered Voters,,,,95', ''];
    await expect(
      importFiles(database, 'openelections', { '20221108__nm__general__precinct.csv': text.join('\n') }),
    ).rejects.toThrow('20221108__nm__general__precinct.csv: has no votes in a contest');
  });

  test.each([
    ['of another name', 'notes.csv', 'the file name must be like'],
    ['of other columns', '20221108__nm__general__turnout.csv', 'the column office, candidate, votes is missing'],
  ])('%s beside those of the source is skipped, and the report says so', async (_, name, reason) => {
    const { races, reasons } = await importFiles(database, 'openelections', {
      '20221108__nm__general__precinct.csv': GOOD,
      [name]: 'county,registered\nTaos,9\n',
    });
    expect(races).toHaveLength(1);
    expect(reasons).toContain(`${name}: the file is skipped`);
    expect(reasons).toContain(reason);
  });
});

test('the number of seats is not stored where nothing states it, and is that of the source where it does', async () => {
  const council = (candidate: string, votes: number) => `Taos,1,County Commissioner,,,${candidate},${votes}`;
  const text = [HEADER, council('Ada Drake', 95), council('Cara Oak', 78), council('Dan Elm', 20), ''];
  const { races } = await importFiles(database, 'openelections', {
    '20221108__nm__general__precinct.csv': text.join('\n'),
  });
  expect(races.map(({ seats, won }) => [seats, won])).toEqual([[null, []]]);
  const house = [90, 80, 20].map(
    (votes, index) => `Belknap,Gilford,State House,BE 02 (2),${index < 2 ? 'REP' : 'DEM'},Ann ${'ABC'[index]},${votes}`,
  );
  // A contest of part of a state has an outcome only if all counties are in the file.
  const everywhere = countiesOf('NH', '2020-11-03').map(({ name }) => `${name},1,Governor,,REP,Ann G,9`);
  const found = await importFiles(database, 'openelections', {
    '20201103__nh__general__precinct.csv': [HEADER, ...house, ...everywhere, ''].join('\n'),
  });
  expect(found.races.map(({ district, seats, won }) => [district, seats, won])).toEqual([
    ['New Hampshire', 1, ['Ann G']],
    ['New Hampshire House of Representatives Belknap 2 District', 2, ['Ann A', 'Ann B']],
  ]);
});

describe('boundaries', () => {
  const square = (x: number, y: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [x + 0.1, y],
        [x + 0.1, y + 0.1],
        [x, y + 0.1],
        [x, y],
      ],
    ],
  });
  const feature = (GEOID: string, NAME: string, x: number, y: number) =>
    JSON.stringify({ type: 'Feature', properties: { GEOID, NAME }, geometry: square(x, y) });
  const options = { type: 'City-town', from: '2020-01-01' };
  beforeEach(async () => {
    await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
  });
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select d.name from districts as d join boundaries as b on b.district_id = d.id where d.type = 'City-town' order by 1`.execute(
      database.db,
    );
    return rows.map(({ name }) => name);
  };

  test.each([
    ['one Feature a line', 'towns.geojsonl', (lines: string[]) => `${lines.join('\n')}\n`],
    [
      'the separators of RFC 8142',
      'towns.ndjson',
      (lines: string[]) => lines.map((line) => `\u001E${line}\n`).join(''),
    ],
    ['one Feature a line under the usual name', 'towns.geojson', (lines: string[]) => lines.join('\n')],
  ])('are read from %s', async (_, name, textOf) => {
    const lines = [feature('5000001', 'Acton', -72.6, 44.2), feature('5000002', 'Barton', -72.5, 44.2)];
    await runImport(database.db, 'districts-geojson', [folderWith({ [name]: textOf(lines) })], options);
    expect(await names()).toEqual(['Acton', 'Barton']);
  });

  test.each([
    ['is cut off', (lines: string[]) => `${lines.join('\n')}\n{"type": "Feature", "prop`, 'towns.geojsonl:3'],
    [
      'has another object',
      (lines: string[]) => `${lines.join('\n')}\n{"type": "Point"}\n`,
      'towns.geojsonl:3: is not a GeoJSON Feature',
    ],
  ])('of a file of lines that %s are refused with the line', async (_, textOf, message) => {
    const lines = [feature('5000001', 'Acton', -72.6, 44.2), feature('5000002', 'Barton', -72.5, 44.2)];
    const folder = folderWith({ 'towns.geojsonl': textOf(lines) });
    await expect(runImport(database.db, 'districts-geojson', [folder], options)).rejects.toThrow(message);
  });

  test('outside the state of their GEOID are left out, with the row', async () => {
    await runImport(database.db, 'us-atlas', [], {});
    const lines = [feature('5000001', 'Acton', -72.6, 44.2), feature('5000002', 'Barton', -68.5, 44.2)];
    const { report } = await runImport(
      database.db,
      'districts-geojson',
      [folderWith({ 'towns.geojsonl': lines.join('\n') })],
      options,
    );
    expect(await names()).toEqual(['Acton']);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      expect.stringContaining('towns.geojsonl#2 (5000002): has a boundary that is not in the state of the district'),
    ]);
    const { rows } = await sql`select from districts where name = 'Barton'`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('points of addresses outside their state are left out', async () => {
    const csv =
      'NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT\n1,Main St,Acton,VT,5255,-72.6,44.2\n2,Main St,Acton,VT,05255,-69.6,44.2\n';
    const { report } = await runImport(database.db, 'address-points', [folderWith({ 'a.csv': csv })], {
      preset: 'openaddresses',
    });
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'a.csv#3: has a point that is not in its state',
    ]);
  });
});

test('a published folder of openstates with organizations and committees is read without them, which are reported', async () => {
  const person = [
    'id: ocd-person/00000000-0000-4000-8000-000000000001',
    'name: Ada Quill',
    'party:',
    '- name: Independent',
    'roles:',
    '- type: lower',
    "  district: '5'",
    '  jurisdiction: ocd-jurisdiction/country:us/state:me/government',
    "  start_date: '2022-12-07'",
    '',
  ];
  const folder = folderOf({
    'me/legislature/Ada-Quill.yml': person.join('\n'),
    'me/organizations/house.yml': 'id: ocd-organization/00000000-0000-4000-8000-000000000002\nname: House\n',
    'me/committees/rules.yml': 'id: ocd-organization/00000000-0000-4000-8000-000000000003\nname: Rules\n',
  });
  const { report, files } = await runImport(database.db, 'openstates-people', [folder], {
    asOf: '2024-03-01',
    dryRun: true,
  });
  expect(files.find(({ file }) => file === 'persons.csv')?.inserted).toBe(1);
  expect(
    report.filter(({ reason }) => reason.includes('an organization or a committee')).map(({ record }) => record),
  ).toEqual(['me/committees/rules.yml', 'me/organizations/house.yml']);
});

test('choices that are no persons are kept as choices', async () => {
  const text = [
    HEADER,
    ...['Ada Drake,95', 'No Preference,20', 'Uncommitted,9'].map((cells) => `Taos,1,Sheriff,,,${cells}`),
    '',
  ];
  const { races } = await importFiles(database, 'openelections', {
    '20221108__nm__general__precinct.csv': text.join('\n'),
  });
  expect(races.map(({ candidates, won }) => [candidates, won])).toEqual([
    [{ 'Ada Drake': 95, 'No Preference': 20, Uncommitted: 9 }, ['Ada Drake']],
  ]);
});
