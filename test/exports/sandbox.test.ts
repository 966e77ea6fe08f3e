import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { checkSql } from '../../src/gateway/exports/sql-check.ts';
import { prepareExportSandbox } from '../../src/store/export-sandbox.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { createWorld } from '../support/world.ts';
import { BACKEND, fileText, sourceOf, traces } from './support.ts';

const database = useDatabase();
let digest = '';
let before: unknown;
beforeAll(async () => {
  await createWorld(database.db);
  await createApiKey(database.db, 'full');
  const keys = await sql<{ digest: string }>`select encode(sha256, 'hex') as digest from api_keys`.execute(database.db);
  digest = keys.rows[0]?.digest ?? '';
  before = await traces(database);
});

/** How a text can be run as SQL from within a query: each is given an expression, and a statement. */
const CARRIERS: readonly (readonly [name: string, of: (expression: string, statement: string) => string])[] = [
  ['by itself', (expression) => `select (${expression})::text as x`],
  [
    'ST_FindExtent',
    (expression) =>
      `select ST_FindExtent('public', 'boundaries" where (${twice(expression)}) is not null --', 'geometry')::text as x`,
  ],
  [
    'ST_FindExtent without a schema',
    (expression) =>
      `select ST_FindExtent('boundaries" where (${twice(expression)}) is not null --', 'geometry')::text as x`,
  ],
  ['query_to_xml', (_, statement) => `select query_to_xml('${twice(statement)}', true, true, '')::text as x`],
  [
    'query_to_xml_and_xmlschema',
    (_, statement) => `select query_to_xml_and_xmlschema('${twice(statement)}', true, true, '')::text as x`,
  ],
  [
    'ts_stat',
    (expression) => `select word::text as x from ts_stat('select to_tsvector((${twice(expression)})::text)')`,
  ],
  [
    'ts_rewrite',
    (expression) =>
      `select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, quote_literal((${twice(expression)})::text)::tsquery')::text as x`,
  ],
  [
    'a filter that is evaluated by the planner',
    (expression) => `select name as x from persons where name < (${expression})::text`,
  ],
  [
    'a default of a lateral join',
    (expression) => `select l.x from (select 1) as one cross join lateral (select (${expression})::text as x) as l`,
  ],
  ['ordering', (expression) => `select name as x from persons order by (${expression})::text`],
  ['a closing parenthesis', (expression) => `select 1 as x) as source_ where (${expression})::text is not null --`],
];

const UNAVAILABLE: readonly (readonly [name: string, expression: string, statement: string])[] = [
  ['leave the role', `set_config('role', 'none', true)`, 'set role none'],
  ['leave the role for good', `set_config('role', 'none', false)`, 'reset role'],
  ['become the owner by name', `set_config('role', session_user::text, true)`, 'set session authorization default'],
  ['become the session user', `set_config('session_authorization', 'default', true)`, 'reset session authorization'],
  ['become the session user by name', `set_config('session_authorization', session_user::text, false)`, 'reset all'],
  [
    'leave the role, then read',
    `set_config('role', 'none', true) || (select string_agg(encode(sha256, 'hex'), '') from api_keys)`,
    'select sha256 from api_keys',
  ],
  ['read keys', `(select string_agg(encode(sha256, 'hex'), '') from api_keys)`, 'table api_keys'],
  [
    'read keys through the catalogue of columns',
    `(select max(most_common_vals::text) from pg_stats where tablename = 'api_keys')`,
    'select * from pg_statistic',
  ],
  ['read packages', `(select max(name) from packages)`, 'table packages'],
  ['read passwords', `(select max(rolpassword) from pg_authid)`, 'table pg_authid'],
  ['read a file', `pg_read_file('/etc/passwd')`, `select pg_read_file('/etc/passwd')`],
  ['read a file as bytes', `pg_read_binary_file('/etc/passwd')`, `select pg_read_binary_file('/etc/passwd')`],
  ['write', `nextval('persons_id_seq')`, `insert into persons (name) values ('x') returning 1`],
  ['a setting of the session', `set_config('evil.x', 'y', false)`, `set evil.x = 'y'`],
  ['a lock of the session', 'pg_advisory_lock(4711)', 'select pg_advisory_lock(4711)'],
  ['a shared lock of the session', 'pg_try_advisory_lock_shared(4711)', 'select pg_try_advisory_lock_shared(4711)'],
  ['a large object', `lo_from_bytea(0, 'x')`, `select lo_create(0)`],
  ['a message', `pg_notify('x', 'y')`, `notify x, 'y'`],
  ['listening', `query_to_xml('listen x', true, true, '')`, 'listen x'],
  ['an end of the transaction', `query_to_xml('commit', true, true, '')`, 'commit'],
  ['a temporary table', `query_to_xml('create temp table x (a int)', true, true, '')`, 'create temp table x (a int)'],
  ['a prepared statement', `query_to_xml('prepare x as select 1', true, true, '')`, 'prepare x as select 1'],
  [
    'another sandbox function',
    `ballotgraph_export_open('y', 'table api_keys')`,
    `select ballotgraph_export_open('y', 'table api_keys')`,
  ],
];

