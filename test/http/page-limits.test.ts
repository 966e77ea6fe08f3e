import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const LIMITS = {
  MAX_PAGES_IN_FLIGHT: '6',
  MAX_PAGES_IN_FLIGHT_PER_ADDRESS: '4',
  MAX_WAITING_PER_KEY: '0',
  DEADLINE_MS: '15000',
};
const database = useDatabase();
const service = useApp(
  database,
  { ...LIMITS, TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://page.example', GRAPHIQL: 'true' },
  'embedded',
);
let address: string;
/** The path of the largest file: the script of GraphiQL. */
let largest: string;
beforeAll(async () => {
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const page = await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } });
  [, largest = ''] = /<script src="([^"]*\/graphiql-[^"]*)"/.exec(await page.text()) ?? [];
  expect(largest).not.toBe('');
});
const held: Socket[] = [];
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy();
  await sleep(300);
});

/** Bytes of the buffers that are in use. */
function arrayBuffers(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

function statusOf(path: string, from: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'x-forwarded-for': from };
    get(address + path, { agent: false, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode)).on('error', reject);
    }).on('error', reject);
  });
}

/** Requests the largest file and reads nothing of it. */
function hold(from: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => {
      socket.pause().write(`GET ${largest} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n\r\n`);
      setTimeout(resolve, 100, socket);
    });
    held.push(socket);
    socket.on('error', reject);
  });
}

describe('pages whose clients do not read', () => {
  it('are limited for an address and in total, need no additional memory, and end at the time limit', async () => {
    expect(await statusOf('/graphql', '192.0.2.1')).toBe(200);
    const before = arrayBuffers();
    for (let n = 0; n < 4; n++) await hold('192.0.2.1');
    // The script has some 9 MB, of which Node may keep one copy for a while.
    expect(arrayBuffers() - before).toBeLessThan(18_000_000);

    // They begin in turn.
    await expect.poll(() => statusOf('/docs', '192.0.2.1')).toBe(429);
    for (const path of ['/graphql', '/', '/docs', '/openapi.json']) {
      expect(await statusOf(path, '192.0.2.1'), path).toBe(429);
      expect(await statusOf(path, '192.0.2.2'), path).toBe(200);
    }
    await hold('2001:db8:0:1::1');
    await hold('2001:db8:0:1::2');
    expect(await statusOf('/docs', '192.0.2.2')).toBe(503);

    // Neither supervisors nor callers with a key are concerned.
    expect(await statusOf('/health', '192.0.2.1')).toBe(200);
    expect(await statusOf('/ready', '192.0.2.1')).toBe(200);
    const operation = await fetch(`${address}/graphql?query={__typename}`, {
      headers: { 'x-api-key': service.key('full') },
    });
    expect(operation.status).toBe(200);

    await expect.poll(() => statusOf('/docs', '192.0.2.1'), { timeout: 25_000 }).toBe(200);
  }, 60_000);

  it('are no longer counted after their client has disconnected', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => hold('192.0.2.9')));
    await expect.poll(() => statusOf('/', '192.0.2.9')).toBe(429);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => statusOf('/', '192.0.2.9'), { timeout: 3_000 }).toBe(200);
  });

  it('are rejected with a response that gives advice', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => hold('192.0.2.8')));
    await expect.poll(() => statusOf('/docs', '192.0.2.8')).toBe(429);
    const rejected = await fetch(`${address}/docs`, { headers: { 'x-forwarded-for': '192.0.2.8' } });
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(await rejected.json()).toMatchObject({
      status: 429,
      message: expect.stringMatching(/this address has requests for pages under way, at most 4/),
    });
    for (const socket of sockets) socket.destroy();
  });
});
