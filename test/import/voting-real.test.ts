import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { open, openDbf } from 'shapefile';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { findFiles, readWhole } from '../../src/importers/read/read-files.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';

const folder = process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared');
const shared = join(folder, 'voting-data');
const hasData = existsSync(shared);
const isServer = inject('backend').kind === 'server';
const missing = `${hasData ? '' : ' (skipped: no data folder)'}${isServer ? '' : ON_A_SERVER}`;

/** How a state is imported, and by which columns its map and its places are joined here. */
interface Case {
  readonly state: string;
  readonly map: string;
  /** The coordinate system of the map, as PROJ has it; none for degrees. */
  readonly projection?: string;
  readonly type: 'Precinct' | 'County subdivision';
  readonly properties?: Readonly<Record<string, string>>;
  readonly join: Readonly<Record<string, string>>;
  readonly keyOfShape: (properties: Readonly<Record<string, unknown>>) => string;
  readonly keyOfPlace: (row: Readonly<Record<string, string>>) => string;
  /** The shapes with the places of the join, and those without any. */
  readonly right: number;
  readonly none: readonly string[] | number;
  readonly counted: string;
}

const plain = (text: unknown) =>
  String(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const CASES: readonly Case[] = [
  {
    state: 'Delaware DE',
    map: 'DE_precincts.zip',
    projection:
      '+proj=tmerc +lat_0=38 +lon_0=-75.41666666666667 +k=0.999995 +x_0=200000.0001016 +y_0=0 +ellps=GRS80 +units=us-ft +no_defs',
    type: 'Precinct',
    properties: { name: 'EDRD_2012' },
    join: { precinct_id: 'Precinct' },
    keyOfShape: ({ EDRD_2012 }) => plain(EDRD_2012),
    keyOfPlace: ({ precinct_id }) => plain(precinct_id),
    right: 429,
    none: ['13 02'],
    counted: '429 of 434 rows have a district, 429 of 430 districts have a place',
  },
  {
    state: 'Rhode_Island RI',
    map: 'RI_precincts.zip',
    type: 'Precinct',
    properties: { name: 'NAME' },
    join: { precinct_id: 'Precinct' },
    keyOfShape: ({ NAME }) => plain(NAME),
    keyOfPlace: ({ precinct_id }) => plain(precinct_id),
    right: 418,
    none: ['0729'],
    counted: '418 of 461 rows have a district, 418 of 419 districts have a place',
  },
  {
    state: 'Vermont VT',
    map: 'VT_towns.zip',
    type: 'County subdivision',
    join: { jurisdiction: 'County subdivision' },
    // The two towns and cities of one name have it with their kind, and all others without.
    keyOfShape: ({ NAME10, NAMELSAD10 }) =>
      ['Barre', 'Newport', 'Rutland', 'St. Albans'].includes(String(NAME10)) ? plain(NAMELSAD10) : plain(NAME10),
    keyOfPlace: ({ jurisdiction }) => plain(jurisdiction),
    right: 243,
    none: ['enosburg', 'rutland city', 'alburg'],
    counted: '258 of 265 rows have a district, 243 of 246 districts have a place',
  },
  {
    state: 'Maine ME',
    map: 'Maine.zip',
    projection: '+proj=utm +zone=19 +ellps=GRS80 +units=m +no_defs',
    type: 'Precinct',
    properties: { name: 'Precinct', county: 'COUNTYFP' },
    join: { 'county_name+jurisdiction': 'Precinct' },
    keyOfShape: ({ County, Precinct }) => `${plain(County)}: ${plain(Precinct)}`,
    keyOfPlace: ({ county_name, jurisdiction }) => `${plain(county_name)}: ${plain(jurisdiction)}`,
    right: 457,
    none: 440,
    counted: '575 of 617 rows have a district, 457 of 897 districts have a place',
  },
];

describe.skipIf(!hasData || !isServer)(`places of 2018-11-06 at the inner points of precincts${missing}`, () => {
  const database = useDatabase();

  beforeAll(async () => {
    await runImport(database.db, 'us-atlas', []);
  }, 120_000);

  /** Returns the map as a GeoJSON file in degrees, and each shape with a point within it. */
  async function shapesOf({ map, projection, keyOfShape }: Case) {
    const files = await findFiles([join(shared, 'precincts', map)], ['.shp', '.dbf']);
    const bytes = async (extension: string) => {
      const file = files.find(({ name }) => name.endsWith(extension) && !name.startsWith('__'));
      return file ? readWhole(file) : Buffer.alloc(0);
    };
    const source = await open(await bytes('.shp'), await bytes('.dbf'), { encoding: 'utf-8' });
    const shapes: { key: string; line: string; longitude: number; latitude: number }[] = [];
    for (let next = await source.read(); !next.done; next = await source.read()) {
      const { properties, geometry } = next.value;
      const shape = sql`ST_MakeValid(ST_GeomFromGeoJSON(${JSON.stringify(geometry)}))`;
      const moved = projection
        ? sql`ST_Transform(ST_SetSRID(${shape}, 0), ${projection}, '+proj=longlat +ellps=GRS80 +no_defs')`
        : shape;
      const { rows } = await sql<{ json: string; longitude: number; latitude: number }>`
        select ST_AsGeoJSON(g, 9) as json, ST_X(p) as longitude, ST_Y(p) as latitude
        from (select ${moved} as g) as m cross join lateral ST_PointOnSurface(g) as p`.execute(database.db);
      const [row] = rows;
      if (!row) continue;
      const line = `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":${row.json}}`;
      shapes.push({ key: keyOfShape(properties as Record<string, unknown>), line, ...row });
    }
    const file = join(mkdtempSync(join(tmpdir(), 'map-')), 'map.geojsonl');
    writeFileSync(file, `${shapes.map(({ line }) => line).join('\n')}\n`);
    return { file, shapes };
  }

  test.each(CASES)('$state', { timeout: 300_000 }, async (given) => {
    const [folder = '', state = ''] = given.state.split(' ');
    const { type, properties, map, projection } = given;
    const { file, shapes } = await shapesOf(given);
    const options = { type, state, from: '2010-01-01', ...(properties && { properties }) };
    if (projection)
      await expect(
        runImport(database.db, 'districts-shapefile', [join(shared, 'precincts', map)], options),
      ).rejects.toThrow('longitude and latitude is needed');
    const path = projection ? file : join(shared, 'precincts', map);
    const mapped = await runImport(
      database.db,
      projection ? 'districts-geojson' : 'districts-shapefile',
      [path],
      options,
    );
    const csv = join(shared, 'polling-places', `${folder}_2018-11-06.csv`);
    const summary = await runImport(database.db, 'voting-places', [csv], {
      preset: 'us-polling-places',
      electionType: 'General',
      join: given.join,
    });
    const rows: Record<string, string>[] = parse(readFileSync(csv), { columns: true });
    const expected = Map.groupBy(rows, given.keyOfPlace);
    const outcome = { right: 0, wrong: [] as string[], none: [] as string[] };
    for (const { key, longitude, latitude } of shapes) {
      const { rows: found } = await sql<{ place: string }>`
        select distinct p.name || '|' || coalesce(p.address, '') as place from voting_places as p
        join elections as e on e.id = p.election_id and e.date = '2018-11-06'
        join boundaries as b on b.district_id = any(p.district_ids)
        where p.state = ${state} and ST_Covers(b.geometry, ST_SetSRID(ST_MakePoint(${longitude}, ${latitude}), 4326))`.execute(
        database.db,
      );
      const got = new Set(found.map(({ place }) => plain(place)));
      const want = new Set((expected.get(key) ?? []).map(({ name, address }) => plain(`${name}|${address}`)));
      const same = got.symmetricDifference(want).size === 0;
      if (want.size === 0 && same) outcome.none.push(key);
      else if (same) outcome.right++;
      else outcome.wrong.push(`${key}: ${[...got].join()} instead of ${[...want].join()}`);
    }
    const counted = summary.report.flatMap(({ reason }) => /\d+ of \d+ rows .*/.exec(reason)?.[0] ?? []);
    expect(counted).toEqual([given.counted]);
    expect(mapped.report).toEqual([]);
    expect(outcome).toEqual({ right: given.right, wrong: [], none: expect.any(Array) });
    if (typeof given.none === 'number') expect(outcome.none).toHaveLength(given.none);
    else expect(outcome.none).toEqual(given.none);
  });
});

const results = join(folder, 'more-data/results/medsl/2018/2018-ri-precinct-general.zip');
const hasResults = existsSync(results) && hasData;

describe.skipIf(!hasResults)(`votes of 2018-11-06 by precinct${hasResults ? '' : ' (skipped: no data folder)'}`, () => {
  const database = useDatabase();

  test('of Rhode Island are those that the map has for the U.S. Senate, in all but two', {
    timeout: 300_000,
  }, async () => {
    const summary = await runImport(database.db, 'medsl', [results], { precincts: true });
    expect(summary.files.find(({ file }) => file === 'races.csv')).toMatchObject({ inserted: 121 });
    const { rows } = await sql<{ precinct: string; name: string; votes: number }>`
      select u.precinct, p.name, v.votes from precinct_results as u
      join races as r on r.id = u.race_id join offices as o on o.id = r.office_id and o.name like 'U.S. Senate%'
      cross join unnest(u.candidate_ids, u.votes) as v(candidate_id, votes)
      join candidates as c on c.id = v.candidate_id join persons as p on p.id = c.person_id`.execute(database.db);
    const votes = new Map(rows.map((row) => [`${row.precinct.padStart(4, '0')} ${row.name}`, row.votes]));
    const [dbf] = await findFiles([join(shared, 'precincts/RI_precincts.zip')], ['.dbf']);
    const table = await openDbf(dbf ? await readWhole(dbf) : Buffer.alloc(0), { encoding: 'utf-8' });
    const differ: string[] = [];
    const missing: string[] = [];
    for (let next = await table.read(); !next.done; next = await table.read()) {
      const { NAME, SEN18D, SEN18R } = next.value as Record<string, unknown>;
      const own = ['Sheldon Whitehouse', 'Robert G. Flanders Jr.'].map((name) => votes.get(`${NAME} ${name}`));
      if (own.includes(undefined)) missing.push(String(NAME));
      else if (own.join() !== [SEN18D, SEN18R].map(Number).join()) differ.push(`${NAME}: ${own.join()}`);
    }
    // The map has the votes of 0731 for 0730 too, and those of 1017 and 1018 added up.
    expect(differ.sort()).toEqual(['0730: 850,1228', '1017: 807,479']);
    expect(missing).toEqual(['0729']);
    expect(rows.length).toBe(463 * 2);
    const { rows: sums } = await sql`
      select c.id from candidates as c join races as r on r.id = c.race_id
      where c.votes_for_cand is distinct from (
        select sum(v.votes) from precinct_results as u cross join unnest(u.candidate_ids, u.votes) as v(candidate_id, votes)
        where u.race_id = r.id and v.candidate_id = c.id)`.execute(database.db);
    expect(sums).toEqual([]);
  });
});
