import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { POINTS } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database, { TODAY: '2026-07-01', RESPONSE_CACHE_BYTES: '0' });
const { latitude, longitude } = POINTS.southWest;
let client: Client;
let race = 0;
beforeAll(async () => {
  await createElectionWorld(database.db);
  client = await connect(service, service.key('full'));
  const { data } = await request(
    database.db,
    `{ location(latitude: ${latitude}, longitude: ${longitude}) { ballot(electionDate: "${VOTE.date2022}") { districts { races { databaseId } } } } }`,
  );
  const { location } = data as { location: { ballot: { districts: { races: { databaseId: number }[] }[] } } };
  race = location.ballot.districts.flatMap(({ races }) => races)[0]?.databaseId ?? 0;
});
afterAll(() => client.close());

/** All values of a member in a tree. */
function valuesOf(tree: unknown, name: string): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([member, value]) => [
    ...(member === name ? [value] : []),
    ...valuesOf(value, name),
  ]);
}

it.each([
  ['Stated', 'STATED', 'Stated', undefined],
  ['Law', 'LAW', 'Law', undefined],
  ['Same candidates', 'SAME_CANDIDATES', 'Same candidates', undefined],
  ['County', 'COUNTY', 'County', true],
  [null, null, undefined, undefined],
])('what shows who votes in a race, %s, is in GraphQL, REST and MCP', async (stored, code, legacy, isAssumed) => {
  await sql`update races set scope_basis = null`.execute(database.db);
  await sql`update races set scope_basis = ${stored}::scope_basis where id = ${race}`.execute(database.db);
  const { data } = await request(database.db, `{ race(databaseId: ${race}) { scopeBasis } }`);
  expect(data).toEqual({ race: { scopeBasis: code } });

  const { body } = await get(
    service,
    `/data/elections/point?lat=${latitude}&long=${longitude}&election_date=${VOTE.date2022}`,
  );
  expect(valuesOf(body.data, 'races').length + valuesOf(body.data, 'contests').length).toBeGreaterThan(0);
  expect(valuesOf(body.data, 'scope_basis')).toEqual(legacy === undefined ? [] : [legacy]);

  const { structured } = await call(client, 'whats_on_my_ballot', { latitude, longitude, date: VOTE.date2022 });
  expect(valuesOf(structured, 'district').length).toBeGreaterThan(0);
  expect(valuesOf(structured, 'districtIsAssumed')).toEqual(isAssumed === undefined ? [] : [isAssumed]);
});
