import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { PreparingClient, parametersOf } from '../../src/store/sql/preparing-client.ts';
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

it('reads rows whose columns have another type, order or number than before', async () => {
  const read = async () => (await client.query('select * from changed_reads where $1', [true])).rows;
  await client.query('create temporary table changed_reads (a int, b int)');
  await client.query('insert into changed_reads values (1, 2)');
  for (let times = 0; times < 2; times++) expect(await read()).toEqual([{ a: 1, b: 2 }]);
  await client.query("alter table changed_reads alter b type text using b || ' (text)'");
  for (let times = 0; times < 2; times++) expect(await read()).toEqual([{ a: 1, b: '2 (text)' }]);
  await client.query('alter table changed_reads drop a, add a int default 3');
  for (let times = 0; times < 2; times++) expect(await read()).toEqual([{ a: 3, b: '2 (text)' }]);
  await client.query('alter table changed_reads drop b');
  for (let times = 0; times < 2; times++) expect(await read()).toEqual([{ a: 3 }]);
});

it('sends a statement in one write, with what has to be done before it', async () => {
  const own = await connect({ most: 1 });
  const write = vi.spyOn((own as unknown as { connection: pg.Connection }).connection.stream, 'write');
  const sent = async (text: string) => {
    write.mockClear();
    await own.query(text, [1]);
    return write.mock.calls.map(([bytes]) => [...(bytes as Buffer).toString('latin1').matchAll(/select|set/g)].length);
  };
  const generic = '/* write.generic */ select $1::int as a';
  expect([await sent(generic), await sent(generic), await sent(generic)]).toEqual([[1], [0], [0]]);
  // Closes the other statement, and changes the setting.
  expect(await sent('/* write.custom (custom plan) */ select $1::int as a')).toEqual([2]);
  expect((await cached(own)).filter((text) => text.includes('/* write.'))).toHaveLength(1);
});

it('returns what pg returns for names that occur twice, for no rows, and for other commands', async () => {
  const plain = new pg.Client(database.at);
  await plain.connect();
  clients.push(plain);
  for (const text of [
    'select $1::int as a, null::int as a, 2 as b, 3 as b',
    'select $1::int as a where false',
    'select where $1::int = 1',
    'select $1::int as "__proto__", 2 as "constructor"',
  ]) {
    const { command, rowCount, rows } = await plain.query(text, [1]);
    for (let times = 0; times < 2; times++) {
      expect(await client.query(text, [1])).toMatchObject({ command, rowCount, rows });
    }
  }
  await client.query('create temporary table changed_by_reads (a int)');
  for (let times = 0; times < 2; times++) {
    const changed = await client.query(
      'with w as (select $1::int as a) insert into changed_by_reads select a from w',
      [1],
    );
    expect(changed).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [] });
  }
});

it('reads correctly what is queued when its statement is closed, fails, or is read again', async () => {
  const few = await connect({ most: 2 });
  const texts = Array.from({ length: 40 }, (_, n) => `select $1::int / ${n % 5} as n${n % 5}`);
  const read = (text: string) =>
    few.query(text, [12]).then(
      ({ rows }) => rows[0],
      (error) => error.code,
    );
  for (let times = 0; times < 3; times++) {
    expect(await Promise.all(texts.map(read))).toEqual(
      texts.map((_, n) => (n % 5 === 0 ? '22012' : { [`n${n % 5}`]: Math.floor(12 / (n % 5)) })),
    );
  }
});

describe('parameters', () => {
  const random = (most: number) => Math.floor(Math.random() * most);
  const randomText = () =>
    Array.from(
      { length: random(8) },
      () => ['"', '\\', ',', '{', '}', ' ', "'", 'NULL', 'ü', '😀', '\n', 'a'][random(12)],
    ).join('');
  const randomNumber = () => (Math.random() - 0.5) * 10 ** (random(40) - 20);
  const listOf = (make: () => unknown) => Array.from({ length: random(5) }, () => (random(4) === 0 ? null : make()));
  /** Values by the type of their parameter. */
  const VALUES: Record<string, readonly unknown[]> = {
    text: [null, '', 'text', 'null', '{a}', '"', '\\', '😀', ...Array.from({ length: 40 }, randomText)],
    float8: [
      0,
      -0,
      1,
      -1.5,
      1e21,
      1e-7,
      Number.MAX_SAFE_INTEGER,
      Number.NaN,
      Infinity,
      ...Array.from({ length: 40 }, randomNumber),
    ],
    int: [0, 1, -2_147_483_648, '7'],
    bool: [true, false, null],
    bytea: [Buffer.alloc(0), Buffer.from([0, 1, 255, 34, 92])],
    date: ['2026-07-01', null],
    json: ['{"a":[1,"b"]}', 'null'],
    'text[]': [[], [null], ['', 'NULL', 'null', '{', ','], ...Array.from({ length: 60 }, () => listOf(randomText))],
    'float8[]': [[1, null, Number.NaN, -0], ...Array.from({ length: 30 }, () => listOf(randomNumber))],
    'int[]': [[], [1, 2, 3], [null], '{1,2}'],
    'bool[]': [[true, null, false]],
    'bytea[]': [[Buffer.from([0, 1, 255, 34, 92]), null, Buffer.alloc(0)]],
    'date[]': [['2026-07-01', null]],
  };

  it.each(Object.entries(VALUES))('of type %s reach the server as pg sends them', async (type, values) => {
    const plain = new pg.Client(database.at);
    await plain.connect();
    clients.push(plain);
    const text = `select $1::${type}::text as text, $1::${type} is null as "isNull"`;
    for (const value of values) {
      expect(parametersOf([value])).toBeDefined();
      expect((await client.query(text, [value])).rows).toEqual((await plain.query(text, [value])).rows);
    }
  });

  it('of other kinds are left to pg', async () => {
    const others = [new Date(0), { a: 1 }, 1n, undefined, [[1]], [{ a: 1 }], [undefined]];
    for (const value of others) expect(parametersOf([1, value])).toBeUndefined();
    expect((await client.query('select $1::json as a, $2::int[] as b', [{ a: 1 }, [[1], [2]]])).rows).toEqual([
      { a: { a: 1 }, b: [[1], [2]] },
    ]);
  });
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
