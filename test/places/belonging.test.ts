import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import type { DistrictType } from '../../src/store/sql/tables.ts';
import { box } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { loadTestSample } from '../support/sample.ts';
import { boundary, insert } from '../support/world.ts';
import { useFiles } from './files.ts';

const SHARED = process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared');

interface Share {
  areaShare: number;
  isWhole: boolean;
  district: { databaseId: number; name: string };
}

/** Outlines of two neighbouring states, of which the counties, towns and ZIP areas are drawn differently. */
describe('outlines of different drawing', () => {
  const database = useDatabase();
  const write = useFiles();
  const [COUNTRY, WEST, EAST] = [1, 2, 3];
  // The outlines of the states end at the coast in the south, at 40 degrees; the border is at 10 degrees east.
  const DRAWN: [id: number, type: DistrictType, state: string, box: [number, number, number, number]][] = [
    [COUNTRY, 'Country', 'US', [0, 40, 20, 50]],
    [WEST, 'State', 'WW', [0, 40, 10, 50]],
    [EAST, 'State', 'EE', [10, 40, 20, 50]],
    // The line between both districts of the state is at 5 degrees.
    [10, 'Congress', 'WW', [0, 40, 5, 50]],
    [11, 'Congress', 'WW', [5, 40, 9.997, 50]],
    [12, 'Congress', 'EE', [9.997, 40, 20, 50]],
    [20, 'County', 'WW', [0, 39, 5.002, 45]],
    [21, 'County', 'WW', [5.002, 40, 10.004, 45]],
    [22, 'County', 'WW', [0, 45, 10.004, 50]],
    [23, 'County', 'EE', [10.004, 40, 20, 50]],
    [30, 'City-town', 'WW', [9.8, 41, 10.003, 41.2]],
    [31, 'City-town', 'WW', [4.9, 44, 5.1, 44.2]],
    [32, 'City-town', 'WW', [4.8, 44, 5.001, 44.1]],
    // All of it lies in the state that is not that of its record.
    [33, 'City-town', 'WW', [15, 47, 15.1, 47.1]],
  ];

  beforeAll(async () => {
    for (const [id, type, state, outline] of DRAWN) {
      await insert(database.db, 'districts', [{ id, type, state, name: `${type} ${id}` }]);
      await boundary(database.db, id, ['2000-01-01', null], outline);
    }
    const zip = (code: string, ring: number[][]) => ({
      type: 'Feature',
      properties: { ZCTA5CE20: code },
      geometry: { type: 'Polygon', coordinates: [ring] },
    });
    const features = [
      zip('10001', box(9.7, 42, 10.002, 42.2)),
      zip('10002', box(9.9, 43, 10.05, 43.1)),
      zip('10004', box(9.5, 44, 10.004, 44.2)),
      zip('10003', box(1, 39.9, 1.2, 40.05)),
    ];
    await runImport(
      database.db,
      'zcta',
      [write('zcta.geojson', JSON.stringify({ type: 'FeatureCollection', features }))],
      { name: 'Areas' },
    );
  }, 60_000);

  const idsOf = (shares: Share[]) =>
    shares
      .map(({ district, isWhole }) => (isWhole ? district.databaseId : -district.databaseId))
      .sort((a, b) => Math.abs(a) - Math.abs(b));

  it('are as far apart whichever layer was written last', async () => {
    const measuredIn = async (layers: readonly DistrictType[]) => {
      for (const layer of layers) await sql`select ballotgraph_measure_outlines(array[${layer}])`.execute(database.db);
      return (await sql`select * from outline_differences order by layer, other_layer`.execute(database.db)).rows;
    };
    const layers = ['State', 'Congress', 'County', 'City-town'] as const;
    const measured = await measuredIn(layers);
    expect(measured.length).toBeGreaterThan(6);
    expect(await measuredIn(layers.toReversed())).toEqual(measured);
  });

  /** Districts in which the area lies; negative where only a part of it does. */
  it.each([
    ['a county that overlaps the next state', 'area(district: 21)', [COUNTRY, WEST, 11, 21, -30]],
    ['a county of two Congress districts', 'area(district: 22)', [COUNTRY, WEST, -10, -11, 22]],
    ['a county that has the sea to its boundary', 'area(district: 20)', [COUNTRY, WEST, 10, 20]],
    ['a district whose outline is behind the border', 'area(district: 12)', [COUNTRY, EAST, 12, 23]],
    ['a town at the border of the states', 'area(district: 30)', [COUNTRY, WEST, 11, 21, 30]],
    [
      'a town of two counties and two Congress districts',
      'area(district: 31)',
      [COUNTRY, WEST, -10, -11, -20, -21, 31, -32],
    ],
    ['a town that is drawn over a border', 'area(district: 32)', [COUNTRY, WEST, 10, 20, -31, 32]],
    ['a ZIP code drawn over a border', 'zip(code: "10001")', [COUNTRY, WEST, 11, 21]],
    ['a ZIP code of two states', 'zip(code: "10002")', [COUNTRY, -WEST, -EAST, -11, -12, -21, -23]],
    ['a ZIP code of which a half is water', 'zip(code: "10003")', [COUNTRY, WEST, 10, 20]],
  ])('%s', async (_, field, expected) => {
    const { data, errors } = await request(
      database.db,
      `{ found: ${field} { districts { areaShare isWhole district { databaseId name } } } }`,
    );
    expect(errors).toBeUndefined();
    const { districts } = (data as { found: { districts: Share[] } }).found;
    expect(idsOf(districts)).toEqual(expected);
    for (const { areaShare, isWhole } of districts) expect(areaShare === 1).toBe(isWhole);
  });

  it.each([
    [21, 'containedIn', [COUNTRY, WEST, 11, 30]],
    [22, 'containedIn', [COUNTRY, WEST, 10, 11]],
    [EAST, 'contains', [COUNTRY, 12, 23]],
    [11, 'contains', [COUNTRY, WEST, 21, 22, 30, 31]],
    [23, 'contains', [COUNTRY, EAST, 12]],
  ] as const)('%s %s', async (id, field, expected) => {
    const { data, errors } = await request(
      database.db,
      `{ district(databaseId: ${id}) { ${field}(minimumShare: 0.001) { nodes { databaseId } } } }`,
    );
    expect(errors).toBeUndefined();
    const { nodes } = (data as { district: Record<string, { nodes: { databaseId: number }[] }> }).district[field] ?? {
      nodes: [],
    };
    expect(nodes.map(({ databaseId }) => databaseId).sort((a, b) => a - b)).toEqual(expected);
  });
});

