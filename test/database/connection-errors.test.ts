import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isTransient, toServiceError } from '../../src/base/errors.ts';
import { endIfGarbled, openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';

/** Returns the error of a query that `pg` rejects. */
const errorOf = (client: pg.Client) =>
  client.query('select 1').then(
    () => undefined,
    (error: unknown) => error,
  );

test('a query on a connection that was closed before it is transient', async () => {
  const client = new pg.Client();
  await client.end();
  expect(isTransient(await errorOf(client))).toBe(true);
});

test('a query on a connection that broke before it, between two statements, is transient', async () => {
  // Says that the login has succeeded and that it is ready, then ends the connection.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'me' });
  const broken = once(client, 'error');
  await client.connect();
  await broken;
  expect(isTransient(await errorOf(client))).toBe(true);
  server.close();
});

/** Returns a message of the protocol of PostgreSQL: its letter, its length, and its parts. */
function message(letter: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.from([letter.charCodeAt(0), 0, 0, 0, 0]);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 0xffff)]);
const field = (text: string) => Buffer.concat([int32(text.length), Buffer.from(text)]);
const [LOGGED_IN, READY] = [message('R', int32(0)), message('Z', 'I')];

const COLUMNS = { name: 25, count: 23, ids: 1007, position: 114 };
const described = Object.entries(COLUMNS).map(([name, type]) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
);
const HEAD = Buffer.concat([message('1'), message('2'), message('T', int16(described.length), ...described)]);
const ROW = message('D', int16(4), field('York County'), field('7'), field('{1,2}'), field('["York County",2]'));
/** What pgbouncer adds when its connection to PostgreSQL breaks, also in the middle of a message. */
const CRASHED = message('E', 'SFATAL\0', 'C08P01\0', 'Mserver conn crashed?\0', '\0');

const DONE = Buffer.concat([message('C', 'SELECT 1\0'), READY]);
const BOUND = message('2');

/**
 * Starts a server that answers what a client sends after its login, one chunk after the other, as `answers` says; it ends the
 * connection with the last one if it `ends`.
 */
async function answering() {
  const told = { answers: [] as Buffer[], ends: true, connections: 0 };
  const server = createServer((socket) => {
    told.connections++;
    const answers = [Buffer.concat([LOGGED_IN, READY]), ...told.answers];
    socket
      .on('error', () => undefined)
      .on('data', () => {
        const next = answers.shift() ?? Buffer.alloc(0);
        if (answers.length > 0 || !told.ends) socket.write(next);
        else socket.end(next);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { told, server, at: { host: '127.0.0.1', port, user: 'me', database: 'data' } };
}

const openPoolOf = (at: PoolSettings['at'], prepared: boolean) =>
  openPool({ at, prepared, ...{ size: 1, statementTimeoutMs: 0, waitMs: 1_000 } });
const SET = Buffer.concat([message('C', 'SET\0'), READY]);

test.each([
  ['unprepared', false, 0],
  ['prepared', true, 1],
  ['prepared again', true, 2],
] as const)(
  'a statement (%s) whose connection breaks anywhere in a row, with an error of pgbouncer or without one, is transient',
  async (_, prepared, times) => {
    const { told, server, at } = await answering();
    const pool = openPoolOf(at, prepared);
    const db = openDatabase(pool);
    const lasting: string[] = [];
    for (let cut = 0; cut <= ROW.length; cut++) {
      for (const last of [CRASHED, Buffer.alloc(0)]) {
        const before = prepared ? [SET] : [];
        if (times === 2) before.push(Buffer.concat([HEAD, ROW, DONE]));
        told.answers = [...before, Buffer.concat([times === 2 ? BOUND : HEAD, ROW, ROW.subarray(0, cut), last])];
        if (times === 2) {
          const expected = { name: 'York County', count: 7, ids: [1, 2], position: ['York County', 2] };
          expect((await sql`select ${1}`.execute(db)).rows).toEqual([expected]);
        }
        const error: unknown = await sql`select ${1}`.execute(db).then(
          () => 'answered',
          (thrown) => thrown,
        );
        const { code } = toServiceError(error);
        if (!isTransient(error) || code !== 'STORE_UNAVAILABLE') lasting.push(`${cut} ${last.length}: ${error}`);
        // The next statement does not get the connection that is about to end.
        await expect.poll(() => pool.totalCount, { interval: 1 }).toBe(0);
        if (prepared) continue;
        // A connection of its own, as a bulk download has one: the statement fails, and nothing is thrown outside of it.
        const client = new pg.Client(at);
        client.on('error', () => undefined);
        await client.connect();
        endIfGarbled(client);
        await expect(client.query('select 1')).rejects.toThrow();
      }
    }
    expect(lasting).toEqual([]);
    await pool.end();
    server.close();
  },
);

const ROW_OF_OTHERS = message('D', int16(1), field('York County'));
const UNREADABLE = message('D', int16(4), field('York County'), field('7'), field('{1,2}'), field('["York Coun'));

test.each([
  ['a row that cannot be read', [BOUND, UNREADABLE, DONE]],
  ['a row with other columns', [BOUND, ROW_OF_OTHERS, DONE]],
  ['no end of the statement', [BOUND, READY]],
])('a connection with %s ends, and the next statement has another', async (_, messages) => {
  const { told, server, at } = await answering();
  told.ends = false;
  told.answers = [SET, Buffer.concat([HEAD, ROW, DONE]), Buffer.concat(messages)];
  const pool = openPoolOf(at, true);
  const db = openDatabase(pool);
  const read = () => sql`select ${1}`.execute(db);
  expect((await read()).rows).toHaveLength(1);
  const error: unknown = await read().catch((thrown) => thrown);
  expect(isTransient(error)).toBe(true);
  expect((await read()).rows).toHaveLength(1);
  expect(told.connections).toBe(2);
  await pool.end();
  server.close();
});

test('an error of a statement is not', () => {
  expect(isTransient(Object.assign(new Error('division by zero'), { code: '22012' }))).toBe(false);
});
