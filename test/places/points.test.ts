import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withdrawSource } from '../../src/importers/load/editions/withdraw.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import type { AccessGrant, DistrictType } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();
const root = mkdtempSync(join(tmpdir(), 'points-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes a folder in the exchange format, and returns its path. */
function folder(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(root, name), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, name, file), text);
  return join(root, name);
}
const described = (name: string, day: string) =>
  JSON.stringify({ name, license: 'CC BY 4.0', source: 'https://example.org', as_of: day });
const towns = (...rows: string[]) => ['name,state,county,longitude,latitude', ...rows, ''].join('\n');

const TOWNS = [
  ...['Augusta,ME,011,-69.78,44.31', 'Montpelier,VT,023,-72.58,44.26', 'Bellows Falls,VT,025,-72.44,43.13'],
  ...['Montpelier,ID,007,-111.3,42.32', 'New York City,NY,,-74.01,40.71', 'Saint Paul,MN,123,-93.09,44.94'],
  ...['Franklin,NJ,037,-74.58,41.12', 'Franklin,NJ,035,-74.55,40.53', 'Winston-Salem,NC,067,-80.24,36.1'],
  ...['Portland,ME,005,-70.26,43.66', 'Gap,PA,071,-76.02,39.99'],
  ...Array.from({ length: 24 }, (_, at) => `Springfield,${'ABCDEFGHIJKLMNOPQRSTUVWX'[at]}X,,-90,40`),
];

beforeAll(async () => {
  const world: readonly [DistrictType, string, string, string, readonly [number, number, number]][] = [
    ['State', 'Vermont', 'VT', '0400000US50', [-74, 42, 3]],
    ['City-town', 'Montpelier city', 'VT', '1600000US5046000', [-72.6, 44.2, 0.1]],
    ['State', 'New York', 'NY', '0400000US36', [-79, 40, 4]],
    ['County', 'Hunterdon County', 'NJ', '0500000US34035', [-75, 40, 1]],
    ['County', 'Augusta County', 'VA', '0500000US51015', [-79, 38, 0.5]],
  ];
  for (const [index, [type, name, state, geo_id, [west, south, size]]] of world.entries()) {
    await insert(database.db, 'districts', [{ id: index + 1, type, name, state, geo_id }]);
    await boundary(database.db, index + 1, ['2020-01-01', null], [west, south, west + size, south + size]);
  }
  const own = folder('towns', { 'dataset.json': described('Towns', '2026-01-01'), 'town_points.csv': towns(...TOWNS) });
  await loadFolder(database.db, own);
  const zips = 'code,longitude,latitude\n04101,-70.25,43.66\n04401,-68.82,44.83\n05602,-72.57,44.27\n10001,-78,41\n';
  await loadFolder(
    database.db,
    folder('zips', { 'dataset.json': described('ZIPs', '2026-01-01'), 'zip_points.csv': zips }),
  );
});

async function find(text: string, grants?: readonly AccessGrant[]) {
  const source = `query ($text: String!) { geocode(text: $text, first: 3) { ambiguous missing reason
    area { districts { district { name } } }
    matches { label kind point { latitude } center { latitude longitude } source { name license } } } }`;
  const { data } = await request(database.db, source, { variables: { text }, ...(grants && { grants }) });
  const found = data?.geocode as {
    ambiguous: boolean;
    missing: string[];
    reason: string | null;
    area: object | null;
    matches: { label: string; kind: string; point: object | null; center: object | null; source: object | null }[];
  };
  return { ...found, labels: found.matches.map(({ label, kind }) => `${label} ${kind}`).join(' | ') };
}

