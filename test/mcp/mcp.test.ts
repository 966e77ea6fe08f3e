import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { MAX_RESULT_BYTES } from '../../src/gateway/mcp/tool.ts';
import { GRANTS, isGrant } from '../../src/graph/builder/grants.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { CONTEST, insertUnplaced } from '../support/unplaced.ts';
import { boundary, insert, POINTS, WORLD } from '../support/world.ts';
import { call, connect } from './client.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));
const service = useApp(database);
const disabled = useApp(database, { MCP: 'false', INTROSPECTION: 'false' });
const noIntrospection = useApp(database, { INTROSPECTION: 'false' });

let client: Client;
/** A key for each grant, whose package has all others, and one without any. */
const limitedKeys = new Map<string, string>();
beforeAll(async () => {
  const grants = Object.keys(GRANTS).filter(isGrant);
  for (const without of [...grants, 'all']) {
    const name = `without-${without.replace('_', '-')}`;
    const included = without === 'all' ? [] : grants.filter((grant) => grant !== without);
    await setPackage(database.db, { name, grants: included });
    limitedKeys.set(without, await createApiKey(database.db, name));
  }
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const { southWest, sea } = POINTS;
const post = (payload: unknown, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      'x-api-key': service.key('full'),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    payload: payload as object,
  });
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the MCP endpoint', () => {
  it('lists tools that only read, each with an output schema', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'find_place',
      ...['who_represents', 'whats_on_my_ballot', 'find_elections', 'where_to_vote', 'deadlines'],
      ...['find_person', 'compare_maps', 'results', 'what_changed'],
      ...['search_schema', 'run_graphql'],
    ]);
    for (const { outputSchema, annotations, inputSchema } of tools) {
      expect(outputSchema?.type).toBe('object');
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });

  it('has the schema as a resource', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['ballotgraph://schema.graphql']);
    const { contents } = await client.readResource({ uri: 'ballotgraph://schema.graphql' });
    const schema = buildSchema((contents[0] as { text: string }).text);
    expect(schema.getType('Race')?.description).toMatch(/contest for an office/);
  });

  it('has no resources if introspection is disabled', async () => {
    const other = await connect(noIntrospection, noIntrospection.key('full'));
    expect(other.getServerCapabilities()?.resources).toBeUndefined();
    expect((await call(other, 'search_schema', { text: 'ballot' })).isError).toBe(true);
    await other.close();
  });

  it('does not exist with MCP=false', async () => {
    const response = await disabled.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': disabled.key('full') },
      payload: PING,
    });
    expect(response.statusCode).toBe(404);
  });

  it('needs an API key, like every API', async () => {
    const response = await post(PING, { 'x-api-key': 'bg_wrong' });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ success: false });
  });

  it('rejects other methods, origins that are not on the list, and bodies that are not JSON-RPC', async () => {
    const key = { 'x-api-key': service.key('full') };
    expect((await service.app.inject({ method: 'GET', url: '/mcp', headers: key })).statusCode).toBe(405);
    expect((await service.app.inject({ method: 'DELETE', url: '/mcp', headers: key })).statusCode).toBe(405);
    expect((await post(PING, { origin: 'https://evil.example' })).statusCode).toBe(403);
    expect((await post({ hello: 'world' })).statusCode).toBe(400);
    expect((await post('{', {})).statusCode).toBe(400);
    expect((await post(PING, { accept: 'text/html' })).statusCode).toBe(406);
  });

  it('keeps no sessions: any request may go to any gateway', async () => {
    const response = await post({
      ...PING,
      method: 'tools/call',
      params: { name: 'find_elections', arguments: { state: 'AA', from: '2024-01-01' } },
    });
    expect(response.headers['mcp-session-id']).toBeUndefined();
    expect(response.json().result.structuredContent.elections).toHaveLength(3);
  });
});

