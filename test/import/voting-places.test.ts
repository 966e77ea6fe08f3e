import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImportOptions, type ImportSummary, runImport } from '../../src/importers/import.ts';
import { withdrawSource } from '../../src/importers/load/editions/withdraw.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { box, counts, feature, fingerprint, folderOf } from './folders.ts';

const COLUMNS = [
  ...['election_date', 'state', 'county_name', 'jurisdiction', 'jurisdiction_type', 'precinct_id', 'precinct_name'],
  ...['polling_place_id', 'location_type', 'name', 'address', 'notes', 'source', 'source_date', 'source_notes'],
];
type Cells = Readonly<Record<string, string>>;
const NORMAL = { election_date: '2018-11-06', state: 'VT', source_date: '2019-09-19' };

/** A file of us-polling-places. */
function places(...rows: readonly Cells[]): string {
  const cell = (text = '') => (text.includes(',') ? `"${text}"` : text);
  const body = rows.map((row) => COLUMNS.map((column) => cell({ ...NORMAL, ...row }[column])).join(','));
  return folderOf({ 'places.csv': [COLUMNS.join(','), ...body, ''].join('\n') });
}

const TOWNS: readonly (readonly [string, string])[] = [
  ['Addison', '001'],
  ['Rutland', '021'],
  ['Rutland City', '021'],
  ['Stowe town', '015'],
  ['Barre Town', '023'],
];
const PRECINCTS: readonly (readonly [string, string])[] = [
  ['1-A', '001'],
  ['1-A', '021'],
  ['2-B', '021'],
];

/** A map of districts that are named within their counties. */
function map(names: readonly (readonly [string, string])[]): string {
  const features = names.map(([name, county], index) =>
    feature({ name, county }, [box(-73 + index / 50, 43.5, -72.99 + index / 50, 43.6)]),
  );
  const file = join(mkdtempSync(join(tmpdir(), 'map-')), 'map.geojsonl');
  writeFileSync(file, `${features.join('\n')}\n`);
  return file;
}

const database = useDatabase();
const importOf = (folder: string, options: ImportOptions = {}): Promise<ImportSummary> =>
  runImport(database.db, 'voting-places', [folder], {
    preset: 'us-polling-places',
    electionType: 'General',
    ...options,
  });
const stored = () =>
  lines(
    database.db,
    `select concat_ws(' | ', e.date, e.type, p.kind, p.name, p.address, p.notes, (
       select string_agg(d.type || ' ' || d.name, ', ' order by d.name, d.id) from districts as d where d.id = any(p.district_ids))) as line
     from voting_places as p join elections as e on e.id = p.election_id order by 1`,
  );
const told = ({ report }: ImportSummary) => report.map(({ record, reason }) => `${record}: ${reason}`);

beforeAll(async () => {
  await runImport(database.db, 'us-atlas', []);
  const properties = { name: 'name', county: 'county' };
  const options = { state: 'VT', from: '2012-01-01', properties } as const;
  await runImport(database.db, 'districts-geojson', [map(TOWNS)], { ...options, type: 'County subdivision' });
  await runImport(database.db, 'districts-geojson', [map(PRECINCTS)], { ...options, type: 'Precinct' });
});
beforeEach(async () => {
  await sql`truncate voting_places, elections, import_editions cascade`.execute(database.db);
  await sql`delete from external_identifiers where kind in ('voting_place', 'election')`.execute(database.db);
  await sql`delete from record_sources where kind in ('voting_place', 'election')`.execute(database.db);
});

