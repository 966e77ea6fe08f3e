import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportOptions, type ImportSummary, runImport } from '../../src/importers/import.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { contentsOf } from './contents.ts';
import { counts, fingerprint, folderOf } from './folders.ts';
import { census, collection, feature } from './geojson-features.ts';

const CRS = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4269' } };

const cds2016 = () =>
  folderOf({
    'NH-1/shape.geojson': JSON.stringify(feature({ Code: 'NH-01', District: 'New Hampshire 1st' }, -107)),
    'NH-2/shape.geojson': JSON.stringify(feature({ Code: 'NH-02', District: 'New Hampshire 2nd' }, -106)),
    'VT-0/shape.geojson': JSON.stringify(feature({ Code: 'VT-AL', District: 'Vermont At-Large' }, -73)),
  });

const cd118 = () =>
  folderOf({
    'cd118_us.geojson': collection(
      [census('33', '01', -107.5), census('33', '02', -106.5), census('50', '00', -73), census('17', 'ZZ', -87)],
      { crs: CRS },
    ),
  });

const OLD: ImportOptions = { from: '2013-01-03', to: '2023-01-03', precise: true };
const NEW: ImportOptions = { from: '2023-01-03' };

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

function importOf(paths: string | string[], options: ImportOptions): Promise<ImportSummary> {
  return runImport(database.db, 'districts-geojson', [paths].flat(), options);
}

