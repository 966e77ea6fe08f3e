import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportOptions, runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { box, folderOf } from './folders.ts';
import { collection, feature } from './geojson-features.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

/** A map of West Virginia with Congress districts of equal width. */
const map = (edition: number, count: number) =>
  folderOf({
    'map.geojson': collection(
      Array.from({ length: count }, (_, index) => {
        const [west, east] = [index, index + 1].map((each) => -82 + (each * 4) / count);
        const geometry = { type: 'Polygon', coordinates: [box(west ?? 0, 38, east ?? 0, 40)] };
        return feature({ GEOID: `540${index + 1}`, [`CD${edition}FP`]: `0${index + 1}` }, 0, geometry);
      }),
    ),
  });

const ofCongress: ImportOptions = { type: 'Congress' };

const importOf = (path: string, options: ImportOptions) => runImport(database.db, 'districts-geojson', [path], options);

async function inEffect(day: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select d.name from districts as d join boundaries as b on b.district_id = d.id
    where b.start_date <= ${day}::date and (b.end_date is null or b.end_date > ${day}::date) order by d.name`.execute(
    database.db,
  );
  return rows.map(({ name }) => name);
}

describe('a new map', () => {
  test('ends the districts that it does not have, and names them', async () => {
    await importOf(map(116, 3), { ...ofCongress, from: '2019-01-03' });
    const { report } = await importOf(map(118, 2), { ...ofCongress, from: '2023-01-03' });
    expect(await inEffect('2022-12-31')).toHaveLength(3);
    expect(await inEffect('2023-01-03')).toEqual(['West Virginia District 1', 'West Virginia District 2']);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      expect.stringMatching(/^WV West Virginia District 3: is not on the new map of its state.*2023-01-03$/),
    ]);
    const again = await importOf(map(118, 2), { ...ofCongress, from: '2023-01-03' });
    expect(again.report).toEqual([]);
    expect(await inEffect('2023-01-03')).toHaveLength(2);
  });

  test('of a part of the state ends none', async () => {
    await importOf(map(116, 3), { ...ofCongress, from: '2019-01-03' });
    await importOf(map(118, 2), { ...ofCongress, from: '2023-01-03', partial: true });
    expect(await inEffect('2023-01-03')).toHaveLength(3);
  });

  test('of counties with other areas is rejected until the operator says that they replace the older ones', async () => {
    const county = (geoid: string, name: string, west: number) =>
      feature({ GEOID: geoid, NAME: name, STATEFP: '09' }, 0, {
        type: 'Polygon',
        coordinates: [box(west, 41, west + 1, 42)],
      });
    const older = folderOf({
      'a.geojson': collection([county('09001', 'Fairfield', -74), county('09003', 'Hartford', -73)]),
    });
    const newer = folderOf({
      'a.geojson': collection([county('09110', 'Capitol', -74), county('09120', 'Greater Bridgeport', -73)]),
    });
    const options: ImportOptions = { type: 'County' };
    await importOf(older, { ...options, from: '2013-01-01' });
    await expect(importOf(newer, { ...options, from: '2022-06-06' })).rejects.toThrow(
      /the new map of CT has no .*Fairfield.* give --replaces to end them on 2022-06-06/,
    );
    await importOf(newer, { ...options, from: '2022-06-06', replaces: true });
    expect(await inEffect('2022-06-05')).toHaveLength(2);
    expect((await inEffect('2022-06-06')).join()).toMatch(/Capitol.*Bridgeport/);
    expect(await inEffect('2022-06-06')).toHaveLength(2);
  });
});
