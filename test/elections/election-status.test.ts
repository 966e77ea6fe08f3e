import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElectionStatus } from '../../src/store/sql/tables.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { createWorld, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
const TODAY = '2026-07-01';
const service = useApp(database, { TODAY });

/** The elections of one district, one for each status, and one without. */
const ELECTIONS: readonly { id: number; date: string; type: string; status: ElectionStatus | null }[] = [
  { id: 900, date: '2026-08-04', type: 'Primary', status: 'Cancelled' },
  { id: 901, date: '2026-08-11', type: 'Primary', status: 'Postponed' },
  { id: 902, date: '2026-09-01', type: 'Primary', status: 'Scheduled' },
  { id: 903, date: '2026-11-03', type: 'General', status: null },
  { id: 904, date: '2026-03-03', type: 'Special', status: 'Certified' },
];

beforeAll(async () => {
  await createWorld(database.db);
  await insert(
    database.db,
    'elections',
    ELECTIONS.map((election) => ({ ...election, district_id: WORLD.alpha, candidate_lists_complete: true })),
  );
});

const { latitude, longitude } = POINTS.southWest;
const LEGACY = ELECTIONS.toSorted((a, b) => a.date.localeCompare(b.date)).map(({ date, status }) =>
  status === null ? { date } : { date, status },
);
const ENUM = LEGACY.map(({ date, status }) => ({ date, status: status?.toUpperCase() ?? null }));

describe('the status of an election', () => {
  it('is an enum in GraphQL, null if no source says so', async () => {
    const { data } = await request(database.db, '{ elections { nodes: edges { node { date status } } } }');
    const found = (data as { elections: { nodes: { node: unknown }[] } }).elections.nodes.map(({ node }) => node);
    expect(found).toEqual(ENUM);
  });

  it.each([
    ['the list', '/data/election_dates/list?state=AA'],
    ['the elections of a point', `/data/election_dates/point?lat=${latitude}&long=${longitude}`],
  ])('is left out of %s of REST if it is not known', async (_, url) => {
    const { status, body } = await get(service, url);
    expect(status).toBe(200);
    const found = body.data.elections.map((election: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(election).filter(([member]) => ['date', 'status'].includes(member))),
    );
    expect(found).toEqual(LEGACY);
  });

  it('is a column of the upcoming elections of the bulk download', async () => {
    const text = await readFile(join(import.meta.dirname, '../../db/queries/upcoming-elections.sql'), 'utf8');
    const rows = await database.db.transaction().execute(async (transaction) => {
      await sql`select set_config('ballotgraph.today', ${TODAY}, true)`.execute(transaction);
      return sql<{ date: string; status: string | null }>`${sql.raw(text)}`.execute(transaction);
    });
    expect(rows.rows.map(({ date, status }) => ({ date, status }))).toEqual(
      ELECTIONS.filter(({ date }) => date >= TODAY).map(({ date, status }) => ({ date, status })),
    );
  });

  it.each([
    ['for as many as there are', null, ['2026-08-04', '2026-08-11', '2026-09-01', '2026-11-03']],
    ['for the next one', 1, ['2026-09-01']],
    ['for the next ones', 5, ['2026-09-01', '2026-11-03']],
  ])('keeps elections that are not held from being the next ones: %s', async (_, first, expected) => {
    const query = `query ($first: Int) { location(latitude: ${latitude}, longitude: ${longitude}) {
      elections(from: "${TODAY}", first: $first) { date } } }`;
    const { data, errors } = await request(database.db, query, { variables: { first }, today: TODAY });
    expect(errors).toBeUndefined();
    expect(
      (data as { location: { elections: { date: string }[] } }).location.elections.map(({ date }) => date),
    ).toEqual(expected);
  });
});

describe('the tools of MCP', () => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect(service, service.key('full'));
  });
  afterAll(() => client.close());

  it.each([
    ['a state', { state: 'AA', from: '2026-01-01' }],
    ['a point', { latitude, longitude, from: '2026-01-01' }],
  ])('give the status of the elections of %s', async (_, input) => {
    const { structured } = await call(client, 'find_elections', input);
    const found = structured?.elections as { date: string; status?: string }[] | undefined;
    expect(found?.map(({ date, status = null }) => ({ date, status }))).toEqual(ENUM);
  });

  it.each([
    ['2026-08-04', ['Primary election in AA (CANCELLED)']],
    ['2026-08-11', ['Primary election in AA (POSTPONED)']],
    ['2026-09-01', ['Primary election in AA']],
  ])('say that the election of a ballot is not held: %s', async (date, elections) => {
    const { structured } = await call(client, 'whats_on_my_ballot', { latitude, longitude, date });
    expect(structured?.elections).toEqual(elections);
  });
});
