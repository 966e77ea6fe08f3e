import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../drawn/random.ts';
import { draw } from '../drawn/requests.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { POINTS } from '../support/world.ts';
import { rename, renameUnnoticed } from './renaming.ts';

const REQUESTS = Number(process.env.RANDOM_REQUESTS ?? 400);
const PACKAGES = ['full', 'no-results', 'lookup'] as const;

const database = useDatabase();
const plain = useApp(database, { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' });
const others = [
  ['plans', useApp(database, { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'true' })],
  ['cache', useApp(database, { RESPONSE_CACHE_BYTES: '1000000', QUERY_PLANS: 'false' })],
  ['cache and plans', useApp(database, { RESPONSE_CACHE_BYTES: '1000000', QUERY_PLANS: 'true' })],
  ['a cache that is always too small', useApp(database, { RESPONSE_CACHE_BYTES: '5000', QUERY_PLANS: 'true' })],
] as const;

beforeAll(() => createElectionWorld(database.db));

const { latitude, longitude } = POINTS.southWest;
const pointUrl = `/data/officeholders?lat=${latitude}&long=${longitude}`;

/** Errors of the service contain the id of their request. */
const withoutRequestId = (body: string) => body.replace(/"request_?[iI]d":"[^"]*"/g, '');

it(
  `${REQUESTS} random requests return the same bytes with and without cache and planner`,
  async () => {
    const random = seeded(20_261_121);
    let successes = 0;
    let request = draw(random);
    for (let i = 0; i < REQUESTS; i++) {
      // Each request is sent for every package in turn, to detect responses cached for another package.
      const name = PACKAGES[i % PACKAGES.length] as (typeof PACKAGES)[number];
      if (i % PACKAGES.length === 0) request = draw(random);
      const expected = await plain.app.inject({ ...request, headers: { 'x-api-key': plain.key(name) } });
      if (expected.statusCode === 200) successes++;
      for (const [what, service] of others) {
        const response = await service.app.inject({ ...request, headers: { 'x-api-key': service.key(name) } });
        const reported = `${what}, ${name}: ${JSON.stringify(request)}`;
        expect(response.statusCode, reported).toBe(expected.statusCode);
        expect(withoutRequestId(response.body), reported).toBe(withoutRequestId(expected.body));
        expect(response.headers['content-type'], reported).toBe(expected.headers['content-type']);
      }
    }
    expect(successes).toBeGreaterThan(REQUESTS / 2);
  },
  60_000 + REQUESTS * 200,
);

const QUERY = '{ __typename }';
const DATA_QUERY = 'query A { elections(first: 2) { nodes { date } } }';

describe('a GraphQL request gets the same response when its document is cached', () => {
  const service = others[2][1];
  const VALUES = [undefined, null, '', 'A', 'B', 'null', 0, 1, false, true, [], {}, { a: 1 }];
  const cases = (['operationName', 'variables', 'extensions', 'documentId'] as const).flatMap((name) =>
    VALUES.map((value) => [name, value] as const),
  );

  it.each(cases)('with %s %j', async (name, value) => {
    for (const query of [QUERY, DATA_QUERY]) {
      const parameters = { query, [name]: value };
      const texts = Object.entries(parameters).flatMap(([key, each]) =>
        each === undefined ? [] : [[key, typeof each === 'string' ? each : JSON.stringify(each)]],
      );
      const requests = [
        { method: 'POST', url: '/graphql', payload: parameters },
        { method: 'GET', url: `/graphql?${new URLSearchParams(texts)}` },
      ] as const;
      const send = ({ app, key }: typeof service, request: (typeof requests)[number]) =>
        app.inject({ ...request, headers: { 'x-api-key': key('full') } });
      const warm = await send(service, { method: 'POST', url: '/graphql', payload: { query } });
      expect(warm.json()).toHaveProperty('data');
      for (const request of requests) {
        const expected = await send(plain, request);
        const response = await send(service, request);
        expect(response.statusCode).toBe(expected.statusCode);
        expect(withoutRequestId(response.body)).toBe(withoutRequestId(expected.body));
      }
    }
  });
});

it('finds one record by `by` as by the other arguments, and never another one, from the cache too', async () => {
  const service = others[2][1];
  const send = async ({ app, key }: typeof service, query: string, by: object) => {
    const headers = { 'x-api-key': key('full') };
    const posted = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query, variables: { by } },
    });
    const url = `/graphql?${new URLSearchParams({ query, variables: JSON.stringify({ by }) })}`;
    expect(withoutRequestId((await app.inject({ url, headers })).body)).toBe(withoutRequestId(posted.body));
    return posted.json().data?.found;
  };
  const list = '{ found: districts { nodes { id databaseId ocdId boundaries { id databaseId } } } }';
  const { nodes } = await send(service, list, {});
  const districts = nodes as { id: string; databaseId: number; ocdId: string | null; boundaries: object[] }[];
  const records = [
    ['district', 'DistrictBy', districts.map(({ boundaries: _, ...ids }) => ids)],
    ['boundary', 'RecordBy', districts.flatMap(({ boundaries }) => boundaries)],
  ] as const;
  for (const [field, type, all] of records) {
    expect(all.length).toBeGreaterThan(4);
    const query = `query ($by: ${type}!) { found: ${field}(by: $by) { id databaseId } }`;
    for (const ids of [...all, ...all]) {
      const { id, databaseId } = ids as { id: string; databaseId: number };
      for (const [name, value] of Object.entries(ids)) {
        if (value === null) continue;
        expect(await send(service, query, { [name]: value }), `${field} ${name} ${value}`).toEqual({ id, databaseId });
      }
      expect(await send(plain, query, { databaseId })).toEqual({ id, databaseId });
    }
  }
});

describe('after a change of the data', () => {
  const service = others[2][1];
  const send = async (url: string, name = 'full') =>
    (await service.app.inject({ url, headers: { 'x-api-key': service.key(name) } })).body;
  const listUrl = '/data/elections_by_state?state=AA&election_date=2022-11-08';

  it.each([
    ['a point', pointUrl],
    ['a state', listUrl],
  ])('a response about %s is cached, and up to date within a second after a change', async (_, url) => {
    await rename(database.db, 'Alpha');
    await sleep(900);
    expect(await send(url)).toContain('"Alpha"');
    await renameUnnoticed(database.db, 'Unseen');
    expect(await send(url), 'cached').toContain('"Alpha"');
    await rename(database.db, 'Renamed');
    await sleep(900);
    expect(await send(url)).toContain('"Renamed"');
  });
});

it('returns 304 to a client that has the response, but not to one with another package', async () => {
  const service = others[2][1];
  const url = '/data/elections_by_point?lat=42&long=-98&election_date=2022-11-08';
  const send = (name: string, tag?: string) =>
    service.app.inject({ url, headers: { 'x-api-key': service.key(name), ...(tag && { 'if-none-match': tag }) } });
  const first = await send('full');
  const tag = String(first.headers.etag);
  expect(first.headers['cache-control']).toBe('private, no-cache');
  expect(await send('full', `"other", W/${tag}`)).toMatchObject({ statusCode: 304, body: '' });
  expect(await send('no-results', tag)).toMatchObject({ statusCode: 200 });
});