describe('invalid input', () => {
  it.each([
    ['who_represents', { latitude: 91, longitude: 0 }, /latitude/],
    ['who_represents', { latitude: 1, longitude: 0, on: '2024-02-30' }, /YYYY-MM-DD/],
    ['who_represents', { latitude: 1, longitude: 0, day: '2024-02-03' }, /Unknown input "day"\. Did you mean "on"\?/],
    ['who_represents', { lat: 1, lng: 0 }, /"lat"\. Did you mean "latitude"\? Unknown input "lng".* "longitude"\?/],
    ['whats_on_my_ballot', { latitude: 1, longitude: 0, electionDate: '2024-02-03' }, /Did you mean "date"\?/],
    ['find_place', { address: 'Augusta, ME' }, /Did you mean "text"\?/],
    ['find_place', { zip: '05602' }, /Did you mean "text"\?/],
    ['who_represents', { zip: '05602' }, /Unknown input "zip"\. Ask find_place for the point/],
    ['find_person', { query: 'Collins' }, /Did you mean "name"\?/],
    ['find_elections', { stateCode: 'AA' }, /Did you mean "state"\?/],
    ['find_elections', { state: 'AA', year: 2024 }, /Did you mean "from" or "to"\?/],
    [
      'compare_maps',
      { latitude: 1, longitude: 0, from: '2024-02-03' },
      /are latitude, .* first, second and districtTypes\./,
    ],
    ['results', { state: 'AA', date: '2024-11-05', level: 'STATE' }, /Did you mean "levels"\?/],
    ['what_changed', {}, /INVALID_PARAMETER: Give either since, a day, or after/],
    ['what_changed', { since: '2024-11-05', after: 'x' }, /either since/],
    ['what_changed', { after: 'x' }, /GONE: after is not known .* Ask with since, a day; or with after: "[\da-f]{72}"/],
    ['what_changed', { since: '2024-11-05', types: ['Contact'] }, /types/],
    ['search_schema', { query: 'ballot' }, /Did you mean "text"\?/],
    ['run_graphql', { document: '{ __typename }' }, /The inputs are query and variables\./],
    ['find_elections', {}, /INVALID_PARAMETER: Give either state, or latitude and longitude/],
    ['find_elections', { state: 'AA', ...southWest }, /either state/],
    ['find_elections', { latitude: 1 }, /either state/],
    ['find_person', { name: 'x' }, /name/],
    ['results', { state: 'Alpha', date: '2024-11-05' }, /two letters/],
    ['run_graphql', { query: '{ location }' }, /Field .*location/],
    ['run_graphql', { query: '{' }, /Syntax Error/],
    ['no_such_tool', {}, /no_such_tool/],
  ])('of %s is an error that names it: %j', async (name, input, message) => {
    const { isError, text, structured } = await call(client, name, input);
    expect(isError === true || structured?.errors !== undefined).toBe(true);
    expect(text).toMatch(message);
  });

  it('of run_graphql has the limits of the gateway', async () => {
    const points = Array.from({ length: 100 }, () => '{ latitude: 1, longitude: 1 }').join();
    const query = `{ locations(points: [${points}]) { districts { boundaries { geometry } offices { officeholders { person { candidacies { race { candidates { person { name } } } } } } } } } }`;
    expect((await call(client, 'run_graphql', { query })).text).toMatch(/cost|limit|at most/i);
  });
});

