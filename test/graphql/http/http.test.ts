import { serverAudits } from 'graphql-http';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { createWorld, WORLD } from '../../support/world.ts';

const database = useDatabase();
const service = useApp(database);

let address: string;
beforeAll(async () => {
  await createWorld(database.db);
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});

describe('GraphQL over HTTP', () => {
  const withKey: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), 'x-api-key': service.key('full') },
    });

  for (const audit of serverAudits({ url: () => `${address}/graphql`, fetchFn: withKey })) {
    it(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      expect(result, JSON.stringify(result)).toMatchObject({ status: 'ok' });
    });
  }
});

describe('rejections', () => {
  const request = (body: unknown, headers: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('returns 401 in the GraphQL format without a key, also for introspection', async () => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: '{ __typename }' },
    });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('ApiKey');
    expect(response.json()).toEqual({
      errors: [{ message: expect.stringContaining('x-api-key'), extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  it('checks the key before it reads the body', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await service.app.inject({ method: 'POST', url: '/graphql', headers, payload: '{' });
    expect(response.statusCode).toBe(401);
  });

  it.each([
    ['a batch', [{ query: '{ __typename }' }], 400],
    ['no JSON', '{', 400],
    ['an empty body', '', 400],
    ['a body over 64 KiB', { query: `{ __typename } #${'x'.repeat(70_000)}` }, 413],
  ])('rejects %s', async (_, body, status) => {
    const response = await request(body);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ])('rejects a POST of %s, which needs no preflight in a browser', async (type) => {
    expect((await request('{ __typename }', { 'content-type': type })).statusCode).toBe(415);
  });

  it.each<[string, string, RegExp]>([
    [
      'a latitude beyond the pole',
      '{ location(latitude: 91, longitude: 0) { latitude } }',
      /Latitude must be a number from -90 to 90/,
    ],
    ['an infinite latitude', '{ location(latitude: 1e400, longitude: 0) { latitude } }', /Latitude must be a number/],
    ...['"one"', '"1e1"', '"+1"', '" 1"', '"91"', '""', 'true'].map((text): [string, string, RegExp] => [
      `${text} for a latitude`,
      `{ location(latitude: ${text}, longitude: 0) { latitude } }`,
      /Latitude must be a number from -90 to 90/,
    ]),
    [
      'a day that does not exist',
      '{ location(latitude: 1, longitude: 0) { districts(on: "2023-02-30") { id: databaseId } } }',
      /existing day/,
    ],
    [
      'the word today',
      '{ location(latitude: 1, longitude: 0) { districts(on: "today") { id: databaseId } } }',
      /existing day/,
    ],
    [
      'the year 0',
      '{ location(latitude: 1, longitude: 0) { districts(on: "0000-01-01") { id: databaseId } } }',
      /existing day/,
    ],
    ['a page of -1', '{ districts(first: -1) { edges { cursor } } }', /first must be from 0 to 100, not -1/],
    ['a page of 101', '{ districts(first: 101) { edges { cursor } } }', /first must be from 0 to 100, not 101/],
    ['an invented cursor', '{ districts(after: "bm9uc2Vuc2U") { edges { cursor } } }', /after must be a cursor/],
    [
      'a cursor with another shape',
      '{ districts(after: "WzEsMiwzXQ") { edges { cursor } } }',
      /after must be a cursor/,
    ],
    ['two identifiers', '{ district(databaseId: 1, geoId: "50") { id: databaseId } }', /exactly one of/],
    ['no identifier', '{ district { id: databaseId } }', /exactly one of/],
    ['a name of one letter', '{ people(name: "a") { edges { cursor } } }', /at least 2/],
    [
      'an unknown field',
      '{ location(latitude: 1, longitude: 0) { latitud } }',
      /^Cannot query field "latitud" on type "Location"\./,
    ],
  ])('names what is wrong with %s', async (_, query, message) => {
    const response = await request({ query });
    expect(response.statusCode).toBeLessThan(500);
    const { errors } = response.json<{ errors: { message: string; extensions: { code: string } }[] }>();
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.extensions.code).toMatch(/^(GRAPHQL_VALIDATION_FAILED|INVALID_PARAMETER)$/);
  });

  it('reports the length of a document that is too long, with 400 for any Accept header', async () => {
    const query = `{ ${'a: __typename '.repeat(400)} }`;
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await request({ query }, { accept });
      expect(response.statusCode).toBe(400);
      expect(response.json().errors).toEqual([
        {
          message: 'The document has 1202 tokens; at most 1000 are allowed. Request less data at once.',
          extensions: { code: 'QUERY_TOO_LONG', limit: 1_000, value: 1_202 },
        },
      ]);
    }
  });

  describe('degrees as text, as clients send them that take an unknown scalar for one', () => {
    const [latitude, longitude] = ['42.0', '-98'];
    const SELECTED = '{ id latitude longitude districts { id } }';
    it.each([
      ['a point', `query ($a: Latitude!, $b: Longitude!) { location(latitude: $a, longitude: $b) ${SELECTED} }`],
      ['points', `query ($points: [PointInput!]!) { locations(points: $points) ${SELECTED} }`],
      [
        'a default',
        `query ($a: Latitude = "42.0", $b: Longitude = "-98") { location(latitude: $a, longitude: $b) ${SELECTED} }`,
      ],
      ['literals', `{ location(latitude: "42.0", longitude: "-98") ${SELECTED} }`],
    ])('are those of the number: %s', async (_, query) => {
      const bodyOf = async (document: string, read: (text: string) => unknown) => {
        const [a, b] = [read(latitude), read(longitude)];
        const variables = { a, b, points: [{ latitude: a, longitude: b }] };
        return (await request({ query: document, variables })).body;
      };
      // In both orders, under two texts, so that each is once the request that fills the cache.
      const text = await bodyOf(query, String);
      expect(text).toContain('"latitude":42,"longitude":-98');
      expect(text).toContain('"districts":[{');
      expect(await bodyOf(query, Number)).toBe(text);
      expect(await bodyOf(`${query} `, Number)).toBe(text);
      expect(await bodyOf(`${query} `, String)).toBe(text);
    });
  });

  it('accepts 100 points and rejects 101', async () => {
    const query = 'query ($points: [PointInput!]!) { locations(points: $points) { latitude } }';
    const points = (count: number) => Array.from({ length: count }, () => ({ latitude: 1, longitude: 2 }));
    expect((await request({ query, variables: { points: points(100) } })).json().data.locations).toHaveLength(100);
    expect((await request({ query, variables: { points: points(101) } })).json().errors[0].message).toMatch(
      /at most 100 points at once, not 101/,
    );
  });

  it.each([
    ['no query', {}, /has a query, a string/, 'INVALID_REQUEST'],
    ['a query that is not a string', { query: 1 }, /"query" param to be a string, but given number/, 'BAD_REQUEST'],
    [
      'variables that are a list',
      { query: '{ __typename }', variables: [] },
      /"variables" param.*array/,
      'BAD_REQUEST',
    ],
    ['null', 'null', /JSON/, 'INVALID_REQUEST'],
    ['an operation in an array', [{ query: '{ __typename }' }], /^Batching is not supported: /, 'INVALID_REQUEST'],
    ['an empty array', [], /^Batching is not supported: /, 'INVALID_REQUEST'],
  ])('describes a valid request to one with %s', async (_, body, message, code) => {
    const response = await request(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code },
    });
  });

  it.each(['query', 'variables', 'operationName', 'documentId', 'extensions'])(
    'rejects a URL with %s twice',
    async (name) => {
      const parameters = [`query=${encodeURIComponent('{ __typename }')}`, `${name}=a`, `${name}=a`];
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await service.app.inject({
          method,
          url: `/graphql?${parameters.join('&')}`,
          headers: { 'x-api-key': service.key('full') },
        });
        expect(response.statusCode).toBe(400);
        if (method === 'GET') expect(response.json().errors[0].message).toBe(`${name}: must be given once.`);
      }
    },
  );

  it("takes an empty operationName for none: no operation has the name ''", async () => {
    const query = 'query A { __typename }';
    const headers = { 'x-api-key': service.key('full') };
    const url = `/graphql?${new URLSearchParams({ query, operationName: '' })}`;
    expect((await service.app.inject({ url, headers })).json()).toEqual({ data: { __typename: 'Query' } });
    expect((await request({ query, operationName: '' })).json()).toEqual({ data: { __typename: 'Query' } });
    expect((await request({ query, operationName: 'B' })).statusCode).toBe(400);
  });

  it.each<[string, number, string, Record<string, string>]>([
    ['an unknown media type', 406, 'NOT_ACCEPTABLE', { accept: 'text/csv' }],
    ['another charset', 406, 'NOT_ACCEPTABLE', { accept: 'application/json; charset=utf-16' }],
    [
      'a body in another charset',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { 'content-type': 'application/json; charset=utf-16' },
    ],
    ['a body of another type', 415, 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': 'text/plain' }],
    ['no type', 415, 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': '' }],
    ['an unknown expectation', 417, 'EXPECTATION_FAILED', { expect: 'a-miracle' }],
  ])('explains what is wrong with %s in a body, with a request id: %d', async (_, status, code, headers) => {
    const response = await request({ query: '{ __typename }' }, headers);
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\w-]{8,36}$/),
    });
    expect(response.json()).toEqual({ errors: [{ message: expect.stringMatching(/\w/), extensions: { code } }] });
  });

  it('hides an internal error behind a fixed message with the request id', async () => {
    await sql`alter table parties rename to hidden_parties`.execute(database.db);
    try {
      const response = await request({
        query: `{ office(databaseId: ${WORLD.president}) { officeholders { party { name } } } }`,
      });
      expect(response.statusCode).toBe(200);
      expect(response.body).not.toMatch(/parties|relation|select/);
      expect(response.json().errors[0]).toMatchObject({
        message: expect.stringContaining('on our side'),
        // The planner compiles the whole selection into one statement, so its errors are those of the root field.
        path: expect.arrayContaining(['office', 'officeholders']),
        extensions: { code: 'INTERNAL', requestId: response.headers['x-request-id'] },
      });
    } finally {
      await sql`alter table hidden_parties rename to parties`.execute(database.db);
    }
  });
});
