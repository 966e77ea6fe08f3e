import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DistrictType } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

type Box = [west: number, south: number, east: number, north: number];
type Boundary = readonly [district: number, from: string, to: string | null, box: Box];
type Change = readonly [day: string, kind: string, left: number[], entered: number[]];

/** The point of all cases, and boxes that contain it, end at it or lie elsewhere. */
const POINT = { latitude: 42, longitude: -98 };
const AROUND: Box = [-99, 41, -97, 43];
const WEST: Box = [-99, 41, -98, 43];
const EAST: Box = [-98, 41, -97, 43];
const ELSEWHERE: Box = [-96, 41, -95, 43];
const [A, B, C, D] = [200, 201, 202, 203];
const [OLD, NEW, NEWER] = ['2013-01-03', '2019-01-03', '2023-01-03'];

interface Case {
  readonly maps: readonly Boundary[];
  readonly type: DistrictType;
  readonly range?: string;
  readonly changes: readonly Change[];
  readonly isCovered?: boolean;
  readonly days?: readonly [first: number[], last: number[]];
}

const FROM_OLD = `from: "${OLD}"`;

const CASES: Readonly<Record<string, Case>> = {
  'a move within one layer of districts that do not overlap': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, NEW, null, AROUND],
    ],
    changes: [[NEW, 'MOVED', [A], [B]]],
    isCovered: true,
    days: [[A], [B]],
  },
  'three maps, two moves, back to the first district': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, NEW, NEWER, AROUND],
      [A, NEWER, null, AROUND],
    ],
    changes: [
      [NEW, 'MOVED', [A], [B]],
      [NEWER, 'MOVED', [B], [A]],
    ],
    isCovered: true,
    days: [[A], [A]],
  },
  'a new district that overlaps those of the point is no move from them': {
    type: 'Special District',
    maps: [
      [A, OLD, null, AROUND],
      [B, NEW, NEWER, AROUND],
    ],
    changes: [
      [NEW, 'ENTERED', [], [B]],
      ['2023-01-04', 'LEFT', [B], []],
    ],
    isCovered: true,
    days: [[A], [A]],
  },
  'a move in one of two overlapping districts names only those that changed': {
    type: 'School District',
    maps: [
      [A, OLD, null, AROUND],
      [B, OLD, NEW, AROUND],
      [C, NEW, null, AROUND],
    ],
    changes: [[NEW, 'MOVED', [B], [C]]],
    isCovered: true,
    days: [
      [A, B],
      [A, C],
    ],
  },
  'several districts are in the order of their names, not of their boundaries': {
    type: 'School District',
    maps: [
      [B, OLD, null, AROUND],
      [A, NEW, null, AROUND],
    ],
    changes: [[NEW, 'ENTERED', [], [A]]],
    isCovered: true,
    days: [[B], [A, B]],
  },
  'one of two overlapping districts has a new boundary': {
    type: 'School District',
    maps: [
      [A, OLD, null, AROUND],
      [B, OLD, NEW, AROUND],
      [B, NEW, null, [-99, 41, -96, 43]],
    ],
    changes: [[NEW, 'STAYED', [], []]],
    isCovered: true,
    days: [
      [A, B],
      [A, B],
    ],
  },
  'a point on an old edge, inside one of both districts afterwards': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, WEST],
      [B, OLD, NEW, EAST],
      [A, NEW, null, AROUND],
      [B, NEW, null, ELSEWHERE],
    ],
    changes: [[NEW, 'LEFT', [B], []]],
    isCovered: true,
  },
  'a point on a new edge': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, OLD, NEW, ELSEWHERE],
      [A, NEW, null, WEST],
      [B, NEW, null, EAST],
    ],
    changes: [[NEW, 'ENTERED', [], [B]]],
    isCovered: true,
  },
  'a point on both edges, of four districts': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, WEST],
      [B, OLD, NEW, EAST],
      [C, NEW, null, WEST],
      [D, NEW, null, EAST],
    ],
    changes: [[NEW, 'MOVED', [A, B], [C, D]]],
    isCovered: true,
  },
  'a gap of days between two maps': {
    type: 'Congress',
    maps: [
      [A, OLD, '2018-12-31', AROUND],
      [B, NEW, null, AROUND],
    ],
    changes: [
      ['2019-01-01', 'NO_DATA', [A], []],
      [NEW, 'NO_DATA', [], [B]],
    ],
    isCovered: false,
    days: [[A], [B]],
  },
  'a map that ends on the day before the next one begins': {
    type: 'Congress',
    maps: [
      [A, OLD, '2019-01-02', AROUND],
      [B, NEW, null, AROUND],
    ],
    changes: [[NEW, 'MOVED', [A], [B]]],
    isCovered: true,
  },
  'a map of Congress without the district of the point: not known, because each point is in one': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, NEW, null, ELSEWHERE],
      [A, NEWER, null, AROUND],
    ],
    changes: [
      ['2019-01-04', 'NO_DATA', [A], []],
      [NEWER, 'NO_DATA', [], [A]],
    ],
    isCovered: false,
  },
  'a city that annexed the point and lost it': {
    type: 'City-town',
    maps: [
      [B, OLD, null, ELSEWHERE],
      [A, OLD, NEW, ELSEWHERE],
      [A, NEW, NEWER, AROUND],
      [A, NEWER, null, ELSEWHERE],
    ],
    changes: [
      [NEW, 'ENTERED', [], [A]],
      [NEWER, 'LEFT', [A], []],
    ],
    isCovered: false,
    days: [[], []],
  },
  'a city of a state whose cities were loaded later': {
    type: 'City-town',
    maps: [[A, NEW, null, AROUND]],
    changes: [[NEW, 'NO_DATA', [], [A]]],
    isCovered: false,
    days: [[], [A]],
  },
  'a layer that begins and ends within the range': {
    type: 'Congress',
    maps: [[A, NEW, '2020-01-01', AROUND]],
    changes: [
      [NEW, 'NO_DATA', [], [A]],
      ['2020-01-02', 'NO_DATA', [A], []],
    ],
    isCovered: false,
    days: [[], []],
  },
  'a range before all maps': {
    type: 'Congress',
    maps: [[A, NEW, null, AROUND]],
    range: 'from: "1990-01-01", to: "1991-01-01"',
    changes: [],
    isCovered: false,
    days: [[], []],
  },
  'a range after the last map': {
    type: 'Congress',
    maps: [[A, OLD, NEW, AROUND]],
    range: 'from: "2024-01-01"',
    changes: [],
    isCovered: false,
    days: [[], []],
  },
  'a range of one day, the first of a map': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, NEW, null, AROUND],
    ],
    range: `from: "${NEW}", to: "${NEW}"`,
    changes: [],
    isCovered: true,
    days: [[B], [B]],
  },
  'a range up to the first day of a map': {
    type: 'Congress',
    maps: [
      [A, OLD, NEW, AROUND],
      [B, NEW, null, AROUND],
    ],
    range: `${FROM_OLD}, to: "${NEW}"`,
    changes: [[NEW, 'MOVED', [A], [B]]],
    isCovered: true,
    days: [[A], [B]],
  },
  'no first day: the time before all maps is not known': {
    type: 'Congress',
    maps: [[A, OLD, null, AROUND]],
    range: '',
    changes: [[OLD, 'NO_DATA', [], [A]]],
    isCovered: false,
    days: [[], [A]],
  },
};

