import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measuresOnDates, racesById, racesOnDates } from '../../src/ballots/ballots.store.ts';
import { chooseBoundary } from '../../src/ballots/race-boundary.ts';
import { boundariesOfDistricts } from '../../src/districts/districts.store.ts';
import { inEffectOn } from '../../src/districts/periods.ts';
import { useDatabase } from '../support/database.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

/** Days are counted from 2012-01-01. */
const day = (number: number) => new Date(Date.UTC(2012, 0, 1 + number)).toISOString().slice(0, 10);

/** The maps of a district, one after the other: 0 days apart is a shared day, more than 1 a gap. */
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

/** A day near where a map begins or ends, or any. */
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
  swearingIn: fc.option(nearbyDay),
});

function dayNear(periods: readonly (readonly [number, number | null])[], { edge, off, any, isAny }: NearbyDay): string {
  const edges = periods.flat().filter((each) => each !== null);
  const near = edges[edge % Math.max(edges.length, 1)];
  return day(isAny || near === undefined ? any : near + off);
}

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
    { id, date, type: 'General', district_id: district, candidate_lists_complete: true },
  ]);
  await insert(database.db, 'ballot_measures', [{ id, election_id: id, district_id: district, name: 'Measure' }]);
  return id;
}

it('is the same in SQL and in TypeScript, for any maps', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(maps, fc.array(race, { minLength: 2, maxLength: 5 }), async (periods, races) => {
      const district = await insertDistrict(periods);
      const boundaries = await boundariesOfDistricts(database.db, [district]);
      for (const { type, year, election, swearingIn } of races) {
        const electionDate = dayNear(periods, election);
        const swearingInDate = swearingIn && dayNear(periods, swearingIn);
        const id = await insertElection(district, electionDate);
        const row = { id, election_id: id, office_id: district, type, year, swearing_in_date: swearingInDate };
        await insert(database.db, 'races', [{ ...row, stage_type: 'General', number_of_seats: 1 }]);
        await insert(database.db, 'candidates', [{ id, race_id: id, person_id: district }]);

        const requested = [{ districtId: district, date: electionDate }];
        const choice = chooseBoundary({ type, year, electionDate, swearingInDate }, boundaries);
        const [onDate = []] = await racesOnDates(database.db, requested);
        expect(onDate.find(({ contest }) => contest.id === id)?.boundaryId).toBe(choice.boundary?.id ?? null);
        seen.add(choice.reason);

        const [measures = []] = await measuresOnDates(database.db, requested, true);
        expect(measures.find(({ contest }) => contest.id === id)?.boundaryId).toBe(
          inEffectOn(boundaries, electionDate)?.id ?? null,
        );
      }
    }),
    { numRuns: 80 },
  );
  // Otherwise the maps are not random enough to tell anything.
  expect(seen.size).toBe(7);
}, 120_000);

it('is chosen for a race year outside the range of dates', async () => {
  const district = await insertDistrict([[0, null]]);
  const id = await insertElection(district, '2022-11-08');
  const row = { id, election_id: id, office_id: district, type: 'Regular', year: 2_000_000_000, number_of_seats: 1 };
  await insert(database.db, 'races', [{ ...row, stage_type: 'General' }]);
  await insert(database.db, 'candidates', [{ id, race_id: id, person_id: district }]);
  const [races = []] = await racesOnDates(database.db, [{ districtId: district, date: '2022-11-08' }]);
  expect(races.map(({ boundaryId }) => boundaryId)).toEqual([expect.any(Number)]);
  expect(await racesById(database.db, [id])).toHaveLength(1);
});
