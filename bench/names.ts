import { sql } from 'kysely';
import pg from 'pg';
import { createExecute } from '../src/gateway/graphql/execution/execute.ts';
import { schema } from '../src/graph/schema.ts';
import { migrate } from '../src/store/migrate.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { seeded } from '../test/drawn/random.ts';
import { percentile } from '../test/resilience/support/report.ts';
import { prepare } from '../test/support/graph.ts';

/**
 * Measures how long `people(name:)` and `districts(name:)` take for names as people type them, on a copy of the database
 * of the benchmark with names like those of people: some first names and last names are much more frequent than others.
 * Creates the database `bench_names` on the server at DATABASE_URL, and drops it.
 *
 *     DATABASE_URL=… npm run node -- bench/names.ts [texts]
 */
const [TEXTS = 300] = process.argv.slice(2).map(Number);
const DATABASE = 'bench_names';

const FIRST =
  'John Mary James Robert Patricia Michael Linda William David Richard Susan Joseph Bernard Thomas Karen José Anna Edward Raúl Margaret Zoë Katherine Benjamin Nicholas Angela Donald Theodore Lakshmi Ingrid Quentin'.split(
    ' ',
  );
const SYLLABLES =
  'ar ber chen col dal der el far gar har in jo kan lin mac man mar nor o’b per quin ran san ser smi son tan ton ul vel win yat zim'.split(
    ' ',
  );

/** Returns an item of a list: the second one half as often as the first one, the third one a third as often. */
function frequent<Item>(list: readonly Item[], random: () => number): Item {
  return list[Math.floor(list.length ** random()) - 1] as Item;
}

/** Returns as many last names of two or three syllables, the most frequent first. */
function lastNames(count: number, random: () => number): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const parts = Array.from({ length: random() < 0.5 ? 2 : 3 }, () => frequent(SYLLABLES, random));
    const name = parts.join('');
    names.add(name.charAt(0).toUpperCase() + name.slice(1));
  }
  return [...names];
}

const url = new URL(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/postgres');
const admin = new pg.Client({ connectionString: url.href });
await admin.connect();
await admin.query(`drop database if exists ${DATABASE}`);
await admin.query(`create database ${DATABASE} template bench_national`);
const connectionString = Object.assign(new URL(url.href), { pathname: `/${DATABASE}` }).href;
const pool = openPool({ at: { connectionString }, size: 4, statementTimeoutMs: 0, waitMs: 30_000, prepared: true });
const db = openDatabase(pool);
try {
  const random = seeded(39);
  const known = lastNames(5_000, random);
  const { rows: ids } = await sql<{ id: number }>`select id from persons order by id`.execute(db);
  const names = ids.map(() => ({
    first: frequent(FIRST, random),
    middle: random() < 0.5 ? ` ${String.fromCharCode(65 + Math.floor(random() * 26))}.` : '',
    last: frequent(known, random),
  }));
  await sql`
    update persons set name = given.first || given.middle || ' ' || given.last, first_name = given.first, last_name = given.last
    from unnest(${ids.map(({ id }) => id)}::int[], ${names.map(({ first }) => first)}::text[],
      ${names.map(({ middle }) => middle)}::text[], ${names.map(({ last }) => last)}::text[]) given (id, first, middle, last)
    where persons.id = given.id`.execute(db);
  const began = performance.now();
  await migrate(db);
  process.stdout.write(`migrated in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  await sql`vacuum analyze`.execute(db);

  const execute = createExecute(schema);
  const documents = {
    people: prepare('query ($name: String!) { people(name: $name, first: 20) { edges { node { name } } } }'),
    'people and their number': prepare(
      'query ($name: String!) { people(name: $name, first: 20) { totalCount edges { node { name } } } }',
    ),
    districts: prepare(
      'query ($name: String!) { districts(name: $name, first: 20) { totalCount edges { node { name } } } }',
    ),
  };
  const { rows: districts } = await sql<{
    name: string;
  }>`select name from districts order by md5(id::text) limit 1000`.execute(db);
  const person = () => names[Math.floor(random() * names.length)] as (typeof names)[number];
  const district = () => districts[Math.floor(random() * districts.length)]?.name ?? '';
  const texts: readonly (readonly [field: keyof typeof documents, title: string, text: () => string])[] = [
    ...(['people', 'people and their number'] as const).flatMap((field) => [
      [field, 'first and last name', () => `${person().first} ${person().last}`] as const,
      [field, 'last name, first name', () => `${person().last}, ${person().first}`.toLowerCase()] as const,
      [field, 'with an initial', () => `${person().first} M ${person().last}`] as const,
      [field, 'last name', () => person().last] as const,
      [field, 'beginning of a last name', () => person().last.slice(0, 3)] as const,
      [field, 'first name', () => person().first] as const,
    ]),
    ['districts', 'name', district],
    ['districts', 'first word', () => district().split(' ')[0] ?? ''],
  ];
  for (const [field, title, textOf] of texts) {
    const times: number[] = [];
    for (let round = -10; round < TEXTS; round++) {
      const started = performance.now();
      const { errors } = await execute({
        prepared: documents[field],
        variableValues: { name: textOf() },
        contextValue: {
          db,
          caller: { packageName: 'bench', grants: new Set(['districts', 'officeholders', 'elections']), keyId: 1 },
          today: '2026-07-01',
        },
      });
      if (errors) throw new AggregateError(errors);
      if (round >= 0) times.push(performance.now() - started);
    }
    const at = (percent: number) => `${percentile(times, percent).toFixed(1)} ms`;
    process.stdout.write(`${field}, ${title}: p50 ${at(50)}, p95 ${at(95)}, most ${at(100)}\n`);
  }
} finally {
  await db.destroy();
  await admin.query(`drop database ${DATABASE}`);
  await admin.end();
}
