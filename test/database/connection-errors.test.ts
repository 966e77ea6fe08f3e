import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isTransient } from '../../src/database/connection-errors.ts';

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

test('an error of a statement is not', () => {
  expect(isTransient(Object.assign(new Error('division by zero'), { code: '22012' }))).toBe(false);
});