describe('a result', () => {
  it('lists unknown values', async () => {
    const { structured } = await call(client, 'who_represents', { ...sea });
    expect(structured).toMatchObject({ districts: [], notKnown: [expect.stringMatching(/No district/)] });
    const vacant = await call(client, 'who_represents', { ...POINTS.beta });
    expect(vacant.structured?.notKnown).toContainEqual(
      expect.stringMatching(/Beta\) is vacant, or its holder is not known/),
    );
  });

  it('names the data that the package of the key excludes, and contains none of it', async () => {
    const lookup = await connect(service, service.key('lookup'));
    const ballot = await call(lookup, 'whats_on_my_ballot', { ...southWest, date: VOTE.date2022 });
    expect(ballot.structured).toMatchObject({
      contests: [],
      notKnown: [expect.stringMatching(/^Elections are not included in this key\.$/)],
    });
    const noResults = await connect(service, service.key('no-results'));
    const { text } = await call(noResults, 'results', { state: 'AA', date: VOTE.date2022 });
    expect(text).not.toMatch(/"votes"|"isWinner"|"margin"|"yesVotes"/);
    await Promise.all([lookup.close(), noResults.close()]);
  });

  it('says how many contests are not placed where results has none, and nothing without the grant', async () => {
    const { id } = await database.db
      .insertInto('sources')
      .values({ name: 'Tables' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertUnplaced(database.db, id, [CONTEST]);
    const asked = { state: 'AA', date: CONTEST.date, office: 'drain commissioner' };
    const sentence = expect.stringMatching(/^1 contest with 3,000,000,020 votes is not placed/);
    expect((await call(client, 'results', asked)).structured?.notKnown).toContainEqual(sentence);
    const empty = await call(client, 'results', { ...asked, date: '2023-01-01' });
    expect(empty.structured?.notKnown).toContainEqual(sentence);
    const noResults = await connect(service, service.key('no-results'));
    expect((await call(noResults, 'results', asked)).text).not.toContain('not placed');
    await noResults.close();
    await database.db.deleteFrom('sources').where('id', '=', id).execute();
  });

  describe.each([
    ['find_place', { text: 'Alpha' }],
    ['who_represents', { ...southWest }],
    ['whats_on_my_ballot', { ...southWest, date: VOTE.date2022 }],
    ['find_elections', { state: 'AA', from: '2022-01-01' }],
    ['find_elections', { ...southWest, from: '2022-01-01' }],
    ['find_person', { name: 'able' }],
    ['compare_maps', { ...southWest, first: '2022-01-01', second: '2024-01-01' }],
    ['results', { state: 'AA', date: VOTE.date2022 }],
    ['what_changed', { since: '2000-01-01', types: ['Candidate', 'Boundary'] }],
  ])('of %s %j for a package without a grant', (tool, args) => {
    const answer = async (key: string) => {
      const limited = await connect(service, key);
      const { structured } = await call(limited, tool, args);
      await limited.close();
      const { notKnown, sources: _, omitted: __, ...rest } = structured ?? {};
      return { notKnown: notKnown as string[], rest };
    };

    it('says so, and not that nothing is known', async () => {
      const full = await answer(service.key('full'));
      expect(full.notKnown.join()).not.toContain('not included in this key');
      for (const [without, key] of limitedKeys) {
        const found = await answer(key);
        const excluded = found.notKnown.filter((sentence) => sentence.endsWith(' are not included in this key.'));
        // The order of candidates depends on their votes.
        const isLess = JSON.stringify(found.rest).length < JSON.stringify(full.rest).length;
        if (isLess) expect(excluded, without).not.toEqual([]);
        // What is not known besides is so for every key.
        const others = found.notKnown.filter((sentence) => !/are not included in this key/.test(sentence));
        expect(full.notKnown, without).toEqual(expect.arrayContaining(others));
      }
    });
  });

  it('lists its sources with their days', async () => {
    const day = '2026-06-01';
    const { id } = await database.db
      .insertInto('sources')
      .values({ name: 'office-list', as_of: day })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insert(database.db, 'record_sources', [{ kind: 'district', record_id: WORLD.alpha, source_id: id }]);
    const { structured } = await call(client, 'who_represents', { ...southWest });
    expect(structured?.sources).toEqual([{ name: 'office-list', asOf: day }]);
  });

  it('is truncated at the end of its list, and states that, to stay below 8 kB', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ id: 9_000 + index, name: `Zachary Zimmerman ${index}` }));
    await insert(database.db, 'persons', many);
    await insert(
      database.db,
      'candidates',
      many.map(({ id }) => ({ race_id: VOTE.withoutCandidates, person_id: id, cand_status: 'On the Ballot' })),
    );
    const people = await call(client, 'find_person', { name: 'Zimmerman' });
    expect(people.structured).toMatchObject({ found: 300 });
    expect(Buffer.byteLength(people.text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    const ballot = await call(client, 'whats_on_my_ballot', { ...southWest, date: VOTE.date2022 });
    expect(Buffer.byteLength(ballot.text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    const query = '{ people(name: "Zimmerman", first: 100) { edges { node { name firstName lastName url } } } }';
    expect(await call(client, 'run_graphql', { query })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/RESPONSE_TOO_LARGE: The result has \d+ bytes; at most 8000 are allowed/),
    });
  });

  it('of find_person has the address of a picture, as the source states it', async () => {
    const { structured } = await call(client, 'find_person', { name: 'Ada Able' });
    expect(structured).toMatchObject({ people: [{ imageUrl: 'https://pictures.example/ada.jpg' }] });
  });

  it('of find_person has all terms of one person, and counts those that do not fit', async () => {
    const terms = (person: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ id: person + index, office_id: WORLD.governor, person_id: person, status: 'Former' as const },
        ...{ start_date: `${1700 + index}-01-01`, end_date: `${1700 + index}-12-31` },
      }));
    const [senator, dean] = [9_700, 9_800];
    await insert(database.db, 'persons', [
      { id: senator, name: 'Quentin Quill' },
      { id: dean, name: 'Quintus Quasar' },
    ]);
    await insert(database.db, 'officeholders', [...terms(senator, 25), ...terms(dean, 90)]);
    const people = async (name: string) => {
      const { structured, text } = await call(client, 'find_person', { name });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
      expect(structured).toMatchObject({ omitted: 0 });
      return (structured as { people: { offices: { since: string }[]; moreOffices?: number }[] }).people;
    };
    const [quill] = await people('Quill');
    expect([quill?.offices.length, quill?.offices.at(-1)?.since, quill?.moreOffices]).toEqual([
      25,
      '1700-01-01',
      undefined,
    ]);
    const [quasar] = await people('Quasar');
    expect(quasar?.offices.length).toBeLessThan(90);
    expect((quasar?.offices.length ?? 0) + (quasar?.moreOffices ?? 0)).toBe(90);
    await database.db.deleteFrom('officeholders').where('person_id', 'in', [senator, dean]).execute();
  });

  it.each([
    ['ballot of a point', 'Location.ballot', 'ballot(electionDate: Date!): Ballot'],
    ['Race.margin', 'Race.margin', 'margin: Float'],
    ['race', 'Race', 'type Race'],
    ['swearing', 'Race.swearingInDate', 'swearingInDate: Date'],
    ['nearest distance', 'NearestLine.distance', 'distance: Float!'],
    ['CONGRESS', 'DistrictType.CONGRESS', 'CONGRESS'],
  ])('of search_schema for %j begins with %s or a type', async (text, name, definition) => {
    const { structured, text: body } = await call(client, 'search_schema', { text });
    const found = (structured as { elements: { name: string; definition: string }[] }).elements;
    const [first] = found.filter((each) => each.name === name || !each.definition.startsWith('type '));
    expect(first).toMatchObject({ name, definition });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  });

  it.each([
    ['who represents a point', /officeholders$/i],
    ['next election at an address', /^Location\.nextElections$/],
    ['what changed since yesterday', /^(Location\.changes|Change)$/],
    ['phone number of my senator', /^ContactType\.PHONE$/],
    ['polling stations', /votingPlaces$/],
    ['pagination', /pageInfo$/],
  ])('of search_schema for the question %j has %s among the first two', async (text, name) => {
    const { structured } = await call(client, 'search_schema', { text });
    const { found, elements, notKnown } = structured as {
      found: number;
      elements: { name: string }[];
      notKnown: string[];
    };
    expect({ found, notKnown }).toEqual({ found: 0, notKnown: [expect.stringContaining('; these have some')] });
    expect(elements.slice(0, 2).map((each) => each.name)).toContainEqual(expect.stringMatching(name));
  });

  it('compares the maps of two days', async () => {
    const { structured } = await call(client, 'compare_maps', {
      ...southWest,
      first: '2022-01-01',
      second: '2024-01-01',
    });
    const congress = (structured as { districts: { type: string }[] }).districts.filter(
      ({ type }) => type === 'CONGRESS',
    );
    expect(congress).toMatchObject([
      { change: 'new boundary', first: { to: WORLD.redrawn }, second: { from: WORLD.redrawn } },
    ]);
    expect(structured).toMatchObject({ moves: [] });
  });

  it('says when a point moved, and which election was already held in its new district', async () => {
    const northWest = { latitude: 48, longitude: -98 };
    const days = { first: '2022-01-01', second: '2024-01-01' };
    expect((await call(client, 'compare_maps', { ...northWest, ...days })).structured).toMatchObject({
      moves: [
        'On 2023-01-03 the point moved from Congressional District 2 to Congressional District 1. The election of 2022-11-08 was already held in Congressional District 1.',
      ],
    });
    const states = { ...northWest, ...days, districtTypes: ['STATE'] };
    expect((await call(client, 'compare_maps', states)).structured).toMatchObject({ moves: [] });
  });

  it('says what is not known between two days, pairs districts that overlap, and has the newer one on the last day', async () => {
    const [water, fire, library, school, other] = [9_001, 9_002, 9_003, 9_004, 9_005];
    const district = (id: number, type: 'Special District' | 'School District') => ({
      ...{ id, type, name: `District ${id}`, state: 'AA' },
    });
    await insert(database.db, 'districts', [
      ...[water, fire, library].map((id) => district(id, 'Special District')),
      ...[school, other].map((id) => district(id, 'School District')),
    ]);
    const box = [-99, 41, -97, 43] as [number, number, number, number];
    await boundary(database.db, water, ['2000-01-01', null], box);
    await boundary(database.db, fire, ['2000-01-01', '2020-01-01'], box);
    await boundary(database.db, library, ['2020-01-01', null], box);
    await boundary(database.db, school, ['2000-01-01', '2012-06-30'], box);
    await boundary(database.db, other, ['2014-07-01', null], box);
    try {
      const districtTypes = ['SPECIAL_DISTRICT', 'SCHOOL_DISTRICT'];
      const days = { first: '2010-01-01', second: '2020-01-01' };
      const { structured } = await call(client, 'compare_maps', { ...southWest, ...days, districtTypes });
      const side = (id: number) => ({ district: `District ${id}` });
      expect(structured).toMatchObject({
        districts: [
          { type: 'SCHOOL_DISTRICT', change: 'other district', first: side(school), second: side(other) },
          { type: 'SPECIAL_DISTRICT', change: 'same boundary', first: side(water), second: side(water) },
          { type: 'SPECIAL_DISTRICT', change: 'other district', first: side(fire), second: side(library) },
        ],
        moves: ['On 2020-01-01 the point moved from District 9002 to District 9003.'],
        notKnown: ['Which SCHOOL_DISTRICT contained the point from 2012-07-01 to 2014-06-30 is not known.'],
      });
    } finally {
      await database.db.deleteFrom('districts').where('id', '>=', water).where('id', '<=', other).execute();
    }
  });

  describe('of what_changed', () => {
    const told = async (input: object, key = service.key('full')) => {
      const other = await connect(service, key);
      const { structured, text } = await call(other, 'what_changed', { ...input });
      await other.close();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
      return structured as {
        changes: { change: string; type: string; name?: string; fields?: string[]; id: string }[];
        next: string;
        isUpToDate: boolean;
        omitted: number;
        notKnown: string[];
      };
    };
    const now = async () => (await told({ since: '9999-12-31' })).next;

    it('has the names of records, what changed of them, and those that were deleted', async () => {
      const next = await now();
      const first = await database.db
        .selectFrom('candidates')
        .select(({ fn }) => fn.min('id').as('id'))
        .executeTakeFirstOrThrow();
      await database.db
        .updateTable('candidates')
        .set({ votes_for_cand: 11, fec_id: 'H1' })
        .where('id', '=', first.id)
        .execute();
      await insert(database.db, 'parties', [
        { id: 991, name: 'One' },
        { id: 992, name: 'Two' },
      ]);
      await database.db.updateTable('parties').set({ name: 'Both' }).where('id', '=', 992).execute();
      await database.db.deleteFrom('parties').where('id', '=', 991).execute();
      const { changes, notKnown, ...rest } = await told({ after: next });
      expect(changes).toMatchObject([
        {
          change: 'changed',
          type: 'Candidate',
          name: expect.stringMatching(/^.+, .+, \d{4}-\d\d-\d\d$/),
          fields: ['fecId', 'votes'],
        },
        { change: 'created', type: 'Party', name: 'Both' },
        { change: 'deleted', type: 'Party' },
      ]);
      expect(changes.map((each) => 'name' in each)).toEqual([true, true, false]);
      expect({ notKnown, ...rest }).toMatchObject({ notKnown: [], isUpToDate: true, omitted: 0 });
      expect(await told({ after: rest.next })).toMatchObject({
        changes: [],
        next: rest.next,
        notKnown: ['Nothing of this changed in the data since then.'],
      });
      const withoutResults = await told({ since: '2000-01-01', types: ['Candidate'] }, limitedKeys.get('results'));
      expect(JSON.stringify(withoutResults.changes)).not.toContain('votes');
      expect(withoutResults.notKnown).toContain('Results are not included in this key.');
    });

    it('is short, and has all changes from one result to the next', async () => {
      const next = await now();
      const parties = Array.from({ length: 60 }, (_, index) => ({
        id: 2_000 + index,
        name: `${'Long '.repeat(50)}${index}`,
      }));
      await insert(database.db, 'parties', parties);
      const read: string[] = [];
      for (let after = next, isDone = false; !isDone; ) {
        const { changes, isUpToDate, omitted, ...rest } = await told({ after });
        expect([omitted, changes.length > 0]).toEqual([0, true]);
        read.push(...changes.map(({ id }) => id));
        [after, isDone] = [rest.next, isUpToDate];
      }
      expect([read.length, new Set(read).size]).toEqual([60, 60]);
      await database.db.deleteFrom('parties').where('id', '>=', 2_000).execute();
    });
  });

  it('is refused if the first day is after the second', async () => {
    const days = { first: '2024-01-01', second: '2022-01-01' };
    const { isError, text } = await call(client, 'compare_maps', { ...southWest, ...days });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^INVALID_PARAMETER: first must not be after 2022-01-01/),
    ]);
  });
});

