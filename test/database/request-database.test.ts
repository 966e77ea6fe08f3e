import { connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { isTransient, toServiceError } from '../../src/base/errors.ts';
import { requestDatabase } from '../../src/store/reading/request-database.ts';
import { openPool } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { useProxy } from '../support/proxy.ts';

const isServer = inject('backend').kind === 'server';
const database = useDatabase();
const proxy = useProxy(database);
const settings = { statementTimeoutMs: 10_000 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Connects to the database through the proxy, as a gateway does. */
function openGatewayPool() {
  return openPool({ at: { connectionString: proxy.url }, size: 1, statementTimeoutMs: 0, waitMs: 1_000 });
}

const running = async () => {
  const found = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where query like '%/* a runaway */%' and state = 'active' and pid <> pg_backend_pid()`.execute(database.db);
  return found.rows[0]?.count;
};

describe.runIf(isServer)(`statements of requests${ON_A_SERVER}`, () => {
  it('cancels the statement of an aborted request, and reuses the connection', async () => {
    const controller = new AbortController();
    const db = requestDatabase({ pool: database.pool, kind: 'server' }, settings, controller.signal);
    const slow = sql`/* a runaway */ select pg_sleep(20)`.execute(db);
    slow.catch(() => undefined);
    await expect.poll(running).toBe(1);
    const before = database.pool.totalCount;
    const began = performance.now();
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
    await expect.poll(running, { interval: 20 }).toBe(0);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(database.pool.totalCount).toBe(before);
  });

  it.each([
    ['57P01', 2],
    ['57P02', 2],
    ['57P03', 2],
    ['57P05', 2],
    ['08006', 2],
    ['08P01', 2],
    // Each change on the primary may end the next attempt as well.
    ['40P01', 12],
    ['40001', 12],
  ])('retries after %s, %i times', async (code, times) => {
    await sql`create sequence if not exists attempts`.execute(database.db);
    await sql`select setval('attempts', 1)`.execute(database.db);
    await sql`
      create or replace function fails(code text, times int) returns int language plpgsql as $$ begin
        if nextval('attempts') < 2 + times then raise exception 'away' using errcode = code; end if;
        return 1;
      end $$`.execute(database.db);
    const db = requestDatabase({ pool: database.pool, kind: 'server' }, settings, new AbortController().signal);
    expect((await sql`select fails(${code}, ${times}) as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it('retries if the server ends the connection', async () => {
    const pool = openGatewayPool();
    const db = requestDatabase({ pool, kind: 'server' }, settings, new AbortController().signal);
    const slow = sql<{ one: number }>`/* a runaway */ select 1 as one, pg_sleep(0.5)`.execute(db);
    await expect.poll(running).toBe(1);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%/* a runaway */%' and pid <> pg_backend_pid()`.execute(database.db);
    expect((await slow).rows[0]?.one).toBe(1);
    await pool.end();
  });

  it('does not retry after a timeout or an error in the statement', async () => {
    const db = requestDatabase({ pool: database.pool, kind: 'server' }, settings, new AbortController().signal);
    for (const code of ['57014', '42P01', '22012', '53300']) {
      await sql`select setval('attempts', 1)`.execute(database.db);
      await expect(sql`select fails(${code}, 2)`.execute(db)).rejects.toMatchObject({ code });
      const made = await sql<{ last: number }>`select last_value as last from attempts`.execute(database.db);
      expect(made.rows).toEqual([{ last: 2 }]);
    }
  });
});

describe('on both backends', () => {
  it('waits for a database that is briefly unavailable', async () => {
    const pool = openGatewayPool();
    const db = requestDatabase({ pool, kind: 'server' }, settings, new AbortController().signal);
    await proxy.cut();
    const requested = sql`select 1 as one`.execute(db);
    requested.catch(() => undefined);
    await pause(300);
    await proxy.restore();
    expect((await requested).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('fails after six attempts, and immediately if the request is aborted', async () => {
    const pool = openGatewayPool();
    await proxy.cut();
    const controller = new AbortController();
    const db = requestDatabase({ pool, kind: 'server' }, settings, controller.signal);
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const requested = sql`select 1`.execute(db);
    requested.catch(() => undefined);
    await pause(150);
    const began = performance.now();
    controller.abort(new Error('enough'));
    await expect(requested).rejects.toThrow('enough');
    expect(performance.now() - began).toBeLessThan(500);
    await proxy.restore();
    await pool.end();
  });

  describe('a statement ended by the watchdog of the embedded database', () => {
    let attempts = 0;
    const gone = new Error('Connection terminated unexpectedly');
    const slowToBreak = (ms: number, waitMs = 0) => ({
      connect: (connected: (error: undefined, client: object, release: () => void) => void) => {
        const query = (_text: string, _values: unknown, ended: (error: Error) => void) => {
          attempts++;
          setTimeout(ended, ms, gone);
        };
        setTimeout(connected, waitMs, undefined, { query }, () => undefined);
      },
    });
    const request = (ms: number, waitMs?: number) => {
      const pool = slowToBreak(ms, waitMs) as never;
      return sql`select 1`.execute(
        requestDatabase({ pool, kind: 'embedded' }, { statementTimeoutMs: 200 }, new AbortController().signal),
      );
    };
    beforeAll(() => {
      attempts = 0;
    });

    it('is not retried: its time limit is exceeded', async () => {
      await expect(request(250)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
      expect(attempts).toBe(1);
    });

    it.each([
      ['of a broken connection', 0],
      ['that has waited long for its connection', 250],
    ])('is distinguished from another statement %s, which is retried once', async (_, waitMs) => {
      attempts = 0;
      await expect(request(10, waitMs)).rejects.toBe(gone);
      expect(attempts).toBe(2);
    });
  });
});

it('retries while the socket of the embedded database is missing, but not for any other missing file', async () => {
  const missing = (syscall: string) => Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall });
  expect(isTransient(missing('connect'))).toBe(true);
  expect(isTransient(missing('open'))).toBe(false);
});

describe('a new connection that times out', () => {
  /**
   * Connects as a gateway does; the first connections are accepted and then get no response, as from a dying server.
   */
  async function queryPast(silent: number) {
    let count = 0;
    const { hostname: host, port } = new URL(proxy.url);
    const server = createServer((inside) => {
      inside.on('error', () => undefined);
      if (count++ < silent) return;
      const outside = connect({ host, port: Number(port) });
      outside.on('error', () => undefined);
      inside.pipe(outside).pipe(inside);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const way = new URL(proxy.url);
    way.port = String(typeof address === 'object' ? address?.port : 0);
    const pool = openPool({ at: { connectionString: way.href }, size: 1, statementTimeoutMs: 0, waitMs: 500 });
    const { signal } = new AbortController();
    const db = requestDatabase({ pool, kind: 'server' }, settings, signal);
    try {
      const response = await sql`select 1 as one`.execute(db).then(({ rows }) => rows, toServiceError);
      return { response, connections: count };
    } finally {
      await pool.end();
      server.close();
    }
  }

  it('is retried once', async () => {
    expect(await queryPast(1)).toEqual({ response: [{ one: 1 }], connections: 2 });
  });

  it('fails after that: no server may be running', async () => {
    expect(await queryPast(9)).toMatchObject({ response: { code: 'STORE_UNAVAILABLE' }, connections: 2 });
  });
});
