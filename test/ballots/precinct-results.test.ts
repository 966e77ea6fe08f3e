import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, request } from '../support/graph.ts';
import { insertPrecincts } from '../support/precincts.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { createVotingWorld, VOTING } from '../support/voting-world.ts';
import { insert } from '../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createVotingWorld(database.db);
  await insert(database.db, 'sources', [{ name: 'Results' }]);
  await insertPrecincts(database.db, 1, VOTING.westPrecinct);
});

const FIELDS = `totalCount pageInfo { hasNextPage endCursor } differences { candidate { id: databaseId } votes }
  nodes { county town precinct district { id: databaseId } votes { candidate { id: databaseId } votes } }`;

async function resultsOf(race: number, page = '') {
  const query = `{ race(databaseId: ${race}) { results(by: PRECINCT${page}) { ${FIELDS} } } }`;
  const { data, errors } = await request(database.db, query);
  expect(errors).toBeUndefined();
  return (data as { race: { results: { pageInfo: { endCursor: string }; nodes: { precinct: string }[] } } }).race
    .results;
}

it('has the votes of each precinct in the order of their names, and tells what they lack of the race', async () => {
  expect(await resultsOf(VOTE.regularFirst)).toMatchObject({
    totalCount: 2,
    nodes: [
      {
        county: 'GAMMA',
        town: null,
        precinct: '01',
        district: { id: VOTING.westPrecinct },
        votes: [
          { candidate: { id: 803 }, votes: 350 },
          { candidate: { id: 802 }, votes: 150 },
        ],
      },
      { county: 'GAMMA', precinct: '02', district: null, votes: [{ votes: 240 }, { votes: null }] },
    ],
    // Of one candidate a count is hidden, and of another the votes of the race are not known.
    differences: [
      { candidate: { id: 803 }, votes: 10 },
      { candidate: { id: 802 }, votes: null },
      { candidate: { id: 804 }, votes: null },
    ],
  });
});

it('is empty, without differences, for a race whose precincts are not stored', async () => {
  expect(await resultsOf(VOTE.governor2022)).toMatchObject({ totalCount: 0, nodes: [], differences: [] });
});

it('has pages', async () => {
  const { pageInfo, nodes } = await resultsOf(VOTE.regularFirst, ', first: 1');
  expect([nodes.map(({ precinct }) => precinct), pageInfo]).toMatchObject([['01'], { hasNextPage: true }]);
  const next = await resultsOf(VOTE.regularFirst, `, first: 1, after: "${pageInfo.endCursor}"`);
  expect(next.nodes.map(({ precinct }) => precinct)).toEqual(['02']);
});

it('is null without the grant for results, and reads nothing', async () => {
  const recorded = recordStatements(database);
  const query = `{ race(databaseId: ${VOTE.regularFirst}) { results(by: PRECINCT) { ${FIELDS} } } }`;
  const grants = ALL_GRANTS.filter((grant) => grant !== 'results');
  expect(await request(recorded.db, query, { grants })).toMatchObject({ data: { race: { results: null } } });
  expect(recorded.take().filter((statement) => statement.includes('precinct_results'))).toEqual([]);
});

it('reads the precincts of all races, their votes and their differences in one statement each', async () => {
  await database.db
    .insertInto('precinct_results')
    .expression(({ selectFrom }) =>
      selectFrom('candidates')
        .where('race_id', 'in', [VOTE.specialFirst, VOTE.governor2022])
        .select(({ ref, val }) => [
          'race_id',
          val(1).as('source_id'),
          val('b.csv').as('file'),
          val('DELTA').as('county'),
          val('').as('town'),
          val('03').as('precinct'),
          sql<number[]>`array[${ref('id')}]`.as('candidate_ids'),
          sql<number[]>`array[9]`.as('votes'),
        ]),
    )
    .columns(['race_id', 'source_id', 'file', 'county', 'town', 'precinct', 'candidate_ids', 'votes'])
    .execute();
  const recorded = recordStatements(database);
  const query = `{ races(first: 100, filter: { state: "AA" }) { nodes { results(by: PRECINCT) { ${FIELDS} } } } }`;
  const { data, errors } = await request(recorded.db, query);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data).match(/"precinct":/g)).toHaveLength(6);
  const names = recorded.take().map(nameOf);
  expect(names.filter((name) => /recinct/.test(name)).sort()).toEqual([
    'ballots.precinctsOfRace',
    'ballots.precinctsOfRaceCount',
    'ballots.votesOfPrecinct',
    'ballots.votesOutsidePrecincts',
  ]);
});
