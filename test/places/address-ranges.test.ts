import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ImportOptions, runImport } from '../../src/import/import.ts';
import { counts } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { insert } from '../support/world.ts';
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

  it('needs a state, and ranges', async () => {
    await expect(importOf(file('a.geojson', STATE_ST))).rejects.toThrow(/no address range/);
    expect(counts(await importOf(file('a.geojson', STATE_ST), { state: 'VT' }))).toEqual({
      'address ranges': [0, 0, 2, 0],
    });
    await expect(importOf(file('a.geojson', STATE_ST), { state: 'ZZ' })).rejects.toThrow(/two letters of a state/);
  });
});
