import { describe, expect, it } from 'vitest';
import { chooseBoundary, type RaceSchedule, referenceDay } from '../../src/ballots/race-boundary.ts';

const OLD = { name: 'old', start_date: '2013-01-03', end_date: '2023-01-03' };
const NEW = { name: 'new', start_date: '2023-01-03', end_date: null };
/** The old map ends the day before the new one begins. */
const OLD_APART = { ...OLD, end_date: '2023-01-02' };
const NEW_CLOSED = { ...NEW, end_date: '2027-01-03' };
const NEXT = { name: 'next', start_date: '2027-01-03', end_date: null };

/** The maps of one district as the database gives them: each knows whether another begins on its last day. */
function asStored<Map extends { start_date: string; end_date: string | null }>(maps: readonly Map[]) {
  return maps.map((map) => ({ ...map, yields: maps.some((other) => other.start_date === map.end_date) }));
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
  ] as const)('is %s', (_, race, expected) => {
    expect(referenceDay(race)).toBe(expected);
  });
});

describe('the boundary of a race', () => {
  const on = (electionDate: string): RaceSchedule => ({ ...special, electionDate });
  const swornIn = (swearingInDate: string | null): RaceSchedule => ({ ...regular, swearingInDate });

  it.each([
    // Rule 4: a special race goes by its election date.
    [on('2023-01-02'), [OLD, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-03'), [OLD, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2023-01-04'), [OLD, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2023-01-01'), [OLD_APART, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-02'), [OLD_APART, NEW], 'old', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    [on('2023-01-03'), [OLD_APART, NEW], 'new', 'SPECIAL_ON_NEWEST_MAP'],
    [on('2026-11-03'), [OLD, NEW_CLOSED, NEXT], 'new', 'SPECIAL_BEFORE_END_OF_OLDER_MAP'],
    // Rule 5: any other goes by its swearing-in date.
    [swornIn('2023-01-02'), [OLD, NEW], 'old', 'SWORN_IN_ON_OLDEST_MAP'],
    [swornIn('2023-01-03'), [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2023-01-04'), [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2023-01-02'), [OLD_APART, NEW], 'old', 'SWORN_IN_ON_OLDEST_MAP'],
    [swornIn('2023-01-03'), [OLD_APART, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [swornIn('2027-01-02'), [OLD, NEW_CLOSED, NEXT], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
    [{ ...swornIn('2023-01-04'), type: 'Recall' }, [OLD, NEW], 'new', 'SWORN_IN_AFTER_END_OF_OLDER_MAP'],
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
  ] as const)('%o', (race, maps, expected, reason) => {
    const stored = asStored<typeof OLD | typeof NEW>([...maps]);
    for (const inAnyOrder of [stored, [...stored].reverse()]) {
      const choice = chooseBoundary(race, inAnyOrder);
      expect([choice.boundary?.name, choice.reason, choice.referenceDay]).toEqual([
        expected,
        reason,
        referenceDay(race),
      ]);
    }
  });
});
