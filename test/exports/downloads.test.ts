import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/gateway/access/access.store.ts';
import { signPath } from '../../src/gateway/exports/signed-links.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { BACKEND, requestLink, useFolder } from './support.ts';

const SQL = `-- title: Numbers\n-- description: d\nselect g as n, 'text ' || g as text from generate_series(1, 5000) g`;

const FIRST = { id: 'FIRSTKEY', secret: '1'.repeat(32) };
const OTHER = { id: 'OTHERKEY', secret: '2'.repeat(32) };

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await mkdir(join(folder.path, 'queries'));
  await writeFile(join(folder.path, 'queries', 'numbers.sql'), SQL);
});
const environment = {
  get QUERIES_DIR() {
    return join(folder.path, 'queries');
  },
  get FILES_DIR() {
    return join(folder.path, 'files');
  },
  FILES_SIGNING_KEYS: [FIRST, OTHER].map(({ id, secret }) => `${id}:${secret}`).join(),
  PUBLIC_URL: 'https://data.example/',
};
const service = useApp(database, environment, BACKEND);

let link: string;
beforeEach(async () => {
  const url = await requestLink(service, service.key('full'));
  expect(url).toMatch(/^https:\/\/data\.example\/files\/[^?]+\?AWSAccessKeyId=FIRSTKEY[0-9A-F]{16}&/);
  link = url.slice('https://data.example'.length);
});

type Headers = Record<string, string>;
const get = (headers: Headers = {}, url = link) => service.app.inject({ url, headers });
const head = (headers: Headers = {}) => service.app.inject({ method: 'HEAD', url: link, headers });

describe('a file', () => {
  it('is sent completely, with headers for a useful file name', async () => {
    const response = await get();
    expect(response.statusCode).toBe(200);
    expect(response.body.split('\r\n')).toHaveLength(5_002);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="numbers_2026-07-01.csv"',
      'content-length': String(response.rawPayload.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'x-content-type-options': 'nosniff',
    });
  });

  it('needs no key, and a link can be used repeatedly', async () => {
    for (const _ of [1, 2, 3]) expect((await get()).statusCode).toBe(200);
  });

  it('responds to HEAD with the same headers and no body', async () => {
    const [whole, only] = [await get(), await head()];
    expect(only.rawPayload).toHaveLength(0);
    const same = ['content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges', 'last-modified'];
    for (const name of same) expect(only.headers[name]).toBe(whole.headers[name]);
  });

  it.each([
    ['the first bytes', 'bytes=0-9', 0, 10],
    ['bytes in the middle', 'bytes=100-199', 100, 200],
    ['the last bytes', 'bytes=-5', -5, undefined],
    ['all from a byte on', 'bytes=50000-', 50_000, undefined],
  ])('is sent in a range: %s', async (_, range, from, to) => {
    const whole = (await get()).rawPayload;
    const response = await get({ range, 'accept-encoding': 'gzip' });
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload).toEqual(whole.subarray(from, to));
    const start = from < 0 ? whole.length + from : from;
    expect(response.headers['content-range']).toBe(`bytes ${start}-${(to ?? whole.length) - 1}/${whole.length}`);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
  });

  it('rejects a range outside the file, in the envelope', async () => {
    const response = await get({ range: 'bytes=99999999-' });
    expect(response.json()).toMatchObject({ success: false, status: 416 });
    expect(response.headers['content-range']).toMatch(/^bytes \*\/\d+$/);
  });

  it('resumes an interrupted download if the file is the same', async () => {
    const etag = String((await get()).headers.etag);
    expect((await get({ range: 'bytes=10-', 'if-range': etag })).statusCode).toBe(206);
    expect((await get({ range: 'bytes=10-', 'if-range': '"other"' })).statusCode).toBe(200);
  });

  it.each([undefined, 'gzip'])('is sent only if it has changed (accept-encoding: %s)', async (encoding) => {
    const headers: Headers = encoding ? { 'accept-encoding': encoding } : {};
    const etag = String((await get(headers)).headers.etag);
    const response = await get({ ...headers, 'if-none-match': etag });
    expect(response.statusCode).toBe(304);
    expect(response.headers.etag).toBe(etag);
    expect((await get({ ...headers, 'if-none-match': '"other"' })).statusCode).toBe(200);
    expect((await get({ ...headers, 'if-match': '"other"' })).json()).toMatchObject({ success: false, status: 412 });
    expect((await get({ ...headers, 'if-match': etag })).statusCode).toBe(200);
  });

  it.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0, deflate', false],
    ['br', false],
    ['identity', false],
  ])('is compressed if the client accepts that: %s', async (encoding, isCompressed) => {
    const plain = await get();
    const response = await get({ 'accept-encoding': encoding });
    expect(response.headers.vary).toContain('Accept-Encoding');
    expect(response.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    if (!isCompressed) return expect(response.rawPayload).toEqual(plain.rawPayload);
    expect(gunzipSync(response.rawPayload)).toEqual(plain.rawPayload);
    expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(response.headers.etag).not.toBe(plain.headers.etag);
    expect((await head({ 'accept-encoding': encoding })).headers['content-encoding']).toBe('gzip');
  });

  it('is not found after it was removed', async () => {
    await rm(join(folder.path, 'files', link.split('/')[3] ?? ''), { recursive: true });
    expect((await get()).json()).toMatchObject({ success: false, status: 404 });
  });
});

