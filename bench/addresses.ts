import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { createExecute } from '../src/gateway/graphql/execution/execute.ts';
import { schema } from '../src/graph/schema.ts';
import { runImport } from '../src/importers/import.ts';
import { migrate } from '../src/store/migrate.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { seeded } from '../test/drawn/random.ts';
import { percentile } from '../test/resilience/support/report.ts';
import { prepare } from '../test/support/graph.ts';

/**
 * Measures how long `geocode(first: 5)` takes at each key that a person presses while typing an address, over 350,000
 * invented addresses in 250 towns. Creates the database `bench_addresses` on the server at DATABASE_URL, and drops it.
 *
 *     DATABASE_URL=… npm run node -- bench/addresses.ts [addresses] [typed]
 */
const [ADDRESSES = 350_000, TYPED = 100] = process.argv.slice(2).map(Number);
/** Seeds of the addresses that are loaded, and of others, most of which are not. */
const LOADED = 350;
const OTHERS = 352;
const TOWNS = 250;
const PER_STREET = 16;
const DATABASE = 'bench_addresses';
/** The shortest text for which clients ask for suggestions. */
const FIRST_KEY = 5;

const pickWith =
  (random: () => number) =>
  <Item>(list: readonly Item[]) =>
    list[Math.floor(random() * list.length)] as Item;

const COMMON = 'Main Maple Elm Church School Pleasant Mill Park High Center Pine Summer North South Prospect'.split(
  ' ',
);
const FIRST =
  'Robin Wood Stone Fair Green Old Lake Spring Clear Bear Fox Deer River Sugar Snow Brook Oak Ash Birch Hart'.split(
    ' ',
  );
const SECOND =
  'hood field ford ridge view brook hill ton dale land side crest haven well bury mont side gate worth mead'.split(' ');
const SUFFIXES = 'St St Rd Rd Rd Rd Ln Dr Ave Cir Ct Ter Way'.split(' ');
const DIRECTIONS = ['', '', '', '', '', '', 'N ', 'S ', 'E ', 'W '];

interface Address {
  readonly number: number;
  readonly street: string;
  readonly town: string;
  readonly zip: string;
  readonly longitude: number;
  readonly latitude: number;
}

/** Yields the same addresses for the same seed. */
function* addresses(seed: number): Generator<Address> {
  const random = seeded(seed);
  const pick = pickWith(random);
  const streets = Math.ceil(ADDRESSES / TOWNS / PER_STREET);
  for (let index = 0; index < TOWNS; index++) {
    const town = `${pick(FIRST)}${pick(SECOND)} ${pick(['', '', 'Falls', 'Center', 'Junction'])}`.trim();
    const zip = String(5001 + index).padStart(5, '0');
    const [west, south] = [-73.3 + (index % 16) * 0.1, 42.8 + Math.floor(index / 16) * 0.1];
    for (let street = 0; street < streets; street++) {
      const name =
        street < COMMON.length
          ? (COMMON[street] ?? 'Main')
          : `${pick(FIRST)}${pick(SECOND)}${random() < 0.3 ? ` ${pick(FIRST)}` : ''}`;
      const label = `${pick(DIRECTIONS)}${name} ${street < COMMON.length ? 'St' : pick(SUFFIXES)}`;
      const [x, y] = [west + random() * 0.1, south + random() * 0.1];
      for (let house = 0; house < PER_STREET; house++)
        yield { number: 3 + house * 7, street: label, town, zip, longitude: x + house / 10_000, latitude: y };
    }
  }
}

function* csv(): Generator<string> {
  yield 'NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT\n';
  for (const { number, street, town, zip, longitude, latitude } of addresses(LOADED))
    yield `${number},${street},${town},VT,${zip},${longitude.toFixed(6)},${latitude.toFixed(6)}\n`;
}

function print(name: string, times: readonly number[]): void {
  const at = (percent: number) => `${percentile(times, percent).toFixed(1)} ms`;
  process.stdout.write(
    `${name}: ${times.length} texts, p50 ${at(50)}, p95 ${at(95)}, p99 ${at(99)}, most ${at(100)}\n`,
  );
}

const url = new URL(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/postgres');
const admin = new pg.Client({ connectionString: url.href });
await admin.connect();
await admin.query(`drop database if exists ${DATABASE}`);
await admin.query(`create database ${DATABASE}`);
const connectionString = Object.assign(new URL(url.href), { pathname: `/${DATABASE}` }).href;
const pool = openPool({ at: { connectionString }, size: 4, statementTimeoutMs: 0, waitMs: 30_000, prepared: true });
const db = openDatabase(pool);
const folder = await mkdtemp(join(tmpdir(), 'bench-addresses-'));
try {
  await migrate(db);
  const file = join(folder, 'addresses.csv');
  await pipeline(Readable.from(csv()), createWriteStream(file));
  const imported = await runImport(db, 'address-points', [file], { preset: 'openaddresses' });
  process.stdout.write(`imported ${imported.files[0]?.inserted} addresses in ${imported.seconds.toFixed(1)} s\n`);

  const execute = createExecute(schema);
  const prepared = prepare(
    'query ($text: String!) { geocode(text: $text, first: 5) { ambiguous matches { label kind confidence point { latitude longitude } } } }',
  );
  /** Returns how long it takes to find a text, in milliseconds. */
  const timeOf = async (text: string): Promise<number> => {
    const began = performance.now();
    const { errors } = await execute({
      prepared,
      variableValues: { text },
      contextValue: {
        db,
        caller: { packageName: 'bench', grants: new Set(['districts']), keyId: 1 },
        today: '2026-07-01',
      },
    });
    if (errors) throw new AggregateError(errors);
    return performance.now() - began;
  };
  const pick = pickWith(seeded(351));
  for (const [name, seed] of [
    ['loaded addresses', LOADED],
    ['addresses that are not loaded', OTHERS],
  ] as const) {
    const all = [...addresses(seed)];
    const times: number[] = [];
    const whole: number[] = [];
    for (let round = -5; round < TYPED; round++) {
      const { number, street, town, zip } = pick(all);
      const text = pick([
        `${number} ${street}, ${town}, VT ${zip}`,
        `${number} ${street.toLowerCase()} ${town.toLowerCase()}`,
      ]);
      for (let length = FIRST_KEY; length <= text.length; length++) {
        const time = await timeOf(text.slice(0, length));
        // The first texts warm up the statements and the compiler.
        if (round >= 0) times.push(time);
        if (round >= 0 && length === text.length) whole.push(time);
      }
    }
    print(`${name}, each key`, times);
    print(`${name}, whole`, whole);
  }
} finally {
  await db.destroy();
  await rm(folder, { recursive: true });
  await admin.query(`drop database ${DATABASE}`);
  await admin.end();
}
