import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { PreparingClient } from '../../src/database/preparing-client.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const clients: pg.Client[] = [];
async function connect(options?: { readonly most: number }): Promise<pg.Client> {
  const client = new PreparingClient(database.at, options);
  await client.connect();
  clients.push(client);
  return client;
}
let client: pg.Client;
/** The embedded database has one session, which also lists the statements that the pool of this file prepared. */
let ofOthers: readonly string[];
beforeAll(async () => {
  client = await connect();
  ofOthers = await cached();
});
afterAll(() => Promise.all(clients.map((each) => each.end())));

const cached = async (of = client) =>
  // The clock of the embedded database counts milliseconds, in which two statements can be prepared.
  (
    await of.query('select statement from pg_prepared_statements order by prepare_time, statement collate "C"')
  ).rows.map((row) => row.statement);

const backend = inject('backend');
const isPooled = backend.kind === 'server' && backend.poolerPort !== undefined;

it.skipIf(isPooled)('plans each statement once, without JIT (needs sessions: no TEST_POOLER)', async () => {
  const { rows } = await database.pool.query(
    "select current_setting('plan_cache_mode') as planning, current_setting('jit') as jit",
  );
  expect(rows).toEqual([{ planning: 'force_generic_plan', jit: 'off' }]);
});

it('prepares each SELECT with parameters once, and nothing else', async () => {
  for (const value of [1, 2]) {
    expect((await client.query('/* one.read */ select $1::int as a', [value])).rows).toEqual([{ a: value }]);
  }
  await client.query('with w as (select $1::int as a) select a from w', [1]);
  await client.query('create temporary table prepared_reads (a int)');
  await client.query('insert into prepared_reads values ($1)', [1]);
  expect((await cached()).filter((statement) => !ofOthers.includes(statement))).toEqual([
    '/* one.read */ select $1::int as a',
    'with w as (select $1::int as a) select a from w',
  ]);
});

it('runs a statement unprepared if its plan no longer fits: the table changed, or the server connection did', async () => {
  const read = async () => (await client.query('select * from prepared_reads where a = $1', [1])).rows;
  expect(await read()).toEqual([{ a: 1 }]);
  await client.query('alter table prepared_reads add b int');
  expect(await read()).toEqual([{ a: 1, b: null }]);
  await client.query('deallocate all');
  expect(await read()).toEqual([{ a: 1, b: null }]);
});

it('passes errors on', async () => {
  await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' });
  expect((await client.query('select 1 as a')).rows).toEqual([{ a: 1 }]);
});

it('prepares a statement again if its plan no longer fits', async () => {
  const read = () => client.query('select $1::int as again', [1]);
  await read();
  await client.query('deallocate all');
  await read();
  await read();
  expect(await cached()).toContain('select $1::int as again');
});

it('sends a statement unprepared if it is too long', async () => {
  const long = `select $1::int as a /* ${'x'.repeat(3_100_000)} */`;
  expect((await client.query(long, [1])).rows).toEqual([{ a: 1 }]);
  expect((await cached()).some((statement) => statement.length > 3_000_000)).toBe(false);
});

it('closes the statement that was not used for the longest time, and prepares it again when it is used again', async () => {
  const few = await connect({ most: 3 });
  const read = async (n: number) =>
    expect((await few.query(`select $1::int as n${n}`, [n])).rows).toEqual([{ [`n${n}`]: n }]);
  const prepared = async () => (await cached(few)).filter((statement) => / as n\d/.test(statement)).sort();
  for (let n = 0; n < 20; n++) await read(n);
  await read(18);
  await read(20);
  expect(await prepared()).toEqual(['select $1::int as n18', 'select $1::int as n19', 'select $1::int as n20']);
  await read(3);
  expect(await prepared()).toEqual(['select $1::int as n18', 'select $1::int as n20', 'select $1::int as n3']);
});

it('plans a statement for its values if its comment says so, and only that one', async () => {
  const custom = "/* one.custom (custom plan) */ select current_setting('plan_cache_mode') as mode, $1::int as a";
  const generic = "/* one.generic */ select current_setting('plan_cache_mode') as mode, $1::int as a";
  const own = await connect();
  await own.query('set plan_cache_mode = force_generic_plan');
  const modes = [];
  for (const text of [generic, custom, custom, generic, custom]) modes.push((await own.query(text, [1])).rows[0].mode);
  await expect(own.query('/* one.fails (custom plan) */ select $1::int / 0', [1])).rejects.toMatchObject({
    code: '22012',
  });
  modes.push((await own.query(generic, [1])).rows[0].mode);
  expect(modes.map((mode) => mode.split('_')[1])).toEqual([
    'generic',
    'custom',
    'custom',
    'generic',
    'custom',
    'generic',
  ]);
});
