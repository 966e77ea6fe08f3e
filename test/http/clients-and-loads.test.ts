import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/gateway/access/api-key.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

// The loads of one client against the requests of another key, all from one address, as behind a balancer in TCP mode, or behind a
// proxy that names the client. Only refusals are counted: how long the others wait is measured by test/resilience/fairness.ts.

const database = useDatabase();
beforeAll(() => createWorld(database.db));
const direct = useApp(database, { RESPONSE_CACHE_BYTES: '0' }, 'embedded');
const proxied = useApp(
  database,
  { RESPONSE_CACHE_BYTES: '0', TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://localhost' },
  'embedded',
);
const ports = new Map<typeof direct, number>();
beforeAll(async () => {
  for (const service of [direct, proxied]) {
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    ports.set(service, Number(new URL(service.app.listeningOrigin).port));
  }
});

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

const PATH = '/data/districts/point?lat=42.5&long=-97.5';
const KEYS: Readonly<Record<string, () => string>> = {
  'a wrong key': () => 'x-api-key: x\r\n',
  'an unknown key': () => `x-api-key: ${generateApiKey()}\r\n`,
  'no key': () => '',
  'the key of another': () => `x-api-key: ${direct.key('no-results')}\r\n`,
};
/** What each connection of the load writes, and how many there are. */
const LOADS: Readonly<Record<string, { readonly connections: number; readonly text: (request: string) => string }>> = {
  '600 connections': { connections: 600, text: (request) => request },
  pipelined: { connections: 20, text: (request) => request.repeat(500) },
  slow: { connections: 300, text: (request) => request.slice(0, -2) },
};

describe.each(Object.keys(KEYS))('with %s', (key) => {
  describe.each(Object.keys(LOADS))('%s', (load) => {
    it.each([
      ['behind a balancer in TCP mode', direct],
      ['behind a proxy', proxied],
    ])(
      '%s refuse no request of a valid key',
      async (_, service) => {
        const port = ports.get(service) ?? 0;
        const { connections, text } = LOADS[load] as (typeof LOADS)[string];
        const header = (KEYS[key] as () => string)();
        const own = key === 'the key of another' ? `x-api-key: ${service.key('no-results')}\r\n` : header;
        const request = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n${own}\r\n`;
        const opened = Array.from({ length: connections }, () => {
          const socket = connect(port, '127.0.0.1', () => socket.write(text(request)));
          // Reading is part of the load; each response is followed by the same again.
          socket.on('data', () => load === '600 connections' && socket.write(request)).on('error', () => undefined);
          return socket;
        });
        sockets.push(...opened);
        const statuses: number[] = [];
        for (let n = 0; n < 15; n++) {
          const headers = { 'x-api-key': service.key('full'), 'x-forwarded-for': '192.0.2.2' };
          const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers });
          await response.arrayBuffer();
          statuses.push(response.status);
        }
        for (const socket of opened) socket.destroy();
        expect(statuses).toEqual(Array(15).fill(200));
      },
      60_000,
    );
  });
});

it('a hundred requests of one key at once are all answered, and some beyond those that may wait get a code of their own', async () => {
  const send = () =>
    direct.app.inject({ url: PATH, headers: { 'x-api-key': direct.key('full') } }).then(({ statusCode }) => statusCode);
  expect(await Promise.all(Array.from({ length: 100 }, send))).toEqual(Array(100).fill(200));
  const more = await Promise.all(Array.from({ length: 200 }, send));
  expect(new Set(more)).toEqual(new Set([200, 429]));
  expect(more.filter((status) => status === 200).length).toBeGreaterThanOrEqual(136);
});
