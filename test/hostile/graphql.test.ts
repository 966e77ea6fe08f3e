import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { expectHarmless } from './expect-harmless.ts';
import {
  BODIES,
  DAY_QUERY,
  DOCUMENTS,
  DOUBLED_FRAGMENTS,
  LATITUDE_QUERY,
  POINTS_QUERY,
  TEXT_QUERIES,
  VARIABLES,
} from './graphql-catalogue.ts';
import { KEYS, VALUES } from './values.ts';

const database = useDatabase();
const service = useApp(database, { MAX_FAILED_KEYS_PER_SECOND: '1000000' });
beforeAll(() => createElectionWorld(database.db));

async function send(payload: unknown, headers: Record<string, string> = {}) {
  const key = headers['x-api-key'] ?? service.key('full');
  const began = performance.now();
  const response = await service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  expectHarmless(response, { key, ms: performance.now() - began });
  return response;
}
describe('documents', () => {
  it.each(DOCUMENTS)('%s: rejected', async (_, query) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await send({ query }, { accept });
      const { data, errors } = response.json();
      expect(data == null || Object.values(data).every((value) => value === null), response.body.slice(0, 300)).toBe(
        true,
      );
      expect(errors.length).toBeGreaterThanOrEqual(1);
      expect(errors.length).toBeLessThanOrEqual(6);
      expect(response.body.length).toBeLessThan(70_000);
    }
  });

  it.each(DOUBLED_FRAGMENTS)('fragments on %s that are spread twice: read once', async (_, query) => {
    const response = await send({ query, variables: { y: 42, x: -98 } });
    expect(response.json().data.location).toBeTruthy();
  });
});

describe('values', () => {
  const plain = (value: string) => decodeURIComponent(value);
  const latitudes = VALUES.lat.bad.map(plain);
  it.each(latitudes.map((value) => [value.slice(0, 40), value]))('latitude %j as text: rejected', async (_, value) => {
    const response = await send({ query: LATITUDE_QUERY, variables: { l: value } });
    expect(response.json().errors).toBeDefined();
    expect(response.json().data).toBeFalsy();
  });

  it.each(VALUES.date.bad.map(plain).map((value) => [value.slice(0, 40), value]))(
    'day %j: rejected',
    async (_, value) => {
      expect((await send({ query: DAY_QUERY, variables: { d: value } })).json().errors).toBeDefined();
      const literal = `{ location(latitude: 42, longitude: -98) { districts(on: ${JSON.stringify(value)}) { id: databaseId } } }`;
      expect((await send({ query: literal })).json().errors).toBeDefined();
    },
  );

  // Signs are punctuation: `+1` finds the names with the word 1.
  const texts = [...VALUES.lat.bad, ...VALUES.state.bad].map(plain).filter((text) => !/^[+-]+1$/.test(text));
  it.each(texts.map((value) => [value.slice(0, 40), value]))(
    'the text %j is treated as plain text',
    async (_, value) => {
      for (const query of TEXT_QUERIES) {
        const { data } = (await send({ query, variables: { t: value } })).json();
        const found = data && Object.values(data)[0];
        expect(found === null || found === undefined || (found as { totalCount: number }).totalCount === 0).toBe(true);
      }
    },
  );

  it.each(VARIABLES)('variables that are %s: rejected', async (_, value) => {
    const { data, errors } = (await send({ query: POINTS_QUERY, variables: value })).json();
    expect(data).toBeFalsy();
    expect(errors.length).toBeLessThanOrEqual(6);
  });
});

describe('requests', () => {
  it.each(BODIES)('%s', async (...[, payload, status, headers]) => {
    expect((await send(payload, headers)).statusCode).toBe(status);
  });

  it.each(KEYS)('%s: 401', async (_, key) => {
    expect((await send({ query: '{ __typename }' }, { 'x-api-key': key })).statusCode).toBe(401);
  });
});