describe('a text that names a town or ZIP code of which only a point is loaded', () => {
  const only = (place: string) =>
    `The data have a point on the map for ${place}, but not its area, so its districts are not known.`;
  const CASES: readonly [text: string, labels: string, isAmbiguous: boolean, reason: string | null][] = [
    ['Augusta, ME', 'Augusta, ME LOCATED_ONLY', false, only('Augusta, ME')],
    ['augusta maine 04330', 'Augusta, ME LOCATED_ONLY', false, only('Augusta, ME')],
    ['St. Paul, MN', 'Saint Paul, MN LOCATED_ONLY', false, only('Saint Paul, MN')],
    ['Winston Salem NC', 'Winston-Salem, NC LOCATED_ONLY', false, only('Winston-Salem, NC')],
    ['New York City, NY', 'New York City, NY LOCATED_ONLY', false, only('New York City, NY')],
    ['Bellows Falls, VT', 'Bellows Falls, VT LOCATED_ONLY', false, only('Bellows Falls, VT')],
    ['Bellows Falls', 'Bellows Falls, VT LOCATED_ONLY', true, only('Bellows Falls, VT')],
    ['05602', '05602 LOCATED_ONLY', false, only('the ZIP code 05602')],
    // The area is loaded: the point is not offered as well.
    ['Montpelier, VT', 'Montpelier city, VT PLACE', false, null],
    ['Montpelier', 'Montpelier city, VT PLACE | Montpelier, ID LOCATED_ONLY', true, null],
    // The ZIP code is in another state than the town.
    [
      'Montpelier, ID 05602',
      '05602 LOCATED_ONLY | Montpelier, ID LOCATED_ONLY',
      true,
      'Montpelier, ID is not where the ZIP code 05602 is.',
    ],
    // And here far from it in the same state, by their points.
    [
      'Portland ME 04401',
      '04401 LOCATED_ONLY | Portland, ME LOCATED_ONLY',
      true,
      'Portland, ME is not where the ZIP code 04401 is. Correct one of them, or choose one.',
    ],
    ['Portland ME 04101', 'Portland, ME LOCATED_ONLY | 04101 LOCATED_ONLY', false, only('Portland, ME')],
    // A ZIP code that is not loaded contradicts nothing.
    ['Portland ME 04999', 'Portland, ME LOCATED_ONLY', false, only('Portland, ME')],
    // A part of the name of a town is not the town.
    ['16 Cony St, Zzyzx Gap', '', false, 'Neither the addresses nor the outline of this town are loaded'],
    ['16 Cony St Zzyzx Gap', '', false, 'Neither the addresses nor the outline of this town are loaded'],
    ['16 Cony St, Gap', 'Gap, PA LOCATED_ONLY', true, 'Gap, PA is known'],
    ['16 Cony St Apt 4 Gap PA', 'Gap, PA LOCATED_ONLY', true, 'Gap, PA is known'],
    ['8 Broadway Augusta, ME', 'Augusta, ME LOCATED_ONLY', true, 'Augusta, ME is known'],
    // Neither is the town of an address that its ZIP code contradicts.
    [
      '8 Broadway, Portland ME 04401',
      '04401 LOCATED_ONLY | Portland, ME LOCATED_ONLY',
      true,
      'Portland, ME is not where the ZIP code 04401 is. Correct one of them, or choose one.',
    ],
    ['8 Broadway, Portland ME 04101', '04101 LOCATED_ONLY | Portland, ME LOCATED_ONLY', true, 'Portland, ME is known'],
    // No town is guessed.
    [
      'Springfield',
      'Springfield, AX LOCATED_ONLY | Springfield, BX LOCATED_ONLY | Springfield, CX LOCATED_ONLY',
      true,
      '24 places have this name. Name the state, or choose one.',
    ],
    [
      'Franklin, NJ',
      'Franklin, Hunterdon County, NJ LOCATED_ONLY | Franklin, NJ LOCATED_ONLY',
      true,
      '2 places have this name. Name the state, or choose one.',
    ],
    [
      'Augsta, ME',
      'Augusta, ME LOCATED_ONLY',
      true,
      'No place with this name is loaded: the matches have similar names.',
    ],
    // An address without its streets is shown by its town.
    [
      '16 Cony St, Augusta ME',
      'Augusta, ME LOCATED_ONLY',
      true,
      'Augusta, ME is known, but its addresses are not loaded',
    ],
    [
      '16 Cony St Augusta ME',
      'Augusta, ME LOCATED_ONLY',
      true,
      'Augusta, ME is known, but its addresses are not loaded',
    ],
    ['1 Main St Montpelier VT', '', false, 'Montpelier city, VT is known, but its addresses are not loaded'],
    [
      '1 Main St, Springfield',
      'Springfield, AX LOCATED_ONLY | Springfield, BX LOCATED_ONLY | Springfield, CX LOCATED_ONLY',
      true,
      '24 towns of this name are known',
    ],
  ];

  it.each(CASES)('%s: %s', async (text, labels, ambiguous, reason) => {
    const found = await find(text);
    expect({ labels: found.labels, ambiguous: found.ambiguous }).toEqual({ labels, ambiguous });
    if (reason === null) expect(found.reason).toBeNull();
    else expect(found.reason).toContain(reason);
    for (const { kind, point, center } of found.matches) {
      expect(point, 'no match has a point to look districts up at').toBeNull();
      expect(center !== null).toBe(kind === 'LOCATED_ONLY');
    }
    if (found.labels.startsWith('Montpelier city') === false) expect(found.area).toBeNull();
  });

  it('names the data set with its licence, and what is not loaded', async () => {
    const { matches, missing } = await find('Augusta, ME');
    expect(matches[0]).toMatchObject({
      center: { latitude: 44.31, longitude: -69.78 },
      source: { name: 'Towns', license: 'CC BY 4.0' },
    });
    expect(missing).toEqual(['TOWNS']);
    expect((await find('05602')).missing).toEqual(['ZIP_CODES']);
  });

  it('is found like other places only with a grant of districts', async () => {
    expect((await find('Augusta, ME', ['elections'])).labels).toBe('');
    expect((await find('16 Cony St, Augusta ME', ['elections'])).reason).not.toContain('Augusta, ME');
  });

  it('is no address of a location, which says what to give', async () => {
    const source = '{ location(address: "Augusta, ME") { districts { name } } }';
    const { data, errors } = await request(database.db, source);
    expect(data).toBeNull();
    expect(errors?.[0]?.message).toContain(`${only('Augusta, ME')} Choose a point in it.`);
  });

  it('is listed with what can be typed', async () => {
    const { data } = await request(database.db, '{ findable { layer states examples } }');
    expect(data?.findable).toContainEqual({ layer: 'ZIP_CODES_ON_MAP', states: [], examples: ['04101'] });
    expect(data?.findable).toContainEqual(
      expect.objectContaining({ layer: 'TOWNS_ON_MAP', states: expect.arrayContaining(['ME', 'VT']) }),
    );
  });
});

