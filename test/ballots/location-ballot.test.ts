import { beforeAll, describe, expect, it } from 'vitest';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { type AskOptions, ask } from '../support/graph.ts';
import { useStore } from '../support/store.ts';
import { POINTS, WORLD } from '../support/world.ts';

const store = useStore();
beforeAll(() => createElectionWorld(store.db));

interface BallotAnswer {
  date: string;
  candidateListsComplete: boolean;
  elections: { id: number | null; type: string }[];
  districts: {
    district: { id: number; boundary: { startDate: string } | null };
    races: { id: number }[];
    ballotMeasures: { id: number }[];
  }[];
}

async function ballotAt(
  point: { latitude: number; longitude: number },
  electionDate: string,
  options: AskOptions = {},
): Promise<BallotAnswer> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $electionDate: Date!) {
    location(latitude: $latitude, longitude: $longitude) { ballot(electionDate: $electionDate) {
      date candidateListsComplete elections { id type }
      districts { district { id boundary { startDate } } races { id } ballotMeasures { id } }
    } }
  }`;
  const { data, errors } = await ask(store.db, query, { ...options, variables: { ...point, electionDate } });
  expect(errors).toBeUndefined();
  return (data as { location: { ballot: BallotAnswer } }).location.ballot;
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
          district: { id: WORLD.alphaFirst, boundary: { startDate: '2023-01-03' } },
          races: [{ id: VOTE.specialFirst }, { id: VOTE.regularFirst }],
          ballotMeasures: [],
        },
        {
          district: { id: WORLD.alpha, boundary: { startDate: '2000-01-01' } },
          races: [{ id: VOTE.governor2022 }],
          ballotMeasures: [{ id: VOTE.water }],
        },
        {
          district: { id: WORLD.county, boundary: { startDate: '2000-01-01' } },
          races: [],
          ballotMeasures: [{ id: VOTE.roads }],
        },
      ],
    });
  });
});
