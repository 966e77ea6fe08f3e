import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ImportOptions, runImport } from '../../src/importers/import.ts';
import { counts } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { useFiles } from './files.ts';

const database = useDatabase();
const write = useFiles();
beforeEach(async () => {
  await sql`truncate address_streets, street_spellings, address_points, address_ranges, sources cascade`.execute(
    database.db,
  );
});

const importOf = (path: string, options: ImportOptions) => runImport(database.db, 'address-points', [path], options);

/** A record as Vermont's E911 board publishes it, with the fields that matter. */
const site = (id: number, number: number, street: string, town: string, more: object = {}) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [-72.5 - id / 1000, 44.25] },
  properties: {
    ESITEID: id,
    HOUSE_NUMBER: number,
    HOUSE_NUMBERSUFFIX: '',
    PRIMARYNAME: street,
    TOWNNAME: town,
    ZIP: '05602',
    SITETYPE: 'SINGLE FAMILY DWELLING',
    ...more,
  },
});
const e911 = (...features: object[]) => write('e911.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
const VERMONT = { preset: 'vermont-e911' };

async function stored(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws('|', p.number || p.number_suffix, s.label, s.words, s.core, s.town_label, s.town, s.state, p.zip,
      p.priority, ST_X(p.point), ST_Y(p.point)) as line
    from address_points p join address_streets s on s.id = p.street_id order by p.key`.execute(database.db);
  return rows.map(({ line }) => line);
}

describe('address points', () => {
  it('of Vermont are read by the preset', async () => {
    const path = e911(
      site(1, 149, 'N ROBINHOOD CIR  ', 'MONTPELIER'),
      site(2, 7, 'VT ROUTE 100 S', 'SAINT GEORGE', { HOUSE_NUMBERSUFFIX: 'a', SITETYPE: 'ACCESSORY BARN', ZIP: null }),
    );
    expect(counts(await importOf(path, VERMONT))).toEqual({ 'address points': [2, 0, 0, 0] });
    expect(await stored()).toEqual([
      '149|N Robinhood Cir|north robinhood circle|robinhood|Montpelier|montpelier|VT|05602|0|-72.501|44.25',
      '7A|VT Route 100 S|vt route 100 south|route 100|Saint George|street george|VT|2|-72.502|44.25',
    ]);
  });

  it('change nothing when they are imported again, and change with a new edition', async () => {
    const first = e911(site(1, 149, 'ROBINHOOD CIR', 'MONTPELIER'), site(2, 8, 'ELM ST', 'BARRE'));
    await importOf(first, VERMONT);
    expect(counts(await importOf(first, VERMONT))).toEqual({ 'address points': [0, 0, 2, 0] });
    const next = e911(site(1, 150, 'ROBINHOOD CIR', 'MONTPELIER'), site(3, 9, 'ELM ST', 'BARRE'));
    expect(counts(await importOf(next, { ...VERMONT, asOf: '2026-01-01' }))).toEqual({
      'address points': [1, 1, 0, 0],
    });
    expect((await stored()).map((line) => line.split('|')[0])).toEqual(['150', '8', '9']);
  });

  it('of a CSV file are read by a field map', async () => {
    const path = write(
      'addresses.csv',
      'NUM,PRE,NAME,TYPE,CITY,ST,Z,X,Y\n12 1/2,,Elm,Street,Dover,Delaware,19901-1234,-75.5,39.1\n0,,Elm,St,Dover,DE,,-75.5,39.1\n5,,,,Dover,DE,,-75.5,39.1\n5,,Elm,St,Dover,DE,,,39.1\n5,,Elm,St,Dover,,,-75,39.1\n',
    );
    const fields = {
      number: 'NUM',
      street: 'PRE+NAME+TYPE',
      town: 'CITY',
      state: 'ST',
      zip: 'Z',
      longitude: 'X',
      latitude: 'Y',
    };
    const { report, ...summary } = await importOf(path, { fields, name: 'Dover', license: 'CC0-1.0' });
    expect(counts({ ...summary })).toEqual({ 'address points': [1, 0, 0, 0] });
    expect(await stored()).toEqual(['121/2|Elm Street|elm street|elm|Dover|dover|DE|19901|1|-75.5|39.1']);
    expect(report.map(({ record, reason }) => `${record} ${reason}`)).toEqual([
      'addresses.csv#3 has no house number',
      'addresses.csv#4 has no street',
      'addresses.csv#5 has no point: longitude and latitude in degrees are needed',
      'addresses.csv#6 has no state: give --state',
    ]);
  });

  it.each([
    [{}, /needs the field of the number/],
    [{ preset: 'congress-118' }, /There is no preset congress-118 of address-points/],
    [{ fields: { number: 'NUM', street: 'STREET' } }, /has no column NUM; its columns are A, B/],
    [{ preset: 'vermont-e911', state: 'ZZ' }, /must be the two letters of a state/],
  ])('are rejected with %j', async (options, message) => {
    await expect(importOf(write('a.csv', 'A,B\n1,2\n'), options)).rejects.toThrow(message);
  });

  it.each([
    ['no addresses', 'NUMBER,STREET,LON,LAT\n', /no address/],
    ['an open quote', 'NUMBER,STREET,LON,LAT\n1,"Elm,1,1\n', /not CSV|is not closed/],
    ['bytes that are not UTF-8', Buffer.from([0x4e, 0xff, 0x0a]), /not UTF-8/],
  ])('are rejected in a file with %s', async (_, content, message) => {
    await expect(importOf(write('a.csv', content), { preset: 'openaddresses', state: 'VT' })).rejects.toThrow(message);
    expect(await stored()).toEqual([]);
  });
});
