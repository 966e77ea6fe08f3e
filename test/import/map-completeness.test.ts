import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { APPORTIONMENTS, houseSeats } from '../../src/importers/facts/house-seats.ts';
import { missingNumbers } from '../../src/importers/facts/missing-numbers.ts';
import { type ImportOptions, runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, feature, folderOf } from './folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const importOf = (path: string, options: ImportOptions) => runImport(database.db, 'districts-geojson', [path], options);
const messageOf = (path: string, options: ImportOptions) =>
  importOf(path, options).then(
    () => 'was imported',
    ({ name, message }: Error) => `${name}: ${message}`,
  );

async function stored(): Promise<string[]> {
  const { rows } = await sql<{ ocdid: string }>`
    select d.ocdid from districts as d join boundaries as b on b.district_id = d.id order by d.ocdid`.execute(
    database.db,
  );
  return rows.map(({ ocdid }) => ocdid.replace('ocd-division/country:us/', ''));
}

const square = (index: number) => [box(-80 + index / 10, 35, -80 + (index + 1) / 10, 36)];
const congress = (codes: readonly string[]) =>
  folderOf(Object.fromEntries(codes.map((Code, index) => [`${Code}.geojson`, feature({ Code }, square(index))])));
const legislature = (state: string, codes: readonly string[]) =>
  folderOf(
    Object.fromEntries(
      codes.map((code, index) => {
        const ocdid = `ocd-division/country:us/state:${state}/sldl:${code}`;
        return [`${code}.geojson`, feature({ ocdid, name: code }, square(index))];
      }),
    ),
  );

const IN_2021 = { type: 'Congress', from: '2021-01-03', to: '2023-01-03' };

describe('a map without all districts of a state', () => {
  test.each<[what: string, folder: () => string, options: ImportOptions, missing: readonly string[]]>([
    ['a district in the middle', () => congress(['NV-1', 'NV-02', 'NV-4']), IN_2021, ['NV-3']],
    ['the last district', () => congress(['NV-01', 'NV-02', 'NV-03']), IN_2021, ['NV-4']],
    ['a district of a chamber', () => legislature('ri', ['1', '2', '4']), { from: '2013-01-01' }, ['RI .* 3']],
    ['districts with letters', () => legislature('ak', ['a', 'd']), { from: '2013-01-01' }, ['AK .* B', 'AK .* C']],
    [
      'a district whose code is unknown',
      () => congress(['NV-1', 'NV-2', 'NV-3', 'NV-4', 'NV-x']),
      IN_2021,
      ['NV-x.geojson#1: Code NV-x is not that of a Congress district'],
    ],
    [
      'a district without area',
      () =>
        folderOf({
          'RI-1.geojson': feature({ Code: 'RI-01' }, square(0)),
          'RI-2.geojson': feature({ Code: 'RI-02' }, [[...(square(1)[0] ?? []).slice(0, 2), [-79.9, 35], [-79.9, 35]]]),
        }),
      IN_2021,
      ['RI-2.geojson#1 \\(RI-02\\): geometry: '],
    ],
  ])('is rejected, naming %s', async (_, folder, options, missing) => {
    const path = folder();
    const message = await messageOf(path, options);
    expect(message).toMatch(/^ImportError: districts-geojson: the map is incomplete, \d districts? (is|are) missing/);
    for (const each of missing) expect(message).toMatch(new RegExp(`^ {2}${each}`, 'm'));
    expect(message.split('\n')).toHaveLength(1 + missing.length);
    expect(await stored()).toEqual([]);
    const { report } = await importOf(path, { ...options, partial: true });
    for (const each of missing)
      expect(report.map(({ record, reason }) => `${record}: ${reason}`).join('\n')).toMatch(new RegExp(each));
    expect((await stored()).length).toBeGreaterThan(0);
  });

  test('is rejected if its numbering has no gap, but an area of the state has no district', async () => {
    const outline = [box(-80, 35, -79.6, 36)];
    await importOf(folderOf({ 'RI.geojson': feature({ STATEFP: '44', GEOID: '44', NAME: 'Rhode Island' }, outline) }), {
      type: 'State',
      from: '2000-01-01',
    });
    const path = legislature('ri', ['1', '2', '3']);
    const options = { from: '2013-01-01' };
    expect(await messageOf(path, options)).toMatch(
      /the map is incomplete, 1 district is missing.*\n {2}RI State Legislative \(Lower\): no district covers the area around latitude 35.5, longitude -79.65/,
    );
    const { report } = await importOf(path, { ...options, partial: true });
    expect(report.map(({ kind }) => kind)).toEqual(['incomplete-maps']);
    expect((await importOf(legislature('ri', ['1', '2', '3', '4']), options)).report).toEqual([]);
  });

  test.each<[what: string, folder: () => string, options: ImportOptions, count: number]>([
    ['all seats of a state', () => congress(['NV-1', 'NV-2', 'NV-3', 'NV-4']), IN_2021, 4],
    ['a state at large', () => congress(['VT-AL']), IN_2021, 1],
    ['a state in a time with other seats', () => congress(['MT-1', 'MT-2']), { from: '2023-01-03' }, 2],
    ['subdivided districts', () => legislature('nd', ['1', '2a', '2b', '3']), { from: '2013-01-01' }, 4],
    [
      'districts named after counties',
      () => legislature('vt', ['addison-1', 'bennington-3']),
      { from: '2013-01-01' },
      2,
    ],
  ])('%s are complete', async (_, folder, options, count) => {
    expect((await importOf(folder(), options)).report).toEqual([]);
    expect(await stored()).toHaveLength(count);
  });
});

