import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareReads } from '../../src/store/prepare-reads.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let client: pg.PoolClient;
beforeAll(async () => {
  client = await store.pool.connect();
  prepareReads(client);
});
// The connection goes with what it has prepared.
afterAll(() => client.release(true));

const kept = async () =>
  (await client.query('select statement from pg_prepared_statements order by prepare_time')).rows.map(
    (row) => row.statement,
  );

it('keeps prepared what reads with values, once, and nothing else', async () => {
  for (const value of [1, 2]) {
    expect((await client.query('/* one.read */ select $1::int as a', [value])).rows).toEqual([{ a: value }]);
  }
  await client.query('with w as (select $1::int as a) select a from w', [1]);
  await client.query('create temporary table prepared_reads (a int)');
  await client.query('insert into prepared_reads values ($1)', [1]);
  expect(await kept()).toEqual([
    '/* one.read */ select $1::int as a',
    'with w as (select $1::int as a) select a from w',
  ]);
});

it('reads as it stands what no longer fits: the table changed, or the connection is another', async () => {
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
