import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publicOrigin } from '../../src/http/public-origin.ts';
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
  published = await buildDatabaseApp(database, { ...environment, GRAPHIQL: 'false', PUBLIC_URL }, { kind: BACKEND });
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

async function load(app: FastifyInstance, request: InjectOptions): Promise<string> {
  const headers = { 'x-api-key': service.key('full'), host: FORGED, ...request.headers };
  const response = await app.inject({ ...request, headers });
  expect([200, 307, 308, 404]).toContain(response.statusCode);
  return `${JSON.stringify(response.headers)} ${response.payload}`;
}

it.each(SURFACES)('%s does not repeat the host that a client names', async (_name, request) => {
  expect(await load(service.app, request)).not.toContain(FORGED);
});

it.each(SURFACES.filter(([, , isAbsolute]) => isAbsolute))('%s begins with PUBLIC_URL', async (_name, request) => {
  const text = await load(published, request);
  expect(text).toContain(PUBLIC_URL);
  expect(text).not.toMatch(/http:\/\/(localhost|127\.0\.0\.1)/);
});

it.each([
  ['maps.example', true, 'http://127.0.0.1:4000'],
  ['localhost.maps.example:80', true, 'http://127.0.0.1:4000'],
  ['localhost:8080', true, 'http://localhost:8080'],
  ['127.0.0.1:8080', true, 'http://127.0.0.1:8080'],
  ['[::1]:8080', true, 'http://[::1]:8080'],
  ['maps.example', false, 'http://localhost'],
])('the host %s of a gateway that listens (%s) gives the origin %s', (host, listening, origin) => {
  const server = { server: { listening }, listeningOrigin: 'http://127.0.0.1:4000' } as FastifyInstance;
  expect(publicOrigin({ server, host, protocol: 'http' }, undefined)).toBe(origin);
  expect(publicOrigin({ server, host, protocol: 'http' }, PUBLIC_URL)).toBe(PUBLIC_URL);
});
