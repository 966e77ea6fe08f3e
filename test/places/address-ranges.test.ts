import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ImportOptions, runImport } from '../../src/importers/import.ts';
import { counts } from '../import/folders.ts';
import { type AddrfeatRecord, addrfeatTable, polylinesOf } from '../support/addrfeat.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { NAD_83 } from '../support/shapefile.ts';
import { insert } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';
import { useFiles } from './files.ts';

const database = useDatabase();
const write = useFiles();

/** A line of a street with the properties of the files ADDRFEAT. */
const edge = (name: string, line: number[][], more: object, id = name) => ({
  type: 'Feature',
  properties: { TLID: id, LINEARID: id, FULLNAME: name, ZIPL: '05602', ZIPR: '05602', ...more },
  geometry: { type: 'LineString', coordinates: line },
});
const NORTHWARD = [
  [-72.5, 44],
  [-72.5, 44.01],
];
/** From south to north: odd numbers on the left, the west, and even ones on the right. */
const STATE_ST = edge('State St', NORTHWARD, { LFROMHN: '1', LTOHN: '99', RFROMHN: '2', RTOHN: '100' });
/** The numbers fall along the line, and no side is empty of the other parity. */
const BACKWARDS = edge('Elm St', NORTHWARD, { LFROMHN: '99', LTOHN: '1', RFROMHN: '', RTOHN: '' });
const file = (name: string, ...features: object[]) =>
  write(name, JSON.stringify({ type: 'FeatureCollection', features }));
const importOf = (path: string, options: ImportOptions = {}) =>
  runImport(database.db, 'tiger-addrfeat', [path], options);

beforeAll(async () => {
  await insert(database.db, 'districts', [{ id: 70, type: 'City-town', name: 'Montpelier city', state: 'VT' }]);
  await sql`
    with made as (
      insert into boundaries (district_id, start_date, precise, geometry, digest)
      values (70, '2000-01-01', true, ST_Multi(ST_MakeEnvelope(-73, 43.9, -72, 44.1, 4326)), 'x') returning id, geometry)
    insert into boundary_pieces (boundary_id, geometry) select id, (ST_Dump(geometry)).geom from made`.execute(
    database.db,
  );
  const { report, ...summary } = await importOf(
    file(
      'tl_2023_50023_addrfeat.geojson',
      STATE_ST,
      BACKWARDS,
      edge('Oak St', NORTHWARD, { LFROMHN: '12-1', LTOHN: '12-9' }),
      edge('', NORTHWARD, { LFROMHN: '1', LTOHN: '9' }),
      edge('Pine St', [[-72.5, 44]], { LFROMHN: '1', LTOHN: '9' }),
    ),
  );
  expect(counts(summary)).toEqual({ 'address ranges': [3, 0, 0, 0] });
  expect(report.map(({ reason }) => reason)).toEqual([
    'has no house numbers that can be interpolated',
    'has no name',
    'has no line with longitudes and latitudes',
  ]);
});

interface Match {
  label: string;
  kind: string;
  confidence: number;
  point: { latitude: number; longitude: number };
}

async function geocode(text: string): Promise<Match[]> {
  const { data, errors } = await request(
    database.db,
    'query ($text: String!) { geocode(text: $text) { matches { label kind confidence point { latitude longitude } } } }',
    { variables: { text } },
  );
  expect(errors).toBeUndefined();
  return (data as { geocode: { matches: Match[] } }).geocode.matches;
}

