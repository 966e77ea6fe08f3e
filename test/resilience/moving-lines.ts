import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { freePort } from '../support/free-port.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { WORLD } from '../support/world.ts';
import { atExit } from './support/at-exit.ts';
import { createClient, graphql, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres, startStandby } from './support/postgres.ts';
import { argument, report, Tally } from './support/report.ts';

// Commits random versions of the data, one after the other, while clients ask for neighbouring points at gateways with one Redis:
// two on the primary, and one on a standby whose replay is paused most of the time. Each version moves the line between two
// districts, and has its number in every name and in all votes, so that the number, and where the line is then, tell what an answer
// has to be. It is wrong if its version was not that of the data at any time from half a second before its request, if it is of
// two versions at once, or if its point is on the other side of the line of its version.

const wanted = argument('responses', 20_000);
const seed = argument('seed', Math.floor(Math.random() * 1_000_000));
const clients = argument('clients', 8);
/** A gateway knows the data version for half a second; the rest is that of a statement on a busy machine. */
const KNOWN_MS = argument('known-ms', 1_500);
const PAUSE_MS = 60;
const MOST_DESCRIBED = 10;
const VOTES = 100_000;
const SOUTH = 42;

const draw = seeded(seed);
const primary = await startPostgres({ settings: ['fsync=off'] });
const db = openDatabase(
  openPool({ at: { connectionString: primary.url }, size: 2, statementTimeoutMs: 0, waitMs: 30_000 }),
);
const key = await keyOf(primary.url, 'full');
const redisPort = await freePort();
const redis = existsSync(REDIS) ? startRedis(redisPort) : undefined;
atExit(() => redis?.kill('SIGKILL'));
const standby = await startStandby(primary);
const shared = {
  ...{ TODAY: '2024-10-01', MAX_REPLICA_LAG_S: '3600', MAX_EVENT_LOOP_DELAY_MS: '0' },
  ...(redis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
};
const gateways = await Promise.all(
  [primary, primary, standby].map(({ url }) => startGateway({ ...shared, DATABASE_URL: url })),
);

interface Version {
  /** The longitude of the line between the first district, in the west, and the second. */
  readonly line: number;
  readonly committedAt: number;
  replacedAt: number;
}
/** By number, from 1. */
const versions: Version[] = [];
/** The time of the oldest version that the standby may have. */
let standbySince = performance.now();
let isOver = false;

async function commit(): Promise<void> {
  const number = versions.length + 1;
  const line = -98 + Math.round(draw() * 40) / 10_000;
  const began = performance.now();
  await db.transaction().execute(async (transaction) => {
    for (const [district, west, east] of [
      [WORLD.alphaFirst, -100, line],
      [WORLD.alphaSecond, line, -90],
    ] as const) {
      const area = sql`ST_MakeEnvelope(${west}::float8, 40, ${east}::float8, 50, 4326)`;
      const ids = sql`select id from boundaries where district_id = ${district} and start_date = ${WORLD.redrawn}`;
      await sql`update boundaries set geometry = ST_Multi(${area}) where id in (${ids})`.execute(transaction);
      await sql`update boundary_pieces set geometry = ${area} where boundary_id in (${ids})`.execute(transaction);
    }
    for (const table of ['districts', 'persons'])
      await sql`update ${sql.table(table)} set name = split_part(name, ' (', 1) || ${` (${number})`}`.execute(
        transaction,
      );
    await sql`update candidates set votes_for_cand = votes_for_cand % ${sql.lit(VOTES)} + ${number * VOTES}
      where votes_for_cand is not null`.execute(transaction);
  });
  const last = versions.at(-1);
  versions.push({ line, committedAt: began, replacedAt: Number.POSITIVE_INFINITY });
  if (last) last.replacedAt = performance.now();
}

const replaying = new pg.Client(standby.url);
await replaying.connect();

/** Waits until the standby has replayed what the primary has written by now. */
async function untilReplayed(): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn() as lsn`.execute(db);
  const isReplayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done';
  while (!(await replaying.query(isReplayed, [rows[0]?.lsn])).rows[0]?.done) await sleep(20);
}

const people = '{ people(first: 9) { edges { node { name } } } districts(first: 9) { edges { node { name } } } }';
const offices = 'districts { name type offices { name officeholders { person { name } } } }';
const byPoint = (selection: string) =>
  `query ($lat: Latitude!, $long: Longitude!) { location(latitude: $lat, longitude: $long) { ${selection} } }`;
const ballot =
  'ballot(electionDate: "2022-11-08") { districts { district { name } races { candidates { votes person { name } } } } }';
const ofPoints = 'query ($points: [PointInput!]!) { locations(points: $points) { districts { name type } } }';
const SURFACES: Readonly<Record<string, (lat: number, long: number) => TestRequest>> = {
  'GraphQL, whole': () => graphql(people),
  'GraphQL, point': (lat, long) => graphql(byPoint('districts { name type }'), { lat, long }),
  'GraphQL, officeholders': (lat, long) => graphql(byPoint(offices), { lat, long }),
  'GraphQL, ballot': (lat, long) => graphql(byPoint(ballot), { lat, long }),
  'GraphQL, points': (lat, long) =>
    graphql(ofPoints, {
      points: [SOUTH, 41.5]
        .map((latitude) => ({ latitude, longitude: -85 }))
        .concat({ latitude: lat, longitude: long }),
    }),
  'REST, districts': (lat, long) => ({ path: `/data/districts/point?lat=${lat}&long=${long}` }),
  'REST, officeholders': (lat, long) => ({ path: `/data/officeholders?lat=${lat}&long=${long}` }),
  'REST, ballot': (lat, long) => ({
    path: `/data/elections_by_point?lat=${lat}&long=${long}&election_date=2022-11-08`,
  }),
  'REST, state': () => ({ path: '/data/elections_by_state?state=AA&election_date=2022-11-08' }),
  'REST, geocode': () => ({ path: '/data/geocode?text=First%20County' }),
  tile: () => ({ path: '/tiles/CONGRESS/2024-10-01/3/1/2.pbf' }),
};
/** The surfaces that name the district of today that contains the point. */
const TELLS_DISTRICT = /point|points|officeholders|REST, districts/;

const counts = { responses: 0, wrong: 0, mixed: 0, failed: 0 };
const bySurface = new Tally();
const byGateway = new Tally();
const described: string[] = [];

/** Judges an answer by the numbers in it, and by where the line was. */
function judge(surface: string, gateway: number, asked: number, long: number, text: string): void {
  const numbers = [...text.matchAll(/ \((\d+)\)/g)].map(([, number]) => Number(number));
  for (const [, votes] of text.matchAll(/"votes(?:_for_cand)?":(\d+)/g))
    numbers.push(Math.floor(Number(votes) / VOTES));
  const found = [...new Set(numbers)];
  const say = (problem: string) => {
    if (described.length < MOST_DESCRIBED)
      described.push(`${surface} of gateway ${gateway}, ${problem}: ${text.slice(0, 300)}`);
  };
  counts.responses++;
  bySurface.add(surface);
  byGateway.add(gateway === 2 ? 'standby' : `primary ${gateway + 1}`);
  if (found.length !== 1) {
    counts.mixed++;
    say(`versions ${found.join()}`);
    return;
  }
  const version = versions[(found[0] as number) - 1];
  const since = Math.min(asked, gateway === 2 ? standbySince : asked) - KNOWN_MS;
  const isOfItsTime = version === undefined ? found[0] === versions.length + 1 : version.replacedAt >= since;
  const isFirst = /Congressional District 1 \(/.test(text);
  const isSecond = /Congressional District 2 \(/.test(text);
  const isRightDistrict =
    !TELLS_DISTRICT.test(surface) ||
    version === undefined ||
    (long < version.line ? isFirst && !isSecond : isSecond && !isFirst);
  if (isOfItsTime && isRightDistrict) return;
  counts.wrong++;
  say(
    `version ${found[0]} of ${versions.length}, line ${version?.line}, longitude ${long}, ${isOfItsTime ? 'other side' : 'too old'}`,
  );
}

async function run(number: number): Promise<void> {
  const own = seeded(seed + number + 1);
  const connections = gateways.map(({ url }) => createClient(url));
  const names = Object.keys(SURFACES);
  while (!isOver) {
    const surface = names[Math.floor(own() * names.length)] as string;
    const gateway = Math.floor(own() * gateways.length);
    // Never on the line, whose points belong to both districts.
    const long = Number((-98 + 0.000_05 + Math.floor(own() * 40) / 10_000).toFixed(6));
    const request = (SURFACES[surface] as (typeof SURFACES)[string])(Number((SOUTH + own() / 300).toFixed(5)), long);
    const asked = Math.min(performance.now(), gateway === 2 ? standbySince : Number.POSITIVE_INFINITY);
    const { status, text } = await (connections[gateway] as (typeof connections)[number]).send(request, key);
    if (status === 200) judge(surface, gateway, asked, long, text);
    else {
      counts.failed++;
      if (described.length < MOST_DESCRIBED) described.push(`${surface}: ${status} ${text.slice(0, 200)}`);
    }
    if (counts.responses >= wanted) isOver = true;
  }
  for (const client of connections) client.close();
}

async function write(): Promise<void> {
  while (!isOver) {
    await commit();
    await sleep(draw() * 2 * PAUSE_MS);
  }
}

async function lag(): Promise<void> {
  while (!isOver) {
    const before = performance.now();
    await untilReplayed();
    await replaying.query('select pg_wal_replay_pause()');
    standbySince = before;
    await sleep(500 + draw() * 2_500);
    await replaying.query('select pg_wal_replay_resume()');
    await sleep(300 + draw() * 500);
  }
}

await commit();
const began = performance.now();
await Promise.all([write(), lag(), ...Array.from({ length: clients }, (_, number) => run(number))]);
const seconds = Math.round((performance.now() - began) / 1_000);
await Promise.all(gateways.map((gateway) => gateway.stop()));
await db.destroy();
await replaying.end();
await standby.remove();
await primary.remove();
redis?.kill('SIGKILL');
report(
  'moving lines',
  { seed, seconds, versions: versions.length, ...counts, bySurface, byGateway, redis: redis !== undefined, described },
  {
    'as many responses as requested': counts.responses >= wanted,
    'no wrong response': counts.wrong === 0,
    'no response of two versions': counts.mixed === 0,
    'the data changed meanwhile': versions.length > 10,
  },
);
