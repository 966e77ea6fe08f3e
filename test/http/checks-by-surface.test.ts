import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { ERRORS } from '../../src/base/errors.ts';
import { createApiKey, revokeApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { buildApp } from '../../src/gateway/app.ts';
import { readPageDocuments } from '../../src/gateway/pages/page-documents.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';

/**
 * Every check of a request over every surface. A cell is a request that the check rejects, or the reason why it does not
 * apply. The code of the error is read from the line of the request in the log, which all surfaces write.
 */
const CHECKS = [
  ...['key', 'grant', 'rate', 'in flight', 'cost', 'text length', 'NUL', 'nesting', 'response size', 'deadline'],
  'log level',
] as const;
type Check = (typeof CHECKS)[number];

interface Rejected {
  readonly request: InjectOptions;
  readonly code: string;
  /** The status of the response; that of the error if omitted. */
  readonly status?: number;
}
interface Accepted {
  readonly request: InjectOptions;
  /** What the response has in place of the data. */
  readonly without: RegExp;
}
type Cell = string | Rejected | Accepted;

const LONG = 'x'.repeat(400);
const DEEP = JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown;
const graphql = (query: string, others: object = {}): InjectOptions => ({
  method: 'POST',
  url: '/graphql',
  payload: { query, ...others },
});
const inUrl = (query: string, others: Record<string, string> = {}): InjectOptions => ({
  url: `/graphql?${new URLSearchParams({ query, ...others })}`,
});
const mcp = (name: string, args: object): InjectOptions => ({
  method: 'POST',
  url: '/mcp',
  headers: { accept: 'application/json, text/event-stream' },
  payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});
const bulk = (body: object): InjectOptions => ({ method: 'POST', url: '/getQueryResults', payload: body });

const PEOPLE = 'query ($name: String!) { people(name: $name) { totalCount } }';
const DISTRICTS =
  '{ districts(first: 50) { edges { cursor node { id databaseId type name state ocdId geoId url } } } }';
const points = Array.from({ length: 100 }, () => '{ latitude: 1, longitude: 1 }').join();
const COSTLY = `{ locations(points: [${points}]) { districts { boundaries { geometry } offices { officeholders { person { candidacies { race { candidates { person { name } } } } } } } } } }`;
const GEOCODE = 'query ($text: String!) { geocode(text: $text) { ambiguous } }';
const LOCATION = '{ location(latitude: 42.5, longitude: -97.5) { districts { name } } }';
const BALLOT = `/data/elections_by_state?state=AA&election_date=${VOTE.date2022}`;
const TILE = '/tiles/COUNTY/2024-11-05/3/1/2.pbf';
const QUERY = { id: 'people-and-offices', format: 'csv' };
const [, page] = [...readPageDocuments()].find(([name]) => name === 'Ballot') ?? [...readPageDocuments()][0] ?? [];
const trusted = (variables: object): InjectOptions => ({
  method: 'POST',
  url: '/graphql',
  payload: { documentId: page?.id, variables },
});

const bad = (code: keyof typeof ERRORS, request: InjectOptions, status?: number): Rejected => ({
  ...{ code, request },
  ...(status !== undefined && { status }),
});
const NO_BODY = 'A request without a body has no nested value.';
const NO_COST = 'The document is part of the gateway; its parameters bound what it selects.';
const NO_KEY = 'A page has no data; it needs no key.';
const AS_MCP = 'The messages go through the same route as over HTTP (test/mcp/stdio.test.ts: key, in flight, lines).';

const TABLE: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  'GraphQL POST': {
    key: bad('UNAUTHENTICATED', graphql(LOCATION)),
    grant: { request: graphql(LOCATION), without: /"districts":null/ },
    rate: bad('RATE_LIMITED', graphql(LOCATION)),
    'in flight': bad('TOO_MANY_AT_ONCE', graphql(DISTRICTS)),
    cost: { code: 'QUERY_TOO_COSTLY', status: 400, request: graphql(COSTLY) },
    'text length': bad('INVALID_PARAMETER', graphql(PEOPLE, { variables: { name: LONG } })),
    NUL: bad('INVALID_PARAMETER', graphql(PEOPLE, { variables: { name: 'a\0b' } })),
    nesting: bad('INVALID_REQUEST', graphql(PEOPLE, { variables: { name: DEEP } })),
    'response size': bad('RESPONSE_TOO_LARGE', graphql(DISTRICTS)),
    deadline: bad('DEADLINE_EXCEEDED', graphql(DISTRICTS)),
  },
  'GraphQL GET': {
    key: bad('UNAUTHENTICATED', inUrl(LOCATION)),
    grant: { request: inUrl(LOCATION), without: /"districts":null/ },
    rate: bad('RATE_LIMITED', inUrl(LOCATION)),
    'in flight': bad('TOO_MANY_AT_ONCE', inUrl(DISTRICTS)),
    cost: { code: 'QUERY_TOO_COSTLY', status: 400, request: inUrl(COSTLY) },
    'text length': bad('INVALID_PARAMETER', inUrl(PEOPLE, { variables: JSON.stringify({ name: LONG }) })),
    NUL: bad('INVALID_PARAMETER', inUrl(PEOPLE, { variables: '{"name":"a\\u0000b"}' })),
    nesting: bad('INVALID_REQUEST', inUrl(PEOPLE, { variables: JSON.stringify({ name: DEEP }) })),
    'response size': bad('RESPONSE_TOO_LARGE', inUrl(DISTRICTS)),
    deadline: bad('DEADLINE_EXCEEDED', inUrl(DISTRICTS)),
  },
  'trusted document': {
    key: bad('UNAUTHENTICATED', trusted({})),
    grant: 'Read by the resolvers of the fields, as for GraphQL POST: no other code runs.',
    rate: bad('RATE_LIMITED', trusted({})),
    'in flight': bad('TOO_MANY_AT_ONCE', trusted({})),
    cost: 'Prepared by the same function as the document of a POST (test/graphql/documents/persisted.test.ts).',
    'text length': 'The documents of the pages take no text but addresses; executed by the same function as a POST.',
    NUL: 'As the text length.',
    nesting: bad('INVALID_REQUEST', trusted({ name: DEEP })),
    'response size': 'Written by the same function as the response to a POST.',
    deadline: 'Set for every request before its document is known.',
  },
  REST: {
    key: bad('UNAUTHENTICATED', { url: BALLOT }),
    grant: bad('FORBIDDEN', { url: BALLOT }),
    rate: bad('RATE_LIMITED', { url: BALLOT }),
    'in flight': bad('TOO_MANY_AT_ONCE', { url: BALLOT }),
    cost: NO_COST,
    'text length': bad('INVALID_PARAMETER', { url: `/data/elections_by_state?state=${LONG}&election_date=2022-11-08` }),
    NUL: bad('INVALID_REQUEST', { url: '/data/elections_by_state?state=A%00&election_date=2022-11-08' }),
    nesting: NO_BODY,
    'response size': bad('RESPONSE_TOO_LARGE', { url: BALLOT }),
    deadline: bad('DEADLINE_EXCEEDED', { url: BALLOT }),
  },
  geocode: {
    key: bad('UNAUTHENTICATED', { url: '/data/geocode?text=Alpha' }),
    grant: bad('FORBIDDEN', { url: '/data/geocode?text=Alpha' }),
    rate: bad('RATE_LIMITED', { url: '/data/geocode?text=Alpha' }),
    'in flight': bad('TOO_MANY_AT_ONCE', { url: '/data/geocode?text=Alpha' }),
    cost: NO_COST,
    'text length': bad('INVALID_PARAMETER', graphql(GEOCODE, { variables: { text: LONG } })),
    NUL: bad('INVALID_PARAMETER', graphql(GEOCODE, { variables: { text: 'a\0b' } })),
    nesting: NO_BODY,
    'response size': 'At most 20 matches.',
    deadline: bad('DEADLINE_EXCEEDED', { url: '/data/geocode?text=Alpha' }),
  },
  bulk: {
    key: bad('UNAUTHENTICATED', bulk(QUERY)),
    grant: bad('FORBIDDEN', bulk(QUERY)),
    rate: bad('RATE_LIMITED', { url: '/getQueryList' }),
    'in flight': bad('TOO_MANY_AT_ONCE', { url: '/getQueryList' }),
    cost: 'The queries are those of the operator.',
    'text length': bad('INVALID_PARAMETER', bulk({ ...QUERY, id: LONG })),
    NUL: bad('INVALID_PARAMETER', bulk({ ...QUERY, id: 'a\0b' })),
    nesting: bad('INVALID_REQUEST', bulk({ ...QUERY, id: DEEP })),
    'response size': 'The response is a link; the file ends at EXPORT_MAX_BYTES (test/exports/exporter.test.ts).',
    deadline: 'EXPORT_TIMEOUT_MS and five seconds (test/exports/bulk.test.ts).',
  },
  'MCP over HTTP': {
    key: bad('UNAUTHENTICATED', mcp('find_person', { name: 'Easy' })),
    grant: {
      request: mcp('find_person', { name: 'Easy' }),
      without: /Officeholders and elections are not included in this key/,
    },
    rate: bad('RATE_LIMITED', mcp('find_person', { name: 'Easy' })),
    'in flight': bad('TOO_MANY_AT_ONCE', mcp('find_person', { name: 'Easy' })),
    cost: { code: 'QUERY_TOO_COSTLY', status: 200, request: mcp('run_graphql', { query: COSTLY }) },
    'text length': bad('INVALID_PARAMETER', mcp('run_graphql', { query: PEOPLE, variables: { name: LONG } }), 200),
    NUL: bad('INVALID_PARAMETER', mcp('find_person', { name: 'a\0b' }), 200),
    nesting: bad('INVALID_REQUEST', mcp('run_graphql', { query: PEOPLE, variables: { name: DEEP } })),
    'response size': bad('RESPONSE_TOO_LARGE', mcp('run_graphql', { query: DISTRICTS }), 200),
    deadline: bad('DEADLINE_EXCEEDED', mcp('find_person', { name: 'Easy' }), 200),
  },
  'MCP over stdio': Object.fromEntries(CHECKS.filter((check) => check !== 'log level').map((check) => [check, AS_MCP])),
  tiles: {
    key: bad('UNAUTHENTICATED', { url: TILE }),
    grant: bad('FORBIDDEN', { url: TILE }),
    rate: bad('RATE_LIMITED', { url: TILE }),
    'in flight': bad('TOO_MANY_AT_ONCE', { url: TILE }),
    cost: 'A tile is one statement over one rectangle.',
    'text length': bad('URI_TOO_LONG', { url: `/tiles/${'x'.repeat(9_000)}/2024-11-05/3/1/2.pbf` }),
    NUL: bad('INVALID_REQUEST', { url: '/tiles/COUNTY%00/2024-11-05/3/1/2.pbf' }),
    nesting: NO_BODY,
    'response size': 'A tile ends at 100 kB: its grid becomes coarser (test/tiles/tiles.test.ts).',
    deadline: bad('DEADLINE_EXCEEDED', { url: TILE }),
  },
  pages: {
    key: NO_KEY,
    grant: NO_KEY,
    rate: 'Requests are counted by address, not by key: in flight (test/http/page-limits.test.ts).',
    'in flight': bad('TOO_MANY_AT_ONCE', { url: '/docs' }),
    cost: 'A page is a file.',
    'text length': bad('URI_TOO_LONG', { url: `/docs/${'x'.repeat(9_000)}` }),
    NUL: bad('INVALID_REQUEST', { url: '/docs/%00' }),
    nesting: NO_BODY,
    'response size': 'A page is a file.',
    deadline: 'A page waits for nothing.',
  },
};

