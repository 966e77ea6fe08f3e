import { connect } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { createLogger } from '../../src/base/logger.ts';
import { buildApp } from '../../src/gateway/app.ts';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import { backendOver, type Readiness } from '../../src/store/backend.ts';

/** Routes that only these tests have; none needs the database. */
const testRoutes: Routes = async (app) => {
  app.get('/read', async (request) => ({ today: request.days.today }));
  app.post('/write', async (request) => ({ got: request.body }));
  app.get('/failure', async () => {
    throw new Error('password=hunter2 in /srv/secret.ts');
  });
  app.get('/wrong', async () => {
    throw new ServiceError('INVALID_PARAMETER', 'lat must be a number.', [{ name: 'lat', reason: 'must be a number' }]);
  });
  app.get('/away', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
  });
  app.get('/slow', () => new Promise(() => undefined));
  app.get('/keyed', { onRequest: app.authenticate() }, async () => 'never');
};

const nowhere = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
const database = backendOver('server', { at: nowhere, size: 1, statementTimeoutMs: 0, waitMs: 200 });
let readiness: Readiness | Promise<Readiness> = { ready: true };
const stopping = new AbortController();
const lines: string[] = [];
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  const config = readConfig({ TODAY: '2026-07-01' });
  app = await buildApp({
    config,
    backend: { ...database, ready: async () => readiness },
    logger: createLogger('trace', { write: (line: string) => void lines.push(line) }),
    clock: createClock(config.clock),
    stopping: stopping.signal,
    limits: { ...config.limits.http, headersTimeout: 1_000, requestTimeout: 2_000, handlerTimeout: 500 },
    routes: [testRoutes],
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(app.listeningOrigin).port);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** Returns the response to bytes that no HTTP client would send; the parts are sent `pauseMs` apart. */
function sendRaw(parts: string[], pauseMs = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', async () => {
      for (const part of parts) {
        if (!socket.destroyed) socket.write(part);
        await new Promise((wait) => setTimeout(wait, pauseMs));
      }
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no end after: ${response}`)));
    socket.on('data', (data) => (response += data)).on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

const envelope = (status: number, message: RegExp | string) => ({
  success: false,
  data: {},
  message: expect.stringMatching(message),
  type: expect.stringMatching(/^urn:ballotgraph:error:[a-z-]+$/),
  title: expect.any(String),
  status,
  detail: expect.stringMatching(message),
  errors: [],
  request_id: expect.stringMatching(/^[\w-]{8,36}$/),
});

describe('rejections before any route have the envelope', () => {
  const json = { 'content-type': 'application/json' };
  const big = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
  const cases: [string, number, RegExp, InjectOptions][] = [
    ['an unknown path', 404, /nothing at this address/, { url: '/data/nothing' }],
    ['two slashes', 404, /nothing at this address/, { url: '//evil.example/read' }],
    ['a malformed path', 400, /percent-encoding/, { url: '/%zz' }],
    ['a malformed query', 400, /percent-encoding/, { url: '/read?lat=%E0%A4%A' }],
    ['bytes that are not UTF-8', 400, /percent-encoding/, { url: '/read?lat=%ff' }],
    ['NUL', 400, /NUL/, { url: '/read?lat=%00' }],
    ['an address over 8 KiB', 414, /at most 8192/, { url: `/read?x=${'x'.repeat(8192)}` }],
    ['a body over 64 KiB', 413, /at most 65536 bytes/, { method: 'POST', url: '/write', headers: json, payload: big }],
    ['a body that is not JSON', 400, /valid JSON/, { method: 'POST', url: '/write', headers: json, payload: '{' }],
    ['an empty body', 400, /valid JSON/, { method: 'POST', url: '/write', headers: json, payload: '' }],
    [
      '__proto__',
      400,
      /valid JSON/,
      { method: 'POST', url: '/write', headers: json, payload: '{"__proto__":{"a":1}}' },
    ],
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'no type', ''].map(
      (type): [string, number, RegExp, InjectOptions] => [
        `a body of type "${type}"`,
        415,
        /must be JSON/,
        { method: 'POST', url: '/write', headers: { 'content-type': type }, payload: '{}' },
      ],
    ),
    [
      'a compressed body',
      415,
      /compressed/,
      { method: 'POST', url: '/write', headers: { ...json, 'content-encoding': 'gzip' }, payload: 'x' },
    ],
    ['a key that is missing', 401, /x-api-key/, { url: '/keyed' }],
    ['an unavailable database', 503, /cannot be reached/, { url: '/away' }],
    ['a request that takes too long', 504, /time limit/, { url: '/slow' }],
  ];
  it.each(cases)('%s: %d', async (_, status, message, request) => {
    const response = await app.inject(request);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual(envelope(status, message));
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Origin',
      'x-request-id': response.json().request_id,
      'x-content-type-options': 'nosniff',
    });
    if (status === 503) expect(response.headers['retry-after']).toMatch(/^\d+$/);
  });

  it.each([
    ['PUT', '/read', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/read', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/write', 'POST, OPTIONS'],
    ['GET', '/write', 'POST, OPTIONS'],
    ['TRACE', '/read', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/read', 'GET, HEAD, OPTIONS'],
    ['QUERY', '/write', 'POST, OPTIONS'],
  ])('another method, %s %s: 405 with Allow', async (method, path, allow) => {
    const response = await sendRaw([`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    expect(response).toMatch(/^HTTP\/1\.1 405 /);
    expect(response).toContain(`allow: ${allow}\r\n`);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual(envelope(405, allow));
  });

  it('rejects another method before it reads the body', async () => {
    const head = 'PUT /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n';
    expect(await sendRaw([head])).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('a parameter error names the parameters', async () => {
    const response = await app.inject('/wrong');
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toEqual([{ name: 'lat', reason: 'must be a number' }]);
  });

  it('an internal error reveals nothing but the request id, and is logged in full', async () => {
    const response = await app.inject({ url: '/failure', headers: { 'x-request-id': 'find-me-0001' } });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual(envelope(500, /request id/));
    expect(response.body).not.toMatch(/hunter2|secret/);
    const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.request_id === 'find-me-0001');
    expect(logged).toMatchObject([
      { level: 'error', err: { message: expect.stringContaining('hunter2'), stack: expect.any(String) } },
      { level: 'warn', status: 500, route: '/failure' },
    ]);
  });
});

