import { beforeAll, describe, expect, it } from 'vitest';
import { addYears, type Day, today } from '../../src/base/dates.ts';
import { createExecute, type Execute } from '../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../src/graph/schema.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { contextOf, prepare, request } from '../support/graph.ts';
import { boundary, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();

const [withPlanner, withoutPlanner] = [createExecute(schema, createPlanner(schema)), createExecute(schema)];

/** Away from the country of `world.ts`: a district that votes on each of the days around which years begin and end. */
const DAILY = { latitude: 5, longitude: 5 };

/** Alpha's neighbour votes in a race of the county, in an election that covers no other point of it. */
const SHARED = 590;

beforeAll(async () => {
  await createElectionWorld(database.db);
  await insert(database.db, 'districts', [{ id: 90, type: 'Special District', name: 'Votes daily' }]);
  await boundary(database.db, 90, ['2000-01-01', null], [1, 1, 10, 10]);
  const days = [2022, 2023, 2024, 2025, 2026].flatMap((year) =>
    Array.from({ length: 8 }, (_, index) => new Date(Date.UTC(year, 1, 25 + index)).toISOString().slice(0, 10)),
  );
  await insert(
    database.db,
    'elections',
    days.map((date) => ({ date, type: 'General', district_id: 90, candidate_lists_complete: true })),
  );
  await insert(database.db, 'elections', [
    { id: SHARED, date: '2025-05-06', type: 'General', district_id: WORLD.beta, candidate_lists_complete: true },
  ]);
  const row = {
    election_id: SHARED,
    office_id: WORLD.firstSeat,
    year: 2025,
    stage_type: 'General',
    number_of_seats: 1,
  };
  await insert(database.db, 'races', [{ ...row, id: 690, type: 'Special' }]);
});

async function electionsAt(
  point: { latitude: number; longitude: number },
  { from, to, today: on }: { from?: Day; to?: Day; today?: Day } = {},
): Promise<{ id: number; date: Day }[]> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $from: Date, $to: Date) {
    location(latitude: $latitude, longitude: $longitude) { elections(from: $from, to: $to) { id: databaseId date } }
  }`;
  const options = { variables: { ...point, from, to }, ...(on ? { today: on } : {}) };
  const { data, errors } = await request(database.db, query, options);
  expect(errors).toBeUndefined();
  return (data as { location: { elections: { id: number; date: Day }[] } }).location.elections;
}

const idsAt = async (...requested: Parameters<typeof electionsAt>) =>
  (await electionsAt(...requested)).map(({ id }) => id);

describe('the elections of a point', () => {
  const EVER = { from: '2000-01-01', to: '2030-01-01' };

  it('are those of the districts that contain it, by date, then by id', async () => {
    const alpha = [VOTE.alpha2022, VOTE.alphaPrimary2024, VOTE.alpha2024, VOTE.alpha2026];
    expect(await idsAt(POINTS.southWest, EVER)).toEqual([500, 501, 502, 503, SHARED, 505]);
    // Outside the county, and in the other Congress district.
    expect(await idsAt(POINTS.southEast, EVER)).toEqual(alpha);
    expect(await idsAt(POINTS.sea, EVER)).toEqual([]);
  });

  it('include those with only a race or a measure there, with or without candidates', async () => {
    // Beta holds the election, and the race is in the west of Alpha.
    expect(await idsAt(POINTS.northWest, { from: '2025-05-06', to: '2025-05-06' })).toEqual([SHARED]);
    // Beta holds the election, and the question is that of the county.
    await insert(database.db, 'elections', [
      { id: 592, date: '2025-06-03', type: 'Special', district_id: WORLD.beta, candidate_lists_complete: true },
    ]);
    await insert(database.db, 'ballot_measures', [{ election_id: 592, district_id: WORLD.county, name: 'Bridge' }]);
    expect(await idsAt(POINTS.southWest, { from: '2025-06-03', to: '2025-06-03' })).toEqual([592]);
    expect(await idsAt(POINTS.northWest, { from: '2025-06-03', to: '2025-06-03' })).toEqual([]);
    // The president is on Alpha's ballot, but the office is that of the whole country.
    expect(await idsAt(POINTS.beta, { from: VOTE.date2024, to: VOTE.date2024 })).toEqual([503, 504]);
  });

  it('use the map of the race, not that of today', async () => {
    const requested = { from: '2020-01-01', to: '2020-12-31' };
    await insert(database.db, 'elections', [
      { id: 591, date: '2020-11-03', type: 'Special', district_id: WORLD.alphaFirst, candidate_lists_complete: true },
    ]);
    // On that day, the first district was in the south.
    expect(await idsAt(POINTS.southEast, requested)).toEqual([591]);
    expect(await idsAt(POINTS.northWest, requested)).toEqual([]);
  });

  it('include the first and the last day', async () => {
    expect(await idsAt(POINTS.southWest, { from: VOTE.date2022, to: VOTE.primary2024 })).toEqual([500, 501, 502]);
    expect(await idsAt(POINTS.southWest, { from: '2022-11-09', to: '2024-03-04' })).toEqual([]);
  });

  it('reject a first day after the last', async () => {
    const query =
      '{ location(latitude: 42, longitude: -98) { elections(from: "2024-01-02", to: "2024-01-01") { id: databaseId } } }';
    expect((await request(database.db, query)).errors?.[0]?.message).toBe(
      'from must not be after to: 2024-01-02 is after 2024-01-01.',
    );
  });

  it('extend the default range to a year after a later first day, and before an earlier last day', async () => {
    // Today is 2026-07-01.
    expect(await idsAt(POINTS.southWest, { from: '2027-07-02' })).toEqual([]);
    expect(await idsAt(POINTS.southWest, { to: VOTE.date2022 })).toEqual([500, 501]);
    expect(await idsAt(POINTS.southWest, { to: '2023-11-08' })).toEqual([500, 501]);
    expect(await idsAt(POINTS.southWest, { to: '2023-11-09' })).toEqual([]);
  });

  it('are the same for many points as for each alone', async () => {
    const query = `query ($points: [PointInput!]!) {
      locations(points: $points) { elections(from: "2000-01-01", to: "2030-01-01") { id: databaseId } }
    }`;
    const points = [POINTS.southWest, POINTS.sea, POINTS.southEast];
    const { data } = await request(database.db, query, { variables: { points } });
    const { locations } = data as { locations: { elections: { id: number }[] }[] };
    expect(locations.map(({ elections }) => elections.map(({ id }) => id))).toEqual(
      await Promise.all(points.map((point) => idsAt(point, EVER))),
    );
  });
});

describe('the window of the elections of a point', () => {
  it.each([
    ['2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-02-28', '2023-02-28', '2025-02-28'],
    ['2024-03-01', '2023-03-01', '2025-03-01'],
    ['2023-02-28', '2022-02-28', '2024-02-28'],
    ['2023-03-01', '2022-03-01', '2024-03-01'],
    ['2025-02-28', '2024-02-28', '2026-02-28'],
    ['2025-03-01', '2024-03-01', '2026-03-01'],
  ])('on %s is from %s to %s', async (on, first, last) => {
    const dates = (await electionsAt(DAILY, { today: on })).map(({ date }) => date);
    expect([dates.at(0), dates.at(-1)]).toEqual([first, last]);
    expect(dates).toEqual([...dates].sort());
    const all = (await electionsAt(DAILY, { from: '2022-01-01', to: '2027-01-01' })).map(({ date }) => date);
    expect(dates).toEqual(all.filter((date) => first <= date && date <= last));
  });

  it.each([
    // At one instant it is the leap day in one zone, and a day before or after it in another.
    ['2024-02-29T00:30:00Z', 'UTC', '2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-02-29T00:30:00Z', 'America/Los_Angeles', '2024-02-28', '2023-02-28', '2025-02-28'],
    ['2024-02-28T11:00:00Z', 'Pacific/Auckland', '2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-02-29T10:59:59Z', 'Pacific/Auckland', '2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-02-29T11:00:00Z', 'Pacific/Auckland', '2024-03-01', '2023-03-01', '2025-03-01'],
    ['2024-03-01T07:59:59Z', 'America/Los_Angeles', '2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-03-01T08:00:00Z', 'America/Los_Angeles', '2024-03-01', '2023-03-01', '2025-03-01'],
    ['2024-02-29T23:59:59Z', 'UTC', '2024-02-29', '2023-02-28', '2025-02-28'],
    ['2024-03-01T00:00:00Z', 'UTC', '2024-03-01', '2023-03-01', '2025-03-01'],
  ])('at %s in %s is that of %s', async (instant, zone, day, first, last) => {
    const on = today(zone, new Date(instant));
    expect(on).toBe(day);
    const dates = (await electionsAt(DAILY, { today: on })).map(({ date }) => date);
    expect([dates.at(0), dates.at(-1)]).toEqual([first, last]);
  });
});

describe('the next elections of a point', () => {
  const next = async (point: { latitude: number; longitude: number }, on: Day, first?: number) => {
    const query = `query ($latitude: Latitude!, $longitude: Longitude!, $first: Int) {
      location(latitude: $latitude, longitude: $longitude) {
        nextElections(first: $first) { elections { date } notKnown } } }`;
    const variables = { ...point, ...(first !== undefined && { first }) };
    const read = (execute: Execute) =>
      execute({
        prepared: prepare(query),
        variableValues: variables,
        contextValue: contextOf(database.db, { today: on }),
      });
    const [planned, resolved] = await Promise.all([read(withPlanner), read(withoutPlanner)]);
    const { data, errors } = JSON.parse(JSON.stringify(planned));
    expect(errors).toBeUndefined();
    expect(JSON.parse(JSON.stringify(resolved)).data).toEqual(data);
    const { elections, notKnown } = data.location.nextElections;
    return { dates: elections.map(({ date }: { date: Day }) => date), notKnown };
  };

  it.each([
    ['2025-02-26', undefined, ['2025-02-26', '2025-02-27', '2025-02-28']],
    ['2025-03-05', 2, ['2026-02-25', '2026-02-26']],
    ['2026-03-04', 1, ['2026-03-04']],
    ['2026-03-05', 1, []],
    ['2025-02-26', 0, []],
  ])('on %s, at most %s, are those of today and later, however far ahead', async (on, first, dates) => {
    expect((await next(DAILY, on, first)).dates).toEqual(dates);
  });

  it('are held: one that is postponed or cancelled is none, and its place is taken by the one after it', async () => {
    const election = { type: 'General', district_id: WORLD.beta, candidate_lists_complete: false };
    await insert(database.db, 'elections', [
      { ...election, id: 595, date: '2029-05-01', status: 'Cancelled' },
      { ...election, id: 596, date: '2029-05-02', status: 'Postponed' },
      { ...election, id: 597, date: '2029-05-03', status: 'Scheduled' },
    ]);
    expect((await next(POINTS.beta, '2029-01-01', 1)).dates).toEqual(['2029-05-03']);
  });

  it('say which types of elections of the state are loaded, as another type may come sooner', async () => {
    const { notKnown } = await next(POINTS.northWest, '2026-07-01');
    expect(notKnown).toEqual([
      'Of AA, only elections of these types are loaded: General, Primary, Special. Others are not known.',
    ]);
    expect((await next(POINTS.sea, '2026-07-01')).notKnown).toEqual([]);
  });

  it('are not for a package without election dates', async () => {
    const query = '{ location(latitude: 42, longitude: -98) { nextElections { notKnown } } }';
    expect((await request(database.db, query, { grants: ['districts'] })).data).toEqual({
      location: { nextElections: null },
    });
  });
});

describe('addYears', () => {
  it.each([
    ['2024-02-29', 1, '2025-02-28'],
    ['2024-02-29', -1, '2023-02-28'],
    ['2024-02-29', 4, '2028-02-29'],
    ['2096-02-29', 4, '2100-02-28'],
    ['1996-02-29', 4, '2000-02-29'],
    ['2023-02-28', 1, '2024-02-28'],
    ['2024-12-31', 1, '2025-12-31'],
    ['0999-01-01', 1, '1000-01-01'],
  ])('%s and %i', (day, years, expected) => {
    expect(addYears(day, years)).toBe(expected);
  });
});