describe('points of towns in the exchange format', () => {
  const rowsOf = (name: string) =>
    database.db
      .selectFrom('town_points as t')
      .innerJoin('sources as s', 's.id', 't.source_id')
      .where('s.name', '=', name)
      .select(['t.name', 's.as_of'])
      .orderBy('t.name')
      .execute();
  const load = (day: string, ...rows: string[]) =>
    loadFolder(
      database.db,
      folder('own', { 'dataset.json': described('Own', day), 'town_points.csv': towns(...rows) }),
    );
  const [ONE, TWO, THREE] = ['One,OH,,-82,40', 'Two,OH,001,-82,41', 'Three,OH,003,-83,41'];

  it('are those of the newest edition of their data set, and of no other one', async () => {
    const { files } = await load('2026-01-01', ONE ?? '', TWO ?? '');
    expect(files[0]).toMatchObject({ inserted: 2, removed: 0 });
    expect((await load('2026-01-01', ONE ?? '', TWO ?? '')).files[0]).toMatchObject({ inserted: 0, unchanged: 2 });
    expect((await load('2026-02-01', TWO ?? '', THREE ?? '')).files[0]).toMatchObject({
      ...{ inserted: 1, unchanged: 1, removed: 1 },
    });
    expect(await rowsOf('Own')).toEqual([
      { name: 'Three', as_of: '2026-02-01' },
      { name: 'Two', as_of: '2026-02-01' },
    ]);
    expect(await rowsOf('Towns')).toHaveLength(TOWNS.length);
  });

  it('are withdrawn by data set and state', async () => {
    await expect(withdrawSource(database.db, 'Own', { state: 'ME' })).rejects.toThrow('It has OH: ');
    expect((await withdrawSource(database.db, 'Own', { state: 'OH' })).counts).toEqual({ town_points: 2 });
    expect(await rowsOf('Own')).toEqual([]);
    await expect(withdrawSource(database.db, 'Own', {})).rejects.toThrow('Nothing is there of Own');
    expect((await withdrawSource(database.db, 'ZIPs', { dryRun: true })).counts).toEqual({ zip_points: 4 });
  });

  it.each([
    ['Four,OH,1,-82,40', 'county'],
    ['Four,OH,,-182,40', 'longitude'],
    ['Four,OH,,40,-182', 'latitude'],
    ['Four,Ohio,,-82,40', 'state'],
    [`${ONE}\n${ONE}`, 'is used in line 2 already'],
  ])('%s is refused', async (row, reason) => {
    await expect(load('2026-03-01', row)).rejects.toThrow(reason);
  });
});