function twice(text: string): string {
  return text.replaceAll("'", "''");
}

const ATTACKS = UNAVAILABLE.flatMap(([name, expression, statement]) =>
  CARRIERS.map(([carrier, of]) => [`${name}, by ${carrier}`, of(expression, statement)] as const),
);

describe('in the sandbox, without the check of the text', () => {
  it.each(ATTACKS)('nothing is read or left behind: %s', async (_, statement) => {
    const text = await fileText(sourceOf(database), statement, 'csv').catch((error: Error) => error.message);
    expect(text).not.toContain(digest);
    expect(text).not.toMatch(/root:|postgres:|SCRAM|\\x726f6f74/);
    expect(await traces(database)).toEqual(before);
  });

  it('the role cannot be changed, which the query gets as an error', async () => {
    const attempt = (query: string) => fileText(sourceOf(database), query, 'csv');
    const rejected = { code: '42501', message: expect.stringMatching(/security-definer|permission denied/) };
    await expect(attempt(`select set_config('role', 'none', true) as x`)).rejects.toMatchObject(rejected);
    await expect(
      attempt(
        `select ST_FindExtent('public','boundaries" where id=1 and set_config(''role'',''none'',true) is not null --','geometry')`,
      ),
    ).rejects.toMatchObject(rejected);
  });

  it('a query runs as the restricted role, also while it is planned', async () => {
    expect(await fileText(sourceOf(database), 'select current_user::text as who', 'csv')).toBe(
      'who\r\nballotgraph_export\r\n',
    );
    const planned = `select count(*)::int as n from persons where name > current_user::text`;
    expect(await fileText(sourceOf(database), planned, 'csv')).toMatch(/^n\r\n\d+\r\n$/);
  });

  it('a result that exceeds the limit is ended by the database', async () => {
    const query = `select repeat('x', 1000) as x from generate_series(1, 100000)`;
    await expect(fileText(sourceOf(database), query, 'json', { largestBytes: 100_000 })).rejects.toMatchObject({
      code: 'EXPORT_TOO_LARGE',
    });
  });
});

/** Functions that neither execute text nor have an effect after the query. */
const HARMLESS = new Set([
  ...['random', 'random_normal', 'clock_timestamp', 'timeofday', 'gen_random_uuid', 'uuidv4', 'uuidv7', 'amvalidate'],
  ...['array_sample', 'array_shuffle', 'st_generatepoints', 'st_symmetricdifference'],
]);

