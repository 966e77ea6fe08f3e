import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { insert, POINTS } from '../support/world.ts';

const database = useDatabase();
const NEWER =
  'The loaded map of Alpha (Congress) has been out of date since January 4, 2023: a newer one is in effect, and is not loaded. Which of its districts a place is in, and who represents it there, is not known from that day on.';
const INCOMPLETE = 'More races and candidates may be on the ballot: the lists of this election are not complete.';

beforeAll(async () => {
  await createElectionWorld(database.db);
  await insert(database.db, 'districts', [
    { id: 40, type: 'State Legislative (Lower)', name: 'House District 1', state: 'AA' },
    { id: 41, type: 'State Legislative (Lower)', name: 'House District 2', state: 'AA' },
    { id: 42, type: 'State Legislative (Upper)', name: 'Senate District 1', state: 'BB' },
  ]);
  const office = { name: 'Representative', level: 'State', branch: 'Legislative' } as const;
  await insert(
    database.db,
    'offices',
    [40, 41, 42].map((id) => ({ ...office, id, district_id: id })),
  );
  const race = { type: 'Regular', stage_type: 'General', number_of_seats: 1, year: 2022 } as const;
  await insert(
    database.db,
    'races',
    [40, 41, 42].map((id) => ({ ...race, id, office_id: id, election_id: VOTE.alpha2022 })),
  );
  // The race 41 has no official candidate, so that it would be on no ballot in any case.
  await insert(database.db, 'candidates', [
    { id: 40, race_id: 40, person_id: 1, cand_status: 'Won' },
    { id: 41, race_id: 41, person_id: 2, cand_status: 'Won', is_write_in: true },
    { id: 42, race_id: 42, person_id: 3, cand_status: 'Won' },
  ]);
});

interface Gap {
  readonly type: string;
  readonly state: string;
  readonly day: string;
  readonly raceCount: number;
  readonly sentence: string;
}

async function lackOf(point: object, date: string, field = `ballot(electionDate: "${date}")`) {
  const { data, errors } = await request(
    database.db,
    `query ($points: [PointInput!]!) { locations(points: $points) { ${field} { notKnown missingMaps { type state day raceCount sentence } } } }`,
    { variables: { points: [point] } },
  );
  expect(errors).toBeUndefined();
  type Lack = { readonly notKnown: readonly string[]; readonly missingMaps: readonly Gap[] };
  const [found] = (data as { locations: { ballot?: Lack; ballots?: readonly Lack[] }[] }).locations;
  const ballot = found?.ballot ?? found?.ballots?.[0];
  const sentences = ballot?.missingMaps.map(({ sentence }) => sentence) ?? [];
  return { ...ballot, missingMaps: ballot?.missingMaps ?? [], notKnown: ballot?.notKnown ?? [], sentences };
}

const houseOf2022 = {
  ...{ type: 'STATE_LEGISLATIVE_LOWER', state: 'AA', day: '2023-01-31', raceCount: 1 },
  sentence:
    'No map of AA (State Legislative (Lower)) is known for 2023-01-31, the day that decides which map its races use. Therefore 1 race of such a district is on no ballot.',
};
const citiesOf = (state: string, day: string) => ({
  ...{ type: 'CITY_TOWN', state, day, raceCount: 0 },
  sentence: `${state} (City-town) on ${day}: no data set with districts of this type was loaded. Races and measures of such districts may be missing on the ballot.`,
});

describe('a ballot without the maps of some races', () => {
  it.each([
    ['counts the races whose map is not loaded', POINTS.northWest, VOTE.date2022, [houseOf2022]],
    [
      'lists types of which no map of the day is loaded',
      POINTS.northWest,
      VOTE.date2022,
      [citiesOf('AA', VOTE.date2022)],
    ],
    [
      'lists them of both states of a shared edge',
      POINTS.sharedEdge,
      VOTE.date2024,
      ['AA', 'BB'].map((state) => citiesOf(state, VOTE.date2024)),
    ],
    ['lists them on a day without an election', POINTS.beta, '2021-11-02', [citiesOf('BB', '2021-11-02')]],
    [
      'counts races that another state holds for a district of the state',
      POINTS.beta,
      VOTE.date2022,
      [
        {
          ...houseOf2022,
          type: 'STATE_LEGISLATIVE_UPPER',
          state: 'BB',
          sentence: expect.stringContaining('BB (State Legislative (Upper))'),
        },
      ],
    ],
  ] as const)('%s', async (_, point, date, expected) => {
    const { missingMaps } = await lackOf(point, date);
    expect(missingMaps).toEqual(expect.arrayContaining([...expected]));
    const keys = missingMaps.map(({ state, type, day }) => `${state} ${type} ${day}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not list a type whose map is loaded, nor the sea', async () => {
    const { missingMaps } = await lackOf(POINTS.northWest, VOTE.date2022);
    expect(missingMaps.map(({ type }) => type)).not.toContain('CONGRESS');
    expect(missingMaps.map(({ type }) => type)).not.toContain('STATE');
    expect(await lackOf(POINTS.sea, VOTE.date2022)).toMatchObject({ missingMaps: [], notKnown: [] });
  });

  it('says what is not known in sentences: the lists that are not complete, then the maps', async () => {
    const complete = await lackOf(POINTS.northWest, VOTE.date2022);
    expect(complete.notKnown).toEqual(complete.sentences);
    const incomplete = await lackOf(POINTS.southWest, VOTE.date2022);
    expect(incomplete.notKnown).toEqual([INCOMPLETE, ...incomplete.sentences]);
    const range = `ballots(from: "${VOTE.date2022}", to: "${VOTE.date2022}")`;
    expect(await lackOf(POINTS.southWest, VOTE.date2022, range)).toEqual(incomplete);
  });

  it('says the sentence of the newer map, by the day of each race', async () => {
    await insert(database.db, 'newer_maps', [
      { id: 1, state: 'AA', type: 'Congress', start_date: '2023-01-04', citation: 'A list', url: null },
    ]);
    const { missingMaps } = await lackOf(POINTS.northWest, VOTE.date2022);
    // The special race is held, and the winner of the regular race of the first seat is sworn in, before that day.
    expect(missingMaps.filter(({ type }) => type === 'CONGRESS')).toEqual([
      {
        ...{ type: 'CONGRESS', state: 'AA', day: '2023-01-31', raceCount: 1 },
        sentence: `${NEWER} Therefore 1 race of such a district is on no ballot.`,
      },
    ]);
  });

  it('names the first day of the term after a race, if the source states no day', async () => {
    await insert(database.db, 'officeholders', [
      { office_id: 40, person_id: 1, status: 'Current', start_date: '2023-01-05', end_date: null },
    ]);
    await sql`select ballotgraph_store_first_days()`.execute(database.db);
    const { missingMaps } = await lackOf(POINTS.northWest, VOTE.date2022);
    expect(missingMaps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...houseOf2022, day: '2023-01-05', sentence: expect.stringContaining('2023-01-05') }),
      ]),
    );
  });
});
