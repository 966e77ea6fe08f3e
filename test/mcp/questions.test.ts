import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { POINTS } from '../support/world.ts';
import { call, connect } from './client.ts';

/** Questions of voters: the results of the tools must have the values that GraphQL returns to the equivalent query. */
const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));
const service = useApp(database);
let client: Client;
beforeAll(async () => {
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const { southWest, northWest, beta } = POINTS;
const at = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `location(latitude: ${latitude}, longitude: ${longitude})`;

/** Returns all values of members with a name, at any depth, in order. */
function valuesOf(value: unknown, member: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key === member && typeof each !== 'object' ? [each] : []),
    ...valuesOf(each, member),
  ]);
}

/** The sorted names of people, offices and districts in a result. */
const names = (value: unknown, ...members: string[]) => members.flatMap((member) => valuesOf(value, member)).sort();

const QUESTIONS: readonly [
  question: string,
  tool: string,
  input: Record<string, unknown>,
  members: string[],
  query: string,
  fields: string[],
][] = [
  [
    'Who represents me?',
    'who_represents',
    southWest,
    ['name'],
    `{ ${at(southWest)} { districts { name offices { name officeholders { person { name } } } } } }`,
    ['name'],
  ],
  [
    'Who represented me in 2022?',
    'who_represents',
    { ...southWest, on: '2022-06-01' },
    ['name'],
    `{ ${at(southWest)} { districts(on: "2022-06-01") { name offices { name officeholders(on: "2022-06-01") { person { name } } } } } }`,
    ['name'],
  ],
  [
    'Which county am I in?',
    'who_represents',
    { ...southWest, districtTypes: ['COUNTY'] },
    ['name'],
    `{ ${at(southWest)} { districts(types: [COUNTY]) { name } } }`,
    ['name'],
  ],
  [
    'What was on my ballot in 2022?',
    'whats_on_my_ballot',
    { ...southWest, date: VOTE.date2022 },
    ['name', 'measure'],
    `{ ${at(southWest)} { ballot(electionDate: "${VOTE.date2022}") { districts { races { candidates { person { name } } } ballotMeasures { name } } } } }`,
    ['name'],
  ],
  [
    'What is on my ballot in 2024?',
    'whats_on_my_ballot',
    { ...northWest, date: VOTE.date2024 },
    ['measure'],
    `{ ${at(northWest)} { ballot(electionDate: "${VOTE.date2024}") { districts { ballotMeasures { name } } } } }`,
    ['name'],
  ],
  [
    'Does my neighbour in Beta vote for a governor?',
    'whats_on_my_ballot',
    { ...beta, date: VOTE.date2024 },
    ['office'],
    `{ ${at(beta)} { ballot(electionDate: "${VOTE.date2024}") { districts { races { office { name } } } } } }`,
    ['name'],
  ],
  [
    'When is the next election here?',
    'find_elections',
    { ...southWest, from: '2026-07-01' },
    ['date'],
    `{ ${at(southWest)} { elections(from: "2026-07-01") { date } } }`,
    ['date'],
  ],
  [
    'Which elections did Alpha hold in 2024?',
    'find_elections',
    { state: 'aa', from: '2024-01-01', to: '2024-12-31' },
    ['date', 'type'],
    '{ elections(filter: { state: "AA", year: 2024 }) { edges { node { date type } } } }',
    ['date', 'type'],
  ],
  [
    'Who is Cleo?',
    'find_person',
    { name: 'cleo' },
    ['votes', 'date'],
    '{ people(name: "cleo") { edges { node { candidacies { votes race { election { date } } } } } } }',
    ['votes', 'date'],
  ],
  [
    "Who won the governor's race by how much?",
    'results',
    { state: 'AA', date: VOTE.date2022, office: 'governor' },
    ['votes', 'margin', 'totalVotes'],
    `{ race(databaseId: ${VOTE.governor2022}) { margin totalVotes candidates { votes } } }`,
    ['votes', 'margin', 'totalVotes'],
  ],
  [
    'How did the measures of 2022 end?',
    'results',
    { state: 'AA', date: VOTE.date2022 },
    ['yesVotes', 'noVotes', 'measure'],
    `{ stateBallot(state: "AA", electionDate: "${VOTE.date2022}") { edges { node { ballotMeasures { name yesVotesTotal noVotesTotal } } } } }`,
    ['name', 'yesVotesTotal', 'noVotesTotal'],
  ],
  [
    'Was my district redrawn?',
    'compare_maps',
    { ...southWest, first: '2022-01-01', second: '2024-01-01', districtTypes: ['CONGRESS'] },
    ['from'],
    `{ ${at(southWest)} { a: districts(on: "2022-01-01", types: [CONGRESS]) { boundary(on: "2022-01-01") { startDate } } b: districts(on: "2024-01-01", types: [CONGRESS]) { boundary(on: "2024-01-01") { startDate } } } }`,
    ['startDate'],
  ],
  [
    'Which races are new in the data?',
    'what_changed',
    { since: '2000-01-01', types: ['Race'] },
    ['id'],
    '{ changes(since: "2000-01-01", types: ["Race"], first: 100) { nodes { record { ... on Race { id } } } } }',
    ['id'],
  ],
];

describe('a question has the same result as in GraphQL', () => {
  it.each(QUESTIONS)('%s', async (_, tool, input, members, query, fields) => {
    const { structured, isError, text } = await call(client, tool, input);
    expect(isError, text).toBeUndefined();
    const { data, errors } = await request(database.db, query);
    expect(errors).toBeUndefined();
    const { sources: __, notKnown: ___, extra: ____, ...result } = structured ?? {};
    const [found, expected] = [names(result, ...members), names(data, ...fields)].map((values) =>
      values.filter((value) => value !== null),
    );
    expect(expected?.length).toBeGreaterThan(0);
    expect(found).toEqual(expected);
  });

  it('in run_graphql, whatever the query', async () => {
    const query = `{ ${at(southWest)} { districts { name type } } }`;
    const { structured } = await call(client, 'run_graphql', { query });
    expect(structured).toEqual({ data: (await request(database.db, query)).data });
  });
});