it('every function that executes text as SQL, or has side effects, is rejected by its name', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct p.proname as name
    from pg_proc p join pg_language l on l.oid = p.prolang join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('pg_catalog', 'public') and p.prokind = 'f'
      and p.prorettype <> all (array['trigger', 'event_trigger', 'internal', 'language_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler', 'fdw_handler']::regtype[])
      and not 'internal'::regtype = any (p.proargtypes::oid[])
      and (p.provolatile = 'v' or (l.lanname = 'plpgsql' and p.prosrc ~* '\mexecute\M') or p.proname ~ '_to_xml')
    order by 1`.execute(database.db);
  const passing = rows.filter(({ name }) => !HARMLESS.has(name) && isAccepted(`select ${name}('x')`));
  expect(passing.map(({ name }) => name)).toEqual([]);
});

function isAccepted(query: string): boolean {
  try {
    checkSql(query);
    return true;
  } catch {
    return false;
  }
}

describe('a database without the sandbox', () => {
  const query = 'select name from persons where id = 1';
  const attempt = () => fileText(sourceOf(database), query, 'csv');

  it.each([
    ['its functions belong to another role', 'alter function ballotgraph_export_rows owner to current_user', /owned/],
    ['they do not change the role', 'alter function ballotgraph_export_open security invoker', /security definer/],
    ['they are missing', 'drop function ballotgraph_export_rows', /missing/],
    ['the role may read keys', 'grant select on api_keys to ballotgraph_export', /api_keys/],
    ['every role may read a column of keys', 'grant select (id) on api_keys to public', /api_keys/],
  ])('runs no query: %s', async (_, damage, reason) => {
    await sql.raw(damage).execute(database.db);
    await expect(attempt()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', reason: expect.stringMatching(reason) });
    await sql
      .raw('revoke all on api_keys from ballotgraph_export, public; revoke select (id) on api_keys from public')
      .execute(database.db);
    await sql.raw('alter function ballotgraph_export_open security definer').execute(database.db);
    await prepareExportSandbox(database.db);
    expect(await attempt()).toBe('name\r\nAda Able\r\n');
  });

  it('can be set up by several commands at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 8 }, () => prepareExportSandbox(database.db)));
    }
    expect(await attempt()).toBe('name\r\nAda Able\r\n');
  });
});

describe.runIf(BACKEND === 'server')(`a user who may not create roles${ON_A_SERVER}`, () => {
  const user = `ballotgraph_plain_${process.pid}`;
  const address = () =>
    Object.assign(new URL(String(database.pool.options.connectionString)), { username: user, password: 'x' }).href;
  const source = () => ({ kind: 'server' as const, connection: { connectionString: address() } });
  const attempt = () => fileText(source(), 'select name from persons where id = 1', 'csv');

  beforeAll(async () => {
    await sql
      .raw(`create role ${user} login password 'x'; grant select on all tables in schema public to ${user}`)
      .execute(database.db);
    return async () => {
      await sql.raw(`drop owned by ${user}; drop role ${user}`).execute(database.db);
    };
  });

  it('gets no export until an administrator grants the role', async () => {
    await expect(attempt()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      reason: expect.stringMatching(/member/),
    });
    await sql.raw(`grant ballotgraph_export to ${user}`).execute(database.db);
    expect(await attempt()).toBe('name\r\nAda Able\r\n');
    await expect(fileText(source(), 'select prefix from api_keys', 'csv')).rejects.toMatchObject({ code: '42501' });
  });

  it('can set the sandbox up in a schema of its own, once it has the role', async () => {
    const tables = [
      'districts',
      'boundaries',
      'boundary_pieces',
      'parties',
      'offices',
      'persons',
      'officeholders',
      'contacts',
      'elections',
      'races',
      'candidates',
      'candidate_parties',
      'ranked_choice_rounds',
      'ballot_measures',
      'sources',
      'record_sources',
      'external_identifiers',
      'api_keys',
    ];
    await sql
      .raw(
        `create schema own authorization ${user}; set role ${user}; ${tables.map((name) => `create table own.${name} as table public.${name}`).join('; ')}; reset role`,
      )
      .execute(database.db);
    await sql
      .raw(`alter role ${user} in database ${await currentDatabase()} set search_path = own, public`)
      .execute(database.db);
    await sql.raw('drop function ballotgraph_export_open, ballotgraph_export_rows').execute(database.db);
    await expect(attempt()).rejects.toMatchObject({ reason: expect.stringMatching(/missing/) });
    await database.db.connection().execute(async (connection) => {
      await sql.raw(`set session authorization ${user}; set search_path = own, public`).execute(connection);
      await prepareExportSandbox(connection);
      await sql.raw('reset session authorization; reset search_path').execute(connection);
    });
    expect(await attempt()).toBe('name\r\nAda Able\r\n');
    await expect(fileText(source(), 'select prefix from api_keys', 'csv')).rejects.toMatchObject({ code: '42501' });
    const { rows } = await sql<{
      can: boolean;
    }>`select has_schema_privilege('ballotgraph_export', 'own', 'create') as can`.execute(database.db);
    expect(rows).toEqual([{ can: false }]);
    await sql.raw('drop schema own cascade').execute(database.db);
  });

  async function currentDatabase(): Promise<string> {
    const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(database.db);
    return rows[0]?.name ?? '';
  }
});