describe('a row', () => {
  test.each<[string, Cells, string, string[]]>([
    ['without a type is of election day', {}, 'Election day', []],
    ['polling_place', { location_type: 'polling_place' }, 'Election day', []],
    ['vote_center', { location_type: 'vote_center' }, 'Vote center', []],
    ['early_vote', { location_type: 'early_vote' }, 'Early voting', []],
    ['drop_box', { location_type: 'drop_box' }, 'Drop box', []],
    ['of an unknown type', { location_type: 'kiosk' }, '', ['its kind is not known: kiosk']],
    ['without a state', { state: 'XX' }, '', ['its state is none of two letters: XX']],
    ['without a day', { election_date: 'Nov 6' }, '', ['the day of its election is no date YYYY-MM-DD: Nov 6']],
    ['without a name', { name: ' ' }, '', ['the place has no name: 1 Main Street']],
  ])('%s', async (_, cells, kind, reasons) => {
    const summary = await importOf(places({ name: 'Town Hall', address: '1 Main Street', ...cells }));
    expect(await stored()).toEqual(kind === '' ? [] : [`2018-11-06 | General | ${kind} | Town Hall | 1 Main Street`]);
    expect(summary.report.map(({ reason }) => reason)).toEqual(reasons);
  });

  test('is one place with the others of its town, name, address and kind', async () => {
    const hall = { jurisdiction: 'Stowe', name: 'Town Hall ', address: '1 Main Street, Stowe' };
    await importOf(
      places(
        { ...hall, precinct_name: 'Stowe - Ward 1' },
        { ...hall, precinct_name: 'Stowe - Ward 2', address: '1 Main Street Stowe' },
        { ...hall, jurisdiction: 'Addison' },
        { ...hall, location_type: 'drop_box', precinct_name: 'Stowe' },
      ),
    );
    expect(await stored()).toEqual([
      '2018-11-06 | General | Drop box | Town Hall | 1 Main Street, Stowe',
      '2018-11-06 | General | Election day | Town Hall | 1 Main Street, Stowe',
      '2018-11-06 | General | Election day | Town Hall | 1 Main Street, Stowe | Stowe - Ward 1; Stowe - Ward 2',
    ]);
  });
});

describe('districts that the operator names', () => {
  const NONE = ': it is listed for the election, and for no district';
  test.each<[string, Cells, Readonly<Record<string, string>>, string, string | null]>([
    ['a town', { jurisdiction: 'ADDISON' }, { jurisdiction: 'County subdivision' }, 'County subdivision Addison', null],
    [
      'a town without its kind',
      { jurisdiction: 'Stowe' },
      { jurisdiction: 'County subdivision' },
      'County subdivision Stowe town',
      null,
    ],
    [
      'a town with its kind',
      { jurisdiction: 'Rutland City' },
      { jurisdiction: 'County subdivision' },
      'County subdivision Rutland City',
      null,
    ],
    [
      'a town or a city',
      { jurisdiction: 'Rutland' },
      { jurisdiction: 'County subdivision' },
      '',
      `several districts may have this name${NONE}: County subdivision Rutland`,
    ],
    [
      'a town that is not alike',
      { jurisdiction: 'Adison' },
      { jurisdiction: 'County subdivision' },
      '',
      `no district has this name or GEOID${NONE}: County subdivision Adison`,
    ],
    [
      'another kind of town',
      { jurisdiction: 'Barre City' },
      { jurisdiction: 'County subdivision' },
      '',
      `no district has this name or GEOID${NONE}: County subdivision Barre City`,
    ],
    ['a precinct', { precinct_id: '2 b' }, { precinct_id: 'Precinct' }, 'Precinct 2-B', null],
    [
      'a precinct of two counties',
      { precinct_id: '1-A', county_name: 'Addison' },
      { precinct_id: 'Precinct' },
      '',
      `several districts may have this name${NONE}: Precinct 1-A`,
    ],
    [
      'a precinct in its county',
      { precinct_id: '1-A', county_name: 'Addison County' },
      { 'county_name+precinct_id': 'Precinct' },
      'Precinct 1-A',
      null,
    ],
    [
      'a precinct in another county',
      { precinct_id: '2-B', county_name: 'Addison' },
      { 'county_name+precinct_id': 'Precinct' },
      '',
      `no district has this name or GEOID${NONE}: Precinct 2-B`,
    ],
    [
      'a county by its vote centers',
      { location_type: 'vote_center', county_name: 'Rutland' },
      { county_name: 'County' },
      'County Rutland County',
      null,
    ],
    [
      'a county of one polling place',
      { county_name: 'Rutland' },
      { county_name: 'County' },
      '',
      `a place of election day is not for a whole county${NONE}: County Rutland`,
    ],
    [
      'the first that the row has',
      { jurisdiction: 'Addison' },
      { precinct_id: 'Precinct', jurisdiction: 'County subdivision' },
      'County subdivision Addison',
      null,
    ],
    ['none', { jurisdiction: 'Addison' }, {}, '', null],
  ])('%s', async (_, cells, named, district, reason) => {
    const summary = await importOf(places({ name: 'Hall', ...cells }), { join: named });
    expect(await stored()).toEqual([expect.stringMatching(new RegExp(`Hall${district && ` \\| ${district}`}$`))]);
    const ofRow = summary.report.filter(({ record }) => record.startsWith('places.csv'));
    expect(ofRow.map((entry) => entry.reason)).toEqual(reason === null ? [] : [reason]);
  });

  test('are counted both ways, with those of several places on election day', async () => {
    const at = (precinct_id: string, name: string) => ({ precinct_id, county_name: 'Rutland', name });
    const summary = await importOf(places(at('1-A', 'Hall'), at('1-A', 'School'), at('9-Z', 'Barn')), {
      join: { 'county_name+precinct_id': 'Precinct' },
    });
    expect(told(summary)).toEqual([
      `places.csv:4 (Barn): no district has this name or GEOID${NONE}: Precinct 9-Z`,
      'VT 2018-11-06 Precinct 1-A: the district has no place in the file',
      'VT 2018-11-06 Precinct 1-A: the district has several places on election day: 2',
      'VT 2018-11-06 Precinct 2-B: the district has no place in the file',
      'VT 2018-11-06 Precinct: not all rows and districts have each other: 2 of 3 rows have a district, 1 of 3 districts have a place',
    ]);
    expect(new Set(summary.report.map(({ kind }) => kind))).toEqual(new Set(['places-and-districts']));
  });

  test('are those of the day of the election', async () => {
    const row = { jurisdiction: 'Addison', name: 'Hall', election_date: '2010-11-02' };
    expect(told(await importOf(places(row), { join: { jurisdiction: 'County subdivision' } }))[0]).toContain(
      'no district has this name',
    );
  });
});

