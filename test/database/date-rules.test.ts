import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();

beforeAll(async () => {
  await insert(database.db, 'districts', [
    { id: 1, type: 'Congress', name: 'Redrawn' },
    { id: 2, type: 'Congress', name: 'With a gap' },
  ]);
  await boundary(database.db, 1, ['2013-01-03', '2023-01-03'], [0, 0, 1, 1]);
  await boundary(database.db, 1, ['2023-01-03', '2023-01-03'], [0, 0, 1, 1]);
  await boundary(database.db, 1, ['2023-01-04', null], [0, 0, 1, 1]);
  await boundary(database.db, 2, ['2013-01-03', '2022-12-31'], [0, 0, 1, 1]);
  await boundary(database.db, 2, ['2023-02-01', '2024-01-01'], [0, 0, 1, 1]);
  await insert(database.db, 'offices', [
    { id: 1, district_id: 1, name: 'Office', level: 'Local', branch: 'Executive' },
  ]);
  await insert(database.db, 'persons', [{ id: 1, name: 'Person' }]);
  const term = (id: number, status: string, start: string | null, end: string | null) => ({
    ...{ id, office_id: 1, person_id: 1, status, start_date: start, end_date: end },
  });
  await insert(database.db, 'officeholders', [
    term(1, 'Former', null, '2020-01-01'),
    term(2, 'Former', '2020-01-01', '2021-01-01'),
    term(3, 'Former', '2021-06-01', null),
    term(4, 'Current', '2022-01-01', null),
  ]);
});

async function rowsOf<Row>(query: string): Promise<Row[]> {
  return (await sql.raw<Row>(query).execute(database.db)).rows;
}

describe('the functions for rules that depend on a day', () => {
  it.each([
    ['2013-01-02', []],
    ['2013-01-03', ['1 2013-01-03', '2 2013-01-03']],
    ['2022-12-31', ['1 2013-01-03', '2 2013-01-03']],
    ['2023-01-01', ['1 2013-01-03']],
    ['2023-01-03', ['1 2023-01-03']],
    ['2023-01-04', ['1 2023-01-04']],
    ['2024-01-01', ['1 2023-01-04', '2 2023-02-01']],
    ['9999-12-31', ['1 2023-01-04']],
  ])('boundaries_in_effect(%s)', async (day, expected) => {
    const found = await rowsOf<{ district_id: number; start_date: string }>(
      `select district_id, start_date from boundaries_in_effect('${day}') order by district_id`,
    );
    expect(found.map((row) => `${row.district_id} ${row.start_date}`)).toEqual(expected);
  });

  it.each([
    ['2013-01-02', []],
    ['2022-12-31', ['1 2013-01-03', '2 2013-01-03']],
    // District 2 is in a gap between two maps.
    ['2023-01-01', ['1 2013-01-03', '2 2023-02-01']],
    ['2023-01-03', ['1 2023-01-03', '2 2023-02-01']],
    ['2023-02-01', ['1 2023-01-04', '2 2023-02-01']],
    ['2024-01-02', ['1 2023-01-04']],
  ])('boundaries_for_races(%s)', async (day, expected) => {
    const found = await rowsOf<{ district_id: number; start_date: string }>(
      `select district_id, start_date from boundaries_for_races('${day}') order by district_id`,
    );
    expect(found.map((row) => `${row.district_id} ${row.start_date}`)).toEqual(expected);
  });

  it.each([
    ['0001-01-01', [1]],
    ['2019-12-31', [1]],
    ['2020-01-01', [2]],
    ['2021-01-01', [2]],
    ['2021-01-02', []],
    ['2021-06-01', []],
    ['2022-01-01', [4]],
    ['9999-12-31', [4]],
  ])('officeholders_in_office(%s)', async (day, expected) => {
    const found = await rowsOf<{ id: number }>(`select id from officeholders_in_office('${day}') order by id`);
    expect(found.map(({ id }) => id)).toEqual(expected);
  });

  it.each([
    [`'Special', 2020, '2021-01-03', '2020-11-03'`, '2020-11-03'],
    [`'Regular', 2020, '2021-01-03', '2020-11-03'`, '2021-01-03'],
    [`'Regular', 2020, null, '2020-11-03'`, '2021-01-31'],
    [`'Recall', 2000000000, null, '2020-11-03'`, '9999-01-31'],
  ])('race_reference_day(%s)', async (values, expected) => {
    expect(await rowsOf(`select race_reference_day(${values}) as day`)).toEqual([{ day: expected }]);
  });
});

