import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/gateway/access/access.store.ts';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { stringifyJson } from '../../../src/graph/builder/raw-json.ts';
import { ResponseSize } from '../../../src/graph/builder/response-size.ts';
import { schema } from '../../../src/graph/schema.ts';
import { buildDatabaseApp } from '../../support/build-app.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { contextOf, prepare } from '../../support/graph.ts';

const database = useDatabase();
let key: string;
beforeAll(async () => {
  await createElectionWorld(database.db);
  key = await createApiKey(database.db, 'full');
});

async function withApp<Result>(
  environment: Record<string, string>,
  use: (app: FastifyInstance) => Promise<Result>,
): Promise<Result> {
  const app = await build(environment);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

function build(environment: Record<string, string>): Promise<FastifyInstance> {
  return buildDatabaseApp(database, { TODAY: '2024-06-01', MAX_QUERY_COST: '1000000000', ...environment });
}

const POINT = 'latitude: 42, longitude: -98';
const geometries = Array.from({ length: 20 }, (_, n) => `g${n}: geometry`).join(' ');
const DOCUMENTS: Readonly<Record<string, { query: string; variables?: object }>> = {
  'geometries of a list': { query: `{ districts { edges { node { name boundary { ${geometries} } } } } }` },
  'geometries of a point': { query: `{ location(${POINT}) { districts { boundary { ${geometries} } } } }` },
  'what the database serialises': {
    query: `{ location(${POINT}) { latitude districts { id: databaseId name type ocdId
      ${['a', 'b', 'c'].map((n) => `${n}: offices { id: databaseId name level branch officeholders { id: databaseId person { id: databaseId name url } } }`).join(' ')} } } }`,
  },
  'many points': {
    query:
      'query ($points: [PointInput!]!) { locations(points: $points) { latitude districts { id: databaseId name type url } } }',
    variables: { points: Array(30).fill({ latitude: 42, longitude: -98 }) },
  },
  'objects of the gateway': {
    query:
      '{ stateBallot(state: "AA", electionDate: "2022-11-08") { edges { cursor node { district { id: databaseId name type url boundary { id: databaseId startDate area } } races { id: databaseId url office { name } candidates { id: databaseId person { id: databaseId name } } } } } } }',
  },
  'errors next to data': {
    query: `{ districts { edges { node { name boundary { ${geometries} } } } } bad: district(databaseId: 1, geoId: "50") { id: databaseId } }`,
  },
};

const CONFIGURATIONS: Readonly<
  Record<string, { environment: Record<string, string>; request: Partial<InjectOptions> }>
> = {
  'by default': { environment: {}, request: {} },
  'without the cache': { environment: { RESPONSE_CACHE_BYTES: '0' }, request: {} },
  'by graphql-js': { environment: { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' }, request: {} },
  'for an uncommon Accept header': {
    environment: {},
    request: { headers: { accept: 'application/json;q=0.9, text/html;q=0.1' } },
  },
  'in an address': { environment: { MAX_URL_BYTES: '16000' }, request: { method: 'GET' } },
};

function send(
  app: FastifyInstance,
  { query, variables }: { query: string; variables?: object },
  request: Partial<InjectOptions>,
) {
  const headers = { 'x-api-key': key, ...request.headers };
  if (request.method !== 'GET')
    return app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } });
  const search = new URLSearchParams({ query, ...(variables && { variables: JSON.stringify(variables) }) });
  return app.inject({ method: 'GET', url: `/graphql?${search}`, headers });
}