describe('the election', () => {
  test('is the only one of the state on the day, or that of the type', async () => {
    const hall = places({ name: 'Hall' });
    const several = (types: string) =>
      `VT 2018-11-06: the state has ${types} on the day: --election-type says which election the places are of`;
    expect(told(await importOf(hall, { electionType: undefined }))).toEqual([several('no election')]);
    await importOf(hall, { electionType: 'Special' });
    expect(told(await importOf(hall, { electionType: undefined }))).toEqual([]);
    expect(await stored()).toEqual(['2018-11-06 | Special | Election day | Hall']);
    await importOf(hall, { name: 'another' });
    expect(told(await importOf(hall, { electionType: undefined, name: 'another' }))).toEqual([
      several('several elections (Special, General)'),
    ]);
    expect(await stored()).toHaveLength(2);
  });
});

describe('a newer edition', () => {
  test('replaces the older one of the state and day, which a repeated import does not change', async () => {
    const old = places({ name: 'Hall', notes: 'Ramp' }, { name: 'School' });
    await importOf(old);
    await importOf(places({ name: 'Hall', election_date: '2020-11-03' }));
    const before = await fingerprint(database.db);
    expect(counts(await importOf(old))['voting_places.csv']).toEqual([0, 0, 2, 0]);
    expect(await fingerprint(database.db)).toEqual(before);
    const newer = places({ name: 'Hall', source_date: '2020-01-01' }, { name: 'Library', source_date: '2020-01-02' });
    expect(told(await importOf(newer))).toEqual([
      expect.stringMatching(/School.*: removed: the newer edition of its file does not have it$/),
    ]);
    const hall = '2020-11-03 | General | Election day | Hall';
    expect(await stored()).toEqual([
      '2018-11-06 | General | Election day | Hall',
      '2018-11-06 | General | Election day | Library',
      hall,
    ]);
    await expect(importOf(old)).rejects.toThrow('is of 2019-09-19; the edition of 2020-01-02 is stored');
    await withdrawSource(database.db, 'voting-places', { state: 'VT', date: '2018-11-06' });
    expect(await stored()).toEqual([hall]);
    expect(await lines(database.db, 'select date::text as line from elections')).toEqual(['2020-11-03']);
  });
});

test.each<[string, ImportOptions, string]>([
  ['an unknown preset', { preset: 'nowhere' }, 'the presets are us-polling-places'],
  [
    'no column of the kind',
    { preset: undefined, fields: { date: 'election_date', state: 'state' } },
    'needs the column of the kind',
  ],
  ['a field of addresses', { fields: { zip: 'address' } }, 'zip is no part of a place'],
  ['a column that the file lacks', { fields: { hours: 'opening' } }, 'the column opening is missing'],
  ['a column to join that the file lacks', { join: { ward: 'Precinct' } }, 'the column ward is missing'],
  ['an unknown type of district', { join: { jurisdiction: 'Town' } }, '--join …=Town: the type must be one of'],
  ['no day of the edition', { fields: { 'as-of': 'source' } }, 'needs --as-of'],
])('%s is refused', async (_, options, message) => {
  await expect(importOf(places({ name: 'Hall' }), options)).rejects.toThrow(message);
});