async function boundaries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' | ', d.name, d.ocdid, d.geo_id, b.start_date, coalesce(b.end_date::text, 'open'), b.precise, ST_XMin(b.geometry)) as line
    from districts as d left join boundaries as b on b.district_id = d.id order by d.state, d.ocdid, b.start_date`.execute(
    db,
  );
  return rows.map(({ line }) => line.replace('ocd-division/country:us/', ''));
}

describe('the three shapes', () => {
  test('two maps of Congress districts are one row each, with two boundaries, in either order', async () => {
    const expected = [
      'New Hampshire District 1 | state:nh/cd:1 | 5001800US3301 | 2013-01-03 | 2023-01-03 | t | -107',
      'New Hampshire District 1 | state:nh/cd:1 | 5001800US3301 | 2023-01-03 | open | f | -107.5',
      'New Hampshire District 2 | state:nh/cd:2 | 5001800US3302 | 2013-01-03 | 2023-01-03 | t | -106',
      'New Hampshire District 2 | state:nh/cd:2 | 5001800US3302 | 2023-01-03 | open | f | -106.5',
      'Vermont At-large District | state:vt/cd:at-large | 5001800US5000 | 2013-01-03 | 2023-01-03 | t | -73',
      'Vermont At-large District | state:vt/cd:at-large | 5001800US5000 | 2023-01-03 | open | f | -73',
    ];
    const first = await importOf(cds2016(), OLD);
    expect(counts(first)).toEqual({ 'districts.csv': [3, 0, 0, 0], 'boundaries.geojsonl': [3, 0, 0, 0] });
    const second = await importOf(cd118(), NEW);
    expect(counts(second)).toEqual({ 'districts.csv': [0, 0, 3, 0], 'boundaries.geojsonl': [3, 0, 0, 0] });
    expect([...first.report, ...second.report].map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'cd118_us.geojson#4: ZZ means waters without a congressional district',
    ]);
    expect(await boundaries(database.db)).toEqual(expected);
    const inOrder = await contentsOf(database.db);

    await sql`truncate districts, sources, record_sources, external_identifiers cascade`.execute(database.db);
    await importOf(cd118(), NEW);
    await importOf(cds2016(), OLD);
    expect(await contentsOf(database.db)).toEqual(inOrder);
  });

  test('importing both again changes no row and no id', async () => {
    const [older, newer] = [cds2016(), cd118()];
    await importOf(older, { ...OLD, name: 'older' });
    await importOf(newer, { ...NEW, name: 'newer' });
    const before = await fingerprint(database.db);
    await importOf(older, { ...OLD, name: 'older' });
    await importOf(newer, { ...NEW, name: 'newer' });
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('OCD ids determine the state and the type', async () => {
    const folder = folderOf({
      'AK/sldl/1.geojson': JSON.stringify(
        feature({ ocdid: 'ocd-division/country:us/state:ak/sldl:1', type: 'sldl', state: 'ak', name: '1' }, -150),
      ),
      'VT/sldu/w.geojson': JSON.stringify(
        feature(
          { ocdid: 'ocd-division/country:us/state:vt/sldu:washington', type: 'sldu', state: 'vt', name: 'washington' },
          -73,
        ),
      ),
    });
    const summary = await importOf(folder, OLD);
    expect(summary.report).toEqual([]);
    const districts = await database.db
      .selectFrom('districts')
      .select(['type', 'name', 'state', 'ocdid'])
      .orderBy('state')
      .execute();
    expect(districts).toEqual([
      {
        type: 'State Legislative (Lower)',
        name: 'Alaska House of Representatives District 1',
        state: 'AK',
        ocdid: 'ocd-division/country:us/state:ak/sldl:1',
      },
      {
        type: 'State Legislative (Upper)',
        name: 'Vermont State Senate Washington District',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/sldu:washington',
      },
    ]);
  });

  test('other shapes require the type and the names of their properties', async () => {
    const folder = folderOf({
      'places.json': collection([
        feature(
          { CODE: '5010675', TITLE: 'Burlington', DIVISION: 'ocd-division/country:us/state:vt/place:burlington' },
          -73.5,
        ),
      ]),
    });
    const unknown = await importOf(folder, { ...NEW, partial: true });
    expect(unknown.report).toMatchObject([
      {
        source: 'districts-geojson',
        record: 'places.json#1',
        reason: 'the format of its properties is unknown; set their names with --properties',
      },
    ]);
    const properties = { geoid: 'CODE', name: 'TITLE', ocdid: 'DIVISION' };
    const summary = await importOf(folder, { ...NEW, type: 'City-town', properties });
    expect(summary.report).toEqual([]);
    const districts = await database.db
      .selectFrom('districts')
      .select(['type', 'name', 'state', 'ocdid', 'geo_id'])
      .execute();
    expect(districts).toEqual([
      {
        type: 'City-town',
        name: 'Burlington',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/place:burlington',
        geo_id: '1600000US5010675',
      },
    ]);
  });
});

describe('periods', () => {
  const one = (west: number) => folderOf({ 'map.geojson': collection([census('50', '00', west)]) });
  const periods = async () =>
    (
      await sql<{
        period: string;
      }>`select start_date || ' ' || coalesce(end_date::text, 'open') as period from boundaries order by start_date`.execute(
        database.db,
      )
    ).rows.map(({ period }) => period);

  test('a map ends where the next begins, in either order', async () => {
    for (const order of [
      ['2003-01-03', '2013-01-03', '2023-01-03'],
      ['2023-01-03', '2003-01-03', '2013-01-03'],
      ['2013-01-03', '2023-01-03', '2003-01-03'],
    ]) {
      await sql`truncate districts cascade`.execute(database.db);
      for (const from of order) await importOf(one(Number(from.slice(2, 4)) / 100 - 107), { from });
      expect(await periods()).toEqual(['2003-01-03 2013-01-03', '2013-01-03 2023-01-03', '2023-01-03 open']);
    }
  });

  test('a boundary that overlaps another by more than a day is skipped and reported', async () => {
    await importOf(one(-107), { from: '2013-01-03', to: '2023-01-03' });
    const { report, files } = await importOf(one(-106), {
      from: '2020-01-01',
      to: '2024-01-01',
      partial: true,
    });
    expect(report).toMatchObject([
      {
        source: 'districts-geojson',
        record: 'map.geojson#1 (5000)',
        reason: 'start_date: the district has a boundary from 2013-01-03 to 2023-01-03 in the database',
      },
    ]);
    expect(files.find(({ file }) => file === 'boundaries.geojsonl')).toMatchObject({ inserted: 0, updated: 0 });
    expect(await periods()).toEqual(['2013-01-03 2023-01-03']);
  });

  test('of two sources with the same first day, the precise boundary is kept, otherwise the first', async () => {
    const west = async () =>
      (await sql<{ west: number }>`select ST_XMin(geometry) as west from boundaries`.execute(database.db)).rows;
    await importOf(one(-107), { ...NEW, name: 'first' });
    const second = await importOf(one(-106), { ...NEW, name: 'second' });
    expect(second.report).toHaveLength(1);
    expect(await west()).toEqual([{ west: -107 }]);
    await importOf(one(-105), { ...NEW, name: 'third', precise: true });
    expect(await west()).toEqual([{ west: -105 }]);
    const again = await importOf(one(-107), { ...NEW, name: 'first' });
    expect(again.report[0]?.reason).toContain(
      'the district has a boundary of another source from the same day on, which stays',
    );
    expect(await west()).toEqual([{ west: -105 }]);
    await importOf(one(-104), { ...NEW, name: 'first', precise: true, asOf: '2025-01-01' });
    expect(await west()).toEqual([{ west: -104 }]);
  });
});

test('a file is split into Features for any chunking', async () => {
  const tricky = feature(
    { Code: 'VT-AL', District: '"features":[{ \\" }] é\u{1F5F3}', features: [{ features: [] }] },
    -73,
  );
  const padding = ' '.repeat(256 * 1024 - 40);
  const text = `{"type":"FeatureCollection","meta":{"features":[{"a":1}]},${padding}"features" : [${JSON.stringify(tricky)},${padding}\n${JSON.stringify(feature({ Code: 'AK-AL' }, -107))}]}`;
  const summary = await importOf(folderOf({ 'x.geojson': text }), NEW);
  expect(summary.report).toEqual([]);
  expect(counts(summary)['boundaries.geojsonl']).toEqual([2, 0, 0, 0]);
});