/** Counts districts that do not lie in one state and the country as a whole. */
async function partly(db: Parameters<typeof request>[0], shares: string) {
  const { rows } = await sql<{ areas: number; partly: number }>`
    with share as (${sql.raw(shares)}), area as (
      select key, count(*) filter (where type = 'State' and area_share = 1) = 1 and count(*) filter (where type = 'State') = 1
        and bool_or(type = 'Country' and area_share = 1) as is_whole from share group by key)
    select count(*)::int as areas, count(*) filter (where not is_whole)::int as partly from area`.execute(db);
  return rows[0];
}
const ofDistricts = (condition: string) => `
  select d.id as key, o.type, s.area_share from districts d join boundaries_in_effect('2026-06-01') b on b.district_id = d.id
  cross join lateral shares_of_boundary(b.id, array['Country', 'State']::district_type[], '2026-06-01') s
  join districts o on o.id = s.district_id where ${condition}`;

describe('the counties of the sample', () => {
  const database = useDatabase();
  beforeAll(() => loadTestSample(database.db), 240_000);

  it('lie in their state and in the country as a whole', async () => {
    const counts = await partly(database.db, ofDistricts("d.type = 'County'"));
    expect(counts?.areas).toBeGreaterThan(3_000);
    expect(counts?.partly).toBe(0);
  }, 120_000);
});

const FILES = {
  outlines: join(SHARED, 'data/boundaries/us-atlas'),
  zips: ['ri_rhode_island', 'de_delaware'].map((state) =>
    join(SHARED, `more-data/zip/${state}_zip_codes_geo.min.json`),
  ),
  places: ['ri', 'de'].map((state) => join(SHARED, `more-data/boundaries/places/${state}.json`)),
  towns: join(SHARED, 'data/boundaries/county-subdivisions-vt/vermont.json'),
};
const hasFiles = Object.values(FILES)
  .flat()
  .every((path) => existsSync(path));

describe.skipIf(!hasFiles)(`towns, places and ZIP areas (needs ${SHARED})`, () => {
  const database = useDatabase();
  beforeAll(async () => {
    const { db } = database;
    await runImport(db, 'us-atlas', [FILES.outlines], {});
    await runImport(db, 'districts-geojson', FILES.places, { preset: 'places-2019' });
    await runImport(db, 'districts-topojson', [FILES.towns], { preset: 'vermont-towns' });
    await runImport(db, 'zcta', FILES.zips, { name: 'ZCTA 2010' });
  }, 300_000);

  it.each([
    ["d.type = 'County subdivision'", 240],
    ["d.type = 'City-town'", 60],
  ])(
    '%s',
    async (condition, least) => {
      const counts = await partly(database.db, ofDistricts(condition));
      expect(counts?.areas).toBeGreaterThan(least);
      expect(counts?.partly).toBe(0);
    },
    120_000,
  );

  it('ZIP codes', async () => {
    const counts = await partly(
      database.db,
      `select z.code as key, o.type, s.area_share from (select distinct code from zip_areas) z
      cross join lateral shares_of_zip(z.code, array['Country', 'State']::district_type[], '2026-06-01') s
      join districts o on o.id = s.district_id`,
    );
    expect(counts).toEqual({ areas: 145, partly: 0 });
  }, 120_000);
});
