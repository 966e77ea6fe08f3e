import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as statement } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { FormatName } from '../../src/gateway/exports/formats.ts';
import type { StoredQuery } from '../../src/gateway/exports/query-file.ts';
import { type RowSource, readRows } from '../../src/gateway/exports/read-rows.ts';
import type { TestApp } from '../support/app.ts';
import type { TestDatabase } from '../support/database.ts';

/** The kind of database of the run. */
export const BACKEND = inject('backend').kind;

/** For queries of tests that do not test the limit. */
export const LARGEST_BYTES = 1_000_000_000;

/** A query that is not in a file and has not been checked. */
export function rawQuery(sql: string, id = 'test'): StoredQuery {
  return { id, title: id, description: id, grants: [], position: Number.POSITIVE_INFINITY, sql, digest: sql };
}

export function sourceOf(database: TestDatabase): RowSource {
  return { kind: BACKEND, connection: { ...database.pool.options } };
}

/**
 * Everything that a stored query could change: in the database and, on the embedded one, in its session. `pg_locks` also
 * has the locks of other tests' databases.
 */
export async function traces({ db }: Pick<TestDatabase, 'db'>): Promise<unknown> {
  const found = await statement<object>`
    select (select count(*)::int from persons) as persons, (select count(*)::int from api_keys) as keys,
      (select count(*)::int from pg_class) as relations, (select count(*)::int from pg_proc) as functions,
      (select count(*)::int from pg_largeobject_metadata) as objects, (select last_value::int from persons_id_seq) as sequence,
      (select count(*)::int from pg_locks join pg_database d on d.oid = database
        where locktype = 'advisory' and datname = current_database()) as locks,
      (select count(*)::int from pg_cursors where is_holdable) as cursors,
      (select count(*)::int from pg_listening_channels()) as channels,
      current_user as who, session_user as session, current_setting('transaction_read_only') as reading,
      (select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where source = 'session'
        and name not in ('application_name', 'client_encoding')) as settings,
      current_setting('evil.x', true) as evil`.execute(db);
  return found.rows[0];
}

/** Requests the query `numbers` as a CSV file, and returns the link to it. */
export async function requestLink({ app }: Pick<TestApp, 'app'>, key: string): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/getQueryResults',
    headers: { 'x-api-key': key },
    payload: { id: 'numbers', format: 'csv' },
  });
  expect(response.json(), response.body).toMatchObject({ success: true });
  return response.json().data.url;
}

/** Returns the complete file of a query. */
export async function fileText(
  source: RowSource,
  sql: string,
  format: FormatName,
  options: { readonly timeoutMs?: number; readonly today?: string; readonly largestBytes?: number } = {},
): Promise<string> {
  const blocks: Buffer[] = [];
  const signal = new AbortController().signal;
  const all = { timeoutMs: 20_000, largestBytes: LARGEST_BYTES, today: '2026-07-01', signal, ...options };
  for await (const block of readRows(source, rawQuery(sql), format, all)) blocks.push(block);
  return Buffer.concat(blocks).toString();
}

/** Creates a source that records every statement sent over its connections. */
export function recordSource(source: RowSource): { readonly source: RowSource; readonly sent: string[] } {
  const sent: string[] = [];
  const stream = () => {
    const socket = new Socket();
    // Connecting puts the socket's own `write` back.
    socket.once('connect', () => {
      const write = socket.write.bind(socket);
      socket.write = ((data: Uint8Array, ...others: []) => {
        sent.push(Buffer.from(data).toString('latin1'));
        return write(data, ...others);
      }) as typeof socket.write;
    });
    return socket;
  };
  return { source: { ...source, connection: { ...source.connection, stream } as pg.ClientConfig }, sent };
}

/** Provides a folder for the tests of one file, and removes it after them. */
export function useFolder(): { readonly path: string } {
  let path: string | undefined;
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'ballotgraph-exports-'));
  });
  afterAll(() => path && rm(path, { recursive: true, force: true }));
  return {
    get path() {
      if (!path) throw new Error('The folder is available from beforeAll on');
      return path;
    },
  };
}
