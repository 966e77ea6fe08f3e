import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { grantGatewayRights } from '../../src/store/gateway-role.ts';
import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';
import { createClient, graphql, responsesTo, type TestRequest } from '../resilience/support/client.ts';
import { everyField } from '../resilience/support/every-field.ts';
import { runCommand, startGateway } from '../resilience/support/gateway.ts';
import { BIN, startEmptyPostgres } from '../resilience/support/postgres.ts';
import { REQUESTS } from '../resilience/support/readers.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { hasPooler, poolerUrl, startPooler } from '../support/pooler.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/** The user without rights of Debian, if this process may become another user: the tree of the program is not his. */
const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined;
const NO_LIMITS = { MAX_QUERY_TOKENS: '100000', MAX_QUERY_DEPTH: '50', MAX_QUERY_COST: '1000000000' };
const TILE = '/tiles/COUNTY/2024-11-05/3/1/2.pbf';
const EXAMPLES = [
  '/data/districts/point?lat=42&long=-98',
  '/data/officeholders?lat=42&long=-98&include=edge_distance',
  '/data/election_dates/list?state=AA&year=2022',
  '/data/election_dates/point?lat=42&long=-98',
  '/data/elections_by_state?state=AA&election_date=2022-11-08',
  '/data/geocode?text=Alpha',
  '/data/changes?after=start',
  TILE,
  '/openapi.json',
];

interface Servers {
  /** Returns a database as a role. */
  as(role: string): Database;
  url(role: string): string;
}

