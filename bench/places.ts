import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { STATES } from '../src/base/words/states.ts';
import { geocode } from '../src/graph/places/geocode.ts';
import { partsOfName } from '../src/graph/places/place-names.ts';
import { runImport } from '../src/importers/import.ts';
import { migrate } from '../src/store/migrate.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { percentile } from '../test/resilience/support/report.ts';
import { contextOf } from '../test/support/graph.ts';

/**
 * Asks `geocode` for all counties, states and territories and 2,000 towns by three spellings each, and prints how many come
 * first, how many are left to the person who typed them, and which are wrong without a question. Creates the database
 * `bench_places` on the server at DATABASE_URL, and drops it. The names of towns are those of the Open Civic Data division
 * identifiers in `../shared`; without the folder, nothing is measured. Towns have invented outlines.
 *
 *     DATABASE_URL=… npm run node -- bench/places.ts [--list]
 */
const SHARED = process.env.SHARED_DIR ?? join(import.meta.dirname, '../../shared');
const FILES = ['data', 'more-data'].map((folder) => join(SHARED, folder, 'division-ids/subset/us_census_places.csv'));
const MOST_TOWNS = 2_000;
const DATABASE = 'bench_places';
const lists = process.argv.includes('--list');

interface Place {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly state: string;
}

interface Count {
  first: number;
  firstAndCertain: number;
  /** Another place has the name that was typed, and the text is left to the person. */
  shared: number;
  asked: number;
  readonly wrong: string[];
  readonly notFound: string[];
  readonly notFirst: string[];
}

/** The spellings of a name with those of its state: as it is published, as it is typed in haste, and without its kind. */
const SPELLINGS: Readonly<Record<string, (place: Place) => string>> = {
  'as published, with the code of the state': ({ type, name, state }) =>
    type === 'State' ? name : `${name}, ${state}`,
  'lower case, without accents, points, apostrophes and hyphens': ({ type, name, state }) =>
    type === 'State' ? state.toLowerCase() : inHaste(`${name} ${stateName(state)}`),
  'without its kind, Saint in full': ({ type, name, state }) => {
    if (type === 'State') return `${inHaste(name).toUpperCase()}, USA`;
    const words = inHaste(name).split(' ');
    return `${partsOfName(words)
      .base.join(' ')
      .replace(/\bst\b/g, 'saint')}, ${stateName(state)}`;
  },
};

