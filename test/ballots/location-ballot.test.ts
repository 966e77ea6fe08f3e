import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { type ExecuteOptions, request } from '../support/graph.ts';
import { insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

interface BallotResult {
  date: string;
  candidateListsComplete: boolean;
  elections: { id: number | null; type: string }[];
  districts: {
    district: { id: number };
    boundary: { startDate: string } | null;
    races: { id: number }[];
    ballotMeasures: { id: number }[];
  }[];
}

async function ballotAt(
  point: { latitude: number; longitude: number },
  electionDate: string,
  options: ExecuteOptions = {},
): Promise<BallotResult> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $electionDate: Date!) {
    location(latitude: $latitude, longitude: $longitude) { ballot(electionDate: $electionDate) {
      date candidateListsComplete elections { id: databaseId type }
      districts { district { id: databaseId } boundary { startDate } races { id: databaseId } ballotMeasures { id: databaseId } }
    } }
  }`;
  const { data, errors } = await request(database.db, query, { ...options, variables: { ...point, electionDate } });
  expect(errors).toBeUndefined();
  return (data as { location: { ballot: BallotResult } }).location.ballot;
}

describe('the ballot of a point', () => {
  it('merges the elections of a day, from the country down', async () => {
    expect(await ballotAt(POINTS.southWest, VOTE.date2022)).toEqual({
      date: VOTE.date2022,
      candidateListsComplete: false,
      elections: [
        { id: VOTE.alpha2022, type: 'General' },
        { id: VOTE.county2022, type: 'Special' },
      ],
      districts: [
        {
          district: { id: WORLD.alphaFirst },
          boundary: { startDate: '2023-01-03' },
          races: [{ id: VOTE.specialFirst }, { id: VOTE.regularFirst }],
          ballotMeasures: [],
        },
        {
          district: { id: WORLD.alpha },
          boundary: { startDate: '2000-01-01' },
          races: [{ id: VOTE.governor2022 }],
          ballotMeasures: [{ id: VOTE.water }],
        },
        {
          district: { id: WORLD.county },
          boundary: { startDate: '2000-01-01' },
          races: [],
          ballotMeasures: [{ id: VOTE.roads }],
        },
      ],
    });
  });

  it('has no districts where no election takes place, or none is recorded yet', async () => {
    for (const [point, date] of [
      [POINTS.southWest, '2022-11-07'],
      [POINTS.southWest, VOTE.date2026],
      [POINTS.sea, VOTE.date2022],
      [POINTS.beta, VOTE.date2022],
    ] as const) {
      expect((await ballotAt(point, date)).districts).toEqual([]);
    }
  });

  it('is complete when all elections that apply to the point are, and not when there are none', async () => {
    const isComplete = async (...requested: Parameters<typeof ballotAt>) =>
      (await ballotAt(...requested)).candidateListsComplete;
    // Only the county has a second election, whose candidate lists are incomplete.
    expect(await isComplete(POINTS.northWest, VOTE.date2022)).toBe(true);
    expect(await isComplete(POINTS.southWest, VOTE.date2022)).toBe(false);
    expect(await isComplete(POINTS.northWest, VOTE.date2026)).toBe(false);
    expect(await isComplete(POINTS.beta, VOTE.date2022)).toBe(false);
    expect(await isComplete(POINTS.sea, VOTE.date2022)).toBe(false);
  });

  it('leaves out races without candidates', async () => {
    const { districts } = await ballotAt({ latitude: 48, longitude: -92 }, VOTE.date2022);
    expect(districts.flatMap(({ races }) => races.map(({ id }) => id))).toEqual([
      VOTE.regularSecond,
      VOTE.governor2022,
    ]);
  });

  it('uses the map of the election date for a measure', async () => {
    await insert(database.db, 'ballot_measures', [
      { id: 720, election_id: VOTE.alpha2022, district_id: WORLD.alphaFirst, name: 'In the south, on the old map' },
      { id: 721, election_id: VOTE.alpha2024, district_id: WORLD.alphaFirst, name: 'In the west, on the new map' },
      { id: 722, election_id: VOTE.alpha2024, district_id: WORLD.alphaFirst, name: 'First by name' },
    ]);
    const measuresAt = async (...requested: Parameters<typeof ballotAt>) =>
      (await ballotAt(...requested)).districts
        .filter(({ district }) => district.id === WORLD.alphaFirst)
        .flatMap(({ ballotMeasures, boundary }) => [boundary?.startDate, ...ballotMeasures.map(({ id }) => id)]);
    expect(await measuresAt(POINTS.southEast, VOTE.date2022)).toEqual(['2013-01-03', 720]);
    expect(await measuresAt(POINTS.northWest, VOTE.date2022)).toEqual(['2023-01-03']);
    expect(await measuresAt(POINTS.southEast, VOTE.date2024)).toEqual([]);
    expect(await measuresAt(POINTS.northWest, VOTE.date2024)).toEqual(['2023-01-03', 722, 721]);
  });

  it('is the same on both sides of a shared edge and for each of many points', async () => {
    const edge = await ballotAt(POINTS.sharedEdge, VOTE.date2024);
    expect(edge.districts.map(({ district }) => district.id)).toEqual([WORLD.country, WORLD.alpha, WORLD.beta]);

    const query = `query ($points: [PointInput!]!) { locations(points: $points) {
      ballot(electionDate: "${VOTE.date2022}") { districts { district { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId } } }
    } }`;
    const points = [POINTS.southWest, POINTS.sea, POINTS.northWest, POINTS.southWest];
    const { data } = await request(database.db, query, { variables: { points } });
    const { locations } = data as { locations: { ballot: Pick<BallotResult, 'districts'> }[] };
    for (const [index, point] of points.entries()) {
      const alone = (await ballotAt(point, VOTE.date2022)).districts;
      expect(locations[index]?.ballot.districts).toEqual(alone.map(({ boundary: _, ...rest }) => rest));
    }
  });

  it('requires an existing day', async () => {
    for (const day of ['2023-02-30', '', 'today']) {
      const query = `{ location(latitude: 42, longitude: -98) { ballot(electionDate: "${day}") { date } } }`;
      await expect(request(database.db, query)).rejects.toThrow('existing day');
    }
  });
});

describe('the ballots of a point', () => {
  const BALLOT = `id date candidateListsComplete raceCount measureCount elections { id: databaseId }
    districts { district { id: databaseId } boundary { startDate } races { id: databaseId } ballotMeasures { id: databaseId } }`;
  const RANGE = 'from: "2000-01-01", to: "2040-12-31"';
  type Counted = BallotResult & { id: string; raceCount: number; measureCount: number };

  async function locate<Found>(selection: string, points: readonly object[]): Promise<Found[]> {
    const query = `query ($points: [PointInput!]!) { locations(points: $points) { ${selection} } }`;
    const { data, errors } = await request(database.db, query, { variables: { points } });
    expect(errors).toBeUndefined();
    return (data as { locations: Found[] }).locations;
  }

  it('are those of the days of its elections, each as on its own', async () => {
    const points = Object.values(POINTS);
    const found = await locate<{ ballots: Counted[]; elections: { date: string }[] }>(
      `ballots(${RANGE}) { ${BALLOT} } elections(${RANGE}) { date }`,
      points,
    );
    for (const [index, { ballots, elections }] of found.entries()) {
      const days = [...new Set(elections.map(({ date }) => date))];
      expect(ballots.map(({ date }) => date)).toEqual(days);
      for (const ballot of ballots) {
        const [alone] = await locate<{ ballot: Counted }>(`ballot(electionDate: "${ballot.date}") { ${BALLOT} }`, [
          points[index] as object,
        ]);
        expect(ballot).toEqual(alone?.ballot);
        expect(ballot.raceCount).toBe(ballot.districts.flatMap(({ races }) => races).length);
        expect(ballot.measureCount).toBe(ballot.districts.flatMap(({ ballotMeasures }) => ballotMeasures).length);
      }
    }
    const all = found.flatMap(({ ballots }) => ballots);
    expect(all.some(({ raceCount }) => raceCount > 1)).toBe(true);
    expect(all.some(({ measureCount }) => measureCount > 0)).toBe(true);
    expect(all.some(({ raceCount, measureCount }) => raceCount + measureCount === 0)).toBe(true);
  });

  it('are those of one year before and after today by default', async () => {
    for (const args of ['', '(from: "2022-11-08")', '(to: "2022-11-08")', '(from: "2022-11-09", to: "2022-11-09")']) {
      const [found] = await locate<{ ballots: { date: string }[]; elections: { date: string }[] }>(
        `ballots${args} { date } elections${args} { date }`,
        [POINTS.southWest],
      );
      const unique = [...new Set(found?.elections.map(({ date }) => date))];
      expect(found?.ballots.map(({ date }) => date)).toEqual(unique);
    }
  });

  it('need a range with at least one day', async () => {
    const query =
      '{ location(latitude: 42, longitude: -98) { ballots(from: "2022-11-09", to: "2022-11-08") { date } } }';
    const { errors } = await request(database.db, query);
    expect(errors?.map(({ message }) => message)).toEqual([
      'from must not be after to: 2022-11-09 is after 2022-11-08.',
    ]);
  });
});
