import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { addOrigin, removeOrigin } from '../../src/gateway/access/access.store.ts';
import { createOriginList } from '../../src/gateway/access/origins.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { recordStatements } from '../support/statements.ts';

const database = useDatabase();
const service = useApp(database);

const GOOD = 'https://good.com';
const HOST = 'gateway.example.org';
const SURFACES = ['/graphql?query={__typename}', '/data/districts/point?lat=1&long=1', '/nowhere'];
const ALLOWED_HEADERS = 'x-api-key, content-type, if-none-match, traceparent, tracestate, baggage';
const BULK = ['/getQueryList', '/getQueryResults', '/data/changes/files', '/files/x'];

beforeAll(async () => {
  await addOrigin(database.db, GOOD);
  await addOrigin(database.db, 'http://localhost:8080');
});

const request = (method: 'GET' | 'HEAD' | 'OPTIONS' | 'DELETE', url: string, headers: Record<string, string>) =>
  service.app.inject({ method, url, headers: { host: HOST, ...headers } });
const preflight = (url: string, origin: string, headers = 'x-api-key, content-type') =>
  request('OPTIONS', url, {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': headers,
  });
/** Sends the address as it is written here, which `inject` would change. */
async function requestRaw(method: string, url: string, origin: string): Promise<string> {
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(Number(new URL(service.app.listeningOrigin).port), '127.0.0.1');
  const head = [`${method} ${url} HTTP/1.1`, `Host: ${HOST}`, `Origin: ${origin}`, 'Connection: close'];
  socket.write(`${head.join('\r\n')}\r\nAccess-Control-Request-Method: POST\r\n\r\n`);
  let response = '';
  for await (const part of socket) response += part;
  return response;
}
const corsHeaders = (response: { headers: object }) =>
  Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));

