import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ImportSummary, runImport } from '../../src/import/import.ts';
import type { Database } from '../../src/store/database.ts';
import { ask } from '../support/graph.ts';
import { useStore } from '../support/store.ts';
import { contentsOf } from './contents.ts';

const data = join(process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared'), 'data');
const hasData = existsSync(data);
const DAY = '2022-06-01';

interface Point {
  readonly lat: number;
  readonly long: number;
  readonly state: string;
  readonly county: readonly string[];
  readonly cds2016: readonly string[];
  readonly sldl: readonly string[];
  readonly sldu: readonly string[];
  readonly near_edge: readonly string[];
}

interface Answer {
  readonly location: {
    readonly districts: readonly {
      readonly type: string;
      readonly ocdId: string | null;
      readonly geoId: string | null;
      readonly offices:
        | readonly { readonly officeholders: readonly { readonly person: { readonly identifiers: Name[] } }[] | null }[]
        | null;
    }[];
  };
}
interface Name {
  readonly scheme: string;
  readonly value: string;
}

const ON_THE_DAY = `query ($lat: Latitude!, $long: Longitude!, $on: Date!) {
  location(latitude: $lat, longitude: $long) {
    districts(on: $on) {
      type ocdId geoId
      offices { officeholders(on: $on) { person { identifiers { scheme value } } } }
    }
  }
}`;

const points: Point[] = hasData
  ? readFileSync(join(data, 'derived/points-oracle.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Point)
  : [];

/** Who the files say sits for a legislative district on the day, read without the importer. */
function membersByFile(): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const file of globSync(join(data, 'officeholders/openstates-people', DAY, '*/legislature/*.yml'))) {
    const { id, roles } = parse(readFileSync(file, 'utf8'));
    for (const { type, district, end_date } of roles) {
      if (end_date) continue;
      const state = file.split('/').at(-3);
      const code = String(district).toLowerCase().replace(' ', '_');
      const ocdid = `ocd-division/country:us/state:${state}/${type === 'upper' ? 'sldu' : 'sldl'}:${code}`;
      members.set(ocdid, [...(members.get(ocdid) ?? []), id].sort());
    }
  }
  return members;
}

/** Who was in the House for a district, by the snapshot of the year before; nobody resigned in these districts but one. */
function representatives(): Map<string, string> {
  const file = join(data, 'officeholders/congress-legislators/2021-02-10/legislators-current.yaml');
  const members = new Map<string, string>();
  for (const { id, terms } of parse(readFileSync(file, 'utf8'))) {
    const { type, state, district } = terms.at(-1);
    if (type === 'rep') members.set(`${state}-${district}`, id.bioguide);
  }
  return members;
}

/** Terms without a start have no order. */
async function sortedContents(db: Database): Promise<string[]> {
  const contents = (await contentsOf(db)) as Record<string, unknown[]>;
  return Object.entries(contents).flatMap(([name, rows]) => rows.map((row) => `${name} ${JSON.stringify(row)}`).sort());
}

describe.skipIf(!hasData)(
  `districts and members of a day in four states${hasData ? '' : ' (skipped: there is no data folder)'}`,
  () => {
    const store = useStore();
    const summaries: Record<string, ImportSummary> = {};

    async function build(db: Database): Promise<void> {
      const boundaries = join(data, 'boundaries');
      await runImport(db, 'us-atlas', [join(boundaries, 'us-atlas')]);
      await runImport(db, 'districts-geojson', [join(boundaries, 'unitedstates-districts/cds/2016')], {
        preset: 'congress-113',
      });
      await runImport(db, 'districts-geojson', [join(boundaries, 'cd118/cd118_us.geojson')], {
        preset: 'congress-118',
      });
      await runImport(db, 'districts-geojson', [join(boundaries, 'unitedstates-districts/states')], {
        preset: 'state-legislative-2012',
      });
      for (const day of ['2021-02-10', '2026-06-15'])
        await runImport(db, 'congress-legislators', [join(data, 'officeholders/congress-legislators', day)]);
      for (const day of [DAY, '2026-08-05']) {
        summaries[day] = await runImport(db, 'openstates-people', [join(data, 'officeholders/openstates-people', day)]);
      }
    }

    beforeAll(() => build(store.db), 600_000);

    test('all points of the oracle have the districts of the day, and these their members', async () => {
      expect(points).toHaveLength(240);
      const members = membersByFile();
      const inHouse = representatives();
      // A person whom the source had twice has an id that was given up, too.
      const known = new Set([...members.values()].flat());
      const compared = { County: 0, Congress: 0, 'State Legislative (Lower)': 0, 'State Legislative (Upper)': 0 };
      for (const point of points) {
        const variables = { lat: point.lat, long: point.long, on: DAY };
        const { data: found, errors } = await ask(store.db, ON_THE_DAY, { variables, today: DAY });
        expect(errors).toBeUndefined();
        const { districts } = (found as unknown as Answer).location;
        const of = (type: keyof typeof compared) => districts.filter((each) => each.type === ENUM[type]);
        const holders = (each: Answer['location']['districts'][number], scheme: string) =>
          (each.offices ?? [])
            .flatMap(({ officeholders }) => officeholders ?? [])
            .map(({ person }) => {
              const values = person.identifiers.filter((name) => name.scheme === scheme).map(({ value }) => value);
              return values.find((value) => known.has(value)) ?? values[0];
            })
            .sort();
        if (!point.near_edge.includes('county')) {
          expect(of('County').map(({ geoId }) => geoId?.slice(-5))).toEqual(point.county);
          compared.County++;
        }
        if (!point.near_edge.includes('cds2016')) {
          const [code = ''] = point.cds2016;
          const district = code.endsWith('-0') ? 'at-large' : Number(code.slice(3));
          const ocdid = `ocd-division/country:us/state:${point.state.toLowerCase()}/cd:${district}`;
          const [only, ...others] = of('Congress');
          expect([only?.ocdId, others]).toEqual([ocdid, []]);
          const sitting = inHouse.get(`${point.state}-${Number(code.slice(3))}`);
          // Don Young died on 2022-03-18, and Deb Haaland resigned on 2021-03-16: Melanie Stansbury followed.
          const expected =
            code === 'AK-0' ? [] : code === 'NM-1' ? ['S001218'] : sitting === undefined ? undefined : [sitting];
          if (code !== 'AK-0') expect(only && holders(only, 'bioguide')).toEqual(expected);
          compared.Congress++;
        }
        for (const [type, layer] of [
          ['State Legislative (Lower)', 'sldl'],
          ['State Legislative (Upper)', 'sldu'],
        ] as const) {
          if (point.near_edge.includes(layer)) continue;
          expect(of(type).map(({ ocdId }) => ocdId)).toEqual(point[layer] ?? []);
          for (const each of of(type)) {
            expect([each.ocdId, holders(each, 'ocd-person')]).toEqual([each.ocdId, members.get(each.ocdId ?? '')]);
            compared[type]++;
          }
        }
      }
      expect(compared.County).toBeGreaterThan(180);
      expect(compared.Congress).toBeGreaterThan(180);
      expect(compared['State Legislative (Lower)']).toBeGreaterThan(80);
      expect(compared['State Legislative (Upper)']).toBeGreaterThan(80);
    }, 300_000);

    test('on that day every seat has the members of the files, and no other', async () => {
      const members = membersByFile();
      const known = new Set([...members.values()].flat());
      const { rows } = await sql<{ ocdid: string; ids: string[]; persons: number }>`
        select d.ocdid, array_agg(e.value order by e.value) as ids, count(distinct h.person_id) as persons
        from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        join external_identifiers as e on e.kind = 'person' and e.scheme = 'ocd-person' and e.record_id = h.person_id
        where o.chamber is not null and o.level = 'State' and d.state in ('AK', 'VT')
          and exists (select from boundaries as b where b.district_id = d.id)
          and (h.start_date is null or h.start_date <= ${DAY}) and (h.end_date is null or h.end_date > ${DAY})
        group by d.ocdid`.execute(store.db);
      const found = rows.map(({ ocdid, ids }) => [ocdid, ids.filter((id) => known.has(id))] as const);
      expect(new Map(found)).toEqual(members);
      expect(rows.filter(({ ocdid, persons }) => persons !== members.get(ocdid)?.length)).toEqual([]);
    });

    test('two years later the legislative maps are over, and the members of 2026 are in office', async () => {
      const [point] = points.filter(({ state }) => state === 'VT');
      const districtsOn = async (on: string) => {
        const variables = { lat: point?.lat, long: point?.long, on };
        const { data: found } = await ask(store.db, ON_THE_DAY, { variables });
        return (found as unknown as Answer).location.districts.map(({ type }) => type);
      };
      expect(await districtsOn(DAY)).toEqual([
        'COUNTRY',
        'CONGRESS',
        'STATE',
        'STATE_LEGISLATIVE_UPPER',
        'STATE_LEGISLATIVE_LOWER',
        'COUNTY',
      ]);
      expect(await districtsOn('2024-06-01')).toEqual(['COUNTRY', 'CONGRESS', 'STATE', 'COUNTY']);
      const { rows } = await sql<{ state: string; chamber: string; members: number }>`
        select d.state, o.chamber, count(*) as members
        from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        where o.chamber is not null and o.level = 'State' and h.status = 'Current' group by 1, 2 order by 1, 2`.execute(
        store.db,
      );
      expect(rows.map(({ state, chamber, members }) => `${state} ${chamber} ${members}`)).toEqual([
        'AK Upper 20',
        'AK Lower 40',
        'ME Upper 35',
        'ME Lower 150',
        'NM Upper 42',
        'NM Lower 70',
        'VT Upper 30',
        'VT Lower 150',
      ]);
    });

    test("Vermont's members whose districts the old map lacks are in the report, by name and district", () => {
      const missing = summaries['2026-08-05']?.report.filter(({ reason }) =>
        reason.includes('the map in the store lacks'),
      );
      const districts = new Set(missing?.map(({ reason }) => reason.split(':')[0]));
      expect(missing?.every(({ record }) => record.startsWith('vt/'))).toBe(true);
      expect([missing?.length, districts.size]).toEqual([75, 54]);
    });

    test('the editions of a source end in the same, whichever comes first', async () => {
      const { db } = store;
      const people = (day: string) =>
        runImport(db, 'openstates-people', [join(data, 'officeholders/openstates-people', day)]);
      const clear = () =>
        sql`truncate districts, offices, persons, officeholders, contacts, sources, record_sources, external_identifiers cascade`.execute(
          db,
        );
      await clear();
      await people(DAY);
      await people('2026-08-05');
      const inOrder = await sortedContents(db);
      const again = await people('2026-08-05');
      expect(
        again.files.flatMap(({ inserted, updated, removed }) => [inserted, updated, removed]).every((n) => n === 0),
      ).toBe(true);
      await clear();
      await people('2026-08-05');
      await people(DAY);
      expect(await sortedContents(db)).toEqual(inOrder);
    }, 300_000);
  },
);

const ENUM = {
  County: 'COUNTY',
  Congress: 'CONGRESS',
  'State Legislative (Lower)': 'STATE_LEGISLATIVE_LOWER',
  'State Legislative (Upper)': 'STATE_LEGISLATIVE_UPPER',
} as const;