describe.skipIf(!existsSync(join(BIN, 'postgres')))(
  'the roles of compose.yaml, on a server of their own (needs PostgreSQL and PostGIS)',
  () => {
    const opened = new Map<string, Database>();
    let servers: Servers;

    beforeAll(async () => {
      const server = await startEmptyPostgres({ initdb: ['-U', 'postgres'] });
      const url = (role: string, database = 'ballotgraph') => `postgres://${role}@127.0.0.1:${server.port}/${database}`;
      servers = {
        url,
        as(role) {
          const at = { connectionString: url(role) };
          const db = opened.get(role) ?? openDatabase(openPool({ at, size: 4, statementTimeoutMs: 0, waitMs: 30_000 }));
          opened.set(role, db);
          return db;
        },
      };
      // As the entry point of the image of PostGIS does.
      await run(join(BIN, 'createdb'), ['--maintenance-db', url('postgres', 'postgres'), 'ballotgraph']);
      await run(join(ROOT, 'deploy/compose/create-roles.sh'), {
        env: {
          ...{ PATH: `${BIN}:${process.env.PATH}`, PGHOST: '127.0.0.1', PGPORT: String(server.port) },
          ...{ POSTGRES_USER: 'postgres', POSTGRES_DB: 'ballotgraph' },
          ...{ OWNER_PASSWORD: "owner's", GATEWAY_PASSWORD: 'gateway' },
        },
      });
      const script = ['--file', join(ROOT, 'db/unwanted-functions.sql'), url('postgres')];
      await run(join(BIN, 'psql'), ['--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', ...script]);
      const migrated = await runCommand(['migrate'], { DATABASE_URL: url('ballotgraph') });
      expect(migrated, migrated.text).toMatchObject({ code: 0 });
      expect(migrated.text).not.toContain('Bulk download will be rejected');
      await createElectionWorld(servers.as('ballotgraph'));
      return async () => {
        await Promise.all([...opened.values()].map((db) => db.destroy()));
        await server.remove();
      };
    }, 120_000);

    it('let a gateway that only reads answer everything as the owner would, from a tree that it cannot write', async () => {
      const created = await runCommand(['keys', 'create', '--package', 'full'], {
        DATABASE_URL: servers.url('ballotgraph'),
      });
      await runCommand(['packages', 'set', 'public', '--grants', 'districts,boundaries'], {
        DATABASE_URL: servers.url('ballotgraph'),
      });
      const key = /^bg_\S+$/m.exec(created.text)?.[0] ?? '';
      const requests: TestRequest[] = [
        ...everyField().documents.map((document) => graphql(document)),
        ...REQUESTS,
        ...EXAMPLES.map((path) => ({ path })),
      ];

      async function responsesAs(role: string): Promise<string[]> {
        const folder = await mkdtemp(join(tmpdir(), 'gateway-role-'));
        if (NOBODY !== undefined) await chown(folder, NOBODY, NOBODY);
        const environment = { TODAY: '2024-10-01', PUBLIC_URL: 'http://files.example', ...NO_LIMITS };
        const gateway = await startGateway(
          { ...environment, DATABASE_URL: servers.url(role), DATA_DIR: folder },
          { userId: NOBODY },
        );
        const client = createClient(gateway.url);
        const responses = await responsesTo(requests, client, key);
        for (const query of JSON.parse((await client.send(graphql('{ bulkQueries { id } }'), key)).text).data
          .bulkQueries) {
          const body = JSON.stringify({ id: query.id, format: 'csv' });
          const { text } = await client.send({ path: '/getQueryResults', body }, key);
          const { pathname, search } = new URL(JSON.parse(text).data.url);
          responses.push(...(await responsesTo([{ path: pathname + search }], client, key)));
        }
        const { text: changes } = await client.send({ path: '/data/changes/files?after=start' }, key);
        const { files }: { files: { url: string }[] } = JSON.parse(changes).data;
        expect(files).toHaveLength(1);
        for (const { url } of files) {
          const { pathname, search } = new URL(url);
          responses.push(...(await responsesTo([{ path: pathname + search }], client, key)));
        }
        const { status, text } = await client.send({ path: TILE });
        responses.push(`${status} ${text}`);
        client.close();
        expect(await gateway.stop()).toBe(0);
        expect(gateway.lines.filter((line) => /"level":"(error|fatal)"|permission denied/.test(line))).toEqual([]);
        await rm(folder, { recursive: true });
        return responses;
      }

      const lastUse = async () => {
        const found = servers
          .as('ballotgraph')
          .selectFrom('api_keys')
          .select('last_used_at')
          .where('active', '=', true);
        return (await found.execute()).map(({ last_used_at }) => last_used_at);
      };
      expect(await lastUse()).toEqual([null]);
      const responses = await responsesAs('ballotgraph_gateway');
      // It writes the last use when it stops.
      expect(await lastUse()).toEqual([expect.any(Date)]);
      expect(responses).toEqual(await responsesAs('ballotgraph'));
      expect(responses.filter((response) => !response.startsWith('200 ')).map((text) => text.slice(0, 200))).toEqual(
        [],
      );
      expect(responses.length).toBeGreaterThan(50);
    }, 120_000);

    it.each([
      'create table own (n int)',
      'create temporary table own (n int)',
      'create schema own',
      'create function own() returns int language sql return 1',
      'create extension pg_stat_statements',
      'create role own',
      'drop table districts',
      'drop function election_key',
      'alter table districts add own int',
      'truncate districts',
      'delete from districts',
      "update districts set name = 'x'",
      'insert into data_changes default values',
      'update api_keys set active = true',
      'update api_keys set expires_at = null',
      "update api_keys set sha256 = 'x'",
      'delete from api_keys',
      "insert into allowed_origins values ('https://own.example')",
      'update shared_secret set previous_secret = null',
      'select * from access_changes',
      'delete from access_changes',
      'select * from person_assignments',
      'insert into kysely_migration_lock values (1)',
      'delete from kysely_migration',
      'select rolpassword from pg_authid',
      "select pg_read_file('postgresql.conf')",
      "select pg_ls_dir('.')",
      "copy districts to program 'cat'",
      "copy districts to '/tmp/own'",
      "select lo_import('/etc/passwd')",
      'select lo_create(0)',
      'select pg_reload_conf()',
      'alter system set max_connections = 1',
      'set role ballotgraph',
      'set session authorization postgres',
      'grant select on access_changes to ballotgraph_gateway',
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ballotgraph'",
    ])('refuse the role of the gateway: %s', async (statement) => {
      // There is a connection that could be ended.
      await sql`select 1`.execute(servers.as('ballotgraph'));
      await expect(sql.raw(statement).execute(servers.as('ballotgraph_gateway'))).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|25006)$/),
      });
    });

    it.each(['select rolpassword from pg_authid', "select pg_read_file('postgresql.conf')", 'create role own'])(
      'refuse the owner, who is no superuser: %s',
      async (statement) => {
        await expect(sql.raw(statement).execute(servers.as('ballotgraph'))).rejects.toMatchObject({ code: '42501' });
      },
    );

    it('compile no statement of the gateway, and the log says what to do for another role', async () => {
      const [remedy, warning] = ['alter role ballotgraph set jit = off', 'PostgreSQL compiles statements'];
      const logOf = async (role: string, environment: Record<string, string> = {}) => {
        const gateway = await startGateway({ DATABASE_URL: servers.url(role), ...environment });
        await gateway.stop();
        return gateway.lines.filter((line) => line.includes(warning)).map((line) => JSON.parse(line));
      };
      const unprepared = { PREPARED_STATEMENTS: 'false' };
      expect(await logOf('ballotgraph_gateway', unprepared)).toEqual([]);
      expect(await logOf('ballotgraph')).toEqual([]);
      expect(await logOf('ballotgraph', unprepared)).toEqual([expect.objectContaining({ jit: 'on', remedy })]);
      await sql.raw(remedy).execute(servers.as('postgres'));
      expect(await logOf('ballotgraph', unprepared)).toEqual([]);
    }, 60_000);

    it.skipIf(!hasPooler())('compile nothing through a pooler either (needs pgbouncer)', async () => {
      const pooler = await startPooler(servers.url('ballotgraph_gateway'));
      onTestFinished(() => pooler.stop());
      const connectionString = poolerUrl(servers.url('ballotgraph_gateway'), pooler.port);
      const pool = openPool({ at: { connectionString }, size: 1, statementTimeoutMs: 3_000, waitMs: 5_000 });
      const { rows } = await pool.query('select current_user as role, current_setting($1) as jit', ['jit']);
      await pool.end();
      expect(rows).toEqual([{ role: 'ballotgraph_gateway', jit: 'off' }]);
    });

    it.each([
      'pg_sleep(double precision)',
      'pg_advisory_lock(bigint)',
      'pg_notify(text, text)',
      'query_to_xml(text, boolean, boolean, text)',
      'lo_unlink(oid)',
      'st_findextent(text, text)',
      '_postgis_stats(regclass, text, text)',
    ])('keep from stored queries and gateways, but not from the owner: %s', async (name) => {
      const { rows } = await sql<{ role: string; may: boolean }>`
        select rolname as role, has_function_privilege(oid, ${name}, 'execute') as may
        from pg_roles where rolname like 'ballotgraph%' order by 1`.execute(servers.as('postgres'));
      expect(rows.map(({ role, may }) => [role, may])).toEqual([
        ['ballotgraph', true],
        ['ballotgraph_export', false],
        ['ballotgraph_gateway', false],
      ]);
    });

    it('are no superusers, and own nothing that is not theirs', async () => {
      const { rows } = await sql<{ name: string; attributes: boolean; owns: number }>`
        select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as attributes,
          (select count(*)::int from pg_class where relowner = r.oid and relkind = 'r') as owns
        from pg_roles r where rolname like 'ballotgraph%' order by 1`.execute(servers.as('postgres'));
      expect(rows).toEqual([
        { name: 'ballotgraph', attributes: false, owns: expect.any(Number) },
        { name: 'ballotgraph_export', attributes: false, owns: 0 },
        { name: 'ballotgraph_gateway', attributes: false, owns: 0 },
      ]);
      expect(rows[0]?.owns).toBeGreaterThan(30);
    });

    it('give the role of the gateway what a later migration adds', async () => {
      const [owner, gateway] = [servers.as('ballotgraph'), servers.as('ballotgraph_gateway')];
      await sql`create table added_later (n int)`.execute(owner);
      await expect(sql`select n from added_later`.execute(gateway)).rejects.toMatchObject({ code: '42501' });
      await Promise.all([1, 2, 3, 4].map(() => grantGatewayRights(owner)));
      expect((await sql`select n from added_later`.execute(gateway)).rows).toEqual([]);
      await sql`drop table added_later`.execute(owner);
    });

    it('tell a gateway that starts without the schema of its version what to do', async () => {
      const owner = servers.as('ballotgraph');
      const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(owner);
      const [{ name }] = rows as [{ name: string }];
      await sql`update kysely_migration set name = 'later' where name = ${name}`.execute(owner);
      const started = startGateway({ DATABASE_URL: servers.url('ballotgraph_gateway') });
      await expect(started).rejects.toThrow(/permission denied.*Run npm run migrate as the owner/);
      await sql`update kysely_migration set name = ${name} where name = 'later'`.execute(owner);
    }, 60_000);
  },
);
