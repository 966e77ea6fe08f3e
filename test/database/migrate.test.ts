import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { isMigrated, migrate } from '../../src/store/migrate.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { databaseUrl } from '../support/global-setup.ts';

const backend = inject('backend');

describe.runIf(backend.kind === 'server')('migrations (run with TEST_DATABASE_URL)', () => {
  it('begin again after a lock that they did not get and after a deadlock, and say so once', async () => {
    const { url } = backend as Extract<typeof backend, { kind: 'server' }>;
    const name = `migrate_${randomUUID().slice(0, 8)}`;
    const open = (connectionString: string) =>
      openDatabase(openPool({ at: { connectionString }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
    const admin = open(url);
    await sql`create database ${sql.id(name)}`.execute(admin);
    const db = open(databaseUrl(url, name));
    onTestFinished(async () => {
      await db.destroy();
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      await admin.destroy();
    });
    // A sequence keeps its number when a transaction is rolled back.
    await sql`
      create schema test;
      create sequence test.attempts;
      create function test.fail() returns event_trigger language plpgsql as $$ begin
        case nextval('test.attempts')
          when 1 then raise exception 'no lock' using errcode = '55P03';
          when 2 then raise exception 'deadlock' using errcode = '40P01';
          else null;
        end case;
      end $$;
      create event trigger fail on ddl_command_start when tag in ('CREATE TYPE')
        execute function test.fail()`.execute(db);
    let waits = 0;
    expect((await migrate(db, () => waits++)).length).toBeGreaterThan(40);
    expect(waits).toBe(1);
    expect(await isMigrated(db)).toBe(true);
    const { rows } = await sql<{ attempts: number }>`select last_value as attempts from test.attempts`.execute(db);
    expect(rows[0]?.attempts).toBeGreaterThan(2);
  }, 120_000);
});