describe.each(Object.entries(CONFIGURATIONS))('%s', (_, { environment, request }) => {
  let unlimited: FastifyInstance;
  beforeAll(async () => {
    unlimited = await build(environment);
  });
  afterAll(() => unlimited.close());

  it.each(Object.entries(DOCUMENTS))('%s: returns as many bytes as allowed, and not one more', async (__, document) => {
    const whole = await send(unlimited, document, request);
    expect(whole.statusCode).toBe(200);
    const bytes = Buffer.byteLength(whole.json().errors ? JSON.stringify({ data: whole.json().data }) : whole.body);
    expect(bytes).toBeGreaterThan(1_100);

    const exact = await withApp({ ...environment, MAX_RESPONSE_BYTES: String(bytes) }, (app) =>
      send(app, document, request),
    );
    expect(exact.body).toBe(whole.body);

    // The second one might come from the cache.
    await withApp({ ...environment, MAX_RESPONSE_BYTES: String(bytes - 1) }, async (app) => {
      for (let round = 0; round < 2; round++) {
        const rejected = await send(app, document, request);
        expect(rejected.statusCode, rejected.body.slice(0, 200)).toBe(422);
        expect(rejected.json()).toEqual({
          errors: [
            {
              message: expect.stringMatching(new RegExp(`^The response has more than ${bytes - 1} bytes\\. Request `)),
              extensions: { code: 'RESPONSE_TOO_LARGE' },
            },
          ],
        });
      }
    });
  });
});

it.each(['', '0'])('REST: the same, in its envelope (RESPONSE_CACHE_BYTES=%s)', async (cache) => {
  const url = '/data/elections_by_state?state=AA&election_date=2022-11-08&collections=contact,social';
  const send = (environment: Record<string, string>) =>
    withApp({ RESPONSE_CACHE_BYTES: cache, ...environment }, (app) =>
      app.inject({ url, headers: { 'x-api-key': key } }),
    );
  const whole = await send({});
  expect(whole.statusCode).toBe(200);
  const bytes = Buffer.byteLength(whole.body);
  expect((await send({ MAX_RESPONSE_BYTES: String(bytes) })).body).toBe(whole.body);
  const rejected = await send({ MAX_RESPONSE_BYTES: String(bytes - 1) });
  expect(rejected.statusCode).toBe(422);
  expect(rejected.json()).toMatchObject({ success: false, type: 'urn:ballotgraph:error:response-too-large' });
});

describe('while a response is created', () => {
  const points = Array.from({ length: 100 }, (_, n) => ({ latitude: 42 + n / 1_000, longitude: -98 }));
  const aliases = Array.from(
    { length: 25 },
    (_, n) => `d${n}: districts(types: null) { id: databaseId name boundary { area } }`,
  );
  const prepared = prepare(`query ($points: [PointInput!]!) { locations(points: $points) { ${aliases.join(' ')} } }`);
  const runners = { resolvers: createExecute(schema), 'the planner': createExecute(schema, createPlanner(schema)) };
  const run = (name: keyof typeof runners, size: ResponseSize) =>
    runners[name]({
      prepared,
      variableValues: { points },
      contextValue: { ...contextOf(database.db), responseSize: size },
    });
  const objects = 100 + 100 * 25 * 2 * 2;

  it.each(['resolvers', 'the planner'] as const)('%s stops at the limit of objects', async (name) => {
    const limits = { bytes: 1e9, objects: 3_000 };
    await expect(run(name, new ResponseSize(limits))).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      message: expect.stringMatching(/^The response has more than 3000 records/),
    });
    const { errors } = await run(name, new ResponseSize({ bytes: 1e9, objects: 1e6 }));
    expect(errors).toBeUndefined();
  });

  it('execution by resolvers yields to other requests', async () => {
    let turns = 0;
    let ended = false;
    const count = () => {
      turns++;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    const resolveAtOnce = { ...contextOf(database.db), responseSize: new ResponseSize({ bytes: 1e9, objects: 1e6 }) };
    await runners.resolvers({ prepared, variableValues: { points }, contextValue: resolveAtOnce });
    ended = true;
    expect(turns).toBeGreaterThanOrEqual(objects / 2_000);
  });
});

describe('JSON', () => {
  it.each([
    [{ text: 'é'.repeat(100) }, 211],
    [{ text: '"'.repeat(100) }, 211],
    [[null, true, 1.5, 'x', { a: [] }], 28],
  ])('%j is limited to its exact number of bytes', (value, bytes) => {
    expect(Buffer.byteLength(JSON.stringify(value))).toBe(bytes);
    expect(stringifyJson(value, { bytes })).toBe(JSON.stringify(value));
    expect(() => stringifyJson(value, { bytes: bytes - 1 })).toThrow(/more than/);
  });
});