/** Returns the plan of a query with a parameter for the day, as for statements that are prepared once. */
async function planOf(query: string): Promise<string> {
  return database.db.connection().execute(async (db) => {
    const run = (text: string) => sql.raw<{ 'QUERY PLAN': string }>(text).execute(db);
    await run(`prepare rule(date, int) as ${query}`);
    try {
      const { rows } = await run("explain (verbose, costs off) execute rule('2024-01-01', 1)");
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await run('deallocate rule');
    }
  });
}

describe('PostgreSQL inlines', () => {
  // Enough rows that the index in question costs far less than any other, whatever PostgreSQL knew of the tables.
  beforeAll(async () => {
    for (const statement of [
      `insert into districts (id, type, name) select n, 'Congress', 'District ' || n from generate_series(11, 2000) n`,
      `insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
       select n, start, (start + interval '10 years')::date - 1, true,
         ST_Multi(ST_MakeEnvelope(0, 0, 1, 1, 4326)), start::text
       from generate_series(11, 2000) n, unnest(array['2003-01-03', '2013-01-03']::date[]) start`,
      `insert into offices (id, district_id, name, level, branch)
       select n, n, 'Office', 'Local', 'Executive' from generate_series(11, 2000) n`,
      `insert into officeholders (id, office_id, person_id, status, start_date)
       select n, n, 1, 'Current', '2022-01-01' from generate_series(11, 2000) n`,
      'analyze',
    ]) {
      await sql.raw(statement).execute(database.db);
    }
  });

  it.each([
    ['boundaries by id', 'select * from boundaries_in_effect($1) b where b.id = $2', 'boundaries_pkey'],
    [
      'boundaries of a race',
      `select b.id from races r join elections e on e.id = r.election_id
       join boundaries_for_races(race_reference_day(r.type, r.year, r.swearing_in_date, e.date)) b on b.id = $2
       where e.date = $1`,
      'boundaries_pkey',
    ],
    [
      'boundaries of races whose days differ',
      `with map as materialized (select id, district_id from boundaries where id = any(array[$2]))
       select b.id from map join offices o on o.district_id = map.district_id
       join lateral boundaries_for_races(race_reference_day(o.name, 2024, null, $1)) b on b.id = map.id`,
      'boundaries_pkey on public.boundaries b$',
    ],
    [
      'boundaries of a district',
      'select * from boundaries_in_effect($1) b where b.district_id = $2',
      '(one_boundary_in_effect|boundaries_district_id_start_date_key)',
    ],
    [
      'officeholders of an office',
      'select * from officeholders_in_office($1) holder where holder.office_id = $2',
      'officeholders_of_office',
    ],
    // In `psql`, and for stored queries: the day is a setting.
    [
      'boundaries on the day of a setting',
      `select * from boundaries_in_effect(coalesce(nullif(current_setting('a.b', true), '')::date, $1)) b where b.id = $2`,
      'boundaries_pkey',
    ],
  ])('%s, and uses the index', async (_, query, index) => {
    const plan = await planOf(query);
    expect(plan).not.toMatch(/_in_effect\(|_for_races\(|_in_office\(|race_reference_day/);
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan using ${index}|Index Scan on ${index}`, 'm'));
  });
});

it('can be executed in the sandbox of the stored queries, even if other roles cannot', async () => {
  const signatures = [
    'boundaries_in_effect(date)',
    'boundaries_for_races(date)',
    'officeholders_in_office(date)',
    'race_reference_day(text, integer, date, date)',
  ];
  for (const signature of signatures) {
    await sql.raw(`revoke execute on function ${signature} from public`).execute(database.db);
    const allowed = `select has_function_privilege('ballotgraph_export', '${signature}', 'execute') as allowed`;
    expect(await rowsOf(allowed), signature).toEqual([{ allowed: true }]);
  }
});

it('are written only in the migration', () => {
  const root = join(import.meta.dirname, '../..');
  const files = ['src/**/*.ts', 'db/queries/*.sql'].flatMap((pattern) => globSync(pattern, { cwd: root }));
  expect(files.length).toBeGreaterThan(200);
  // Importers and the check of terms compare periods with one another.
  const repeats = files.filter(
    (file) =>
      !file.startsWith('src/importers/') &&
      file !== 'src/operate/integrity/terms.store.ts' &&
      /start_date\s*<=|end_date\s*>=/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(repeats).toEqual([]);
});
