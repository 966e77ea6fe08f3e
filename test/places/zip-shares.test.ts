import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'shapefile';
import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { findFiles, readWhole } from '../../src/importers/read/read-files.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';

const SHARED = process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared');
const DATA = join(SHARED, 'more-data');
const ZIPS = ['ri_rhode_island', 'de_delaware'].map((state) => join(DATA, `zip/${state}_zip_codes_geo.min.json`));
const DISTRICTS = join(DATA, 'boundaries/cd118/tiger');
const hasData = [...ZIPS, DISTRICTS].every((path) => existsSync(path));
const database = useDatabase();

type Ring = number[][];
interface Outline {
  readonly id: string;
  readonly rings: readonly Ring[];
}

const ringsOf = ({ type, coordinates }: { type: string; coordinates: unknown }): Ring[] =>
  type === 'Polygon' ? (coordinates as Ring[]) : (coordinates as Ring[][]).flat();

/** The parts of a parallel that lie within an outline, as pairs of longitudes. */
function insideOf({ rings }: Outline, latitude: number): number[] {
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let at = 1; at < ring.length; at++) {
      const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = []] = [ring[at - 1], ring[at]];
      if (y0 > latitude !== y1 > latitude) crossings.push(x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  return crossings.sort((a, b) => a - b);
}

/** The length that two lists of pairs have in common. */
function commonLength(one: readonly number[], other: readonly number[]): number {
  let length = 0;
  for (let i = 0; i + 1 < one.length; i += 2)
    for (let j = 0; j + 1 < other.length; j += 2)
      length += Math.max(0, Math.min(one[i + 1] ?? 0, other[j + 1] ?? 0) - Math.max(one[i] ?? 0, other[j] ?? 0));
  return length;
}

const LINES = 800;

/** Returns the share of an outline that lies in each of the others, by its length along many parallels. */
function sharesOf(outline: Outline, others: readonly Outline[]): Map<string, number> {
  const latitudes = outline.rings.flat().map(([, latitude = 0]) => latitude);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  let whole = 0;
  const shares = new Map(others.map(({ id }) => [id, 0]));
  for (let line = 0; line < LINES; line++) {
    const latitude = south + ((line + 0.5) / LINES) * (north - south);
    const weight = Math.cos((latitude * Math.PI) / 180);
    const own = insideOf(outline, latitude);
    whole += weight * commonLength(own, own);
    for (const other of others)
      shares.set(other.id, (shares.get(other.id) ?? 0) + weight * commonLength(own, insideOf(other, latitude)));
  }
  return new Map([...shares].map(([id, length]) => [id, length / whole]));
}

async function districtsOf(state: string): Promise<Outline[]> {
  const files = await findFiles([DISTRICTS], ['.shp', '.dbf']);
  const bytes = async (extension: string) => {
    const file = files.find(({ name }) => name.includes(`_${state}_`) && name.endsWith(extension));
    return file ? readWhole(file) : Buffer.alloc(0);
  };
  const source = await open(await bytes('.shp'), await bytes('.dbf'));
  const outlines: Outline[] = [];
  for (let next = await source.read(); !next.done; next = await source.read()) {
    const properties = next.value.properties as Record<string, string>;
    outlines.push({ id: properties.GEOID20 ?? properties.GEOID ?? '', rings: ringsOf(next.value.geometry as never) });
  }
  return outlines;
}

interface Found {
  districts: { areaShare: number; isWhole: boolean; district: { geoId: string } }[];
  isSplit: boolean;
}

describe.skipIf(!hasData)(`ZIP codes of Rhode Island and Delaware (needs ${DATA})`, () => {
  const found = new Map<string, Found>();
  const outlines = new Map<string, Outline>();

  beforeAll(async () => {
    await runImport(database.db, 'districts-shapefile', [DISTRICTS], { preset: 'congress-118' });
    await runImport(database.db, 'zcta', ZIPS, { name: 'ZCTA 2010' });
    for (const path of ZIPS) {
      for (const { properties, geometry } of JSON.parse(readFileSync(path, 'utf8')).features)
        outlines.set(properties.ZCTA5CE10, { id: properties.ZCTA5CE10, rings: ringsOf(geometry) });
    }
    const source =
      'query ($code: ZipCode!) { zip(code: $code) { districts(types: [CONGRESS]) { areaShare isWhole district { geoId } } isSplit(types: [CONGRESS]) } }';
    for (const code of outlines.keys()) {
      const { data } = await request(database.db, source, { variables: { code } });
      found.set(code, (data as { zip: Found }).zip);
    }
  }, 300_000);

  it.each([
    ['44', /^02/],
    ['10', /^19/],
  ])(
    'have the shares of an independent computation: %s',
    async (fips, zips) => {
      const districts = await districtsOf(fips);
      expect(districts.length).toBeGreaterThan(0);
      let compared = 0;
      let largest = 0;
      for (const [code, outline] of outlines) {
        if (!zips.test(code)) continue;
        const expected = sharesOf(outline, districts);
        for (const [id, share] of expected) {
          const own = found.get(code)?.districts.find(({ district }) => district.geoId.endsWith(id))?.areaShare ?? 0;
          // Shares of less than 0.001 are left out.
          const difference = Math.abs(own - share);
          expect(difference, `${code} in ${id}: ${own}, computed independently ${share}`).toBeLessThan(0.001);
          largest = Math.max(largest, difference);
          compared++;
        }
      }
      process.stdout.write(`${compared} shares of ${fips}, largest difference ${(100 * largest).toFixed(4)} %\n`);
      expect(compared).toBeGreaterThan(50);
    },
    120_000,
  );

  it('are divided as an independent list says, except where the maps of two years differ', () => {
    const list = new Map<string, string[]>();
    for (const line of readFileSync(join(DATA, 'zip/zccd.csv'), 'utf8').split('\n')) {
      const [, state, code = '', district = ''] = line.trim().split(',');
      if (state === 'RI' || state === 'DE') list.set(code, [...(list.get(code) ?? []), district]);
    }
    const differences: string[] = [];
    for (const [code, { districts, isSplit }] of found) {
      const listed = list.get(code);
      if (listed !== undefined && listed.length > 1 === isSplit) continue;
      const own = districts.map(({ district, areaShare }) => `${district.geoId.slice(-2)}: ${areaShare}`).join(', ');
      differences.push(`${code} is in ${own}; listed ${listed?.join(' and ') ?? 'not at all'}`);
    }
    process.stdout.write(`${found.size} ZIP codes, ${differences.length} differ:\n  ${differences.join('\n  ')}\n`);
    expect(differences.length / found.size).toBeLessThan(0.1);
  });
});