describe('HTTP parsing', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `h${index}: x\r\n`).join('');

  const get = 'GET /read HTTP/1.1\r\nHost: x\r\n';
  const post = 'POST /write HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n';
  it.each([
    ['bytes that are not HTTP', 400, 'hello\r\n\r\n'],
    ['both lengths', 400, `${post}Transfer-Encoding: chunked\r\n\r\n`],
    ['two lengths', 400, `${post}Content-Length: 2\r\n\r\n`],
    ['NUL in a header', 400, `${get}x: \0\r\n\r\n`],
    ['two Host headers', 400, `${get}Host: y\r\n\r\n`],
    ['the same Host twice', 400, `${get}host: x\r\n\r\n`],
    ...[
      'a b',
      'a"',
      '<x>',
      'a/b',
      'a@b',
      'a?b',
      'a#b',
      'x:y',
      'x:123456',
      '[::1',
      '::1',
      '%zz',
      'a\\b',
      'é',
      'a,b:c',
    ].map((host): [string, number, string] => [`the Host ${host}`, 400, `GET /read HTTP/1.1\r\nHost: ${host}\r\n\r\n`]),
    ...[
      'gzip, chunked',
      'gzip,chunked',
      'deflate, chunked',
      'chunked, chunked',
      'identity, chunked',
      'xchunked, chunked',
    ].map((coding): [string, number, string] => [
      `the Transfer-Encoding ${coding}`,
      400,
      `POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ]),
    [
      'Transfer-Encoding in two headers',
      400,
      'POST /write HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['Transfer-Encoding in HTTP/1.0', 400, 'POST /write HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown expectation', 417, `${get}Expect: a-miracle\r\n\r\n`],
    [
      'bytes in the address that are not ASCII',
      400,
      'GET /read?state=\u00e9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['no Host', 400, 'GET /read HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['headers over 16 KiB', 431, `${get}x: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['101 headers', 431, `${get}Connection: close\r\n${many(99)}\r\n`],
    ['1,500 headers', 431, `${get}Connection: close\r\n${many(1_500)}\r\n`],
  ])('%s: %d', async (_, status, bytes) => {
    const response = await sendRaw([bytes]);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response).toMatch(/^vary: Origin\r$/m);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual(envelope(status, /./));
  });

  it.each(['x', 'x:80', 'a-b_c.example:8443', '127.0.0.1:4000', '[::1]:4000', '[2001:db8::1]', 'x:', ''])(
    'accepts the Host %j',
    async (host) => {
      const response = await sendRaw([`GET /read HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]);
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each(['chunked', 'Chunked'])('accepts the Transfer-Encoding %s', async (coding) => {
    const head = `POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n`;
    const response = await sendRaw([`${head}Connection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`]);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('sends 100 Continue if a request expects it', async () => {
    const head = 'POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    const response = await sendRaw([`${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`, '{}'], 50);
    expect(response).toMatch(/^HTTP\/1\.1 100 .*\r\n\r\nHTTP\/1\.1 200 /);
  });

  it('accepts 100 headers', async () => {
    const response = await sendRaw([`${get}Connection: close\r\n${many(98)}\r\n`]);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('ends slow headers at the time limit', async () => {
    const began = performance.now();
    const response = await sendRaw(['GET /read HTTP/1.1\r\n', ...Array(8).fill('x: y\r\n')], 500);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - began).toBeLessThan(4_500);
  });

  it('ends a slow body at the time limit', async () => {
    const head = 'POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    expect(await sendRaw([head, ...Array(12).fill(' ')], 500)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each(['/../read', '/./read', '/%2e%2e/read', '/read/..'])('does not resolve dots in a path: %s', async (path) => {
    const response = await sendRaw([`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('rejects CONNECT', async () => {
    expect(await sendRaw(['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'])).not.toMatch(/ 200 /);
  });
});

describe('all routes', () => {
  it('respond to HEAD like to GET, without the body', async () => {
    for (const url of ['/read', '/', '/health', '/ready', '/nowhere', '/wrong']) {
      const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })];
      expect(head.statusCode).toBe(get.statusCode);
      expect(head.body).toBe('');
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
  });

  it('respond to OPTIONS with the allowed methods', async () => {
    const response = await app.inject({ method: 'OPTIONS', url: '/write' });
    expect(response.statusCode).toBe(204);
    expect(response.headers.allow).toBe('POST, OPTIONS');
  });

  it('use the same day throughout a request', async () => {
    expect((await app.inject('/read')).json()).toEqual({ today: '2026-07-01' });
  });

  it.each([
    ['safe-id_0001', true],
    ['0123456789012345678901234567890123456789', false],
    ['short', false],
    ['-106.123,39.456', false],
    ['line\tbreak', false],
    ['<script>', false],
  ])('accept an x-request-id only if it is safe: %s', async (id, taken) => {
    const response = await app.inject({ url: '/read', headers: { 'x-request-id': id } });
    expect(response.headers['x-request-id'] === id).toBe(taken);
    expect(response.headers['x-request-id']).toMatch(/^[\w-]{8,36}$/);
  });

  it('are logged in one line each, without address, headers or body', async () => {
    lines.length = 0;
    await app.inject({ url: '/read?lat=39.987654&long=-105.123456', headers: { 'x-api-key': 'canary-key' } });
    await app.inject({ url: '/data/39.987654/nowhere?x=canary', headers: { cookie: 'canary' } });
    await app.inject({ method: 'POST', url: '/write', payload: { canary: true } });
    await app.inject({ url: '/%zz?canary' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'GET', route: '/read', status: 200, ms: expect.any(Number), request_id: expect.any(String) },
      { method: 'GET', route: 'none', status: 404 },
      { method: 'POST', route: '/write', status: 200 },
      { method: 'GET', route: 'none', status: 400 },
    ]);
    expect(lines.join()).not.toMatch(/canary|39\.9876|105\.1234/);
  });
});

describe('health', () => {
  it('is alive independent of the database', async () => {
    readiness = { ready: false, reason: 'database not reachable' };
    expect((await app.inject('/health')).json()).toEqual({ status: 'alive' });
  });

  it('is ready, or reports why not', async () => {
    readiness = { ready: false, reason: 'database not reachable' };
    const not = await app.inject('/ready');
    expect(not.statusCode).toBe(503);
    expect(not.json()).toEqual({ status: 'not ready', reason: 'database not reachable' });
    readiness = { ready: true };
    const ready = await app.inject('/ready');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: 'ready' });
  });

  it('is not ready while it stops, and closes connections', async () => {
    readiness = new Promise(() => undefined);
    const requestedBefore = app.inject('/ready');
    await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    expect((await requestedBefore).json()).toEqual({ status: 'not ready', reason: 'stopping' });
    const response = await app.inject('/ready');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ status: 'not ready', reason: 'stopping' });
    expect(response.headers.connection).toBe('close');
    expect((await app.inject('/read')).statusCode).toBe(200);
  });
});
