import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { boundary, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

/** Far from the country of `world.ts`: the old maps lie west, the new ones east. */
const WEST = { latitude: 5, longitude: 15 };
const EAST = { latitude: 5, longitude: 25 };

let lastId = 10_000;

/**
 * Inserts a district whose map moves east: the day is the last of the old map and, unless `apart`, the first of the new
 * one.
 */
async function redrawnDistrict(lastDay: string, newFrom = lastDay): Promise<number> {
  const id = ++lastId;
  await insert(database.db, 'districts', [{ id, type: 'Special District', name: `District ${id}` }]);
  await boundary(database.db, id, ['2013-01-03', lastDay], [10, 0, 20, 10]);
  await boundary(database.db, id, [newFrom, null], [20, 0, 30, 10]);
  await insert(database.db, 'offices', [{ id, district_id: id, name: 'Board', level: 'Local', branch: 'Executive' }]);
  await insert(database.db, 'persons', [{ id, name: 'Test Person' }]);
  return id;
}

interface RaceDates {
  readonly type: string;
  readonly date: string;
  readonly swearingIn?: string;
  readonly year?: number;
}

async function insertRace(district: number, { type, date, swearingIn, year = 2022 }: RaceDates): Promise<number> {
  const id = ++lastId;
  await insert(database.db, 'elections', [
    { id, date, type: 'General', district_id: district, description: `Election ${id}`, candidate_lists_complete: true },
  ]);
  const row = { id, election_id: id, office_id: district, type, year, swearing_in_date: swearingIn };
  await insert(database.db, 'races', [{ ...row, stage_type: 'General', number_of_seats: 1 }]);
  await insert(database.db, 'candidates', [{ id, race_id: id, person_id: district }]);
  return id;
}

/**
 * Returns which of the two points vote in a race according to their ballots, and the first day of the map of the race.
 */
async function votersOf(
  race: number,
  date: string,
): Promise<{ west: boolean; east: boolean; from: string | undefined }> {
  const query = `query ($points: [PointInput!]!, $date: Date!, $race: Int!) {
    locations(points: $points) { ballot(electionDate: $date) { districts { races { id: databaseId } } } }
    race(databaseId: $race) { boundary { boundary { startDate } } }
  }`;
  const { data, errors } = await request(database.db, query, { variables: { points: [WEST, EAST], date, race } });
  expect(errors).toBeUndefined();
  const { locations, race: found } = data as {
    locations: { ballot: { districts: { races: { id: number }[] }[] } }[];
    race: { boundary: { boundary: { startDate: string } | null } };
  };
  const [west = false, east = false] = locations.map(({ ballot }) =>
    ballot.districts.some(({ races }) => races.some(({ id }) => id === race)),
  );
  return { west, east, from: found.boundary.boundary?.startDate };
}

async function districtsAt(point: typeof WEST, { on, today }: { on?: string; today?: string }): Promise<number[]> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $on: Date) {
    location(latitude: $latitude, longitude: $longitude) { districts(on: $on) { id: databaseId } }
  }`;
  const { data } = await request(database.db, query, { variables: { ...point, on }, ...(today ? { today } : {}) });
  return (data as { location: { districts: { id: number }[] } }).location.districts.map(({ id }) => id);
}

const OLD = { west: true, east: false, from: '2013-01-03' };
const newFrom = (from: string) => ({ west: false, east: true, from });

describe('rules 1 and 2: a boundary is in effect from its start to its end, on a requested day or today', () => {
  it.each([
    ['2013-01-02', false, false],
    ['2013-01-03', true, false],
    ['2013-01-04', true, false],
    ['2022-12-30', true, false],
    ['2022-12-31', true, false],
    // No map is in effect between the two.
    ['2023-01-01', false, false],
    ['2023-01-02', false, true],
    ['2023-01-03', false, true],
    ['9999-12-31', false, true],
  ])('%s', async (day, west, east) => {
    const district = await redrawnDistrict('2022-12-31', '2023-01-02');
    for (const requested of [{ on: day }, { today: day }, { on: day, today: '2000-01-01' }]) {
      const found = [await districtsAt(WEST, requested), await districtsAt(EAST, requested)];
      expect(found.map((ids) => ids.includes(district))).toEqual([west, east]);
    }
  });
});

describe('rule 3: without a swearing-in date, 31 January after the race year decides', () => {
  it.each([
    ['2023-01-30', newFrom('2023-01-30')],
    ['2023-01-31', newFrom('2023-01-31')],
    ['2023-02-01', OLD],
  ])('redrawn on %s', async (lastDay, expected) => {
    const race = await insertRace(await redrawnDistrict(lastDay), { type: 'Regular', date: '2022-11-08' });
    expect(await votersOf(race, '2022-11-08')).toEqual(expected);
  });

  it('is computed from the race year, not from the election date', async () => {
    const district = await redrawnDistrict('2022-06-01');
    const late = await insertRace(district, { type: 'Regular', date: '2022-03-01', year: 2021 });
    expect(await votersOf(late, '2022-03-01')).toEqual(OLD);
    const onTime = await insertRace(district, { type: 'Regular', date: '2022-03-01', year: 2022 });
    expect(await votersOf(onTime, '2022-03-01')).toEqual(newFrom('2022-06-01'));
  });
});

describe('rule 3: the term that a candidate begins in the office after the election states the swearing-in date', () => {
  type Row = { readonly [column: string]: unknown };
  const term = { start_date: '2023-01-03', end_date: '2025-01-03' };
  const assumed = {
    swearingInDate: null,
    boundary: { referenceDay: '2023-01-31', reason: 'SWEARING_IN_DATE_NOT_KNOWN' },
  };
  const stated = {
    swearingInDate: '2023-01-03',
    boundary: { referenceDay: '2023-01-03', reason: 'SWORN_IN_ON_OLDEST_MAP' },
  };

  /** A race of 2022 in a district that is redrawn on 2023-01-20, and a term in its office; `later` is a second stage. */
  async function raceWithTerm(held: Row, race: Row, later?: Row): Promise<number> {
    const { db } = database;
    const district = await redrawnDistrict('2023-01-20');
    await insert(db, 'persons', [{ id: ++lastId, name: 'Another Person' }]);
    const other = lastId;
    const isOther = held.person_id === 'another';
    await insert(db, 'officeholders', [
      { id: district, office_id: district, status: 'Current', ...term, ...held, person_id: isOther ? other : district },
    ]);
    const id = await insertRace(district, { type: 'Regular', date: '2022-11-08' });
    await db
      .updateTable('races')
      .set({ year: 2022, ...race })
      .where('id', '=', id)
      .execute();
    if (later) {
      const runoff = await insertRace(district, { type: 'Regular', date: '2022-12-06' });
      await db
        .updateTable('races')
        .set({ year: 2022, ...later })
        .where('id', '=', runoff)
        .execute();
      await db.updateTable('candidates').set({ person_id: other }).where('race_id', '=', id).execute();
    }
    await sql`select ballotgraph_store_first_days()`.execute(db);
    return id;
  }

  it.each<[text: string, held: Row, race: Row, later: Row | undefined, expected: object]>([
    ['the first day of the term', {}, {}, undefined, stated],
    [
      'the last day on which it may begin',
      { start_date: '2023-02-16' },
      {},
      undefined,
      {
        swearingInDate: '2023-02-16',
        boundary: { referenceDay: '2023-02-16', reason: 'SWORN_IN_AFTER_END_OF_OLDER_MAP' },
      },
    ],
    ['a term without an end', { end_date: null }, {}, undefined, stated],
    ['of a primary, by the term of a candidate of the general election', {}, { stage_type: 'Primary' }, {}, stated],
    [
      'of a general election, by the term of a candidate of the runoff',
      {},
      {},
      { stage_type: 'General Runoff' },
      stated,
    ],
    [
      'what the source states, if it does',
      {},
      { swearing_in_date: '2023-01-04' },
      undefined,
      {
        swearingInDate: '2023-01-04',
        boundary: { referenceDay: '2023-01-04', reason: 'SWORN_IN_ON_OLDEST_MAP' },
      },
    ],
    ['not a term that begins later', { start_date: '2023-02-17' }, {}, undefined, assumed],
    ['not a term that began before', { start_date: '2022-11-08' }, {}, undefined, assumed],
    ['not a term without a first day', { start_date: null }, {}, undefined, assumed],
    ['not the rest of the term before', { start_date: '2022-11-20', end_date: '2023-01-03' }, {}, undefined, assumed],
    ['not the term of somebody who was no candidate', { person_id: 'another' }, {}, undefined, assumed],
    ['not a race for another position', {}, { office_position: 'A' }, { office_position: 'B' }, assumed],
    ['not a primary alone', {}, { stage_type: 'Primary' }, undefined, assumed],
    [
      'not a special race',
      {},
      { type: 'Special' },
      undefined,
      {
        swearingInDate: null,
        boundary: { referenceDay: '2022-11-08', reason: 'SPECIAL_BEFORE_END_OF_OLDER_MAP' },
      },
    ],
  ])('%s', async (_, held, race, later, expected) => {
    const id = await raceWithTerm(held, race, later);
    const found = await request(
      database.db,
      `{ race(databaseId: ${id}) { swearingInDate boundary { referenceDay reason } } }`,
    );
    expect(found.data).toEqual({ race: expected });
    const { west } = await votersOf(id, '2022-11-08');
    expect(west).toBe((expected as typeof assumed).boundary.referenceDay < '2023-01-20');
  });
});

describe('rule 4: a special race before the end of the older boundary uses it', () => {
  it.each([
    ['2023-01-02', OLD],
    ['2023-01-03', newFrom('2023-01-03')],
    ['2023-01-04', newFrom('2023-01-03')],
  ])('on %s, of two maps that share 2023-01-03', async (date, expected) => {
    const district = await redrawnDistrict('2023-01-03');
    const race = await insertRace(district, { type: 'Special', date, swearingIn: '2023-06-01' });
    expect(await votersOf(race, date)).toEqual(expected);
  });

  it.each([
    ['2023-01-02', OLD],
    ['2023-01-03', OLD],
    ['2023-01-04', newFrom('2023-01-04')],
  ])('on %s, when the older map ends on 2023-01-03 and the newer begins after it', async (date, expected) => {
    const district = await redrawnDistrict('2023-01-03', '2023-01-04');
    const race = await insertRace(district, { type: 'Special', date });
    expect(await votersOf(race, date)).toEqual(expected);
  });
});

describe('rule 5: a regular race sworn in after the end of the older boundary uses the newer', () => {
  it.each(['Regular', 'Recall', 'Retention'])('%s', async (type) => {
    const district = await redrawnDistrict('2023-01-03');
    const race = (swearingIn: string) => insertRace(district, { type, date: '2022-11-08', swearingIn });
    expect(await votersOf(await race('2023-01-02'), '2022-11-08')).toEqual(OLD);
    expect(await votersOf(await race('2023-01-03'), '2022-11-08')).toEqual(newFrom('2023-01-03'));
    expect(await votersOf(await race('2023-01-04'), '2022-11-08')).toEqual(newFrom('2023-01-03'));
  });
});

describe('in a gap between two maps, the newer one is used, as the older has ended', () => {
  it.each(['Regular', 'Recall', 'Retention', 'Special'])('%s', async (type) => {
    const date = '2023-01-15';
    const district = await redrawnDistrict('2022-12-31', '2023-02-01');
    const race = await insertRace(district, { type, date, year: 2023, swearingIn: '2023-01-20' });
    expect(await votersOf(race, date)).toEqual(newFrom('2023-02-01'));
    // A district has no boundary on that day.
    expect(await districtsAt(EAST, { on: date })).not.toContain(district);
  });
});

describe('a redrawn state', () => {
  it.each([
    ['in the first district on both maps', POINTS.southWest, [VOTE.specialFirst, VOTE.regularFirst]],
    ['moved into the first district', POINTS.northWest, [VOTE.regularFirst]],
    ['moved out of the first district', POINTS.southEast, [VOTE.specialFirst, VOTE.regularSecond]],
    ['in the second district on both maps', { latitude: 48, longitude: -92 }, [VOTE.regularSecond]],
  ])('votes on one date by the old map and by the new one: %s', async (_, point, expected) => {
    const query = `query ($latitude: Latitude!, $longitude: Longitude!) {
      location(latitude: $latitude, longitude: $longitude) {
        ballot(electionDate: "${VOTE.date2022}") { districts { district { id: databaseId type } races { id: databaseId boundary { reason } } } }
      }
    }`;
    const { data } = await request(database.db, query, { variables: point });
    const { districts } = (
      data as {
        location: { ballot: { districts: { district: { id: number; type: string }; races: { id: number }[] }[] } };
      }
    ).location.ballot;
    const congress = districts.filter(({ district }) => district.type === 'CONGRESS');
    expect(congress.flatMap(({ races }) => races.map(({ id }) => id))).toEqual(expected);
    expect(congress.map(({ district }) => district.id)).toEqual(
      [WORLD.alphaFirst, WORLD.alphaSecond].filter((id) =>
        expected.some((race) => (race === VOTE.regularSecond ? WORLD.alphaSecond : WORLD.alphaFirst) === id),
      ),
    );
  });

  it('gives the reason for the map of each race', async () => {
    const query = `{
      special: race(databaseId: ${VOTE.specialFirst}) { boundary { reason referenceDay boundary { startDate endDate } } }
      regular: race(databaseId: ${VOTE.regularFirst}) { boundary { reason referenceDay boundary { startDate endDate } } }
      unknown: race(databaseId: ${VOTE.regularSecond}) { boundary { reason referenceDay } }
      only: race(databaseId: ${VOTE.governor2022}) { boundary { reason } }
    }`;
    expect((await request(database.db, query)).data).toEqual({
      special: {
        boundary: {
          reason: 'SPECIAL_BEFORE_END_OF_OLDER_MAP',
          referenceDay: '2022-11-08',
          boundary: { startDate: '2013-01-03', endDate: '2023-01-03' },
        },
      },
      regular: {
        boundary: {
          reason: 'SWORN_IN_AFTER_END_OF_OLDER_MAP',
          referenceDay: '2023-01-03',
          boundary: { startDate: '2023-01-03', endDate: null },
        },
      },
      unknown: { boundary: { reason: 'SWEARING_IN_DATE_NOT_KNOWN', referenceDay: '2023-01-31' } },
      only: { boundary: { reason: 'ONLY_ONE_MAP' } },
    });
  });
});