describe('an invalid link', () => {
  const rejectionOf = async (url: string, method: 'GET' | 'HEAD' = 'GET') => {
    const response = await service.app.inject({ method, url });
    const { request_id, ...body } = method === 'GET' ? response.json() : { request_id: '' };
    return { status: response.statusCode, body };
  };

  it('gets 403 with the same body for every defect', async () => {
    const forged = {
      extended: link.replace(/Expires=\d+/, `Expires=${Math.floor(Date.now() / 1_000) + 3_000}`),
      otherFile: link.replace('numbers', 'nothing'),
      otherKey: link.replace('FIRSTKEY', 'OTHERKEY'),
      unknownKey: link.replace('FIRSTKEY', 'WHOSEKEY'),
      unsigned: link.replace(/&Signature=.*/, ''),
      noExpiry: link.replace(/&Expires=\d+/, ''),
      bare: link.replace(/\?.*/, ''),
      more: `${link}&x=1`,
      signingKey: '/files/.signing-key',
      outside: '/files/..%2f..%2fpackage.json',
      folder: '/files/',
    };
    const responses = await Promise.all(Object.values(forged).map((url) => rejectionOf(url)));
    for (const response of responses) expect(response).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({ status: 403, body: { success: false, data: {} } });
    expect((await rejectionOf(forged.extended, 'HEAD')).status).toBe(403);
  });

  it('gets the same after it has expired', async () => {
    const forged = await rejectionOf(link.replace(/Signature=..../, 'Signature=0000'));
    const path = link.replace(/\?.*/, '');
    const now = Math.floor(Date.now() / 1_000);
    expect(await rejectionOf(signPath(path, now - 1, [FIRST]))).toEqual(forged);
    expect((await get({}, signPath(path, now + 10, [FIRST]))).statusCode).toBe(200);
    expect((await get({}, signPath(path, now + 10, [OTHER]))).statusCode).toBe(200);
  });

  it('is invalid after a change of any byte in the request line', async () => {
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.app.server.address() as AddressInfo;
    expect(await responseTo(port, link)).toBe('the file');
    const accepted: string[] = [];
    for (let at = 0; at < link.length; at++) {
      const bytes = [...' 0aA%&=/?#.~\\\t\0\x80', String.fromCharCode(link.charCodeAt(at) ^ 1)];
      const forged = bytes.map((byte) => link.slice(0, at) + byte + link.slice(at + 1)).filter((one) => one !== link);
      const responses = await Promise.all(forged.map((one) => responseTo(port, one)));
      accepted.push(...forged.filter((_, index) => responses[index] === 'the file'));
    }
    expect(accepted).toEqual([]);
  }, 120_000);
});

/** Sends a request line with these bytes and returns whether it gets the file. */
async function responseTo(port: number, url: string): Promise<'the file' | 'something else'> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1');
  const response = await buffer(socket).catch(() => Buffer.alloc(0));
  return response.includes('text 4999') || response.includes('numbers_') ? 'the file' : 'something else';
}

it('a link is revoked with the API key that requested it, and with no other', async () => {
  const key = await createApiKey(database.db, 'full');
  const own = (await requestLink(service, key)).slice('https://data.example'.length);
  expect((await get({}, own)).statusCode).toBe(200);
  await revokeApiKey(database.db, key);
  const revokedAt = performance.now();
  await expect.poll(async () => (await get({}, own)).statusCode, { timeout: 10_000, interval: 200 }).toBe(403);
  expect(performance.now() - revokedAt).toBeLessThan(6_000);
  expect((await get({ range: 'bytes=0-9' }, own)).statusCode).toBe(403);
  expect((await service.app.inject({ method: 'HEAD', url: own })).statusCode).toBe(403);
  expect((await get()).statusCode).toBe(200);
}, 20_000);
