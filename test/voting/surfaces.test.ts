import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { get } from '../support/rest.ts';
import { createVotingWorld, VOTING } from '../support/voting-world.ts';
import { POINTS } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createVotingWorld(database.db));
const service = useApp(database);
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

type Where = (typeof POINTS)[keyof typeof POINTS];

const rest = ({ latitude, longitude }: Where, more: string, key?: string) =>
  get(service, `/data/voting?lat=${latitude}&long=${longitude}${more}`, key);

async function graphql({ latitude, longitude }: Where, on: string, key = 'full') {
  const query = `{ location(latitude: ${latitude}, longitude: ${longitude}) { voting(on: "${on}") {
    state notKnown places { distance place { databaseId name } } deadlines { kind day } } } }`;
  const headers = { 'x-api-key': service.key(key) };
  return (await service.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } })).json();
}

describe.each([
  ['places', POINTS.southWest, VOTE.date2024],
  ['places of another election', POINTS.southWest, VOTE.date2022],
  ['no places for the point', POINTS.northWest, VOTE.date2024],
  ['no places for the election', POINTS.southWest, VOTE.date2026],
])('with %s', (_, point, on) => {
  it('GraphQL, REST and MCP say the same, in the same words', async () => {
    const { data } = await graphql(point, on);
    const { voting } = data.location;
    const { body } = await rest(point, `&on=${on}`);
    const [ofRest] = body.data.elections;
    expect(ofRest).toMatchObject({ date: on, state: voting.state, not_known: voting.notKnown });
    type Found = { distance: number | null; place: { databaseId: number; name: string } };
    expect(ofRest.places.map(({ id, name, distance_m }: Record<string, unknown>) => [id, name, distance_m])).toEqual(
      voting.places.map(({ distance, place }: Found) => [place.databaseId, place.name, distance]),
    );
    const days = (list: readonly { kind: string; day?: string | null }[]) =>
      list.map(({ kind, day }) => [kind, day ?? null]);
    expect(days(ofRest.deadlines)).toEqual(days(voting.deadlines));
    const { structured } = await call(client, 'where_to_vote', { ...point, on });
    type Result = {
      places: { name: string }[];
      notKnown: string[];
      state: string;
      deadlines: { kind: string; day?: string }[];
    };
    const found = structured as unknown as Result;
    expect(found.places.map(({ name }) => name)).toEqual(voting.places.map(({ place }: Found) => place.name));
    expect(found.notKnown).toEqual(voting.notKnown === null ? [] : [voting.notKnown]);
    expect(found.state).toBe(voting.state);
    expect(days(found.deadlines)).toEqual(days(voting.deadlines));
  });
});

describe('/data/voting', () => {
  it('has the place with its hours, the precinct and the texts of a language', async () => {
    const { body } = await rest(POINTS.southWest, `&on=${VOTE.date2024}&language=es`);
    const [found] = body.data.elections;
    expect(found.precinct).toEqual({ id: VOTING.westPrecinct, name: '01-01' });
    expect(found.places[1]).toMatchObject({
      id: VOTING.westHall,
      kind: 'ELECTION_DAY',
      open: [{ from: '2024-11-05T07:00', to: '2024-11-05T19:00' }],
      time_zone: 'America/Chicago',
    });
    expect(found.deadlines[0].phrase).toEqual({ text: '15 días antes', language: 'es' });
  });

  it('has no election where none applies', async () => {
    expect((await rest(POINTS.sea, '')).body).toMatchObject({ success: true, data: { elections: [] } });
  });

  it.each(['&on=2024-13-01', `&language=${'x'.repeat(36)}`])('refuses %s', async (more) => {
    expect((await rest(POINTS.southWest, more)).status).toBe(400);
  });
});

it('precincts are in REST only with include=precincts, and in GraphQL', async () => {
  const { latitude, longitude } = POINTS.southWest;
  const types = async (more: string) =>
    (await get(service, `/data/districts/point?lat=${latitude}&long=${longitude}${more}`)).body.data.map(
      ({ type }: { type: string }) => type,
    );
  expect(await types('')).not.toContain('Precinct');
  expect((await types('&include=precincts')).at(-1)).toBe('Precinct');
});

describe('a package without voting', () => {
  it('has none of it, and is told that its key lacks it', async () => {
    const { data, extensions } = await graphql(POINTS.southWest, VOTE.date2024, 'lookup');
    expect(data.location.voting).toBeNull();
    expect(extensions.notInPackage).toContainEqual({ grant: 'voting', paths: [['location', 'voting']] });
    expect((await rest(POINTS.southWest, '', 'lookup')).status).toBe(403);
    const limited = await connect(service, service.key('lookup'));
    const { structured } = await call(limited, 'where_to_vote', { ...POINTS.southWest, on: VOTE.date2024 });
    expect(structured).toMatchObject({
      places: [],
      notKnown: ['Places to vote and deadlines are not included in this key.'],
    });
    await limited.close();
  });
});

it('the tool for deadlines has those of the elections of a state, and says what is not known', async () => {
  const of2024 = await call(client, 'deadlines', { state: 'aa', on: VOTE.date2024 });
  expect(of2024.structured).toMatchObject({
    deadlines: [{ kind: 'REGISTER_ONLINE', day: '2024-10-21' }, { day: '2024-11-01' }, {}, {}],
    office: { website: 'https://aa.example/' },
  });
  expect((await call(client, 'deadlines', { state: 'BB', on: VOTE.date2024 })).structured).toMatchObject({
    deadlines: [],
    notKnown: ['The deadlines of this election are not in the data: ask the election office.'],
  });
  expect((await call(client, 'deadlines', { state: 'AA', on: '2023-01-01' })).structured).toMatchObject({
    notKnown: ['No election is known here on this day or later.'],
  });
});
