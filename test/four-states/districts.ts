import { describe, expect, test } from 'vitest';
import { counts } from '../import/folders.ts';
import { type FourStates, TODAY } from './database.ts';
import { countFiles, membersOf, ocdidOf, oraclePoints, representatives } from './sources.ts';

interface Found {
  readonly type: string;
  readonly ocdId: string | null;
  readonly geoId: string | null;
  readonly offices?: readonly { readonly officeholders: readonly { readonly person: { identifiers: Name[] } }[] }[];
}
interface Name {
  readonly scheme: string;
  readonly value: string;
}

const TODAYS = `query ($lat: Latitude!, $long: Longitude!) {
  location(latitude: $lat, longitude: $long) {
    districts { type ocdId geoId offices { officeholders { person { identifiers { scheme value } } } } }
  }
}`;
const ON_A_DAY = `query ($lat: Latitude!, $long: Longitude!, $on: Date!) {
  location(latitude: $lat, longitude: $long) { districts(on: $on) { type ocdId geoId } }
}`;

const points = oraclePoints();
const FIPS: Readonly<Record<string, string>> = { '02': 'AK', '23': 'ME', '35': 'NM', '50': 'VT' };

/** Returns the OCD id of a district given as `AK-0` or by its GEOID `0200`. */
function congressOcdid(code: string): string {
  const [state, number] = code.includes('-') ? code.split('-') : [FIPS[code.slice(0, 2)], code.slice(2)];
  return `ocd-division/country:us/state:${state?.toLowerCase()}/cd:${Number(number) || 'at-large'}`;
}

/** Returns the identifiers of a scheme of a district's officeholders; of a person with several, the one in `known`. */
function holders({ offices = [] }: Found, scheme: string, known: ReadonlySet<string>): (string | undefined)[] {
  return offices
    .flatMap(({ officeholders }) => officeholders)
    .map(({ person }) => {
      const names = person.identifiers.filter((name) => name.scheme === scheme).map(({ value }) => value);
      return names.find((value) => known.has(value)) ?? names[0];
    })
    .sort();
}

export function testDistricts(states: FourStates): void {
  describe('districts and officeholders', () => {
    test('every boundary of the maps is imported, except the reported ones', () => {
      const supplied = (title: RegExp) => {
        const steps = states.done.filter(({ step }) => title.test(step.title));
        return steps.map(({ summary }) => counts(summary)['boundaries.geojsonl']?.[0]);
      };
      expect(supplied(/cds\/2016/)).toEqual([countFiles('unitedstates-districts/cds/2016/*/shape.geojson')]);
      expect(supplied(/-districts\/states/)).toEqual([countFiles('unitedstates-districts/states/*/*/*.geojson')]);
      // Three of its 438 are waters without a district.
      expect(supplied(/cd118/)).toEqual([435]);
      // 121 in Vermont: 79 of them are census-designated places, and 11 are cities.
      expect(supplied(/places/)).toEqual([121 - 79 + 11]);
    });

    test('today all points of the oracle have the districts of the day, with their members', async () => {
      expect(points).toHaveLength(240);
      const members = Map.groupBy(membersOf(TODAY), ocdidOf);
      const known = new Set([...members.values()].flat().map(({ id }) => id));
      const inHouse = representatives();
      // Deb Haaland resigned on 2021-03-16, and Melanie Stansbury followed. Don Young of Alaska died on 2022-03-18, but
      // no source contains that: the next snapshot is years later, and lacks both him and his successor of those
      // months.
      inHouse.set('NM-1', 'S001218');
      const compared = { COUNTY: 0, CONGRESS: 0, STATE_LEGISLATIVE_LOWER: 0, STATE_LEGISLATIVE_UPPER: 0 };
      for (const point of points) {
        const { location } = await states.request(TODAYS, { lat: point.lat, long: point.long });
        const of = (type: keyof typeof compared) => location.districts.filter((each: Found) => each.type === type);
        if (!point.near_edge.includes('county')) {
          expect(of('COUNTY').map(({ geoId }: Found) => geoId?.slice(-5))).toEqual(point.county);
          compared.COUNTY++;
        }
        if (!point.near_edge.includes('cds2016')) {
          const [district, ...others] = of('CONGRESS');
          expect([[district.ocdId], others]).toEqual([point.cds2016.map(congressOcdid), []]);
          const [code = ''] = point.cds2016;
          const sitting = inHouse.get(`${point.state}-${Number(code.slice(3))}`);
          expect([code, holders(district, 'bioguide', new Set())]).toEqual([code, [sitting]]);
          compared.CONGRESS++;
        }
        for (const [type, layer] of [
          ['STATE_LEGISLATIVE_LOWER', 'sldl'],
          ['STATE_LEGISLATIVE_UPPER', 'sldu'],
        ] as const) {
          if (point.near_edge.includes(layer)) continue;
          expect(of(type).map(({ ocdId }: Found) => ocdId)).toEqual(point[layer] ?? []);
          for (const each of of(type)) {
            const expected = members.get(each.ocdId)?.map(({ id }) => id);
            expect([each.ocdId, holders(each, 'ocd-person', known)]).toEqual([each.ocdId, expected?.sort()]);
            compared[type]++;
          }
        }
      }
      expect(compared.COUNTY).toBeGreaterThan(180);
      expect(compared.CONGRESS).toBeGreaterThan(180);
      expect(compared.STATE_LEGISLATIVE_LOWER).toBeGreaterThan(80);
      expect(compared.STATE_LEGISLATIVE_UPPER).toBeGreaterThan(80);
    }, 300_000);

    test.each([
      ['2022-06-01', 'cds2016', ['sldl', 'sldu']],
      ['2024-06-01', 'cd118', []],
    ] as const)(
      'on %s the map of the day applies (%s)',
      async (on, layer, legislative) => {
        let compared = 0;
        for (const point of points) {
          const { location } = await states.request(ON_A_DAY, { lat: point.lat, long: point.long, on });
          const of = (type: string) =>
            location.districts.filter((each: Found) => each.type === type).map(({ ocdId }: Found) => ocdId);
          const legislatures = [...of('STATE_LEGISLATIVE_LOWER'), ...of('STATE_LEGISLATIVE_UPPER')];
          // The legislative maps in the source end before 2024.
          if (legislative.length === 0) expect(legislatures).toEqual([]);
          else if (!point.near_edge.some((edge) => edge.startsWith('sld')))
            expect(legislatures).toEqual([...(point.sldl ?? []), ...(point.sldu ?? [])]);
          if (point.near_edge.includes(layer)) continue;
          expect([point.lat, of('CONGRESS')]).toEqual([point.lat, point[layer].map(congressOcdid)]);
          compared++;
        }
        expect(compared).toBeGreaterThan(180);
      },
      300_000,
    );
  });
}
