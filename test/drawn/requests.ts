import type { InjectOptions } from 'fastify';
import type { TestRequest } from '../resilience/support/client.ts';
import { VOTE } from '../support/election-world.ts';
import { WORLD } from '../support/world.ts';

const TREE = `fragment Tree on Location { districts { id: databaseId name type boundary { endDate precise }
  offices { name officeholders { status party { name } person { name contacts { type value } } contacts { value } } } } }`;
const BALLOT = `fragment Vote on Location { ballot(electionDate: $day) { date candidateListsComplete districts {
  district { name } ballotMeasures { name status yesVotesTotal } races { type totalVotes boundary { reason }
  candidates { status votes share person { name } parties { name } rankedChoiceRounds { round runningTotal } } } } } }`;

const DOCUMENTS = [
  `query ($a: Latitude!, $b: Longitude!) { location(latitude: $a, longitude: $b) { ...Tree } } ${TREE}`,
  `query ($a: Latitude!, $b: Longitude!, $day: Date!) { location(latitude: $a, longitude: $b) { north: latitude ...Vote longitude } } ${BALLOT}`,
  `query ($a: Latitude!, $b: Longitude!, $day: Date!) { location(latitude: $a, longitude: $b) { ballot(electionDate: $day) { districts {
     races { id: databaseId office { name level } election { id: databaseId date state } candidates { status votes parties { name } person { name contacts { value } }
     rankedChoiceRounds { round runningTotal } } } } } } }`,
  `query ($a: Latitude!, $b: Longitude!) { one: location(latitude: $a, longitude: $b) { latitude elections { id: databaseId date } } }`,
  `query ($points: [PointInput!]!) { locations(points: $points) { longitude latitude ...Tree } } ${TREE}`,
  `query ($a: Latitude!, $b: Longitude!, $day: Date) { location(latitude: $a, longitude: $b) { districts(on: $day, types: [CONGRESS, STATE]) { name } } }`,
  `query ($a: Latitude!, $b: Longitude!) { here: location(latitude: $a, longitude: $b) { latitude }
     there: location(latitude: $b, longitude: $a) { districts { name } } }`,
  `query ($day: Date!) { stateBallot(state: "AA", electionDate: $day) { totalCount edges { node { district { name } races { id: databaseId totalVotes } } } } }`,
  `query ($id: Int!) { district(databaseId: $id) { name boundaries { startDate } } race(databaseId: $id) { id: databaseId } person(databaseId: $id) { name } }`,
  `{ elections(first: 3) { totalCount edges { cursor node { id: databaseId date district { name } } } } __typename }`,
];
const PATHS = [
  '/data/districts/point?lat=A&long=B',
  '/data/districts/point?lat=A&long=B&date=DAY',
  '/data/officeholders?lat=A&long=B&collections=contact,social',
  '/data/elections_by_point?lat=A&long=B&election_date=DAY&collections=contact',
  '/data/election_dates/point?lat=A&long=B',
  '/data/elections_by_state?state=AA&election_date=DAY',
  '/data/elections_by_state?state=BB&election_date=DAY&office_level=State',
  '/data/election_dates/list?year=2024',
];
const DAYS = [VOTE.date2022, VOTE.date2024, VOTE.date2026, WORLD.redrawn, '2024-02-30', '1999-01-01'];

/** Returns a random request to both APIs, of every kind that succeeds, and of some that are rejected. */
export function draw(random: () => number): InjectOptions {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  // Around the small country, its corners and edges included; few values, so that many points share their boundaries.
  const coordinate = (from: number, to: number) =>
    random() < 0.3 ? pick([from, to]) : Math.round((from + random() * (to - from)) * 8) / 8;
  const point = () => ({ latitude: coordinate(38, 51), longitude: pick([-90, -95, coordinate(-101, -79)]) });
  const [{ latitude: a, longitude: b }, day] = [point(), pick(DAYS)];
  if (random() < 0.5) {
    const url = pick(PATHS).replace('lat=A', `lat=${a}`).replace('long=B', `long=${b}`).replace('DAY', day);
    return { method: 'GET', url };
  }
  const points = Array.from({ length: 1 + Math.floor(random() * 5) }, point);
  const id = pick([WORLD.alpha, WORLD.county, VOTE.governor2024, 1, 4, 99]);
  const payload = { query: pick(DOCUMENTS), variables: { a, b, day, points, id } };
  return { method: 'POST', url: '/graphql', payload };
}

/** Returns such a request as it is sent over a socket. */
export function drawRequest(random: () => number): TestRequest {
  const { url, payload } = draw(random);
  const path = String(url);
  return payload === undefined ? { path } : { path, body: JSON.stringify(payload) };
}