/** The surface of each path. A new path fails until it is here, and a new surface until it has its row above. */
const SURFACE_OF_PATH: readonly (readonly [path: RegExp, surface: string])[] = [
  [/^\/graphql$/, 'GraphQL POST'],
  [/^\/data\/geocode$/, 'geocode'],
  [/^\/(getQueryList|getQueryResults|data\/changes\/files|files\/\*)$/, 'bulk'],
  [/^\/data\//, 'REST'],
  [/^\/mcp$/, 'MCP over HTTP'],
  [/^\/tiles\//, 'tiles'],
  [/^\/($|docs|widget|web|graphiql|schema\.graphql|openapi\.json|health|ready|favicon|robots|\*)/, 'pages'],
];

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly error?: string;
  readonly key?: string;
}

const ERROR_LEVEL = 50;
const database = useDatabase();
let lines: Line[] = [];
const keys: Record<string, string> = {};
const apps: FastifyInstance[] = [];
let normal: FastifyInstance;
/** The least that may be in flight and in a response, and little time. */
let strict: FastifyInstance;
let quick: FastifyInstance;
const paths: string[] = [];

async function build(environment: Record<string, string>, handlerTimeout = 10_000): Promise<FastifyInstance> {
  const { db, pool } = database;
  const fixed = { TODAY: '2026-07-01', GRAPHIQL: 'false', MAX_EVENT_LOOP_DELAY_MS: '0', RESPONSE_CACHE_BYTES: '0' };
  const config = readConfig({ ...fixed, ...environment });
  const app = await buildApp({
    config,
    backend: { kind: 'server', db, pool, ready: async () => ({ ready: true }), close: async () => undefined },
    logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) }),
    clock: createClock(config.clock),
    limits: { ...config.limits.http, handlerTimeout },
  });
  apps.push(app);
  return app;
}

