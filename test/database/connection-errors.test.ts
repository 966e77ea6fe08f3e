import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { endIfGarbled, openDatabase, openPool } from '../../src/database/database.ts';
import { isTransient, toServiceError } from '../../src/errors.ts';

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

test('a statement whose connection breaks anywhere in a row, with an error of pgbouncer or without one, is transient', async () => {
  let ending = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([LOGGED_IN, READY]));
      socket.once('data', () => socket.end(ending));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const at = { host: '127.0.0.1', port, user: 'me', database: 'data' };
  const pool = openPool({
    at,
    ...{ size: 1, statementTimeoutMs: 0, waitMs: 1_000 },
  });
  const db = openDatabase(pool);
  const lasting: string[] = [];
  for (let cut = 0; cut <= ROW.length; cut++) {
    for (const last of [CRASHED, Buffer.alloc(0)]) {
      ending = Buffer.concat([HEAD, ROW, ROW.subarray(0, cut), last]);
      const error: unknown = await sql`select ${1}`.execute(db).then(
        () => 'answered',
        (thrown) => thrown,
      );
      const { code } = toServiceError(error);
      if (!isTransient(error) || code !== 'STORE_UNAVAILABLE') lasting.push(`${cut} ${last.length}: ${error}`);
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
});

test('an error of a statement is not', () => {
  expect(isTransient(Object.assign(new Error('division by zero'), { code: '22012' }))).toBe(false);
});
