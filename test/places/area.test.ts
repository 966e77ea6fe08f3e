import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { box, counts } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, createWorld, insert, WORLD } from '../support/world.ts';
import { useFiles } from './files.ts';

const database = useDatabase();
const write = useFiles();

const zip = (code: string, ring: number[][], more: object = {}) => ({
  type: 'Feature',
  properties: { ZCTA5CE20: code, ...more },
  geometry: { type: 'Polygon', coordinates: [ring] },
});
const file = (...features: object[]) => write('zcta.geojson', JSON.stringify({ type: 'FeatureCollection', features }));

const WEST = zip('00501', box(-98, 42, -97, 43));
/** A quarter lies in the western Congress district, the rest in the eastern one. */
const DIVIDED = zip('05602', box(-96, 42, -92, 43));
/** Half of it is at sea. */
const COAST = zip('12345', box(-81, 42, -79, 43));
/** A thousandth of the first one lies in the other district, and less of the second one. */
const SLIVER = zip('10000', box(-95.001, 46, -94, 47));
const SMALLER_SLIVER = zip('10001', box(-95.0009, 46, -94, 47));

const importOf = (folder: string, options = {}) =>
  runImport(database.db, 'zcta', [folder], { name: 'Areas', license: 'public domain', ...options });

beforeAll(async () => {
  await createWorld(database.db);
  await importOf(file(WEST, DIVIDED, COAST, SLIVER, SMALLER_SLIVER));
});

interface Share {
  district: { databaseId: number; type: string };
  areaShare: number;
  addressShare: number | null;
  isWhole: boolean;
}

const SHARES = 'districts { district { databaseId type } areaShare addressShare isWhole }';

async function areaOf(field: string, args = '', variables = {}): Promise<Share[] & { isSplit: boolean }> {
  const source = `{ found: ${field} { ${SHARES.replace('districts', `districts${args}`)} isSplit${args} } }`;
  const { data, errors } = await request(database.db, source, { variables });
  expect(errors).toBeUndefined();
  const { districts, isSplit } = (data as { found: { districts: Share[]; isSplit: boolean } }).found;
  return Object.assign(districts, { isSplit });
}

const shown = (shares: Share[]) => shares.map(({ district, areaShare }) => [district.databaseId, areaShare]);

