import { describe, expect, it } from 'vitest';
import { boundaryOfRace, type RaceRow } from '../../src/graph/ballots/ballots.store.ts';
import { boundariesOfDistrict, type DistrictRow } from '../../src/graph/districts/districts.store.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

interface RaceSchedule {
  readonly type: string;
  readonly year: number;
  readonly electionDate: string;
  readonly swearingInDate: string | null;
}

const OLD = { name: 'old', start_date: '2013-01-03', end_date: '2023-01-03' };
const NEW = { name: 'new', start_date: '2023-01-03', end_date: null };
/** The old map ends the day before the new one begins. */
const OLD_APART = { ...OLD, end_date: '2023-01-02' };
/** The newer map begins a month after the old one ends. */
const OLD_BEFORE_GAP = { ...OLD, end_date: '2022-12-31' };
const AFTER_GAP = { ...NEW, start_date: '2023-02-01' };
const NEW_CLOSED = { ...NEW, end_date: '2027-01-03' };
const NEXT = { name: 'next', start_date: '2027-01-03', end_date: null };

let lastId = 0;

/** Returns the boundary of a race by its first day, the reason for it, and the reference day. */
async function boundaryFor(
  { type, year, electionDate, swearingInDate }: RaceSchedule,
  maps: readonly { start_date: string; end_date: string | null }[],
) {
  const id = ++lastId;
  await insert(database.db, 'districts', [{ id, type: 'Congress', name: `District ${id}` }]);
  for (const { start_date, end_date } of maps) await boundary(database.db, id, [start_date, end_date], [0, 0, 1, 1]);
  await insert(database.db, 'offices', [
    { id, district_id: id, name: 'Office', level: 'Federal', branch: 'Legislative' },
  ]);
  await insert(database.db, 'elections', [
    { id, date: electionDate, type: 'General', district_id: id, candidate_lists_complete: true },
  ]);
  const row = { id, election_id: id, office_id: id, type, year, swearing_in_date: swearingInDate };
  await insert(database.db, 'races', [{ ...row, stage_type: 'General', number_of_seats: 1 }]);
  const context = contextOf(database.db);
  const { boundary_id, reason, reference_day } = await boundaryOfRace.load(context, { id } as RaceRow);
  const known = await boundariesOfDistrict.load(context, { id } as DistrictRow);
  return { start: known.find((each) => each.id === boundary_id)?.start_date, reason, reference_day };
}

const regular: RaceSchedule = { type: 'Regular', year: 2022, electionDate: '2022-11-08', swearingInDate: '2023-01-03' };
const special: RaceSchedule = { ...regular, type: 'Special' };

describe('the reference day', () => {
  it.each([
    ['the election date of a special race', special, '2022-11-08'],
    ['the election date of a special race, whatever its year', { ...special, year: 2021 }, '2022-11-08'],
    ['the swearing-in date of a regular race', regular, '2023-01-03'],
    ['the swearing-in date of a recall', { ...regular, type: 'Recall' }, '2023-01-03'],
    ['the swearing-in date of a retention race', { ...regular, type: 'Retention' }, '2023-01-03'],
    ['31 January after the race year', { ...regular, swearingInDate: null }, '2023-01-31'],
    [
      '31 January after the race year, not after the election year',
      { ...regular, swearingInDate: null, year: 2021 },
      '2022-01-31',
    ],
    ['a day of four digits', { ...regular, swearingInDate: null, year: 33 }, '0034-01-31'],
    ['never beyond the year 9999', { ...regular, swearingInDate: null, year: 2_000_000_000 }, '9999-01-31'],
  ] as const)('is %s', async (_, race, expected) => {
    expect((await boundaryFor(race, [])).reference_day).toBe(expected);
  });
});

describe('the boundary of a race', () => {
  const on = (electionDate: string): RaceSchedule => ({ ...special, electionDate });
  const swornIn = (swearingInDate: string | null): RaceSchedule => ({ ...regular, swearingInDate });

  it.each([
    // Rule 4: for a special race, the election date decides.
    [on('2023-01-02'), [OLD, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-03'), [OLD, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2023-01-04'), [OLD, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2023-01-01'), [OLD_APART, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-02'), [OLD_APART, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-03'), [OLD_APART, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2026-11-03'), [OLD, NEW_CLOSED, NEXT], 'new', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    // Rule 5: for any other race, the swearing-in date decides.
    [swornIn('2023-01-02'), [OLD, NEW], 'old', 'SWORN_IN_ON_OLDEST_MAP'],
    [swornIn('2023-01-03'), [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2023-01-04'), [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2023-01-02'), [OLD_APART, NEW], 'old', 'SWORN_IN_ON_OLDEST_MAP'],
    [swornIn('2023-01-03'), [OLD_APART, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2027-01-02'), [OLD, NEW_CLOSED, NEXT], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [{ ...swornIn('2023-01-04'), type: 'Recall' }, [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    // A gap between two maps: the older has ended, so the newer is used.
    [on('2022-12-31'), [OLD_BEFORE_GAP, AFTER_GAP], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-01'), [OLD_BEFORE_GAP, AFTER_GAP], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2023-01-31'), [OLD_BEFORE_GAP, AFTER_GAP], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [
      on('2023-01-15'),
      [OLD_BEFORE_GAP, { ...AFTER_GAP, end_date: '2027-01-03' }, NEXT],
      'new',
      'SPECIAL_BEFORE_END_OF_OLDER_MAP',
    ],
    [swornIn('2022-12-31'), [OLD_BEFORE_GAP, AFTER_GAP], 'old', 'SWORN_IN_ON_OLDEST_MAP'],
    [swornIn('2023-01-03'), [OLD_BEFORE_GAP, AFTER_GAP], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [
      swornIn('2023-01-03'),
      [OLD_BEFORE_GAP, { ...AFTER_GAP, end_date: '2027-01-03' }, NEXT],
      'new',
      'SWORN_IN_AFTER_END_OF_OLDER_MAP',
    ],
    [swornIn(null), [OLD_BEFORE_GAP, AFTER_GAP], 'new', 'SWEARING_IN_DATE_NOT_KNOWN'],
    // The swearing-in date is not known.
    [swornIn(null), [OLD, NEW], 'new', 'SWEARING_IN_DATE_NOT_KNOWN'],
    [{ ...swornIn(null), year: 2021 }, [OLD, NEW], 'old', 'SWEARING_IN_DATE_NOT_KNOWN'],
    [{ ...on('2022-11-08'), swearingInDate: null }, [OLD, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    // One map, or none on that day.
    [swornIn(null), [OLD], undefined, 'NO_MAP_IN_EFFECT'],
    [swornIn('2023-01-03'), [OLD], 'old', 'ONLY_ONE_MAP'],
    [swornIn('2023-01-04'), [OLD], undefined, 'NO_MAP_IN_EFFECT'],
    [on('2013-01-02'), [OLD, NEW], undefined, 'NO_MAP_IN_EFFECT'],
    [on('2013-01-03'), [OLD, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [regular, [], undefined, 'NO_MAP_IN_EFFECT'],
  ] as const)('%o', async (race, maps, expected, reason) => {
    for (const inAnyOrder of [maps, [...maps].reverse()]) {
      const start = maps.find(({ name }) => name === expected)?.start_date;
      expect(await boundaryFor(race, inAnyOrder)).toMatchObject({ start, reason });
    }
  });
});
