import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { backendOver, type DatabaseBackend } from '../../src/store/backend.ts';
import { requestDatabase } from '../../src/store/reading/request-database.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';

const isServer = inject('backend').kind === 'server';
const database = useDatabase();
let backend: DatabaseBackend | undefined;
afterEach(() => backend?.close());

function open(at: Parameters<typeof backendOver>[1]['at'] = database.at): DatabaseBackend {
  backend = backendOver('server', { at, size: 1, statementTimeoutMs: 0, waitMs: 1_000 });
  return backend;
}

/** Occupies the event loop, as a long computation of another request does. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

// The embedded database of a test has one connection, which the test itself has.
describe.runIf(isServer)(`a process whose event loop was blocked${ON_A_SERVER}`, () => {
  it('does not say that its database is not reachable', async () => {
    const ready = open().ready();
    await sleep(0);
    block(3_500);
    expect(await ready).not.toMatchObject({ reason: 'database not reachable' });
    await sleep(1_100);
    expect(await backend?.ready()).toEqual({ ready: true });
  });

  it('stays ready if the database responded before', async () => {
    const { ready } = open();
    expect(await ready()).toEqual({ ready: true });
    await sleep(1_100);
    const second = ready();
    block(3_500);
    expect(await second).toEqual({ ready: true });
  });

  it('serves a statement that waited for a connection meanwhile', async () => {
    const db = requestDatabase(open(), { statementTimeoutMs: 10_000 }, new AbortController().signal);
    const [first, second] = [1, 2].map((value) => sql`select ${value}::int as value`.execute(db));
    await sleep(0);
    block(2_000);
    expect((await first)?.rows).toEqual([{ value: 1 }]);
    expect((await second)?.rows).toEqual([{ value: 2 }]);
  });
});

describe('a database that does not respond', () => {
  it('is not reachable', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const { ready } = open({ host: '127.0.0.1', port, user: 'nobody', database: 'none' });
    // On a machine that is busy otherwise, the first checks may find the event loop delayed.
    await expect.poll(ready, { timeout: 20_000 }).toEqual({ ready: false, reason: 'database not reachable' });
    silent.close();
  });
});
