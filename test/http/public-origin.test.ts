import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { publicOrigin } from '../../src/gateway/http/public-origin.ts';
import { BACKEND } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

const FORGED = 'forged.example';
const PUBLIC_URL = 'https://data.example';

const folder = await mkdtemp(join(tmpdir(), 'public-origin-'));
await writeFile(join(folder, 'one.sql'), '-- title: One\n-- description: One row.\nselect 1 as one\n');
afterAll(() => rm(folder, { recursive: true }));

const database = useDatabase();
const environment = { GRAPHIQL: 'true', QUERIES_DIR: folder, FILES_DIR: join(folder, 'files') };
const service = useApp(database, environment, BACKEND);
let published: FastifyInstance;
beforeAll(async () => {
  await createWorld(database.db);
  published = await buildDatabaseApp(
    database,
    { ...environment, GRAPHIQL: 'true', PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' },
    { kind: BACKEND },
  );
});
afterAll(() => published.close());

/** A request of each surface that writes addresses, and whether some of them are absolute. */
const SURFACES: readonly (readonly [name: string, request: InjectOptions, isAbsolute: boolean])[] = [
  ['TileJSON', { url: '/tiles/STATE/2024-11-05.json' }, true],
  [
    'a link of the bulk download',
    { method: 'POST', url: '/getQueryResults', payload: { id: 'one', format: 'csv' } },
    true,
  ],
  ['a page of the docs', { url: '/docs/data/districts/point' }, true],
  ['the overview of the docs', { url: '/docs' }, false],
  ['the OpenAPI document', { url: '/openapi.json' }, false],
  ['the map page', { url: '/' }, false],
  ['the page of the widget', { url: '/widget' }, false],
  ['GraphiQL', { url: '/graphql', headers: { accept: 'text/html' } }, false],
  [
    'GraphQL',
    { method: 'POST', url: '/graphql', payload: { query: '{ elections(first: 1) { edges { node { id } } } }' } },
    false,
  ],
  [
    'MCP',
    {
      ...{ method: 'POST', url: '/mcp', headers: { accept: 'application/json, text/event-stream' } },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
    false,
  ],
  ['REST', { url: '/data/districts/point?lat=1&long=2' }, false],
  ['an address without a page', { url: '/nowhere', headers: { accept: 'text/html' } }, false],
  ['a path with a slash at its end', { url: '/docs/' }, false],
];

/** What a request can say about the address by which it was sent. */
const CLAIMS: readonly Readonly<Record<string, string>>[] = [
  { host: 'localhost' },
  { host: FORGED },
  { host: 'localhost', 'x-forwarded-host': FORGED, 'x-forwarded-proto': `https://${FORGED}/x?` },
  { host: '127.0.0.1:8080', 'x-forwarded-host': 'localhost', 'x-forwarded-proto': `https://${FORGED}/x?` },
  { host: FORGED, forwarded: `host=${FORGED};proto=https`, 'x-forwarded-for': '::1', 'x-original-url': `//${FORGED}/` },
];

async function load(app: FastifyInstance, request: InjectOptions, claim = CLAIMS[0]) {
  const headers = { 'x-api-key': service.key('full'), ...request.headers, ...claim };
  const response = await app.inject({ ...request, headers });
  expect([200, 307, 308, 404]).toContain(response.statusCode);
  const { etag, location, link, vary, 'cache-control': caching } = response.headers;
  // Each link of the bulk download has a signature of its own, and each error the id of its request.
  const text = response.payload.replace(
    /(AWSAccessKeyId|Expires|Signature)=\w+|"(request_?id|instance)":"[^"]*"/gi,
    '',
  );
  return { text, headers: { etag, location, link, vary, caching } };
}

describe.each([
  ['without PUBLIC_URL', () => service.app],
  ['with PUBLIC_URL, behind a trusted proxy', () => published],
])('a gateway %s', (_name, app) => {
  it.each(SURFACES)('writes the same, whatever a request says about itself: %s', async (_surface, request) => {
    const expected = await load(app(), request);
    for (const claim of CLAIMS) expect(await load(app(), request, claim)).toEqual(expected);
  });
});

it.each(SURFACES.filter(([, , isAbsolute]) => isAbsolute))('%s begins with PUBLIC_URL', async (_name, request) => {
  const { text } = await load(published, request);
  expect(text).toContain(PUBLIC_URL);
  expect(text).not.toMatch(/http:\/\/(localhost|127\.0\.0\.1)/);
});

it.each([
  ['127.0.0.1', true, 'http://127.0.0.1:4000'],
  ['localhost', true, 'http://127.0.0.1:4000'],
  ['::1', true, 'http://127.0.0.1:4000'],
  ['0.0.0.0', true, ''],
  ['::', true, ''],
  ['10.0.0.21', true, ''],
  ['127.0.0.1', false, ''],
])('HOST=%s of a gateway that listens (%s) gives the origin %j', (HOST, listening, origin) => {
  const app = { server: { listening }, listeningOrigin: 'http://127.0.0.1:4000' } as FastifyInstance;
  expect(publicOrigin(app, readConfig({ HOST }))).toBe(origin);
  expect(publicOrigin(app, readConfig({ HOST, PUBLIC_URL }))).toBe(PUBLIC_URL);
});

it.each(['javascript://x', 'ftp://x.example', 'https://x.example/path', 'https://u:p@x.example', 'x.example'])(
  'PUBLIC_URL=%s is refused',
  (value) => {
    expect(() => readConfig({ PUBLIC_URL: value })).toThrow('PUBLIC_URL: must be an address without a path');
  },
);

it('PUBLIC_URL has to be set with TRUSTED_PROXIES', () => {
  expect(() => readConfig({ TRUSTED_PROXIES: '10.0.0.1' })).toThrow('PUBLIC_URL: must be set with TRUSTED_PROXIES');
  expect(readConfig({ TRUSTED_PROXIES: '10.0.0.1', PUBLIC_URL }).exports.publicUrl).toBe(PUBLIC_URL);
});
