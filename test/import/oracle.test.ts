import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportSummary, runImport } from '../../src/import/import.ts';
import { useStore } from '../support/store.ts';
import { counts } from './folders.ts';

const data = join(process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared'), 'data');
const boundaries = join(data, 'boundaries');

/** A point with the districts that contain it, computed by another program from the same files. */
interface Point {
  readonly lat: number;
  readonly long: number;
  readonly county: readonly string[];
  readonly cds2016: readonly string[];
  readonly cd118: readonly string[];
  /** Layers of which an edge is so near that the two programs may differ. */
  readonly near_edge: readonly string[];
}

const hasData = existsSync(data);

describe.skipIf(!hasData)(
  `two maps of Congress districts, from the data folder${hasData ? '' : ' (skipped: there is none)'}`,
  () => {
    const store = useStore();
    const summaries: Record<string, ImportSummary> = {};

    beforeAll(async () => {
      const { db } = store;
      // Not in the order of their periods.
      summaries.cd118 = await runImport(db, 'districts-geojson', [join(boundaries, 'cd118/cd118_us.geojson')], {
        from: '2023-01-03',
      });
      summaries.atlas = await runImport(db, 'us-atlas', [join(boundaries, 'us-atlas')]);
      summaries.cds2016 = await runImport(
        db,
        'districts-geojson',
        [join(boundaries, 'unitedstates-districts/cds/2016')],
        {
          from: '2013-01-03',
          to: '2023-01-03',
          precise: true,
        },
      );
    }, 300_000);

    test('every feature got in', () => {
      const inserted = Object.entries(summaries).map(([name, summary]) => [
        name,
        counts(summary)['boundaries.geojsonl'],
      ]);
      expect(Object.fromEntries(inserted)).toEqual({
        atlas: [3288, 0, 0, 0],
        cds2016: [435, 0, 0, 0],
        cd118: [438, 0, 0, 0],
      });
    });

    const points: Point[] = hasData
      ? readFileSync(join(data, 'derived/points-oracle.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Point)
      : [];

    /** `AK-0` and the GEOID `0200` as the OCD id of the district. */
    const ofCode = (code: string) =>
      `${code.slice(0, 2)}${code.slice(3) === '0' ? ' at-large' : ` ${Number(code.slice(3))}`}`;
    const ofGeoid = (geoid: string) =>
      `${FIPS[geoid.slice(0, 2)]}${geoid.endsWith('00') ? ' at-large' : ` ${Number(geoid.slice(2))}`}`;
    const FIPS: Record<string, string> = { '02': 'AK', '23': 'ME', '35': 'NM', '50': 'VT' };

    test.each([
      ['2022-06-01', 'cds2016', (point: Point) => point.cds2016.map(ofCode)],
      ['2024-06-01', 'cd118', (point: Point) => point.cd118.map(ofGeoid)],
    ] as const)(
      'on %s every point is in the county and the Congress district of the oracle (%s)',
      async (day, layer, expected) => {
        expect(points).toHaveLength(240);
        const { rows } = await sql<{ index: number; type: string; district: string }>`
      select p.index, d.type, case d.type when 'County' then right(d.geo_id, 5)
        else upper(split_part(split_part(d.ocdid, 'state:', 2), '/', 1)) || ' ' || split_part(d.ocdid, 'cd:', 2) end as district
      from unnest(${points.map(({ long }) => long)}::float8[], ${points.map(({ lat }) => lat)}::float8[])
        with ordinality as p (long, lat, index)
      join boundary_pieces as piece on ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(p.long, p.lat), 4326))
      join boundaries as b on b.id = piece.boundary_id
        and b.start_date <= ${day}::date and (b.end_date is null or b.end_date >= ${day}::date)
      join districts as d on d.id = b.district_id
      where d.type in ('County', 'Congress')
      group by p.index, d.id order by p.index, d.type desc`.execute(store.db);
        const found = Map.groupBy(rows, ({ index, type }) => `${index} ${type}`);
        const of = (index: number, type: string) =>
          (found.get(`${index + 1} ${type}`) ?? []).map(({ district }) => district);
        let compared = 0;
        for (const [index, point] of points.entries()) {
          if (!point.near_edge.includes('county')) expect([index, of(index, 'County')]).toEqual([index, point.county]);
          if (point.near_edge.includes(layer)) continue;
          expect([index, of(index, 'Congress')]).toEqual([index, expected(point)]);
          compared++;
        }
        expect(compared).toBeGreaterThan(180);
      },
    );
  },
);