describe('the districts of a ZIP code', () => {
  it('are those that contain it as a whole', async () => {
    const shares = await areaOf('zip(code: "00501")');
    expect(shown(shares)).toEqual([
      [WORLD.country, 1],
      [WORLD.alphaFirst, 1],
      [WORLD.alpha, 1],
      [WORLD.county, 1],
    ]);
    expect(shares.every(({ isWhole, addressShare }) => isWhole && addressShare === null)).toBe(true);
    expect(shares.isSplit).toBe(false);
  });

  it('have shares that add up where it is divided', async () => {
    const shares = await areaOf('zip(code: "05602-1234")', '(types: [CONGRESS, STATE])');
    expect(shown(shares)).toEqual([
      [WORLD.alphaFirst, 0.25],
      [WORLD.alphaSecond, 0.75],
      [WORLD.alpha, 1],
    ]);
    expect(shares.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
    expect(shares.isSplit).toBe(true);
    expect((await areaOf('zip(code: "05602")', '(types: [STATE])')).isSplit).toBe(false);
  });

  it('are those of a day', async () => {
    const old = await areaOf('zip(code: "05602")', '(types: [CONGRESS], on: "2020-01-01")');
    expect(shown(old)).toEqual([[WORLD.alphaFirst, 1]]);
    expect(old.isSplit).toBe(false);
  });

  it('cover all of it but the sea, which is no share', async () => {
    const shares = await areaOf('zip(code: "12345")', '(types: [STATE])');
    expect(shown(shares)).toEqual([[WORLD.beta, 1]]);
    expect(shares.isSplit).toBe(false);
  });

  it('leave out slivers', async () => {
    const [sliver, smaller] = [
      await areaOf('zip(code: "10000")', '(types: [CONGRESS])'),
      await areaOf('zip(code: "10001")', '(types: [CONGRESS])'),
    ];
    expect(sliver.length === 1 ? sliver[0]?.isWhole : sliver.isSplit).toBe(true);
    expect(shown(smaller)).toEqual([[WORLD.alphaSecond, expect.closeTo(0.9991, 4)]]);
    expect(smaller[0]?.isWhole).toBe(true);
  });

  it('are null without the grants, and the area is null for a code without area', async () => {
    const source = '{ zip(code: "05602") { code districts { areaShare } isSplit } other: zip(code: "99999") { code } }';
    const { data } = await request(database.db, source, { grants: ['elections'] });
    expect(data).toEqual({ zip: { code: '05602', districts: null, isSplit: null }, other: null });
  });

  it('reject what is no ZIP code', async () => {
    for (const code of ['"5602"', '"056022"', '5602', '"0560a"', '"05602-12"', '"٠٥٦٠٢"']) {
      await expect(request(database.db, `{ zip(code: ${code}) { code } }`)).rejects.toThrow(/five digits/);
    }
  });

  it('take one statement for districts and flag', async () => {
    const recorded = recordStatements(database);
    await request(recorded.db, `{ zip(code: "05602") { ${SHARES} isSplit } }`);
    expect(recorded.take().map(nameOf)).toEqual([
      'places.zip-codes',
      'places.overlapping-districts',
      'places.addresses-in-districts',
    ]);
  });
});

describe('the districts of an area', () => {
  const BOX = 'boundingBox: { west: -96, south: 42, east: -92, north: 43 }';
  const POLYGON = `polygon: [${box(-96, 42, -92, 43).map(([longitude, latitude]) => `{ longitude: ${longitude}, latitude: ${latitude} }`)}]`;

  it.each([BOX, POLYGON])('are those of a ZIP code of the same shape: %s', async (args) => {
    expect(await areaOf(`area(${args})`)).toEqual(await areaOf('zip(code: "05602")'));
  });

  it('have the shares of a slanted polygon', async () => {
    const corners = [
      [-96, 41],
      [-94, 41],
      [-95, 43],
    ].map(([longitude, latitude]) => `{ longitude: ${longitude}, latitude: ${latitude} }`);
    const shares = await areaOf(`area(polygon: [${corners}])`, '(types: [CONGRESS])');
    expect(shares.map(({ areaShare }) => areaShare)).toEqual([expect.closeTo(0.5, 5), expect.closeTo(0.5, 5)]);
  });

  it.each([
    ['', /exactly one/],
    [`${BOX} ${POLYGON}`, /exactly one/],
    ['polygon: []', /3 to 500 corners, not 0/],
    [
      'polygon: [{ longitude: 1, latitude: 1 }, { longitude: 2, latitude: 2 }, { longitude: 3, latitude: 3 }]',
      /must have an area/,
    ],
    [
      'polygon: [{ longitude: 0, latitude: 0 }, { longitude: 2, latitude: 2 }, { longitude: 2, latitude: 0 }, { longitude: 0, latitude: 2 }]',
      /edges that do not cross/,
    ],
    ['boundingBox: { west: -92, south: 42, east: -96, north: 43 }', /west that is less/],
    ['boundingBox: { west: -96, south: 43, east: -92, north: 43 }', /south that is less/],
    ['boundingBox: { west: -100, south: 40, east: -92, north: 43 }', /at most 5 degrees/],
  ])('reject %s', async (args, message) => {
    const { data, errors } = await request(database.db, `{ area${args && `(${args})`} { isSplit } }`);
    expect(data).toBeNull();
    expect(errors?.[0]?.message).toMatch(message);
  });
});

it('a polygon with too many corners is rejected', async () => {
  const polygon = Array.from({ length: 501 }, (_, index) => ({ longitude: index / 1000, latitude: 1 }));
  const source = 'query ($polygon: [PointInput!]!) { area(polygon: $polygon) { isSplit } }';
  const { errors } = await request(database.db, source, { variables: { polygon } });
  expect(errors?.[0]?.message).toMatch(/3 to 500 corners, not 501/);
});

describe('the import of ZIP areas', () => {
  it('changes nothing when it is repeated, and records the edition', async () => {
    expect(counts(await importOf(file(WEST, DIVIDED)))).toEqual({ 'ZIP areas': [0, 0, 2, 0] });
    const { rows } =
      await sql`select s.name, s.license from zip_areas z join sources s on s.id = z.source_id where code = '00501'`.execute(
        database.db,
      );
    expect(rows).toEqual([{ name: 'Areas', license: 'public domain' }]);
  });

  it('updates an area of another shape, and its pieces', async () => {
    const other = zip('20000', box(-96, 42, -95, 43));
    const [before, after] = [await importOf(file(zip('20000', box(-98, 42, -97, 43)))), await importOf(file(other))];
    expect([counts(before), counts(after)]).toEqual([{ 'ZIP areas': [1, 0, 0, 0] }, { 'ZIP areas': [0, 1, 0, 0] }]);
    expect(shown(await areaOf('zip(code: "20000")', '(types: [CONGRESS])'))).toEqual([[WORLD.alphaFirst, 1]]);
  });

  it('joins the parts of files by state, which a whole area replaces', async () => {
    const parts = file(
      zip('30000', box(-96, 42, -95, 43), { STATEFP20: '50' }),
      zip('30000', box(-95, 42, -94, 43), { STATEFP20: '33' }),
    );
    expect(counts(await importOf(parts))).toEqual({ 'ZIP areas': [2, 0, 0, 0] });
    const shares = shown(await areaOf('zip(code: "30000")', '(types: [CONGRESS])'));
    expect(shares).toEqual([
      [WORLD.alphaFirst, 0.5],
      [WORLD.alphaSecond, 0.5],
    ]);
    expect(counts(await importOf(file(zip('30000', box(-96, 42, -94, 43)))))).toEqual({ 'ZIP areas': [1, 0, 0, 2] });
    expect(shown(await areaOf('zip(code: "30000")', '(types: [CONGRESS])'))).toEqual(shares);
  });

  it('raises the data version, and a dry run changes nothing', async () => {
    const version = async () =>
      (await sql<{ version: number }>`select version from data_version`.execute(database.db)).rows[0]?.version ?? 0;
    const before = await version();
    await importOf(file(zip('40000', box(-96, 42, -94, 43))), { dryRun: true });
    expect(await version()).toBe(before);
    expect((await request(database.db, '{ zip(code: "40000") { code } }')).data).toEqual({ zip: null });
    await importOf(file(zip('40000', box(-96, 42, -94, 43))));
    expect(await version()).toBe(before + 1);
  });

  it('reports what it leaves out', async () => {
    const { report } = await importOf(
      file(
        WEST,
        zip('00501', box(-98, 42, -97, 43)),
        { ...WEST, properties: { NAME: 'x' } },
        zip('50000', [
          [0, 0],
          [1, 1],
        ]),
        zip('50001', [
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ]),
      ),
    );
    expect(report.map(({ reason }) => reason)).toEqual([
      'the ZIP code 00501 is in the files twice',
      'has no property with a ZIP code of five digits',
      expect.stringContaining('a ring of 2 positions'),
      expect.stringContaining('is invalid and cannot be repaired'),
    ]);
  });

  it('rejects files without any', async () => {
    const folder = file({ ...WEST, properties: {} });
    await expect(importOf(folder)).rejects.toThrow(/no ZIP code area/);
    await expect(runImport(database.db, 'zcta', [])).rejects.toThrow(/needs paths/);
  });
});

describe('the districts of a district', () => {
  const STATE = 90;
  beforeAll(async () => {
    const districts = [
      { id: STATE, type: 'State', name: 'Gamma', state: 'GG' },
      { id: 91, type: 'Congress', name: 'West', state: 'GG' },
      { id: 92, type: 'Congress', name: 'East', state: 'GG' },
      { id: 93, type: 'County', name: 'Middle County', state: 'GG' },
      { id: 94, type: 'Congress', name: 'Neighbour', state: 'HH' },
    ] as const;
    await insert(database.db, 'districts', [...districts]);
    await boundary(database.db, STATE, ['2000-01-01', null], [0, 0, 10, 10]);
    await boundary(database.db, 91, ['2000-01-01', null], [0, 0, 4, 10]);
    await boundary(database.db, 92, ['2000-01-01', null], [4, 0, 10, 10]);
    await boundary(database.db, 93, ['2000-01-01', null], [3, 4, 5, 5]);
    await boundary(database.db, 94, ['2000-01-01', null], [-5, 0, 0.1, 10]);
  });

  const named = async (id: number, args = '') =>
    (await areaOf(`area(district: ${id})`, args)).map(({ district, areaShare, isWhole }) => [
      district.databaseId,
      Math.round(areaShare * 1000) / 1000,
      isWhole,
    ]);

  it('have the shares of its area, without those of other states', async () => {
    expect(await named(93)).toEqual([
      [WORLD.country, 1, true],
      [92, 0.5, false],
      [91, 0.5, false],
      [STATE, 1, true],
      [93, 1, true],
    ]);
    expect(await named(STATE, '(types: [CONGRESS])')).toEqual([
      [92, 0.6, false],
      [91, 0.4, false],
    ]);
    expect((await areaOf('area(district: 93)', '(types: [CONGRESS])')).isSplit).toBe(true);
  });

  it('are the same if the shares are stored', async () => {
    const compared = await named(STATE);
    // As many pieces as detailed outlines have.
    await sql`
      with old as (delete from boundary_pieces p using boundaries b where b.id = p.boundary_id and b.district_id = ${STATE}
        returning p.boundary_id)
      insert into boundary_pieces (boundary_id, geometry)
      select b.id, ST_MakeEnvelope(x, y, x + 1, y + 1, 4326)
      from boundaries b, generate_series(0, 9) x, generate_series(0, 9) y
      where b.district_id = ${STATE} and (select count(*) from old) >= 0`.execute(database.db);
    const { rows } = await sql`select from detailed_boundaries`.execute(database.db);
    expect(rows).toHaveLength(1);
    expect(await named(STATE)).toEqual(compared);
    expect((await named(93)).length).toBe(5);
  });

  it('are those of a certain place in geocode, and of none that has to be chosen', async () => {
    const source = (text: string) =>
      `{ geocode(text: "${text}") { matches { point { latitude } } area { district { databaseId } boundingBox { west east } districts(types: [CONGRESS]) { district { name } } } } }`;
    const { data, errors } = await request(database.db, source('Gamma'));
    expect(errors).toBeUndefined();
    expect(data?.geocode).toEqual({
      matches: [{ point: null }],
      area: {
        district: { databaseId: STATE },
        boundingBox: { west: 0, east: 10 },
        districts: [{ district: { name: 'East' } }, { district: { name: 'West' } }],
      },
    });
    expect((await request(database.db, source('Middle'))).data?.geocode).toMatchObject({ area: null });
    const zipArea = (await request(database.db, source('05602'))).data?.geocode;
    expect(zipArea).toMatchObject({ matches: [{ point: null }], area: { district: null } });
  });

  it('need an existing district', async () => {
    const { errors } = await request(database.db, '{ area(district: 12345) { isSplit } }');
    expect(errors?.[0]?.message).toBe('district must be the databaseId of a district.');
  });
});