test('a geometry without properties is the district named by its folder', async () => {
  const geometry = (index: number) => JSON.stringify({ type: 'MultiPolygon', coordinates: [square(index)] });
  const folder = folderOf({ 'RI-1/shape.geojson': geometry(0), 'RI-2/shape.geojson': geometry(1) });
  expect((await importOf(folder, IN_2021)).report).toEqual([]);
  expect(await stored()).toEqual(['state:ri/cd:1', 'state:ri/cd:2']);
});

test('an apportionment has 435 seats in 50 states', () => {
  for (const { seats } of APPORTIONMENTS) {
    expect(seats.size).toBe(50);
    expect([...seats.values()].reduce((sum, count) => sum + count, 0)).toBe(435);
  }
  expect([houseSeats('MT', '2022-12-31'), houseSeats('MT', '2023-01-03')]).toEqual([1, 2]);
  expect([houseSeats('DC', '2023-01-03'), houseSeats('MT', '2012-01-01')]).toEqual([undefined, undefined]);
});

test.each<[codes: string[], missing: string[]]>([
  [[], []],
  [
    ['01', '3', '5'],
    ['2', '4'],
  ],
  [['4A', '4B', '2', '3'], ['1']],
  [['a', 'c'], ['B']],
  [['addison', '3'], []],
])('in the codes %j %j are missing', (codes, missing) => {
  expect(missingNumbers(codes)).toEqual(missing);
});

const shared = join(process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared'), 'more-data');
const cds = join(shared, 'boundaries/unitedstates-districts/cds');
const hasData = existsSync(cds);
test.skipIf(!hasData)(
  `published maps of states are complete${hasData ? '' : ' (skipped: no data folder)'}`,
  async () => {
    for (const [year, districts] of Object.entries({ 2012: 69, 2018: 18, 2020: 13 })) {
      const { report, files } = await importOf(join(cds, year), {
        type: 'Congress',
        from: `${year}-01-03`,
        dryRun: true,
      });
      expect(report, year).toEqual([]);
      expect(files.find(({ file }) => file === 'boundaries.geojsonl')?.inserted, year).toBe(districts);
    }
  },
);