const stateName = (postal: string) => STATES.find((state) => state.postal === postal)?.name ?? postal;
const inHaste = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}|['’.]/gu, '')
    .replaceAll('-', ' ')
    .toLowerCase();

function townNames(): { name: string; state: string }[] {
  const found = new Map<string, { name: string; state: string }>();
  for (const file of FILES) {
    for (const { id, name } of parse<Record<string, string>>(readFileSync(file), { columns: true })) {
      const state = /\/state:(..)\/place:/.exec(id ?? '')?.[1]?.toUpperCase();
      if (state && name) found.set(`${name} ${state}`, { name, state });
    }
  }
  return [...found.values()].slice(0, MOST_TOWNS);
}

async function measure(db: ReturnType<typeof openDatabase>): Promise<void> {
  await migrate(db);
  await runImport(db, 'us-atlas', []);
  const towns = townNames();
  await sql`
    with town as (
      insert into districts (type, name, state)
      select 'City-town', name, state from unnest(${towns.map(({ name }) => name)}::text[],
        ${towns.map(({ state }) => state)}::text[]) as town(name, state) returning id)
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select id, '2000-01-01', true, ST_Multi(ST_MakeEnvelope(0, 0, 0.1, 0.1, 4326)), id::text from town`.execute(db);
  await sql`analyze districts`.execute(db);
  const { rows } = await sql<Place>`select id, type, name, state from districts
    where type in ('State', 'County', 'City-town') order by id`.execute(db);
  const territories = new Set(STATES.filter(({ kind }) => kind === 'territory').map(({ postal }) => postal));
  const groups = {
    'states and territories': rows.filter(({ type }) => type === 'State'),
    'counties of the states': rows.filter(({ type, state }) => type === 'County' && !territories.has(state)),
    'counties of the territories': rows.filter(({ type, state }) => type === 'County' && territories.has(state)),
    towns: rows.filter(({ type }) => type === 'City-town'),
  };
  const times: number[] = [];
  process.stdout.write(
    '| places | spelling | texts | first | of them certain | name of several: asked | asked | not found | wrong |\n',
  );
  process.stdout.write('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n');
  const all = { texts: 0, first: 0, shared: 0, wrong: 0 };
  for (const [group, places] of Object.entries(groups)) {
    for (const [spelling, spell] of Object.entries(SPELLINGS)) {
      const count: Count = { first: 0, firstAndCertain: 0, shared: 0, asked: 0, wrong: [], notFound: [], notFirst: [] };
      for (const place of places) {
        const text = spell(place);
        const start = performance.now();
        const { matches, ambiguous } = await geocode(contextOf(db), text, 5);
        times.push(performance.now() - start);
        add(count, place, text, matches, ambiguous);
      }
      all.texts += places.length;
      all.first += count.first;
      all.wrong += count.wrong.length;
      const cells = [
        places.length,
        count.first,
        count.firstAndCertain,
        count.shared,
        count.asked,
        count.notFound.length,
      ];
      all.shared += count.shared;
      process.stdout.write(`| ${[group, spelling, ...cells, count.wrong.length].join(' | ')} |\n`);
      if (lists)
        for (const line of [...count.wrong, ...count.notFound, ...count.notFirst]) process.stderr.write(`${line}\n`);
    }
  }
  const share = (count: number) => `${((100 * count) / all.texts).toFixed(2)} %`;
  process.stdout.write(
    `\n${all.texts} texts: ${share(all.first)} first, ${share(all.shared)} asked because several places have the name, ${all.wrong} wrong without a question\n`,
  );
  process.stdout.write(`p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms\n`);
}

type Matches = Awaited<ReturnType<typeof geocode>>['matches'];

function add(count: Count, place: Place, text: string, matches: Matches, ambiguous: boolean): void {
  const [best] = matches;
  if (best && isPlace(best, place)) {
    count.first++;
    if (!ambiguous) count.firstAndCertain++;
  } else if (!best) count.notFound.push(`not found: ${text}`);
  else if (ambiguous) {
    const isListed = matches.some((match) => isPlace(match, place));
    const nameOf = ({ district }: Matches[number]) =>
      partsOfName(inHaste(district?.name ?? '').split(' ')).base.join(' ');
    if (isListed && nameOf(best) === partsOfName(inHaste(place.name).split(' ')).base.join(' ')) {
      count.shared++;
      return;
    }
    count.asked++;
    count.notFirst.push(
      `asked: ${text} → ${matches.map(({ label }) => label).join('; ')}${isListed ? '' : ' WITHOUT IT'}`,
    );
  } else count.wrong.push(`WRONG: ${text} (${place.type}) → ${best.label}`);
}

/** A county that is a state of the same name, as the District of Columbia, is found as the state. */
function isPlace({ district }: Matches[number], place: Place): boolean {
  return district?.id === place.id || (district?.type === 'State' && district.name === place.name);
}

if (FILES.every(existsSync)) {
  const url = new URL(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/postgres');
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE}`);
  await admin.query(`create database ${DATABASE}`);
  const connectionString = Object.assign(new URL(url.href), { pathname: `/${DATABASE}` }).href;
  const pool = openPool({ at: { connectionString }, size: 4, statementTimeoutMs: 0, waitMs: 30_000, prepared: true });
  const db = openDatabase(pool);
  try {
    await measure(db);
  } finally {
    await db.destroy();
    await admin.query(`drop database ${DATABASE}`);
    await admin.end();
  }
} else process.stdout.write(`Nothing is measured: there is no ${FILES.find((file) => !existsSync(file))}\n`);
