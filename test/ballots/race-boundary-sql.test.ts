import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundaryOfRace, type RaceRow } from '../../src/graph/ballots/ballots.store.ts';
import { type BoundaryRow, boundariesOfDistrict, type DistrictRow } from '../../src/graph/districts/districts.store.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf, request } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

/** Days are counted from 2012-01-01. */
const day = (number: number) => new Date(Date.UTC(2012, 0, 1 + number)).toISOString().slice(0, 10);

/** The maps of a district in order: maps that are 0 days apart share a day, more than 1 day leaves a gap. */
const maps = fc
  .tuple(
    fc.array(fc.record({ apart: fc.constantFrom(0, 0, 1, 30), length: fc.integer({ min: 1, max: 900 }) }), {
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([steps, isOpen]) => {
    let last = 0;
    return steps.map(({ apart, length }, index): [start: number, end: number | null] => {
      const start = last + apart;
      last = start + length;
      return [start, isOpen && index === steps.length - 1 ? null : last];
    });
  });

/** A day near the start or end of a map, or any day. */
const nearbyDay = fc.record({
  edge: fc.nat(8),
  off: fc.integer({ min: -1, max: 1 }),
  any: fc.nat(4000),
  isAny: fc.boolean(),
});
type NearbyDay = typeof nearbyDay extends fc.Arbitrary<infer Value> ? Value : never;

const race = fc.record({
  type: fc.constantFrom('Regular', 'Special', 'Special', 'Recall', 'Retention'),
  year: fc.integer({ min: 2010, max: 2024 }),
  election: nearbyDay,
  swearingIn: fc.option(nearbyDay, { freq: 3 }),
});

function dayNear(periods: readonly (readonly [number, number | null])[], { edge, off, any, isAny }: NearbyDay): string {
  const edges = periods.flat().filter((each) => each !== null);
  const near = edges[edge % Math.max(edges.length, 1)];
  return day(isAny || near === undefined ? any : near + off);
}

/** Gaps are rare in random maps: one for a regular and for a special race is in each run. */
const AROUND_A_GAP: [start: number, end: number | null][] = [
  [0, 100],
  [130, null],
];
const DAY_IN_THE_GAP: NearbyDay = { edge: 0, off: 0, any: 115, isAny: true };
const IN_THE_GAP = { type: 'Regular' as const, year: 2012, election: DAY_IN_THE_GAP, swearingIn: DAY_IN_THE_GAP };

let lastId = 0;

async function insertDistrict(periods: readonly (readonly [number, number | null])[]): Promise<number> {
  const id = ++lastId;
  await insert(database.db, 'districts', [{ id, type: 'Congress', name: `District ${id}` }]);
  for (const [start, end] of periods)
    await boundary(database.db, id, [day(start), end === null ? null : day(end)], [0, 0, 1, 1]);
  await insert(database.db, 'offices', [
    { id, district_id: id, name: 'Office', level: 'Federal', branch: 'Legislative' },
  ]);
  await insert(database.db, 'persons', [{ id, name: 'Anybody' }]);
  return id;
}

async function insertElection(district: number, date: string): Promise<number> {
  const id = ++lastId;
  await insert(database.db, 'elections', [
    { id, date, type: 'General', district_id: district, description: `Election ${id}`, candidate_lists_complete: true },
  ]);
  await insert(database.db, 'ballot_measures', [{ id, election_id: id, district_id: district, name: 'Measure' }]);
  return id;
}

/** An independent implementation of the rule: of the boundaries in effect on the day, the one that begins last. */
function inEffectOn(boundaries: readonly BoundaryRow[], on: string): BoundaryRow | undefined {
  return boundaries
    .filter(({ start_date, end_date }) => start_date <= on && (end_date === null || on <= end_date))
    .sort((one, other) => (one.start_date < other.start_date ? 1 : -1))[0];
}

/** The boundary of a race: in a gap between two maps, the one that begins next. */
function usedOn(boundaries: readonly BoundaryRow[], day: string): BoundaryRow | undefined {
  const later = boundaries.filter(({ start_date }) => start_date > day);
  const isGap = later.length > 0 && later.length < boundaries.length;
  const byStart = later.sort((one, other) => (one.start_date < other.start_date ? -1 : 1));
  return inEffectOn(boundaries, day) ?? (isGap ? byStart[0] : undefined);
}

it('the boundary of a race is the one in effect on the reference day or the next one in a gap, for any maps', async () => {
  const seen = new Set<string>();
  const inGaps = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(maps, fc.array(race, { minLength: 2, maxLength: 5 }), async (periods, races) => {
      const district = await insertDistrict(periods);
      const boundaries = await boundariesOfDistrict.load(contextOf(database.db), { id: district } as DistrictRow);
      for (const { type, year, election, swearingIn } of races) {
        const electionDate = dayNear(periods, election);
        const swearingInDate = swearingIn && dayNear(periods, swearingIn);
        const id = await insertElection(district, electionDate);
        const row = { id, election_id: id, office_id: district, type, year, swearing_in_date: swearingInDate };
        await insert(database.db, 'races', [{ ...row, stage_type: 'General', number_of_seats: 1 }]);
        await insert(database.db, 'candidates', [{ id, race_id: id, person_id: district }]);

        const referenceDay = type === 'Special' ? electionDate : (swearingInDate ?? `${year + 1}-01-31`);
        const expected = usedOn(boundaries, referenceDay)?.id ?? null;
        if (expected !== (inEffectOn(boundaries, referenceDay)?.id ?? null)) inGaps.add(type === 'Special');
        const found = await boundaryOfRace.load(contextOf(database.db), { id } as RaceRow);
        expect(found).toMatchObject({ boundary_id: expected, reference_day: referenceDay });
        seen.add(found.reason);

        // All boundaries cover the same square: the ballot has the race if it uses one of them.
        const source = `{ location(latitude: 0.5, longitude: 0.5) { ballot(electionDate: "${electionDate}") { districts {
          district { id: databaseId boundary { id: databaseId } } races { id: databaseId boundary { boundary { id: databaseId } } } ballotMeasures { id: databaseId } } } } }`;
        const { data } = await request(database.db, source);
        const { districts } = (data as unknown as Answer).location.ballot;
        const part = districts.find((each) => each.district.id === district);
        const listed = part?.races.find((each) => each.id === id);
        expect(listed?.boundary.boundary?.id ?? null).toBe(expected);
        const measured = inEffectOn(boundaries, electionDate)?.id ?? null;
        expect(part?.ballotMeasures.some((each) => each.id === id) ?? false).toBe(measured !== null);
      }
    }),
    { numRuns: 60, examples: [[AROUND_A_GAP, [IN_THE_GAP, { ...IN_THE_GAP, type: 'Special' as const }]]] },
  );
  // Otherwise the maps are not random enough: each reason is found about nine times or more.
  expect(seen.size).toBe(7);
  expect(inGaps).toEqual(new Set([true, false]));
}, 120_000);

interface Answer {
  readonly location: {
    readonly ballot: {
      readonly districts: readonly {
        readonly district: { readonly id: number };
        readonly races: readonly { id: number; boundary: { boundary: { id: number } | null } }[];
        readonly ballotMeasures: readonly { id: number }[];
      }[];
    };
  };
}

it('the boundary of a race is chosen for a race year outside the range of dates', async () => {
  const district = await insertDistrict([[0, null]]);
  const id = await insertElection(district, '2022-11-08');
  const row = { id, election_id: id, office_id: district, type: 'Regular', year: 2_000_000_000, number_of_seats: 1 };
  await insert(database.db, 'races', [{ ...row, stage_type: 'General' }]);
  expect(await boundaryOfRace.load(contextOf(database.db), { id } as RaceRow)).toMatchObject({
    boundary_id: expect.any(Number),
    reference_day: '9999-01-31',
  });
});