describe('an error', () => {
  it('of an array of messages is 400: batches would count once for all limits', async () => {
    for (const payload of [[], [PING], [PING, { ...PING, id: 2 }]]) {
      const response = await post(JSON.stringify(payload));
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: expect.stringMatching(/Batches \(arrays\) are not supported/) },
      });
    }
  });

  it.each([
    ['find_person', { name: 'a\0b' }],
    ['find_person', { name: 'ab\ud800' }],
    ['results', { state: 'AA', date: VOTE.date2022, office: 'a\0b' }],
    ['run_graphql', { query: '{ people(name: "a\\u0000b") { totalCount } }' }],
  ])('of %s in the characters of a text is INVALID_PARAMETER: %j', async (name, input) => {
    const { isError, text } = await call(client, name, input);
    expect(isError).toBe(true);
    expect(text).toMatch(/^INVALID_PARAMETER: (name|office) must/);
  });

  it.each([
    ['{ nope }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['{', {}, 'GRAPHQL_PARSE_FAILED'],
    ['query ($a: Int!) { districts(first: $a) { totalCount } }', { a: 'x' }, 'BAD_USER_INPUT'],
  ])('of run_graphql without data has the code of /graphql: %s', async (query, variables, code) => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': service.key('full') },
      payload: { query, variables },
    });
    const { isError, text, structured } = await call(client, 'run_graphql', { query, variables });
    expect(isError).toBe(true);
    expect(structured?.errors).toEqual(response.json().errors);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  it('of one field is no error of the tool: the result has the other data', async () => {
    const query = '{ districts { totalCount } __typename }';
    expect((await call(client, 'run_graphql', { query })).isError).toBeUndefined();
  });
});

