import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { insert, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

async function response(query: string) {
  const { data, errors } = await request(database.db, query);
  expect(errors).toBeUndefined();
  return data;
}

describe('a race', () => {
  it('has every field of the specification', async () => {
    const query = `{ race(databaseId: ${VOTE.regularFirst}) {
      id: databaseId url numberOfSeats year type isMarquee officePosition isRankedChoice resultsCertified stageType stageParty
      swearingInDate totalVotes margin
      election { id: databaseId date }
      office { id: databaseId name level branch chamber isPartisan type seat url district { id: databaseId } }
      candidates {
        id: databaseId fecId runningMate stageParty isIncumbent isWriteIn withdrewStillOnBallot status votes share isWinner
        parties { id: databaseId name url } person { id: databaseId name firstName lastName url } rankedChoiceRounds { round }
      }
    } }`;
    const noCaller = {
      fecId: null,
      runningMate: null,
      stageParty: null,
      isIncumbent: null,
      isWriteIn: null,
      withdrewStillOnBallot: null,
      rankedChoiceRounds: [],
    };
    expect(await response(query)).toEqual({
      race: {
        id: VOTE.regularFirst,
        url: null,
        numberOfSeats: 1,
        year: 2022,
        type: 'Regular',
        isMarquee: null,
        officePosition: null,
        isRankedChoice: null,
        resultsCertified: true,
        stageType: 'General',
        stageParty: null,
        swearingInDate: '2023-01-03',
        totalVotes: 1000,
        margin: 200,
        election: { id: VOTE.alpha2022, date: VOTE.date2022 },
        office: {
          id: WORLD.firstSeat,
          name: 'U.S. Representative',
          level: 'FEDERAL',
          branch: 'LEGISLATIVE',
          chamber: 'LOWER',
          isPartisan: null,
          type: 'House',
          seat: null,
          url: null,
          district: { id: WORLD.alphaFirst },
        },
        candidates: [
          {
            ...noCaller,
            id: 803,
            fecId: 'H0AA01001',
            status: 'Won',
            votes: 600,
            share: 0.6,
            isWinner: true,
            // In the order of the ballot, and not by id.
            parties: [
              { id: 5, name: 'Independent', url: null },
              { id: 2, name: 'Democratic', url: null },
            ],
            person: { id: 4, name: 'Dan Dog', firstName: null, lastName: null, url: null },
          },
          {
            ...noCaller,
            id: 802,
            isIncumbent: true,
            status: 'Lost',
            votes: 400,
            share: 0.4,
            isWinner: false,
            parties: [{ id: 1, name: 'Republican', url: null }],
            person: { id: 3, name: 'Cleo Charlie', firstName: null, lastName: 'Charlie', url: null },
          },
          {
            ...noCaller,
            id: 804,
            withdrewStillOnBallot: true,
            status: 'Withdrew',
            votes: null,
            share: null,
            isWinner: false,
            parties: [],
            person: { id: 6, name: 'Fay Fox', firstName: null, lastName: null, url: null },
          },
        ],
      },
    });
  });

  it('is found by id also without candidates, and is null for an unknown id', async () => {
    const query = `{ race(databaseId: ${VOTE.withoutCandidates}) { id: databaseId candidates { id: databaseId } totalVotes margin } none: race(databaseId: 1) { id: databaseId } }`;
    expect(await response(query)).toEqual({
      race: { id: VOTE.withoutCandidates, candidates: [], totalVotes: null, margin: null },
      none: null,
    });
  });
});

describe('a candidate', () => {
  it('is found by id, with the race and its results', async () => {
    const query = `{
      candidate(databaseId: 808) { stageParty status isWinner share parties { name } race { stageType stageParty margin candidates { id: databaseId } } }
      mate: candidate(databaseId: 801) { runningMate }
      written: candidate(databaseId: 807) { isWriteIn }
      none: candidate(databaseId: 1) { id: databaseId }
    }`;
    expect(await response(query)).toEqual({
      candidate: {
        stageParty: 'Green',
        status: 'Advanced',
        isWinner: false,
        share: 0.75,
        parties: [{ name: 'Green' }],
        race: { stageType: 'Primary', stageParty: 'Green', margin: 200, candidates: [{ id: 808 }, { id: 809 }] },
      },
      mate: { runningMate: 'Gil Gold' },
      written: { isWriteIn: true },
      none: null,
    });
  });

  it('is one of the candidacies of a person over the years, the latest first', async () => {
    const query = '{ person(databaseId: 1) { candidacies { id: databaseId isWinner race { year office { name } } } } }';
    expect(await response(query)).toEqual({
      person: {
        candidacies: [
          { id: 810, isWinner: false, race: { year: 2024, office: { name: 'Governor' } } },
          { id: 813, isWinner: null, race: { year: 2024, office: { name: 'President' } } },
          { id: 807, isWinner: false, race: { year: 2022, office: { name: 'Governor' } } },
        ],
      },
    });
  });
});

describe('a ballot measure', () => {
  it('has every field of the specification', async () => {
    const query = `{
      ballotMeasure(databaseId: ${VOTE.water}) {
        id: databaseId name url status type officialTitle yesVote noVote electionDate yesVotesTotal noVotesTotal
        district { id: databaseId } election { id: databaseId }
      }
      none: ballotMeasure(databaseId: 1) { id: databaseId }
    }`;
    expect(await response(query)).toEqual({
      ballotMeasure: {
        id: VOTE.water,
        name: 'Question 1: Water',
        url: 'https://measure.example',
        status: 'Approved',
        type: 'Bond issue',
        officialTitle: 'Shall the state borrow for water?',
        yesVote: '<p>Borrows.</p>',
        noVote: 'Does not borrow.',
        electionDate: VOTE.date2022,
        yesVotesTotal: 750,
        noVotesTotal: 250,
        district: { id: WORLD.alpha },
        election: { id: VOTE.alpha2022 },
      },
      none: null,
    });
  });
});

describe('the districts of an election', () => {
  it('come from the country down, then by name, with their races and measures and no empty races', async () => {
    await insert(database.db, 'districts', [
      { id: 31, type: 'County', name: 'Another County' },
      { id: 32, type: 'County', name: 'First County' },
    ]);
    await insert(database.db, 'ballot_measures', [
      { election_id: VOTE.alpha2022, district_id: 32, name: 'B', id: 711 },
      { election_id: VOTE.alpha2022, district_id: 31, name: 'B', id: 712 },
      { election_id: VOTE.alpha2022, district_id: 31, name: 'A', id: 713 },
      { election_id: VOTE.alpha2022, district_id: WORLD.county, name: 'A', id: 714 },
      { election_id: VOTE.alpha2022, district_id: 31, name: 'A', official_title: 'Second', id: 710 },
    ]);
    const query = `{ election(databaseId: ${VOTE.alpha2022}) { districts { district { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId } } } }`;
    const { election } = (await response(query)) as {
      election: {
        districts: { district: { id: number }; races: { id: number }[]; ballotMeasures: { id: number }[] }[];
      };
    };
    expect(
      election.districts.map(({ district, races, ballotMeasures }) => [
        district.id,
        races.map(({ id }) => id),
        ballotMeasures.map(({ id }) => id),
      ]),
    ).toEqual([
      [WORLD.alphaFirst, [VOTE.specialFirst, VOTE.regularFirst], []],
      [WORLD.alphaSecond, [VOTE.regularSecond], []],
      [WORLD.alpha, [VOTE.governor2022], [VOTE.water]],
      [31, [], [710, 713, 712]],
      [WORLD.county, [], [714]],
      [32, [], [711]],
    ]);
  });
});
