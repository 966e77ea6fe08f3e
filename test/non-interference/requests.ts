import type { InjectOptions } from 'fastify';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { TABLES_OF_TYPES } from '../changes/copy/dump.ts';
import { everyField } from '../resilience/support/every-field.ts';
import { POINTS } from '../support/world.ts';

/** One request without its key, with a title for the message of a test. */
export type Request = InjectOptions & { readonly url: string };

const graphql = (query: string, variables: object = {}): Request => ({
  method: 'POST',
  url: '/graphql',
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify({ query, variables }),
});

const PAGE =
  'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id: databaseId } }';
const BALLOT = `district { id: databaseId name } ballotMeasures { id: databaseId name status yesVotesTotal noVotesTotal yesShare }
  races { id: databaseId isRankedChoice resultsCertified totalVotes margin candidates { id: databaseId status votes share isWinner person { id: databaseId }
    rankedChoiceRounds { round votesGained status } } }`;
const DATES = ['2022-11-08', '2024-03-05', '2024-11-05', '2026-11-03'];

const RECORD_TYPES = Object.keys(TABLES_OF_TYPES);

/** Pages of every size, totals, cursors, filters, aliases, errors, costs and limits. */
const DOCUMENTS = [
  ...[1, 2, 3, 100].flatMap((first) => [
    `{ elections(first: ${first}) { ${PAGE} } }`,
    `{ districts(first: ${first}) { ${PAGE} } }`,
    `{ people(name: "a", first: ${first}) { ${PAGE} } }`,
    ...['races', 'candidates', 'ballotMeasures', 'offices', 'officeholders', 'parties'].flatMap((list) => [
      `{ ${list}(first: ${first}) { ${PAGE} } }`,
      `{ ${list}(last: ${first}) { ${PAGE} } }`,
    ]),
  ]),
  ...['DATE', 'BALLOT_DESCENDING'].map((order) => `{ races(orderBy: ${order}, filter: { state: "AA" }) { ${PAGE} } }`),
  ...['NAME', 'DATE_DESCENDING'].flatMap((order) =>
    ['{}', '{ parties: [1, 2] }', '{ name: "e" }', '{ state: "AA", stages: ["General"] }'].map(
      (filter) => `{ candidates(orderBy: ${order}, filter: ${filter}) { ${PAGE} } }`,
    ),
  ),
  ...['DATE', 'NAME_DESCENDING'].map(
    (order) => `{ ballotMeasures(orderBy: ${order}, filter: { text: "a" }) { ${PAGE} } }`,
  ),
  '{ candidates(first: 100) { edges { node { id status statusCode votes share isWinner } } } ballotMeasures { edges { node { status yesVotesTotal } } } }',
  ...DATES.flatMap((date) => [
    `{ stateBallot(state: "AA", electionDate: "${date}", first: 1) { totalCount pageInfo { endCursor hasNextPage } edges { cursor node { ${BALLOT} } } } }`,
    `{ stateBallot(state: "AA", electionDate: "${date}", page: 2, first: 2) { totalCount edges { cursor node { ${BALLOT} } } } }`,
    `{ location(latitude: 42, longitude: -98) { ballot(electionDate: "${date}") { elections { id: databaseId } districts { ${BALLOT} } } } }`,
  ]),
  '{ stateBallot(state: "AA", electionDate: "2024-11-05", officeLevels: [STATE]) { totalCount edges { node { races { id: databaseId } ballotMeasures { id: databaseId } } } } }',
  '{ elections(filter: { state: "AA" }, first: 2) { totalCount edges { node { id: databaseId date description } } } }',
  '{ a: candidate(databaseId: 803) { id: databaseId votes } b: candidate(databaseId: 802) { id: databaseId votes } none: candidate(databaseId: 99) { id: databaseId } }',
  '{ candidate(databaseId: 811) { nothing } }',
  '{ candidate(databaseId: "x") { id: databaseId } }',
  '{ people(name: "a", after: "x") { totalCount } }',
  '{ district(databaseId: 10) { contains { totalCount edges { areaShare node { id } } } containedIn(types: [COUNTRY]) { edges { areaShare } } } }',
  '{ people(filter: { state: "AA" }) { totalCount edges { cursor node { id: databaseId name } } } }',
  '{ people(filter: { chambers: [LOWER], from: "2022-01-01", to: "2024-06-01", parties: [1, 2, 5] }, last: 3) { totalCount edges { cursor } } }',
  '{ elections(last: 3, orderBy: DATE_DESCENDING) { edges { cursor node { id date } } pageInfo { startCursor endCursor hasPreviousPage } } }',
  '{ people(name: "e", first: 2, after: "WyJCZW4gQmFrZXIiLDJd") { totalCount edges { cursor node { id: databaseId name } } } }',
  '{ people(name: "a", first: 101) { totalCount } }',
  `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: race(databaseId: 601) { candidates { id: databaseId } }`).join(' ')} }`,
  '{ districts(first: 100) { edges { node { offices { officeholders { person { officeholders { office { officeholders { person { candidacies { race { candidates { person { candidacies { id: databaseId } } } } } } } } } } } } } } }',
  '{ person(databaseId: 3) { candidacies { id: databaseId status race { id: databaseId election { id: databaseId date } candidates { id: databaseId } } } officeholders { id: databaseId } contacts { value } socialMedia { url } } }',
  '{ record(scheme: "fec", value: "H0AA01001") { __typename id } records(identifiers: [{ scheme: "geoid", value: "9101" }]) { id } }',
  '{ ballotMeasure(databaseId: 700) { status yesVotesTotal noVotesTotal yesShare } }',
  ...['', ...RECORD_TYPES.map((type) => `, types: ["${type}"]`), ', state: "AA"'].map(
    (args) =>
      `{ changes(after: "start", first: 100${args}) { nodes { kind type recordId fields source changedAt record { id } } next isUpToDate } }`,
  ),
  '{ changes { next isUpToDate } }',
  'query Name { race(databaseId: 606) { candidates { id: databaseId person { name } } } }',
];

/** Every endpoint with all of its parameters, the collections and the pages. */
function restAddresses(): string[] {
  const points = Object.values(POINTS).map(({ latitude, longitude }) => `lat=${latitude}&long=${longitude}`);
  const collections = ['', '&collections=contact', '&collections=social,contact', '&include=edge_distance'];
  const states = ['AA', 'BB', 'US', 'ZZ'];
  const byPoint = points.flatMap((point) => [
    `/data/districts/point?${point}`,
    `/data/districts/point?${point}&date=2022-11-08`,
    `/data/districts/point?${point}&include=edge_distance`,
    `/data/election_dates/point?${point}`,
    ...collections.map((more) => `/data/officeholders?${point}${more}`),
    ...DATES.map((date) => `/data/elections_by_point?${point}&election_date=${date}&collections=contact,social`),
  ]);
  const byState = states.flatMap((state) =>
    DATES.flatMap((date) => [
      `/data/elections_by_state?state=${state}&election_date=${date}`,
      `/data/elections_by_state?state=${state}&election_date=${date}&collections=contact,social&page=1`,
    ]),
  );
  const state = '/data/elections_by_state?state=AA&election_date=2022-11-08';
  const filters = ['office_level=State', 'office_branch=Executive', 'district_type=State', 'page=2', 'page=x'];
  const lists = ['', '?state=AA', '?year=2022', '?type=Special', '?date=2024-11-05', '?page=2', '?page=0'];
  return [
    ...byPoint,
    ...byState,
    ...filters.map((filter) => `${state}&${filter}`),
    ...lists.map((list) => `/data/election_dates/list${list}`),
    ...endpoints.flatMap(({ paths }) => paths),
  ];
}

export const BULK_IDS = [
  'ballot-measures',
  'candidates-of-date',
  'coverage',
  'coverage-by-state',
  'coverage-of-voting',
  'current-officeholders',
  'deadlines',
  'district-boundaries',
  'districts',
  'map-changes',
  'precinct-results',
  'precincts',
  'race-results',
  'ranked-choice-rounds',
  'unplaced-contests',
  'upcoming-elections',
  'voting-places',
];

const tool = (name: string, args: object): Request => ({
  method: 'POST',
  url: '/mcp',
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
});

/** Every tool of the Model Context Protocol that shows candidates or measures. */
const TOOLS = [
  ...DATES.flatMap((date) => [
    tool('results', { state: 'AA', date }),
    tool('whats_on_my_ballot', { latitude: 42, longitude: -98, date }),
  ]),
  tool('find_person', { name: 'a' }),
  tool('run_graphql', {
    query: '{ ballotMeasure(databaseId: 700) { status yesVotesTotal } candidate(databaseId: 803) { status } }',
  }),
];

/** All requests but the downloads. */
export const REQUESTS: readonly Request[] = [
  ...everyField().documents.map((document) => graphql(document)),
  ...DOCUMENTS.map((document) => graphql(document)),
  ...restAddresses().map((url): Request => ({ method: 'GET', url })),
  { method: 'GET', url: '/getQueryList' },
  ...TOOLS,
];