it.each([
  [
    'find_elections',
    { state: 'AA', from: VOTE.date2022, to: VOTE.date2022 },
    `{ elections(filter: { state: "AA", date: "${VOTE.date2022}" }) { nodes { name } } }`,
    'name',
  ],
  ['find_person', { name: 'able' }, '{ people(name: "able") { nodes { candidacies { race { name } } } } }', 'race'],
] as const)('%s names elections and races as GraphQL does', async (tool, given, query, member) => {
  const named = (value: unknown, key: string) =>
    [...JSON.stringify(value).matchAll(new RegExp(`"${key}":"([^"]+)"`, 'g'))].map(([, name]) => name);
  const { structured } = await call(client, tool, given);
  const expected = named((await call(client, 'run_graphql', { query })).structured, 'name');
  expect(expected.length).toBeGreaterThan(0);
  const { elections, people } = structured as { elections?: object; people?: object };
  expect(named(elections ?? people, member)).toEqual(expected);
});

it('find_elections names the district that holds each election', async () => {
  const { structured } = await call(client, 'find_elections', { state: 'AA', from: VOTE.date2022, to: VOTE.date2022 });
  expect((structured as { elections: object[] }).elections).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ district: 'Alpha' })]),
  );
  const ofPoint = await call(client, 'find_elections', { ...southWest, from: VOTE.date2022, to: VOTE.date2022 });
  const names = (ofPoint.structured as { elections: { district: string }[] }).elections.map(({ district }) => district);
  expect(new Set(names).size).toBe(names.length);
});
