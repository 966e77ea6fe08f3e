import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  ImportError,
  type ImportOptions,
  type ImportSummary,
  runImport,
  type SourceName,
} from '../../src/importers/import.ts';
import type { TestDatabase } from '../support/database.ts';
import { dbfOf, NAD_83, shpOf } from '../support/shapefile.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';
import { box, fingerprint } from './folders.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const fixture = (...path: string[]) => readFileSync(join(FIXTURES, ...path), 'utf8');

/** A small source as it is published, for tests that corrupt it: the main file, and the options of its import. */
export interface GoodSource {
  readonly source: SourceName;
  readonly file: string;
  readonly content: string | Buffer;
  readonly options?: ImportOptions;
}

const COUNTIES = { type: 'County', from: '2000-01-01', name: 'Counties' } as const;

/** A GeoJSON file of one county of Vermont, the parts of it on lines of their own. */
export function geojson(coordinates: unknown, type = 'Polygon', more: object = {}): string {
  const feature = {
    type: 'Feature',
    properties: { GEOID: '50001', NAME: 'Addison' },
    geometry: { type, coordinates },
  };
  return `{"type": "FeatureCollection",\n${JSON.stringify(more).slice(1, -1)}${Object.keys(more).length > 0 ? ',' : ''}\n"features": [\n${JSON.stringify(feature)}\n]}\n`;
}

export const SQUARE = [box(-73, 43, -72, 44)];

const topojson = (layer: string, properties: object, id?: string) =>
  JSON.stringify(
    {
      type: 'Topology',
      arcs: SQUARE,
      objects: {
        [layer]: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', arcs: [[0]], id, properties }] },
      },
    },
    null,
    1,
  );

/** The entries of a zip with a shapefile of one place. */
export function shapefile(): ZipEntry[] {
  const records = [{ GEOID: '5010675', NAMELSAD: 'Burlington city', west: -73 }];
  return [
    { name: 'place.shp', content: shpOf(records) },
    { name: 'place.dbf', content: dbfOf(records) },
    { name: 'place.prj', content: Buffer.from(NAD_83) },
  ];
}

const VERMONT = 'ocd-division/country:us/state:vt';
/** The file of a member of Vermont's Senate, as Open States publishes it. */
export const openStatesMember = (name: string, id: number): string => `id: ocd-person/${id}
name: ${name}
image: https://pictures.example/${id}.jpg
party:
  - name: Democratic
roles:
  - type: upper
    jurisdiction: ocd-jurisdiction/country:us/state:vt/government
    district: Addison
    start_date: '2023-01-04'
offices: []
`;

/** One of each kind of reader. */
export const GOOD_SOURCES = {
  'districts-geojson': {
    source: 'districts-geojson',
    file: 'county.geojson',
    content: geojson(SQUARE),
    options: COUNTIES,
  },
  'districts-topojson': {
    source: 'districts-topojson',
    file: 'towns.topojson',
    content: topojson('towns', { GEOID: '5000911800', NAME: 'Canaan' }),
    options: { type: 'County subdivision', from: '2000-01-01', name: 'Towns' },
  },
  'districts-shapefile': {
    source: 'districts-shapefile',
    file: 'places.zip',
    content: zipOf(shapefile()),
    options: { type: 'City-town', from: '2000-01-01', name: 'Places' },
  },
  'us-atlas': { source: 'us-atlas', file: 'states-10m.json', content: topojson('states', { name: 'Ohio' }, '39') },
  'ocd-division-ids': {
    source: 'ocd-division-ids',
    file: 'counties.csv',
    content: `id,name,census_geoid\n${VERMONT}/county:essex,Essex County,place-50009\n${VERMONT}/county:orleans,Orleans County,place-50019\n`,
  },
  'congress-legislators': {
    source: 'congress-legislators',
    file: 'legislators-current.yaml',
    content: fixture('congress/2026-06-15/legislators-current.yaml'),
    options: { asOf: '2026-06-15' },
  },
  'openstates-people': {
    source: 'openstates-people',
    file: 'ada.yml',
    content: openStatesMember('Ada Ács', 1),
    options: { asOf: '2026-06-15' },
  },
  medsl: { source: 'medsl', file: 'contests.csv', content: fixture('import/medsl/contests.csv') },
  openelections: {
    source: 'openelections',
    file: '20181106__me__general__town.csv',
    content: fixture('import/openelections/20181106__me__general__town.csv'),
  },
  'ranked-vote': { source: 'ranked-vote', file: 'report.json', content: fixture('import/ranked-vote/report.json') },
  rctab: { source: 'rctab', file: 'primary.json', content: fixture('import/rctab/governor-primary.json') },
  vip: { source: 'vip', file: 'vip.xml', content: fixture('import/feeds/vip.xml') },
  'civics-cdf': { source: 'civics-cdf', file: 'election.xml', content: fixture('import/feeds/election.xml') },
} satisfies Record<string, GoodSource>;

export type GoodSourceName = keyof typeof GOOD_SOURCES;

type Files = Readonly<Record<string, string | Buffer>>;

/**
 * Provides a database that contains the good sources, so that anything that a bad one writes is visible. Its members
 * are available from `beforeAll` on.
 */
export function useGoodSources(database: TestDatabase) {
  let root = '';
  let folders = 0;
  let before: Record<string, string> = {};

  /** Imports a folder with the file of a source, or with others in its place. */
  function importOf(good: GoodSource, files: Files = { [good.file]: good.content }, options: ImportOptions = {}) {
    const folder = join(root, String(++folders));
    mkdirSync(folder);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return runImport(database.db, good.source, [folder], { ...good.options, ...options });
  }

  async function expectUnchanged(): Promise<void> {
    expect(await fingerprint(database.db)).toEqual(before);
  }

  /** Returns the message with which an import is rejected, and checks that the database is unchanged. */
  async function rejectionOf(work: Promise<ImportSummary>): Promise<string> {
    const error = await work.then(
      () => new Error('was imported'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ImportError);
    await expectUnchanged();
    return (error as ImportError).message;
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'hostile-'));
    for (const good of Object.values<GoodSource>(GOOD_SOURCES)) await importOf(good);
    before = await fingerprint(database.db);
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return { importOf, rejectionOf, expectUnchanged };
}