const idsOf = (districts: { district: { databaseId: number } }[]) =>
  districts.map(({ district }) => district.databaseId);

describe('the kind of a change', () => {
  beforeEach(() => sql`truncate districts restart identity cascade`.execute(database.db));

  it.each(Object.entries(CASES))('%s', async (_, { maps, type, range = FROM_OLD, changes, isCovered, days }) => {
    const ids = [...new Set(maps.map(([id]) => id))];
    await insert(
      database.db,
      'districts',
      ids.map((id) => ({ id, type, name: `District ${id}`, state: 'AA' })),
    );
    for (const [id, from, to, box] of maps) await boundary(database.db, id, [from, to], box);
    const one = '{ district { databaseId } }';
    const { data, errors } = await request(
      database.db,
      `query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) {
        changes${range && `(${range})`} { isCovered onFirstDay ${one} onLastDay ${one}
          changes { day kind left ${one} entered ${one} before ${one} after ${one} } } } }`,
      { variables: POINT },
    );
    expect(errors).toBeUndefined();
    const [layer, ...others] = (data as { location: { changes: never[] } }).location.changes as {
      isCovered: boolean;
      onFirstDay: never[];
      onLastDay: never[];
      changes: { day: string; kind: string; left: never[]; entered: never[]; before: never[]; after: never[] }[];
    }[];
    expect(others).toEqual([]);
    expect(layer?.changes.map(({ day, kind, left, entered }) => [day, kind, idsOf(left), idsOf(entered)])).toEqual(
      changes,
    );
    expect(layer?.isCovered).toBe(isCovered);
    if (days) expect([layer?.onFirstDay, layer?.onLastDay].map((rows) => idsOf(rows ?? []))).toEqual(days);
    for (const { before, after, left, entered } of layer?.changes ?? []) {
      expect(idsOf(before).filter((id) => !idsOf(after).includes(id))).toEqual(idsOf(left));
      expect(idsOf(after).filter((id) => !idsOf(before).includes(id))).toEqual(idsOf(entered));
    }
  });
});

it('the first race is one of the districts that the point entered, not an earlier one of those that it stayed in', async () => {
  const { db } = database;
  await sql`truncate districts restart identity cascade`.execute(db);
  const name = (id: number) => `District ${id}`;
  const type = 'School District' as const;
  await insert(
    db,
    'districts',
    [A, B, C].map((id) => ({ id, type, name: name(id), state: 'AA' })),
  );
  await boundary(db, A, [OLD, null], AROUND);
  await boundary(db, B, [OLD, NEW], AROUND);
  await boundary(db, C, [NEW, null], AROUND);
  const office = { name: 'Board', level: 'Local', branch: 'Legislative' } as const;
  await insert(
    db,
    'offices',
    [A, C].map((id) => ({ ...office, id, district_id: id })),
  );
  for (const [index, [id, year]] of (
    [
      [A, 2014],
      [C, 2018],
    ] as const
  ).entries()) {
    const election = { id: index + 1, date: `${year}-11-06`, type: 'General', district_id: id } as const;
    await insert(db, 'elections', [{ ...election, candidate_lists_complete: true }]);
    await insert(db, 'races', [
      { id: index + 1, election_id: index + 1, office_id: id, year, type: 'Regular', stage_type: 'General' },
    ]);
  }
  const { data, errors } = await request(
    db,
    `query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) {
      changes(${FROM_OLD}) { changes { day firstRace { databaseId election { date } } } } } }`,
    { variables: POINT },
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    location: {
      changes: [{ changes: [{ day: NEW, firstRace: { databaseId: 2, election: { date: '2018-11-06' } } }] }],
    },
  });
});