describe.each(SURFACES)('pages of an allowed origin at %s', (url) => {
  it('pass the preflight without a key', async () => {
    const response = await preflight(url, GOOD);
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': GOOD,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-expose-headers': 'x-request-id, etag, retry-after, ratelimit, ratelimit-policy',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read the response with any status', async () => {
    for (const [method, headers] of [
      ['GET', { 'x-api-key': service.key('full') }],
      ['GET', { 'x-api-key': 'wrong' }],
      ['GET', {}],
      ['DELETE', {}],
    ] as const) {
      const response = await request(method, url, { origin: GOOD, ...headers });
      expect(response.statusCode).not.toBe(403);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': GOOD });
      expect(response.headers.vary).toMatch(/^Origin\b/);
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});

describe('the preflight of a GraphQL client', () => {
  it.each([
    'apollographql-client-name, apollographql-client-version',
    'apollo-require-preflight',
    'x-apollo-operation-name',
    'x-graphql-client-name, x-graphql-client-version',
    'graphql-client-name, GraphQL-Preflight',
    'if-none-match, traceparent, tracestate',
  ])('allows %s', async (names) => {
    const { headers } = await preflight('/graphql', GOOD, names);
    const allowed = String(headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(expect.arrayContaining(names.toLowerCase().split(', ')));
    expect(new Set(allowed).size).toBe(allowed.length);
  });

  it.each(['authorization', 'cookie', 'x-forwarded-for', '*', 'graphql', 'not-graphql-client', 'graphql-a\u00e4'])(
    'does not allow %s',
    async (name) => {
      const { headers } = await preflight('/graphql', GOOD, name);
      expect(headers['access-control-allow-headers']).toBe(ALLOWED_HEADERS);
    },
  );
});

const REJECTED: [string, string][] = [
  ['another site', 'https://evil.example'],
  ['a page without an origin', 'null'],
  ['the allowed name as a label of another', 'https://good.com.evil.com'],
  ['the allowed name at the end of another', 'https://evilgood.com'],
  ['a subdomain', 'https://www.good.com'],
  ['another scheme', 'http://good.com'],
  ['another port', 'https://good.com:8443'],
  ['the default port, written out', 'https://good.com:443'],
  ['a dot at the end', 'https://good.com.'],
  ['a slash at the end', 'https://good.com/'],
  ['upper case', 'HTTPS://GOOD.COM'],
  ['punycode of a look-alike', 'https://xn--god-1na.com'],
  ['an empty origin', ''],
  ['a star', '*'],
  ['two origins', `${GOOD} https://evil.example`],
  ['the allowed origin twice', `${GOOD}, ${GOOD}`],
  ['a page on this machine, with a gateway elsewhere', 'http://localhost:3000'],
  ['the host of the gateway with another port', `https://${HOST}:8443`],
  ['a user name', 'https://good.com@evil.example'],
  ['SQL', `https://good.com' or true --`],
];

const SPELLINGS = [
  ...['/%67etQueryList', '/getQuer%79List?x=1', 'http://gateway.example.org/getQueryList', 'HTTP://x/getQueryList'],
  ...['/getQueryList#x', '/%67etQueryResults', '/%66iles/x', '/files/%78', '/files//x', '//files/x', '/getQueryList/'],
  ...['/getQueryList?', 'https://x:1/files/a/b'],
];

it.each(SPELLINGS)('every spelling of a bulk path is closed to pages of other origins: %s', async (url) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE'] as const) {
    const response = await requestRaw(method, url, GOOD);
    expect(response, response).not.toMatch(/^access-control-/im);
    expect(response).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  }
});

describe.each(REJECTED)('pages of %s', (_, origin) => {
  it.each([...SURFACES, ...BULK])('get 403 at %s for preflight and request', async (url) => {
    const responses = [
      await preflight(url, origin),
      await request('GET', url, { origin, 'x-api-key': service.key('full') }),
      await request('HEAD', url, { origin }),
    ];
    expect(responses.map((response) => response.statusCode)).toEqual([403, 403, 403]);
    for (const response of responses) {
      expect(corsHeaders(response)).toEqual([]);
      expect(response.headers.vary).toBe('Origin');
    }
    expect(responses[1]?.body).toContain('it is not allow-listed');
  });
});

describe('other requests', () => {
  it.each([`https://${HOST}`, `http://${HOST}`])(
    'from a page of the gateway itself, %s, are allowed',
    async (origin) => {
      const response = await request('GET', '/graphql?query={__typename}', {
        origin,
        'x-api-key': service.key('full'),
      });
      expect(response.statusCode).toBe(200);
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  it.each([
    ['http://localhost:3000', 'localhost:4000'],
    ['http://127.0.0.1:5173', 'localhost:4000'],
    ['http://[::1]:5173', '127.0.0.1:4000'],
  ])('from a page on this machine, %s, to %s are allowed', async (origin, host) => {
    const response = await request('GET', '/graphql?query={__typename}', {
      origin,
      host,
      'x-api-key': service.key('full'),
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
  });

  it.each([
    ['http://localhost.evil.com', 'localhost:4000'],
    ['http://evil.example', 'localhost:4000'],
    ['null', 'localhost:4000'],
    ['http://localhost:3000', 'localhost.evil.com:4000'],
  ])('from %s to %s are not treated as local', async (origin, host) => {
    expect((await request('GET', '/graphql?query={__typename}', { origin, host })).statusCode).toBe(403);
  });

  it.each([200, 401, 404, 405])('without an Origin carry Vary and no CORS header: %d', async (status) => {
    const key = { 'x-api-key': service.key('full') };
    const response = await {
      200: () => request('GET', '/graphql?query={__typename}', key),
      401: () => request('GET', '/graphql?query={__typename}', {}),
      404: () => request('GET', '/nowhere', key),
      405: () => request('DELETE', '/health', key),
    }[status as 200]();
    expect(response.statusCode).toBe(status);
    expect(response.headers.vary).toMatch(/^Origin\b/);
    expect(corsHeaders(response)).toEqual([]);
  });

  it.each(BULK)('never get a CORS header from %s', async (url) => {
    const responses = [await preflight(url, GOOD), await request('GET', url, { origin: GOOD })];
    for (const response of responses) expect(corsHeaders(response)).toEqual([]);
  });

  it('by a supervisor can read /health from any page', async () => {
    expect((await request('GET', '/health', { origin: 'https://evil.example' })).statusCode).toBe(200);
  });
});

describe('the allow-list', () => {
  it('costs one statement for many preflights', async () => {
    const { db, take } = recordStatements(database);
    const isAllowed = createOriginList(db);
    await Promise.all(Array.from({ length: 50 }, () => isAllowed(GOOD)));
    await isAllowed('https://evil.example');
    expect(take()).toHaveLength(1);
  });

  it('is applied within 5 seconds', async () => {
    let time = 1_000;
    const isAllowed = createOriginList(database.db, { now: () => time });
    const origin = 'https://new.example';
    expect(await isAllowed(origin)).toBe(false);
    expect([await addOrigin(database.db, origin), await addOrigin(database.db, origin)]).toEqual([true, false]);
    time += 4_500;
    expect(await isAllowed(origin)).toBe(true);
    expect([await removeOrigin(database.db, origin), await removeOrigin(database.db, origin)]).toEqual([true, false]);
    time += 4_500;
    expect(await isAllowed(origin)).toBe(false);
  });
});
