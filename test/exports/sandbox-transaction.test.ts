import { rm } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { checkSql } from '../../src/gateway/exports/sql-check.ts';
import { openEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { useDatabase } from '../support/database.ts';
import { embeddedFolder } from '../support/embedded-folder.ts';
import { ON_A_SERVER, ON_EMBEDDED } from '../support/needs.ts';
import { createWorld } from '../support/world.ts';
import { BACKEND, fileText, sourceOf, traces } from './support.ts';

const database = useDatabase();
let before: unknown;
beforeAll(async () => {
  await createWorld(database.db);
  await createApiKey(database.db, 'full');
  before = await traces(database);
});

const SYNTAX = '42601';
const FORBIDDEN = '42501';
const IN_WITH = '0A000';

/**
 * Statements that must fail, with the expected SQLSTATE of the database. Each statement is rejected by the check of the
 * text and, if that check is bypassed, by the database itself. For `undefined`, the database would accept the
 * statement, so that the check of the text is the only protection.
 */
const ATTACKS: [name: string, statement: string, code: string | undefined][] = [
  ['insert', `insert into persons (name) values ('x')`, SYNTAX],
  ['update', `update persons set name = 'x'`, SYNTAX],
  ['delete', 'delete from persons', SYNTAX],
  ['truncate', 'truncate persons', SYNTAX],
  ['merge', 'merge into persons p using parties on false when not matched then do nothing', SYNTAX],
  ['drop', 'drop table persons cascade', SYNTAX],
  ['create', 'create table x (a int)', SYNTAX],
  ['create a temporary table', 'create temp table x (a int)', SYNTAX],
  ['create a function', `create function x() returns int language sql as 'select 1'`, SYNTAX],
  ['copy to the client', 'copy persons to stdout', SYNTAX],
  ['copy from the client', 'copy persons from stdin', SYNTAX],
  ['copy to a file', `copy persons to '/tmp/x'`, SYNTAX],
  ['copy to a program', `copy (select 1) to program 'id'`, SYNTAX],
  ['do', 'do $$ begin perform 1; end $$', SYNTAX],
  ['call', 'call x()', SYNTAX],
  ['listen', 'listen x', SYNTAX],
  ['notify', 'notify x', SYNTAX],
  ['lock', 'lock table persons', SYNTAX],
  ['vacuum', 'vacuum', SYNTAX],
  ['prepare', 'prepare x as select 1', SYNTAX],
  ['explain', 'explain analyze select 1', SYNTAX],
  ['set', 'set transaction_read_only = off', SYNTAX],
  ['reset the role', 'reset role', SYNTAX],
  ['set the role', 'set role none', SYNTAX],
  ['become another user', 'set session authorization default', SYNTAX],
  ['commit', 'commit', SYNTAX],
  ['discard', 'discard all', SYNTAX],
  ['two statements', 'select 1; delete from persons', SYNTAX],
  ['two statements, parted by a comment', 'select 1 /* */; -- x\ndelete from persons', SYNTAX],
  ['advisory lock', 'select pg_advisory_lock(1)', FORBIDDEN],
  ['advisory lock, in quotes', 'select "pg_catalog"."pg_try_advisory_lock"(1)', FORBIDDEN],
  ['a message', `select pg_notify('x', 'y')`, FORBIDDEN],
  ['the write-ahead log', `select pg_logical_emit_message(false, 'x', 'y')`, FORBIDDEN],
  ['sleep', 'select pg_sleep(0)', FORBIDDEN],
  ['another backend', 'select pg_cancel_backend(pid) from pg_stat_activity where false', undefined],
  ['leave the role', `select set_config('role', 'none', true)`, FORBIDDEN],
  [
    'leave the role, then read',
    `select set_config('role', 'none', true), query_to_xml('select 1 from api_keys', true, true, '')`,
    FORBIDDEN,
  ],
  ['the catalogue of settings', 'select name from pg_settings', undefined],
  ['the catalogue of tables', 'select table_name from information_schema.tables', undefined],
  ['passwords', 'select rolpassword from pg_authid', FORBIDDEN],
  ['a file', `select pg_read_file('/etc/passwd')`, FORBIDDEN],
  ['a folder', `select pg_ls_dir('/')`, FORBIDDEN],
  ['a file as a large object', `select lo_import('/etc/passwd')`, FORBIDDEN],
  ['a sequence', `select nextval('persons_id_seq')`, FORBIDDEN],
  ['a text run as SQL', `select query_to_xml('select * from api_keys', true, true, '')`, FORBIDDEN],
];

/** Statements that the check of the text accepts, with the same expectations. */
const UNSEEN: typeof ATTACKS = [
  ['keys', 'select prefix from api_keys', FORBIDDEN],
  ['keys, by table', 'table api_keys', FORBIDDEN],
  ['keys, in a subquery', 'select 1 where exists (select from api_keys)', FORBIDDEN],
  [
    'keys, behind a function',
    'select max(k.prefix) over () from persons left join lateral (table api_keys) k on true',
    FORBIDDEN,
  ],
  ['packages', 'select * from packages', FORBIDDEN],
  ['grants', 'select * from package_grants', FORBIDDEN],
  ['origins', 'select * from allowed_origins', FORBIDDEN],
  ['migrations', 'select * from kysely_migration', FORBIDDEN],
  ['write in a with', `with x as (insert into persons (name) values ('x') returning 1) select * from x`, IN_WITH],
  ['delete in a with', 'with x as (delete from persons returning 1) select * from x', IN_WITH],
  ['select into', 'select * into x from persons', SYNTAX],
  ['select into a temporary table', 'select * into temp x from persons', SYNTAX],
  ['lock rows', 'select * from persons for update', '25006'],
  ['a statement behind a closing parenthesis', `select 1) as x to program 'id' --`, SYNTAX],
];

describe('an attack', () => {
  it.each(ATTACKS)('is rejected by the check of the text: %s', (_, statement) => {
    expect(() => checkSql(statement)).toThrow();
  });

  it.each(UNSEEN)('passes the check of the text: %s', (_, statement) => {
    expect(checkSql(statement)).toBe(statement);
  });

  it.each([...ATTACKS, ...UNSEEN].filter(([, , code]) => code))(
    'is rejected by the database, and changes nothing: %s',
    async (_, statement, code) => {
      const attempt = fileText(sourceOf(database), statement, 'csv');
      await expect(attempt).rejects.toMatchObject({ code });
      expect(await traces(database)).toEqual(before);
    },
  );

  it('does not affect later queries: a valid query still succeeds', async () => {
    expect(await fileText(sourceOf(database), 'select count(*) as n from persons', 'csv')).toBe('n\r\n4\r\n');
  });
});

describe('the limits', () => {
  const runaway = 'select count(*) from generate_series(1, 1e10)';

  it.runIf(BACKEND === 'server')(`end a query that takes too long${ON_A_SERVER}`, async () => {
    const began = performance.now();
    await expect(fileText(sourceOf(database), runaway, 'json', { timeoutMs: 500 })).rejects.toMatchObject({
      code: '57014',
    });
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it.runIf(BACKEND === 'server')(`end a query that waits for a lock${ON_A_SERVER}`, async () => {
    const client = await database.pool.connect();
    try {
      await client.query('begin; lock table persons in access exclusive mode');
      await expect(fileText(sourceOf(database), 'select * from persons', 'json')).rejects.toMatchObject({
        code: '55P03',
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.runIf(BACKEND === 'embedded')(
    `end a query that takes too long, by the watchdog${ON_EMBEDDED}`,
    async () => {
      const folder = await embeddedFolder();
      const own = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: 1_000 });
      try {
        const source = { kind: 'embedded', connection: own.connection } as const;
        await expect(fileText(source, runaway, 'json')).rejects.toThrow(/terminated/);
        await expect
          .poll(() => fileText(source, 'select 1 as one', 'json').catch(() => ''), { timeout: 20_000 })
          .toBe('[{"one":1}\n]\n');
      } finally {
        await own.close();
        await rm(folder, { recursive: true });
      }
    },
    180_000,
  );
});
