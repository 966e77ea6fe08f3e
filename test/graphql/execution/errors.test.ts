import { buildSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { addOrigin, createApiKey, setPackage } from '../../../src/gateway/access/access.store.ts';
import { setRateLimits } from '../../../src/gateway/access/rate-limits.store.ts';
import { schemaText } from '../../../src/gateway/graphql/schema-text.ts';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const service = useApp(database);
const withoutIntrospection = useApp(database, { INTROSPECTION: 'false' });

type Headers = Record<string, string>;
const GRAPHQL_TYPE = 'application/graphql-response+json';
const post = (body: object, headers: Headers = {}, { app, key } = service) =>
  app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key('full'), ...headers }, payload: body });
const errorsOf = async (body: object, on = service) => (await post(body, {}, on)).json().errors;

const BY_POINT =
  'query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { latitude } }';
const BY_POINTS = 'query ($points: [PointInput!]!) { locations(points: $points) { latitude } }';
const BY_TYPE = 'query ($types: [DistrictType!]) { districts(types: $types) { totalCount } }';

describe('the code of an error', () => {
  it.each([
    ['a syntax error', '{ location(', 'GRAPHQL_PARSE_FAILED', { line: 1, column: 12 }],
    ['an unknown field', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED', { line: 1, column: 3 }],
    ['a missing argument', '{ locations { latitude } }', 'GRAPHQL_VALIDATION_FAILED', { line: 1, column: 3 }],
    [
      'a literal that its scalar rejects',
      '{ location(latitude: 91, longitude: 0) { latitude } }',
      'GRAPHQL_VALIDATION_FAILED',
      { line: 1, column: 22 },
    ],
    [
      'a day that does not exist',
      '{ stateBallot(state: "VT", electionDate: "2022-02-30") { totalCount } }',
      'GRAPHQL_VALIDATION_FAILED',
      { line: 1, column: 42 },
    ],
  ])('of %s is the documented one, with the location', async (_, query, code, location) => {
    expect(await errorsOf({ query })).toMatchObject([{ locations: [location], extensions: { code } }]);
  });

  it.each([
    ['missing', BY_POINT, { lat: 1 }, 'long', []],
    ['null', BY_POINT, { lat: null, long: 1 }, 'lat', []],
    ['out of range', BY_POINT, { lat: 91, long: 1 }, 'lat', []],
    [
      'wrong in a member',
      BY_POINTS,
      {
        points: [
          { latitude: 1, longitude: 1 },
          { latitude: 1, longitude: 'x' },
        ],
      },
      'points',
      [1, 'longitude'],
    ],
    ['without a member', BY_POINTS, { points: [{ latitude: 1 }] }, 'points', [0]],
    ['no value of the enum', BY_TYPE, { types: ['COUNTY', 'COUNTRIES'] }, 'types', [1]],
    ['not an enum value at all', BY_TYPE, { types: [{ a: ': at [0].b' }] }, 'types', [0]],
  ])('of a variable that is %s names it, and the part of its value', async (_, query, variables, variable, path) => {
    const [error] = await errorsOf({ query, variables });
    expect(error).toMatchObject({
      message: expect.stringMatching(new RegExp(`^Variable "\\$${variable}" `)),
      locations: [{ line: 1 }],
      extensions: { code: 'BAD_USER_INPUT', variable, path },
    });
  });
});

describe('similar names', () => {
  it.each([
    ['a field', { query: '{ location(latitude: 1, longitude: 0) { latitud } }' }, 'Did you mean "latitude"'],
    ['an argument', { query: '{ location(latitud: 1, longitude: 0) { latitude } }' }, 'Did you mean "latitude"'],
    ['a type', { query: 'query ($a: Longitud) { __typename }' }, 'Did you mean "Longitude"'],
    [
      'an input field by its meaning',
      {
        query: 'query ($f: RaceFilter) { races(filter: $f) { totalCount } }',
        variables: { f: { date: '2022-11-08' } },
      },
      'Did you mean "from" or "to"?',
    ],
    ['an enum value', { query: BY_TYPE, variables: { types: ['COUNTIE'] } }, 'or "COUNTY"?'],
  ])('of %s are suggested only where introspection is enabled', async (_, body, suggestion) => {
    expect(JSON.stringify(await errorsOf(body)).replaceAll('\\', '')).toContain(suggestion);
    expect(JSON.stringify(await errorsOf(body, withoutIntrospection))).not.toContain('Did you mean');
  });
});

describe('the media type of errors before GraphQL', () => {
  const BOTH = `${GRAPHQL_TYPE}, application/json;q=0.9`;

  beforeAll(async () => {
    await setPackage(database.db, { name: 'slow', grants: ['districts'] });
    await setRateLimits(database.db, 'slow', { perSecond: 1, burst: 1 });
    await addOrigin(database.db, 'https://good.com');
  });

  it.each([
    [401, { 'x-api-key': 'wrong' }],
    [401, { 'x-api-key': '' }],
    [403, { origin: 'https://evil.example' }],
    [415, { 'content-type': 'text/plain' }],
  ])('is the one that the client accepts: %d %o', async (status, headers) => {
    for (const [accept, type] of [
      [BOTH, GRAPHQL_TYPE],
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
    ] as const) {
      const response = await post({ query: '{ __typename }' }, { ...headers, accept });
      expect(response.statusCode).toBe(status);
      expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(response.json().errors).toHaveLength(1);
    }
  });

  it('is the one that the client accepts: 429', async () => {
    const key = await createApiKey(database.db, 'slow');
    const statuses = [];
    for (let count = 0; count < 3; count++) {
      const response = await post({ query: '{ __typename }' }, { 'x-api-key': key, accept: BOTH });
      expect(response.headers['content-type']).toBe(`${GRAPHQL_TYPE}; charset=utf-8`);
      statuses.push(response.statusCode);
    }
    expect(statuses).toContain(429);
  });
});

describe('/schema.graphql', () => {
  it('is the schema, without a key', async () => {
    const response = await service.app.inject({ url: '/schema.graphql' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(buildSchema(response.body).getQueryType()?.name).toBe('Query');
    expect(response.body).toBe(schemaText());
    const { etag } = response.headers;
    const again = await service.app.inject({ url: '/schema.graphql', headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);
  });

  it('does not exist where introspection is disabled', async () => {
    expect((await withoutIntrospection.app.inject({ url: '/schema.graphql' })).statusCode).toBe(404);
  });
});
