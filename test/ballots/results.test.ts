import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, request } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { insert } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

const WITHOUT_RESULTS = ALL_GRANTS.filter((grant) => grant !== 'results');

const RESULTS =
  'id: databaseId status votes share isWinner rankedChoiceRounds { round votesGained runningTotal status }';
const MEASURE_RESULTS = 'id: databaseId status yesVotesTotal noVotesTotal yesShare';

/** Every path in the graph to a race, a candidate or a measure. */
const EVERY_METHOD = `query ($date: Date!) {
  location(latitude: 42, longitude: -98) { ballot(electionDate: $date) {
    districts { races { id: databaseId totalVotes margin candidates { ${RESULTS} } } ballotMeasures { ${MEASURE_RESULTS} } }
  } }
  stateBallot(state: "AA", electionDate: $date) {
    edges { node { races { id: databaseId totalVotes margin candidates { ${RESULTS} } } ballotMeasures { ${MEASURE_RESULTS} } } }
  }
  election(databaseId: ${VOTE.alpha2024}) {
    districts { races { id: databaseId totalVotes margin candidates { ${RESULTS} } } ballotMeasures { ${MEASURE_RESULTS} } }
  }
  race(databaseId: ${VOTE.governor2024}) { totalVotes margin candidates { ${RESULTS} } }
  candidate(databaseId: 811) { ${RESULTS} }
  person(databaseId: 4) { candidacies { ${RESULTS} } }
  ballotMeasure(databaseId: ${VOTE.water}) { ${MEASURE_RESULTS} }
  aliased: candidate(databaseId: 803) { wins: isWinner, ...Hidden }
}
fragment Hidden on Candidate { outcome: status count: votes part: share }`;

const RESULT_FIELDS = new Set([
  ...['votes', 'share', 'isWinner', 'rankedChoiceRounds', 'totalVotes', 'margin'],
  ...['yesVotesTotal', 'noVotesTotal', 'yesShare', 'wins', 'outcome', 'count', 'part'],
]);

/** Returns the values of all fields that may contain a result, at any depth of a response, except statuses. */
function found(response: unknown): { results: unknown[]; statuses: unknown[] } {
  const results: unknown[] = [];
  const statuses: unknown[] = [];
  JSON.stringify(response, (key, value) => {
    if (RESULT_FIELDS.has(key)) results.push(value);
    if (key === 'status') statuses.push(value);
    return value;
  });
  return { results, statuses };
}

