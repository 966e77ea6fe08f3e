import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/gateway/rest/document.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { get } from '../support/rest.ts';

/** More than the 2,147,483,647 that fit into 32 bits. */
const MANY = 3_000_000_000;
const MORE = 6_000_000_001;

const database = useDatabase();
beforeAll(async () => {
  const { db } = database;
  await createElectionWorld(db);
  await db.updateTable('candidates').set({ votes_for_cand: MORE }).where('id', '=', 806).execute();
  await db.updateTable('candidates').set({ votes_for_cand: MANY }).where('id', '=', 807).execute();
  await db.updateTable('ranked_choice_rounds').set({ votes_for: MANY }).where('candidate_id', '=', 811).execute();
  await db
    .updateTable('candidates')
    .set({ votes_for_cand: 2 * MANY })
    .where('id', '=', 811)
    .execute();
  await db.updateTable('ballot_measures').set({ yes_votes_total: MORE, no_votes_total: MANY }).execute();
});

const planned = useApp(database, { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '0' });
const resolved = useApp(database, { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '0' });
const cached = useApp(database, { QUERY_PLANS: 'true' });

const RACES = `{
  stateBallot(state: "AA", electionDate: "${VOTE.date2022}") { edges { node {
    races { databaseId totalVotes margin candidates { databaseId votes share } }
    ballotMeasures { yesVotesTotal noVotesTotal yesShare }
  } } }
}`;
const ROUNDS = `{
  stateBallot(state: "AA", electionDate: "${VOTE.date2024}") { edges { node {
    races { databaseId totalVotes margin candidates { databaseId votes rankedChoiceRounds { round votesGained runningTotal } } }
  } } }
}`;

const texts = async (query: string) => {
  const bodies: string[] = [];
  for (const { app, key } of [planned, resolved, cached, cached]) {
    const headers = { 'x-api-key': key('full') };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
    expect(response.statusCode, response.body).toBe(200);
    bodies.push(response.body);
  }
  expect(new Set(bodies).size).toBe(1);
  return bodies[0] ?? '';
};

describe('votes of 3 billion and more', () => {
  it('are exact in GraphQL, with and without planner and cache', async () => {
    const body = await texts(RACES);
    expect(body).toContain(`"votes":${MORE}`);
    expect(body).toContain(`"totalVotes":${MORE + MANY},"margin":${MORE - MANY}`);
    expect(body).toContain(`"yesVotesTotal":${MORE},"noVotesTotal":${MANY}`);
    expect(body).not.toContain('errors');
  });

  it('are exact in the rounds of ranked choice and their running total', async () => {
    const body = await texts(ROUNDS);
    expect(body).toContain(`{"round":2,"votesGained":${MANY},"runningTotal":${2 * MANY}}`);
  });

  it('are exact in REST, which the OpenAPI document describes as int64', async () => {
    for (const service of [planned, resolved, cached]) {
      const { body } = await get(service, `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}`);
      const text = JSON.stringify(body);
      expect(text).toContain(`"votes_for_cand":${MORE}`);
      expect(text).toContain(`"yes_votes_total":${MORE},"no_votes_total":${MANY}`);
    }
    const { schemas } = openApiDocument().components;
    const formats = [
      ['Candidate', 'votes_for_cand'],
      ['BallotMeasure', 'yes_votes_total'],
      ['BallotMeasure', 'no_votes_total'],
    ].map(([schema = '', name = '']) => (schemas[schema]?.properties as Record<string, object> | undefined)?.[name]);
    for (const described of formats) expect(described).toMatchObject({ type: ['integer', 'null'], format: 'int64' });
    // Transferred votes may be fractions.
    expect(schemas.RankedChoiceRound?.properties).toMatchObject({ votes_for: { type: ['number', 'null'] } });
  });

  describe('over MCP', () => {
    let client: Client;
    beforeAll(async () => {
      client = await connect(planned, planned.key('full'));
    });
    afterAll(() => client.close());

    it('are exact, and match the output schemas', async () => {
      const { text } = await call(client, 'results', { state: 'AA', date: VOTE.date2022 });
      expect(text).toContain(`"votes":${MORE}`);
      expect(text).toContain(`"totalVotes":${MORE + MANY},"margin":${MORE - MANY}`);
      const run = await call(client, 'run_graphql', { query: RACES.replaceAll(/\s+/g, ' ') });
      expect(run.isError).toBeUndefined();
      expect(run.text).toContain(`"votes":${MORE}`);
    });
  });
});
