import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { boundary, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
const SINCE = '2025-01-03';
const SENTENCE =
  'The loaded map of Alpha (Congress) has been out of date since January 3, 2025: a newer one is in effect, and is not loaded. Which of its districts a place is in, and who represents it there, is not known from that day on.';
const { latitude, longitude } = POINTS.southWest;
const POINT = `lat=${latitude}&long=${longitude}`;
const AT = `location(latitude: ${latitude}, longitude: ${longitude})`;

beforeAll(async () => {
  await createElectionWorld(database.db);
  await insert(database.db, 'newer_maps', [
    { id: 1, state: 'AA', type: 'Congress', start_date: SINCE, citation: 'A list of the 119th Congress', url: null },
  ]);
  // Measures are found by the boundary of their day, also if it is out of date; races are not.
  await insert(database.db, 'ballot_measures', [
    { id: 710, election_id: VOTE.alpha2024, district_id: WORLD.alphaFirst, name: 'Lakes' },
    { id: 711, election_id: VOTE.alpha2026, district_id: WORLD.alphaFirst, name: 'Lakes' },
  ]);
});

async function read(source: string): Promise<unknown> {
  const { data, errors } = await request(database.db, `{ ${source} }`);
  expect(errors).toBeUndefined();
  return data;
}

const newerMap = { since: SINCE, sentence: SENTENCE };
const districtOf = `districts(types: [CONGRESS], on: "${'$'}DAY") { name newerMap(on: "${'$'}DAY") { since sentence } }`;
const on = (day: string, field: string) => `${AT} { ${field.replaceAll('$DAY', day)} }`;

/** The facts that each surface has to say, before the newer map, from its first day on, and once it is loaded. */
const CASES: readonly [fact: string, source: string, expected: unknown][] = [
  [
    'a district before',
    on('2025-01-02', districtOf),
    { location: { districts: [{ name: expect.any(String), newerMap: null }] } },
  ],
  [
    'a district on the first day',
    on(SINCE, districtOf),
    { location: { districts: [{ name: expect.any(String), newerMap }] } },
  ],
  [
    'the changes of a point',
    `${AT} { changes(from: "2024-01-01", to: "2026-01-01") { type isCovered newerMap { since sentence } onLastDay { district { name } } changes { day kind } } }`,
    {
      location: {
        changes: expect.arrayContaining([
          { type: 'CONGRESS', isCovered: false, newerMap, onLastDay: [], changes: [{ day: SINCE, kind: 'NO_DATA' }] },
          expect.objectContaining({ type: 'STATE', isCovered: true, newerMap: null }),
        ]),
      },
    },
  ],
  [
    'the changes up to the day before',
    `${AT} { changes(from: "2024-01-01", to: "2025-01-02") { type isCovered newerMap { since } } }`,
    { location: { changes: expect.arrayContaining([{ type: 'CONGRESS', isCovered: true, newerMap: null }]) } },
  ],
  [
    'the comparison of the maps of a state',
    `mapChanges(state: "AA", type: CONGRESS, on: "${SINCE}") { isKnown newDistrictCount redrawnCount }`,
    { mapChanges: { isKnown: false, newDistrictCount: 0, redrawnCount: null } },
  ],
  [
    'the coverage of the state',
    `coverage(state: "AA", on: "${SINCE}") { kind covered missing }`,
    { coverage: expect.arrayContaining([{ kind: 'Congress', covered: 0, missing: SENTENCE }]) },
  ],
  [
    'the coverage before',
    'coverage(state: "AA", on: "2025-01-02") { kind covered missing }',
    {
      coverage: expect.arrayContaining([
        { kind: 'Congress', covered: 2, missing: expect.not.stringContaining('out of date') },
      ]),
    },
  ],
];

describe('a map that is out of date', () => {
  it.each(CASES)('%s', async (_, source, expected) => {
    expect(await read(source)).toEqual(expected);
  });

  it.each([
    [`/data/districts/point?${POINT}&date=2025-01-02`, 0],
    [`/data/districts/point?${POINT}&date=${SINCE}`, 1],
    [`/data/districts/point?${POINT}`, 1],
    [`/data/officeholders?${POINT}`, 1],
    [`/data/elections_by_point?${POINT}&election_date=${VOTE.date2024}`, 0],
    [`/data/elections_by_point?${POINT}&election_date=${VOTE.date2026}`, 1],
    [`/data/elections_by_state?state=AA&election_date=${VOTE.date2024}`, 0],
    [`/data/elections_by_state?state=AA&election_date=${VOTE.date2026}`, 1],
    ['/data/geocode?text=Alpha', 2],
  ])('is named as such by REST: %s', async (path, count) => {
    const { body } = await get(service, path);
    const text = JSON.stringify(body.data);
    expect(text).toContain('Congressional District');
    expect(text.split(`"newer_map":${JSON.stringify(SENTENCE)}`).length - 1).toBe(count);
    expect(text.split('newer_map').length - 1).toBe(count);
  });

  it('is used by no race whose winner is sworn in later', async () => {
    const used = async (day: string) =>
      (
        await sql<{ n: number }>`select count(*)::int as n from boundaries_for_races(${day}::date) b
        join districts d on d.id = b.district_id where d.type = 'Congress'`.execute(database.db)
      ).rows[0]?.n;
    expect([await used('2025-01-02'), await used(SINCE)]).toEqual([2, 0]);
  });

  it('is out of date no longer once the newer map is loaded, district by district', async () => {
    const load = async (district: number) => {
      await sql`update boundaries set end_date = ${SINCE} where district_id = ${district} and end_date is null`.execute(
        database.db,
      );
      await boundary(database.db, district, [SINCE, null], [-100, 40, -95, 50]);
    };
    const isLoaded = async () => (await sql`select * from loaded_newer_maps()`.execute(database.db)).rows.length === 1;
    expect(await isLoaded()).toBe(false);
    await load(WORLD.alphaFirst);
    expect(await read(on(SINCE, districtOf))).toEqual({
      location: { districts: [{ name: expect.any(String), newerMap: null }] },
    });
    expect(await isLoaded()).toBe(false);
    await load(WORLD.alphaSecond);
    expect(await isLoaded()).toBe(true);
    expect(await read(`coverage(state: "AA", on: "${SINCE}") { kind covered }`)).toEqual({
      coverage: expect.arrayContaining([{ kind: 'Congress', covered: 2 }]),
    });
  });
});