describe('an address within a range', () => {
  it.each([
    ['1 State St, Montpelier VT 05602', 44, 'west'],
    ['51 State Street, Montpelier', 44.0051, 'west'],
    ['100 state st montpelier vt', 44.01, 'east'],
    ['52 state st montpelier vt', 44.0051, 'east'],
    ['1 Elm St, Montpelier VT', 44.01, 'west'],
  ])('%s is estimated on its side', async (text, latitude, side) => {
    const [match] = await geocode(text);
    expect(match).toMatchObject({ kind: 'INTERPOLATED', label: expect.stringMatching(/, Montpelier, VT 05602$/) });
    expect(match?.confidence).toBeGreaterThanOrEqual(0.8);
    expect(match?.point.latitude).toBeCloseTo(latitude, 4);
    const metres = ((match?.point.longitude ?? 0) + 72.5) * 111_320 * Math.cos((44 * Math.PI) / 180);
    expect(metres).toBeCloseTo(side === 'west' ? -7.8 : 7.8, 0);
  });

  it.each(['2 Elm St, Montpelier VT', '101 State St, Montpelier VT'])('%s is in none', async (text) => {
    expect((await geocode(text)).filter(({ kind }) => kind === 'INTERPOLATED')).toEqual([]);
  });

  it('gives way to a point of the address', async () => {
    const csv = 'NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT\n51,State St,Montpelier,VT,05602,-72.51,44.005\n';
    await runImport(database.db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
    expect(await geocode('51 State St, Montpelier VT')).toEqual([
      expect.objectContaining({ kind: 'ADDRESS', point: { latitude: 44.005, longitude: -72.51 } }),
    ]);
  });
});

describe('the import of address ranges', () => {
  it('changes nothing when it is repeated', async () => {
    expect(counts(await importOf(file('tl_2023_50023_addrfeat.geojson', STATE_ST, BACKWARDS)))).toEqual({
      'address ranges': [0, 0, 3, 0],
    });
  });

  it('takes the towns of the day that TODAY and TIME_ZONE determine', async () => {
    const streetIn = async (day: string, name: string) => {
      vi.stubEnv('TODAY', day);
      await importOf(file('tl_2023_50023_addrfeat.geojson', edge(name, NORTHWARD, { LFROMHN: '1', LTOHN: '9' })));
      vi.unstubAllEnvs();
      const found = database.db.selectFrom('address_streets').select('town_label').where('label', '=', name);
      return (await found.execute()).map(({ town_label }) => town_label);
    };
    expect(await streetIn('1999-12-31', 'Early St')).toEqual(['']);
    expect(await streetIn('2000-01-01', 'Later St')).toEqual(['Montpelier']);
  });

  it('needs a state, and ranges', async () => {
    await expect(importOf(file('a.geojson', STATE_ST))).rejects.toThrow(/no address range/);
    expect(counts(await importOf(file('a.geojson', STATE_ST), { state: 'VT' }))).toEqual({
      'address ranges': [0, 0, 2, 0],
    });
    await expect(importOf(file('a.geojson', STATE_ST), { state: 'ZZ' })).rejects.toThrow(/two letters of a state/);
  });
});

/** A record as in the files of the Census, on the line from south to north. */
const record = (tlid: number, name: string, values: AddrfeatRecord['values']): AddrfeatRecord => ({
  values: {
    TLID: tlid,
    TFIDL: 207000001,
    TFIDR: 207000002,
    ARIDL: `40${tlid}01`,
    ARIDR: `40${tlid}02`,
    LINEARID: `110${tlid}`,
    FULLNAME: name,
    ZIPL: '05602',
    ZIPR: '05602',
    EDGE_MTFCC: 'S1400',
    OFFSETL: 'N',
    OFFSETR: 'N',
    ...values,
  },
  line: [
    [-72.5, 44],
    [-72.5, 44.004],
    [-72.5, 44.01],
  ],
});
const ODD = { PARITYL: 'O', LFROMTYP: 'I', LTOTYP: 'I' };
const RECORDS = [
  record(78000001, 'Spruce St', { LFROMHN: '1', LTOHN: '99', RFROMHN: '2', RTOHN: '100', ...ODD, PARITYR: 'E' }),
  // Descending, on one side only: the values of the other are blank.
  record(78000002, 'Ca\u00f1on Rd', { LFROMHN: '299', LTOHN: '201', ...ODD, ZIPR: '', TFIDR: '' }),
  // Even and odd numbers on one side, between ends of one parity.
  record(78000003, 'Mixed Ln', { RFROMHN: '1', RTOHN: '99', PARITYR: 'B' }),
  record(78000004, 'Mixed Ln', { LFROMHN: '101', LTOHN: '200', PARITYL: 'B', ZIPL: '' }),
  // Numbers that are more than digits, and several ranges of one line.
  record(78000005, 'Queens Ave', { LFROMHN: '12-01', LTOHN: '12-99', ...ODD }),
  record(78000006, 'Queens Ave', { LFROMHN: 'N101', LTOHN: 'N199', ...ODD, RFROMHN: '2', RTOHN: '98', PARITYR: 'E' }),
  record(78000001, 'Spruce St', { LFROMHN: '501', LTOHN: '599', ...ODD }),
  record(78000001, 'VT Rte 12', { LFROMHN: '1', LTOHN: '99', ...ODD }),
];

/** The files of a county, as they are in the zip archives of the Census. */
function filesOf(encoding: 'latin1' | 'utf8') {
  const { shp, shx } = polylinesOf(RECORDS);
  const name = `tl_2023_50023_addrfeat`;
  return [
    { name: `${name}.shp`, content: shp },
    { name: `${name}.shx`, content: shx },
    { name: `${name}.dbf`, content: addrfeatTable(RECORDS, encoding) },
    { name: `${name}.prj`, content: Buffer.from(NAD_83) },
    { name: `${name}.cpg`, content: Buffer.from(encoding === 'latin1' ? 'ISO-8859-1' : 'UTF-8') },
    { name: `${name}.shp.xml`, content: Buffer.from('<metadata/>') },
  ];
}

describe('a shapefile ADDRFEAT of the Census', () => {
  it.each(['utf8', 'latin1'] as const)('is read from its zip archive, in %s', async (encoding) => {
    await sql`truncate address_points, address_ranges`.execute(database.db);
    const { report, ...summary } = await importOf(write('tl_2023_50023_addrfeat.zip', zipOf(filesOf(encoding))));
    expect(counts(summary)).toEqual({ 'address ranges': [8, 0, 0, 0] });
    expect(report.map(({ record: where, reason }) => [where.split('#')[1], reason])).toEqual([
      ['5', 'has no house numbers that can be interpolated'],
    ]);
    const again = await importOf(write('tl_2023_50023_addrfeat.zip', zipOf(filesOf(encoding))));
    expect(counts(again)).toEqual({ 'address ranges': [0, 0, 8, 0] });
  });

  it('is read from a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'addrfeat-'));
    for (const { name, content } of filesOf('utf8')) writeFileSync(join(folder, name), content);
    expect(counts(await importOf(folder))).toEqual({ 'address ranges': [0, 0, 8, 0] });
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['1 Spruce St, Montpelier VT', 44, 'west'],
    ['99 Spruce St, Montpelier VT', 44.01, 'west'],
    ['50 Spruce St, Montpelier VT', 44 + (0.01 * 48) / 98, 'east'],
    ['550 Spruce St, Montpelier VT', undefined, ''],
    ['501 Spruce St, Montpelier VT', 44, 'west'],
    ['299 Canon Rd, Montpelier VT', 44, 'west'],
    ['201 Canon Rd, Montpelier VT', 44.01, 'west'],
    ['202 Canon Rd, Montpelier VT', undefined, ''],
    ['50 Mixed Ln, Montpelier VT', 44.005, 'east'],
    ['51 Mixed Ln, Montpelier VT', 44 + (0.01 * 50) / 98, 'east'],
    ['150 Mixed Ln, Montpelier VT', 44 + (0.01 * 49) / 99, 'west'],
    ['50 Queens Ave, Montpelier VT', 44.005, 'east'],
    ['12-51 Queens Ave, Montpelier VT', undefined, ''],
    ['51 Route 12, Montpelier VT', 44 + (0.01 * 50) / 98, 'west'],
  ])('has %s at its place', async (text, latitude, side) => {
    const found = await geocode(text);
    const [match] = found.filter(({ kind, confidence }) => kind === 'INTERPOLATED' && confidence >= 0.8);
    if (latitude === undefined) {
      expect(match).toBeUndefined();
      return;
    }
    expect(match?.point.latitude, JSON.stringify(found)).toBeCloseTo(latitude, 6);
    const metres = ((match?.point.longitude ?? 0) + 72.5) * 111_320 * Math.cos((44 * Math.PI) / 180);
    expect(metres).toBeCloseTo(side === 'west' ? -7.8 : 7.8, 0);
  });
});