beforeAll(async () => {
  const { db } = database;
  await createElectionWorld(db);
  await setPackage(db, { name: 'nothing', grants: [] });
  await setPackage(db, { name: 'rated', grants: ['districts', 'boundaries', 'elections', 'bulk', 'officeholders'] });
  await setRateLimits(db, 'rated', { perSecond: 1, burst: 1 });
  for (const name of ['full', 'nothing']) keys[name] = await createApiKey(db, name);
  keys.expired = await createApiKey(db, 'full', { expiresAt: new Date(Date.now() - 1_000) });
  keys.revoked = await createApiKey(db, 'full');
  await revokeApiKey(db, keys.revoked);
  normal = await build({});
  const one = {
    MAX_IN_FLIGHT_PER_KEY: '1',
    MAX_EXPORTS_PER_KEY: '1',
    MAX_PAGES_IN_FLIGHT_PER_ADDRESS: '1',
    MAX_WAITING_PER_KEY: '0',
  };
  strict = await build({ ...one, MAX_RESPONSE_BYTES: '1024' });
  quick = await build({}, 400);
  // A path below another one is printed without the beginning that it shares with it, four columns further right.
  const above: string[] = [];
  for (const [, indent = '', part = ''] of normal
    .printRoutes({ commonPrefix: false })
    .matchAll(/^(.*)[├└]── (\S+) \(/gm)) {
    above.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
    paths.push(`/${above.join('').replace(/^\//, '')}`);
  }
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Sends a request, and returns its response with the error in the line of the request. */
async function send(app: FastifyInstance, { headers, ...request }: InjectOptions, key: string | undefined) {
  const from = lines.length;
  const response = await app.inject({
    ...request,
    headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) },
  });
  const [line] = lines.slice(from).filter(({ msg }) => msg === 'request');
  return { status: response.statusCode, code: line?.error, body: response.body };
}

/** Runs work while no statement can read the data. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await database.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'
      and tablename !~ '^(api_keys|packages|package_|kysely|spatial_ref|origins|allowed)'`.execute(db);
    const tables = rows.map(({ name }) => sql.table(name));
    await sql`lock table ${sql.join(tables)} in access exclusive mode`.execute(db);
    await work();
  });
}

async function rejectionBy(check: string, { request }: Rejected) {
  const key = keys.full;
  switch (check) {
    case 'key':
      return send(normal, request, undefined);
    case 'grant':
      return send(normal, request, keys.nothing);
    case 'rate': {
      const rated = await createApiKey(database.db, 'rated');
      await Promise.all([1, 2, 3].map(() => send(normal, request, rated)));
      return send(normal, request, rated);
    }
    case 'in flight': {
      await send(strict, { url: '/getQueryList' }, key);
      const from = lines.length;
      const all = await Promise.all([1, 2, 3, 4].map(() => send(strict, request, key)));
      const rejected = all.filter(({ status }) => status === 429);
      expect(rejected.length).toBeGreaterThan(0);
      const codes = lines.slice(from).flatMap(({ status, error }) => (status === 429 ? [error] : []));
      return { status: 429, code: codes[0], body: rejected[0]?.body ?? '' };
    }
    case 'response size':
      return send(strict, request, key);
    case 'deadline': {
      await send(quick, { url: '/getQueryList' }, key);
      let result: Awaited<ReturnType<typeof send>> | undefined;
      await whileLocked(async () => {
        result = await send(quick, request, key);
      });
      return result;
    }
    default:
      return send(normal, request, key);
  }
}

describe.each(Object.entries(TABLE))('%s', (surface, row) => {
  const from = () => lines.filter(({ level }) => level >= ERROR_LEVEL);

  it('has a cell for each check', () => {
    expect([...Object.keys(row), 'log level']).toEqual(CHECKS);
  });

  const cells = Object.entries(row).filter(
    (entry): entry is [Check, Rejected | Accepted] => typeof entry[1] !== 'string',
  );
  it.each(cells)('checks: %s', async (check, cell) => {
    if ('without' in cell) {
      const { status, body } = await send(normal, cell.request, keys.nothing);
      expect(status).toBe(200);
      expect(body).toMatch(cell.without);
      return;
    }
    const status = cell.status ?? ERRORS[cell.code as keyof typeof ERRORS].status;
    const found = await rejectionBy(check, cell);
    expect(found, found?.body).toMatchObject({ status, code: cell.code });
  });

  it.skipIf(typeof row.key === 'string')('rejects an expired key like a revoked one and a missing one', async () => {
    const { request } = row.key as Rejected;
    const reject = async (key: string | undefined) => {
      const { body, ...rejected } = await send(normal, request, key);
      return { ...rejected, body: body.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'the request id') };
    };
    const missing = await reject(undefined);
    expect(missing.code).toBe('UNAUTHENTICATED');
    for (const name of ['expired', 'revoked']) expect(await reject(keys[name])).toEqual(missing);
  });

  it.each(Object.entries(row).filter(([, cell]) => typeof cell === 'string'))('%s does not apply: %s', (_, reason) => {
    expect(String(reason).length).toBeGreaterThan(10);
  });

  it('logs nothing of this at the level error, and no stack', () => {
    expect(from(), surface).toEqual([]);
    expect(lines.filter((line) => JSON.stringify(line).includes('"stack"'))).toEqual([]);
    lines = [];
  });
});

it('logs the public prefix of an accepted key, and nothing of any other key', async () => {
  lines = [];
  const sent = [keys.full, keys.nothing, keys.expired, keys.revoked, 'bg_unknown0_no-key-has-this-secret'];
  for (const key of sent) await send(normal, { url: TILE }, key);
  const prefixes = [keys.full, keys.nothing].map((key) => key?.slice(0, 11));
  const logged = lines.map(({ key }) => key);
  expect(logged).toEqual([...prefixes, undefined, undefined, undefined]);
  for (const key of sent) expect(JSON.stringify(lines)).not.toContain(`_${key?.slice(12)}`);
  expect(JSON.stringify(lines)).not.toMatch(/unknown0/);
});

it('has a surface for every path', () => {
  const surfaces = new Set<string>();
  for (const path of paths) {
    const [, surface] = SURFACE_OF_PATH.find(([pattern]) => pattern.test(path)) ?? [];
    expect(surface, `no surface for ${path}`).toBeDefined();
    surfaces.add(surface ?? '');
  }
  for (const [, surface] of SURFACE_OF_PATH) expect([...surfaces]).toContain(surface);
  expect(Object.keys(TABLE)).toEqual(expect.arrayContaining([...surfaces]));
});

it('logs an internal error, once for each request, with its cause', async () => {
  await sql`alter table persons rename to persons_`.execute(database.db);
  try {
    lines = [];
    const fields = Array.from({ length: 20 }, (_, index) => `a${index}: people(name: "Easy") { totalCount }`).join(' ');
    await send(normal, graphql(`{ ${fields} }`), keys.full);
    expect(lines.filter(({ level }) => level >= ERROR_LEVEL)).toMatchObject([{ msg: 'internal error' }]);
    lines = [];
    const { code } = await send(normal, mcp('find_person', { name: 'Easy' }), keys.full);
    expect(code).toBe('INTERNAL');
    expect(lines.filter(({ level }) => level >= ERROR_LEVEL)).toMatchObject([{ msg: 'internal error' }]);
  } finally {
    await sql`alter table persons_ rename to persons`.execute(database.db);
  }
});