describe('results', () => {
  it('are null for every access path without the grant, and not fetched', async () => {
    const recorded = recordStatements(database);
    const requested = { variables: { date: VOTE.date2022 }, grants: WITHOUT_RESULTS };
    const { data, errors } = await request(recorded.db, EVERY_METHOD, requested);
    expect(errors).toBeUndefined();
    const { results, statuses } = found(data);
    expect(results.length).toBeGreaterThan(100);
    expect(new Set(results)).toEqual(new Set([null]));
    expect(new Set(statuses)).toEqual(new Set([null, 'On the Ballot', 'Withdrew', 'Qualified for the ballot']));
    const statements = recorded.take().map((statement) => statement.replaceAll('"', ''));
    expect(statements.filter((statement) => statement.includes('from candidates as c')).length).toBeGreaterThan(2);
    expect(
      statements.filter((statement) => /votes|rounds/.test(statement.replace('m.yes_vote, m.no_vote,', ''))),
    ).toEqual([]);
    expect(statements.filter((statement) => /, [cm]\.(cand_)?status\b/.test(statement))).toEqual([]);
  });

  it('are returned for every access path with the grant', async () => {
    const { data, errors } = await request(database.db, EVERY_METHOD, { variables: { date: VOTE.date2022 } });
    expect(errors).toBeUndefined();
    const { results, statuses } = found(data);
    expect(results.filter((value) => value !== null).length).toBeGreaterThan(80);
    expect(new Set(statuses)).toEqual(
      new Set([
        'Won',
        'Lost',
        'On the Ballot',
        'Withdrew',
        'Approved',
        'Defeated',
        'Advanced',
        'Qualified for the ballot',
        'Too close to call',
      ]),
    );
  });

  it('of a ranked-choice race are listed by round', async () => {
    const { data } = await request(
      database.db,
      `{ race(databaseId: ${VOTE.governor2024}) { totalVotes margin candidates { ${RESULTS} } } }`,
    );
    expect(data).toEqual({
      race: {
        totalVotes: 1000,
        margin: 40,
        candidates: [
          {
            id: 811,
            status: 'Won',
            votes: 520,
            share: 0.52,
            isWinner: true,
            rankedChoiceRounds: [
              { round: 1, votesGained: 400, runningTotal: 400, status: 'Advanced' },
              { round: 2, votesGained: 120, runningTotal: 520, status: 'Won' },
            ],
          },
          {
            id: 810,
            status: 'Lost',
            votes: 480,
            share: 0.48,
            isWinner: false,
            rankedChoiceRounds: [
              { round: 1, votesGained: 450, runningTotal: 450, status: 'Advanced' },
              { round: 2, votesGained: 30, runningTotal: 480, status: 'Lost' },
            ],
          },
          {
            id: 812,
            status: 'Lost',
            votes: 150,
            share: null,
            isWinner: false,
            rankedChoiceRounds: [{ round: 1, votesGained: 150, runningTotal: 150, status: 'Lost' }],
          },
        ],
      },
    });
  });

  it('of a measure have the share of yes, or null if one side is unknown', async () => {
    const query = `{
      both: ballotMeasure(databaseId: ${VOTE.water}) { ${MEASURE_RESULTS} }
      one: ballotMeasure(databaseId: ${VOTE.roads}) { ${MEASURE_RESULTS} }
    }`;
    expect((await request(database.db, query)).data).toEqual({
      both: { id: VOTE.water, status: 'Approved', yesVotesTotal: 750, noVotesTotal: 250, yesShare: 0.75 },
      one: { id: VOTE.roads, status: 'Defeated', yesVotesTotal: 0, noVotesTotal: null, yesShare: null },
    });
  });
});

describe('the order of candidates', () => {
  const idsWith = async (race: number, grants: readonly AccessGrant[]) => {
    const { data } = await request(database.db, `{ race(databaseId: ${race}) { candidates { id: databaseId } } }`, {
      grants,
    });
    return (data as { race: { candidates: { id: number }[] } }).race.candidates.map(({ id }) => id);
  };

  it('is by votes with the grant, candidates without votes last', async () => {
    expect(await idsWith(VOTE.regularFirst, ['elections', 'results'])).toEqual([803, 802, 804]);
  });

  it('is by name without the grant, and reveals nothing', async () => {
    expect(await idsWith(VOTE.regularFirst, ['elections'])).toEqual([802, 803, 804]);
  });

  it('is by name and then by id for equal votes', async () => {
    const row = { election_id: VOTE.alpha2024, office_id: 101, year: 2024, type: 'Regular', stage_type: 'General' };
    await insert(database.db, 'races', [{ ...row, id: 699, office_position: 'Second', number_of_seats: 1 }]);
    const equal = { race_id: 699, votes_for_cand: 5 };
    await insert(database.db, 'persons', [{ id: 50, name: 'Ben Baker' }]);
    await insert(database.db, 'candidates', [
      { ...equal, id: 892, person_id: 3 },
      { ...equal, id: 891, person_id: 50 },
      { ...equal, id: 890, person_id: 2 },
      { ...equal, id: 893, person_id: 1 },
    ]);
    for (const grants of [['elections', 'results'], ['elections']] as const)
      expect(await idsWith(699, grants)).toEqual([893, 890, 891, 892]);
  });
});

describe('statuses of an open set', () => {
  it('count as results unless they are known to be something else', async () => {
    await insert(database.db, 'candidates', [
      { id: 895, race_id: VOTE.alphaPresident, person_id: 2, cand_status: 'Won in a runoff' },
      { id: 896, race_id: VOTE.alphaPresident, person_id: 3, cand_status: 'Disqualified' },
    ]);
    const query = '{ hidden: candidate(databaseId: 895) { status } open: candidate(databaseId: 896) { status } }';
    expect((await request(database.db, query, { grants: ['elections'] })).data).toEqual({
      hidden: { status: null },
      open: { status: 'Disqualified' },
    });
    expect((await request(database.db, query)).data).toMatchObject({ hidden: { status: 'Won in a runoff' } });
  });
});
