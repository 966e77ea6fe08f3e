import { sql } from 'kysely';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { createClient, graphql } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { loopDelay, MEASURED } from './support/loop-delay.ts';
import { startPostgres } from './support/postgres.ts';
import { report } from './support/report.ts';

// Requests the largest allowed responses, and some that are too large, from a database whose outlines have 30,000
// points each: measures how long the event loop is blocked, and the memory of the gateway.

const MOST_BLOCKED_MS = 100;
/**
 * The event loop may also be blocked for this many times as long as the machine takes to fill as much new memory as the
 * largest response needs: virtual machines differ by a factor of ten in what a page fault takes.
 */
const MOST_FILLS = 8;
const LARGEST_BYTES = 13_000_000;
const MOST_MIB = 450;
/** The shortest of this number of measurements counts: the machine may be busy with other work. */
const ROUNDS = 5;
const QUARTER_SEGMENTS = 7_500;

const postgres = await startPostgres();
const pool = openPool({ at: { connectionString: postgres.url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 });
const db = openDatabase(pool);
await sql`
  update boundaries set geometry = ST_Multi(ST_Buffer(ST_Centroid(geometry), 3 + id / 100.0, ${QUARTER_SEGMENTS}::int))`.execute(
  db,
);
await db.destroy();
const key = await keyOf(postgres.url, 'full');

const points = Array.from({ length: 100 }, (_, n) => `{ latitude: ${42 + n / 1_000}, longitude: -98 }`).join(' ');
const failing = 'bad: district(databaseId: 1, geoId: "1") { id: databaseId }';
const ballots = `locations(points: [${points}]) { ballot(electionDate: "2022-11-08") { districts { district { name }
  races { id: databaseId office { name } candidates { id: databaseId person { name } parties { name } votes } } ballotMeasures { name } } } }`;
const representatives = `locations(points: [${points}]) { districts { id: databaseId name offices { id: databaseId name officeholders { id: databaseId person {
  name contacts { value } } party { name } contacts { value } } } } }`;
const geometries = (count: number) =>
  `{ districts(first: 10) { edges { node { boundary { ${Array.from({ length: count }, (_, n) => `g${n}: geometry`).join(' ')} } } } } }`;
const OPERATIONS: Readonly<Record<string, { readonly query: string; readonly status: number }>> = {
  'more than its cost allows': { query: geometries(8), status: 400 },
  'more than a response may hold': { query: geometries(4), status: 422 },
  'geometries, almost as much as allowed': { query: geometries(3), status: 200 },
  'ballots of 100 points': { query: `{ ${ballots} }`, status: 200 },
  'ballots of 100 points next to an error': { query: `{ ${ballots} ${failing} }`, status: 200 },
  'representatives of 100 points': { query: `{ ${representatives} }`, status: 200 },
  'representatives of 100 points next to an error': { query: `{ ${representatives} ${failing} }`, status: 200 },
};

/** Returns the median time in milliseconds that filling as much new memory as the largest response takes. */
function fillMs(): number {
  // All are referred to, so that none is reused.
  const filled = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    return { memory: Buffer.alloc(LARGEST_BYTES, 1), ms: performance.now() - began };
  });
  return filled.map(({ ms }) => ms).sort((one, other) => one - other)[ROUNDS >> 1] ?? 0;
}

const mostBlockedMs = Math.max(MOST_BLOCKED_MS, MOST_FILLS * fillMs());
const gateway = await startGateway(
  {
    DATABASE_URL: postgres.url,
    TODAY: '2024-06-01',
    RESPONSE_CACHE_BYTES: '0',
    MAX_QUERY_TOKENS: '5000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  },
  MEASURED,
);
const client = createClient(gateway.url);
const figures: Record<string, { status: number; mib: number; blockedMs: number; rss: number }> = {};
for (const [name, { query }] of Object.entries(OPERATIONS)) {
  for (let round = 0; round < ROUNDS; round++) {
    await loopDelay(gateway);
    const { status, text } = await client.send(graphql(query), key);
    const { blockedMs, rss } = await loopDelay(gateway);
    const before = figures[name];
    const mib = Math.round((text.length / 2 ** 20) * 10) / 10;
    figures[name] = {
      ...{ status, mib },
      blockedMs: Math.min(blockedMs, before?.blockedMs ?? Number.POSITIVE_INFINITY),
      rss: Math.max(rss, before?.rss ?? 0),
    };
  }
}
client.close();
await gateway.stop();
await postgres.remove();
const all = Object.values(figures);
report(
  'large responses',
  { ...figures, mostBlockedMs: Math.round(mostBlockedMs) },
  {
    'allowed and rejected as expected': Object.entries(OPERATIONS).every(
      ([name, { status }]) => figures[name]?.status === status,
    ),
    'a response of more than 8 MiB': all.some(({ mib }) => mib > 8),
    'the event loop is never blocked for long': all.every(({ blockedMs }) => blockedMs <= mostBlockedMs),
    'memory stays low': all.every(({ rss }) => rss <= MOST_MIB),
  },
);
