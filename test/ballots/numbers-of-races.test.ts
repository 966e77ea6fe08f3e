import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import fc from 'fast-check';
import { validate } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseQueryFile } from '../../src/gateway/exports/query-file.ts';
import { createExecute } from '../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../src/gateway/graphql/planner/planner.ts';
import { type Tally, tallyOf } from '../../src/graph/ballots/tally.ts';
import { schema } from '../../src/graph/schema.ts';
import { fileText, sourceOf } from '../exports/support.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf, prepare } from '../support/graph.ts';
import { boundary, insert } from '../support/world.ts';
import { type RandomCandidate, type RandomRace, randomRace } from './random-races.ts';

const database = useDatabase();
const service = useApp(database);
let client: Client;
beforeAll(async () => {
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const isSuccessful = ({ status }: RandomCandidate) => status === 'Won' || status === 'Advanced';
const isOut = (each: RandomCandidate) =>
  !isSuccessful(each) && (each.withdrew || ['Withdrew', 'Disqualified', 'Deceased'].includes(each.status ?? ''));

function tallyFor({ candidates, seats }: RandomRace): Tally {
  const counted = candidates.map(({ status, votes, withdrew, rounds }, index) => ({
    id: index,
    cand_status: status,
    votes_for_cand: votes,
    withdrew_still_on_ballot: withdrew,
    rounds: rounds.map((round, at) => ({
      round: at + 1,
      status: round.status,
      running_total: sum(rounds.slice(0, at + 1).map(({ votes }) => votes)),
    })),
  }));
  return tallyOf(counted, seats);
}

it('holds for random races of every kind', () => {
  fc.assert(
    fc.property(randomRace, (race) => {
      const { totalVotes, margin, shares, winners } = tallyFor(race);
      const { candidates, seats } = race;
      const last = Math.max(0, ...candidates.map(({ rounds }) => rounds.length));
      const counted = candidates.filter(
        (each) => !isOut(each) && (last === 0 || isSuccessful(each) || each.rounds.length === last),
      );
      const votes = counted.flatMap(({ votes }) => votes ?? []);
      expect(totalVotes).toBe(votes.length > 0 ? sum(votes) : null);
      // No vote counts twice, up to rounding.
      const first = sum(candidates.map(({ rounds: [round] }) => round?.votes ?? 0));
      if (last > 0) expect(totalVotes ?? 0).toBeLessThanOrEqual(first + candidates.length / 2);

      const known = candidates.map((_, index) => shares.get(index) ?? null);
      for (const share of known) if (share !== null) expect(share >= 0 && share <= 1).toBe(true);
      // Without the votes of one of them, the total is no whole.
      if (totalVotes && votes.length === counted.length)
        expect(sum(known.flatMap((share) => share ?? []))).toBeCloseTo(1, 9);
      else expect(known.every((share) => share === null)).toBe(true);
      for (const [index, each] of candidates.entries()) {
        if (isOut(each)) expect(known[index]).toBeNull();
        if (each.status === 'Won' && totalVotes && votes.length === counted.length) expect(known[index]).not.toBeNull();
      }
      expect(candidates.filter((_, index) => winners.get(index)).length).toBeLessThanOrEqual(seats);
      if (margin !== null) {
        expect(margin).toBeGreaterThanOrEqual(0);
        expect(candidates.some((each) => !isOut(each) && !isSuccessful(each)) || candidates.length > 1).toBe(true);
      }
      if (race.kind === 'plurality' && candidates.length > 1)
        expect(margin).toBe((candidates[0]?.votes ?? 0) - (candidates[1]?.votes ?? 0));
    }),
    { numRuns: 2_000 },
  );
});

const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);
const QUERY = prepare(`query ($date: Date!, $at: PointInput!) {
  elections(filter: { date: $date }, first: 1) { edges { node { districts { races { ...Numbers } } } } }
  locations(points: [$at]) { ballot(electionDate: $date) { raceCount districts { races { ...Numbers } } } }
}
fragment Numbers on Race { databaseId totalVotes margin candidates { databaseId votes share isWinner
  rankedChoiceRounds { round votesGained runningTotal status } } }`);

const RESULTS_QUERY = parseQueryFile(
  'race-results',
  readFileSync(join(import.meta.dirname, '../../db/queries/race-results.sql'), 'utf8'),
).sql;

interface Row {
  readonly databaseId: number;
  readonly totalVotes: number | null;
  readonly margin: number | null;
  readonly candidates: readonly {
    readonly databaseId: number;
    readonly votes: number | null;
    readonly share: number | null;
    readonly isWinner: boolean | null;
    readonly rankedChoiceRounds: readonly { readonly votesGained: number; readonly runningTotal: number }[];
  }[];
}

let lastId = 0;
let lastYear = 2010;

/** Stores races on the ballot of one day and one district. @returns the day and the ids of races and candidates. */
async function store(races: readonly RandomRace[]) {
  const id = ++lastId;
  const date = `${++lastYear}-11-03`;
  await insert(database.db, 'districts', [{ id, type: 'State', name: 'Vermont', state: 'VT' }]);
  await boundary(database.db, id, [`${date.slice(0, 4)}-01-01`, null], [0, 0, 1, 1]);
  await insert(database.db, 'elections', [
    { id, date, type: 'General', district_id: id, candidate_lists_complete: true },
  ]);
  const stored: { id: number; race: RandomRace; candidates: number[] }[] = [];
  for (const race of races) {
    const raceId = ++lastId;
    const office = { district_id: id, level: 'State', branch: 'Executive' } as const;
    await insert(database.db, 'offices', [{ id: raceId, name: `Office ${raceId}`, ...office }]);
    await insert(database.db, 'races', [
      {
        ...{ id: raceId, election_id: id, office_id: raceId, year: Number(date.slice(0, 4)), type: 'Regular' },
        ...{ stage_type: 'General', number_of_seats: race.seats },
      },
    ]);
    const ids: number[] = [];
    for (const { status, votes, isWriteIn, withdrew, rounds } of race.candidates) {
      const candidate = ++lastId;
      ids.push(candidate);
      await insert(database.db, 'persons', [{ id: candidate, name: `Person ${candidate}` }]);
      await insert(database.db, 'candidates', [
        {
          ...{ id: candidate, race_id: raceId, person_id: candidate, cand_status: status, votes_for_cand: votes },
          ...{ is_write_in: isWriteIn, withdrew_still_on_ballot: withdrew },
        },
      ]);
      await insert(
        database.db,
        'ranked_choice_rounds',
        rounds.map((round, index) => ({
          ...{ candidate_id: candidate, round: index + 1, votes_for: round.votes, status: round.status },
        })),
      );
    }
    stored.push({ id: raceId, race, candidates: ids });
  }
  return { date, stored };
}

it('is the same in GraphQL with and without the planner, REST, MCP and the bulk download', async () => {
  expect(validate(schema, QUERY.document)).toEqual([]);
  await fc.assert(
    fc.asyncProperty(fc.array(randomRace, { minLength: 12, maxLength: 12 }), async (races) => {
      const { date, stored } = await store(races);
      const at = { latitude: 0.5, longitude: 0.5 };
      const run = async (execute: typeof planned) =>
        execute({ prepared: QUERY, variableValues: { date, at }, contextValue: contextOf(database.db), asText: false });
      const [result, other] = [await run(planned), await run(resolved)];
      expect(result.errors).toBeUndefined();
      expect(JSON.stringify(result.data)).toBe(JSON.stringify(other.data));
      const data = JSON.parse(JSON.stringify(result.data));

      // Races of write-ins only, and without candidates, are on no ballot.
      const listed = stored.filter(({ race }) => race.candidates.some(({ isWriteIn }) => !isWriteIn));
      const rows: Row[] = (data.locations[0].ballot.districts as { races: Row[] }[]).flatMap((part) => part.races);
      const ids = (all: readonly { readonly databaseId: number }[]) => all.map((each) => each.databaseId).sort();
      expect(ids(rows)).toEqual(listed.map(({ id }) => id).sort());
      expect(data.locations[0].ballot.raceCount).toBe(listed.length);
      expect(data.elections.edges[0].node.districts.flatMap((part: { races: Row[] }) => part.races)).toEqual(rows);

      const mcp = await call(client, 'results', { state: 'VT', date });
      const contests = (mcp.structured?.contests ?? []) as {
        office: string;
        totalVotes?: number;
        margin?: number;
        candidates: { name: string; share?: number }[];
      }[];
      expect(contests.map(({ office }) => office).sort()).toEqual(listed.map(({ id }) => `Office ${id}`).sort());

      const url = `/data/elections_by_state?state=VT&election_date=${date}`;
      const rest = (await service.app.inject({ url, headers: { 'x-api-key': service.key('full') } })).json();
      const restRaces: { id: number; candidates: RestCandidate[] }[] =
        listed.length > 0 ? rest.data.districts[0].races : [];
      expect(restRaces.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());

      const csv: { candidate_id: number; percent: number | null }[] = JSON.parse(
        await fileText(sourceOf(database), RESULTS_QUERY, 'json', { today: '2100-01-01' }),
      );
      const percents = new Map(csv.map(({ candidate_id, percent }) => [candidate_id, percent]));

      for (const { id, race, candidates } of listed) {
        const tally = tallyFor(race);
        const row = rows.find(({ databaseId }) => databaseId === id) as Row;
        expect([row.totalVotes, row.margin]).toEqual([tally.totalVotes, tally.margin]);
        const contest = contests.find(({ office }) => office === `Office ${id}`);
        expect([contest?.totalVotes ?? null, contest?.margin ?? null]).toEqual([tally.totalVotes, tally.margin]);
        const ofRest = restRaces.find((each) => each.id === id)?.candidates ?? [];
        for (const [index, candidateId] of candidates.entries()) {
          const found = row.candidates.find(({ databaseId }) => databaseId === candidateId);
          const share = tally.shares.get(index) ?? null;
          expect([found?.share, found?.isWinner]).toEqual([share, tally.winners.get(index)]);
          const told = contest?.candidates.find(({ name }) => name === `Person ${candidateId}`)?.share;
          expect(told ?? null).toBe(share === null ? null : Math.round(share * 10_000) / 10_000);
          const gains = race.candidates[index]?.rounds.map(({ votes }) => votes) ?? [];
          expect(found?.rankedChoiceRounds.map(({ votesGained }) => votesGained)).toEqual(gains);
          const restCandidate = ofRest.find((each) => each.id === candidateId);
          expect(restCandidate?.ranked_choice_voting_rounds.map(({ votes_for }) => votes_for)).toEqual(gains);
          if (gains.length > 0) expect(Math.round(sum(gains))).toBe(restCandidate?.votes_for_cand);
          const percent = percents.get(candidateId) ?? null;
          if (percent !== null || !race.candidates.some(({ rounds }) => rounds.length > 1)) {
            if (share === null) expect(percent).toBeNull();
            else expect(Number(percent)).toBeCloseTo(share * 100, 1);
          }
        }
      }
    }),
    { numRuns: 4 },
  );
}, 120_000);

interface RestCandidate {
  readonly id: number;
  readonly votes_for_cand: number | null;
  readonly ranked_choice_voting_rounds: readonly { readonly votes_for: number }[];
}
