import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

// Sockets come from addresses of their own, all of this machine: 127.0.0.0/8 is the loopback network on Linux.

const PER_ADDRESS = 20;
const CLOSED_WITHIN = { timeout: 8_000, interval: 50 };
const database = useDatabase();
const service = useApp(
  database,
  {
    HEADERS_TIMEOUT_MS: '500',
    KEEP_ALIVE_TIMEOUT_MS: '500',
    MAX_SOCKETS_PER_ADDRESS: String(PER_ADDRESS),
    MAX_PAGES_IN_FLIGHT_PER_ADDRESS: '16',
  },
  'embedded',
);
let port: number;
beforeAll(async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = service.app.server.address() as AddressInfo);
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

let addresses = 1;
const newAddress = () => `127.0.1.${addresses++}`;

interface Connection {
  readonly socket: Socket;
  /** What the gateway has sent so far. */
  text: string;
  isClosed: boolean;
}

function open(from: string, text = ''): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => {
      if (text) socket.write(text);
      resolve(connection);
    });
    const connection: Connection = { socket, text: '', isClosed: false };
    socket.setEncoding('latin1').on('data', (part: string) => {
      connection.text += part;
    });
    socket.on('error', reject).on('close', () => {
      connection.isClosed = true;
    });
    sockets.push(socket);
  });
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const statusesIn = ({ text }: Connection) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const withKey = () => `x-api-key: ${service.key('full')}\r\n`;
interface Request {
  readonly path: string;
  readonly status: number;
  /** The header fields with a key. */
  readonly key?: () => string;
}

/** Requests without a key, with one that is not valid, and with one that is. */
const REQUESTS: readonly Request[] = [
  { path: '/ready', status: 200 },
  { path: '/health', status: 200 },
  { path: '/graphql', status: 401 },
  { path: '/openapi.json', status: 200 },
  { path: '/docs', status: 200 },
  { path: '/nothing', status: 404 },
  { path: '/%', status: 400 },
  { path: '/graphql?query={__typename}', status: 401, key: () => 'x-api-key: guessed\r\n' },
  { path: '/graphql?query={__typename}', status: 200, key: withKey },
];

describe.each(REQUESTS)('requests for $path, of status $status, sent before responses', ({ path, status, key }) => {
  it('are answered one after the other, while a request of another connection is handled between them', async () => {
    const count = 90;
    const [greedy, polite] = [await open(newAddress()), await open(newAddress())];
    greedy.socket.write(get(path, key?.()).repeat(count));
    polite.socket.write(get('/health', withKey()));
    await expect.poll(() => statusesIn(polite), { timeout: 5_000, interval: 1 }).toEqual([200]);
    expect(statusesIn(greedy).length).toBeLessThan(count);
    await expect.poll(() => statusesIn(greedy).length, { timeout: 20_000 }).toBe(count);
    // A guessed key is answered with 429 after the first ten.
    const allowed = status === 401 && key ? [401, 429] : [status];
    expect(allowed).toEqual(expect.arrayContaining([...new Set(statusesIn(greedy))]));
  }, 30_000);

  it('end the connection after the first hundred if they are too many, and no other connection of its address', async () => {
    const from = newAddress();
    const beside = await open(from, get('/health'));
    const greedy = await open(from, get(path, key?.()).repeat(5_000));
    await expect.poll(() => greedy.isClosed, CLOSED_WITHIN).toBe(true);
    expect(greedy.text).toMatch(
      /HTTP\/1\.1 429 [^{]*\{[^{]*\{\}[^{]*at most 100 requests of a connection may wait[^{]*$/,
    );
    expect(statusesIn(greedy).length).toBeLessThan(200);
    beside.socket.write(get('/health'));
    const again = await open(from, get('/health'));
    await expect.poll(() => [statusesIn(beside), statusesIn(again)], CLOSED_WITHIN).toEqual([[200, 200], [200]]);
  }, 30_000);
});

describe('input that is no request', () => {
  const MALFORMED = 'GET /health HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n';
  it.each([
    ['alone', MALFORMED, [400]],
    ['after a request', get('/health') + MALFORMED, [200, 400]],
    ['after several requests', get('/ready').repeat(3) + MALFORMED, [200, 200, 200, 400]],
    [
      'instead of the body of a request',
      'POST /mcp HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      [400],
    ],
  ])('%s ends the connection after the answers to what came before', async (_, text, statuses) => {
    const connection = await open(newAddress(), text);
    await expect.poll(() => connection.isClosed, CLOSED_WITHIN).toBe(true);
    expect(statusesIn(connection)).toEqual(statuses);
  });
});

describe('a connection without requests', () => {
  it.each([
    ['that never sends a byte', ''],
    ['with the beginning of a request', 'GET /health HTTP/1.1\r\nHost: x\r\n'],
    ['after a response', get('/health')],
    ['after an error', get('/graphql')],
  ])('%s is closed after its time limit', async (_, text) => {
    const connection = await open(newAddress(), text);
    expect(connection.isClosed).toBe(false);
    await expect.poll(() => connection.isClosed, CLOSED_WITHIN).toBe(true);
  });

  it('stays open within its time limit', async () => {
    const connection = await open(newAddress(), get('/health'));
    await sleep(200);
    connection.socket.write(get('/health'));
    await expect.poll(() => statusesIn(connection), CLOSED_WITHIN).toEqual([200, 200]);
  });
});

describe('the connections of an address', () => {
  it('are limited, those of other addresses are not, and closed ones no longer count', async () => {
    const from = newAddress();
    const held = await Promise.all(Array.from({ length: PER_ADDRESS }, () => open(from)));
    const more = await open(from, get('/health'));
    await expect.poll(() => more.isClosed, CLOSED_WITHIN).toBe(true);
    expect(more.text).toBe('');
    const other = await open(newAddress(), get('/health'));
    await expect.poll(() => statusesIn(other), CLOSED_WITHIN).toEqual([200]);
    for (const { socket } of held) socket.destroy();
    await expect
      .poll(async () => {
        const next = await open(from, get('/health'));
        await sleep(100);
        return statusesIn(next);
      }, CLOSED_WITHIN)
      .toEqual([200]);
  }, 30_000);
});

describe('a gateway with as many connections as it may have', () => {
  const small = useApp(database, { MAX_SOCKETS: '30', MAX_SOCKETS_PER_ADDRESS: '12' }, 'embedded');

  it('ends idle ones of the address that has the most, and answers new ones', async () => {
    await small.app.listen({ port: 0, host: '127.0.0.1' });
    const before = port;
    ({ port } = small.app.server.address() as AddressInfo);
    try {
      const own = await open(newAddress(), get('/health'));
      const idle = (await Promise.all([12, 12, 12].map((count) => openIdle(newAddress(), count)))).flat();
      for (let n = 0; n < 12; n++) {
        const next = await open(newAddress(), get('/ready'));
        await expect.poll(() => statusesIn(next), CLOSED_WITHIN).toEqual([200]);
      }
      own.socket.write(get('/health'));
      await expect.poll(() => statusesIn(own), CLOSED_WITHIN).toEqual([200, 200]);
      expect(idle.some(({ isClosed }) => isClosed)).toBe(true);
    } finally {
      port = before;
    }
  }, 30_000);

  const openIdle = (from: string, count: number) => Promise.all(Array.from({ length: count }, () => open(from)));
});
