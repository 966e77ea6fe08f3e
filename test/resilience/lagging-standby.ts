import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createApiKey, revokeApiKey } from '../../src/gateway/access/access.store.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { type OwnPostgres, startPostgres, startStandby } from './support/postgres.ts';
import { report } from './support/report.ts';

// Runs a gateway on a standby whose replay is paused, and whose primary is killed: it rejects requests when its data
// are older than MAX_REPLICA_LAG_S, and only then. A key that is revoked on the primary in the meantime is never
// accepted again.

const MAX_LAG_S = 3;
/** PostgreSQL writes at most every 15 seconds on its own; a pause takes 6. */
const MOST_ATTEMPTS = 5;
const PATH = '/data/districts/point?lat=42&long=-98';

const primary = await startPostgres();
const key = await keyOf(primary.url, 'full');
const db = openDatabase(
  openPool({ at: { connectionString: primary.url }, size: 1, statementTimeoutMs: 0, waitMs: 5_000 }),
);
const leaked = await createApiKey(db, 'full');
const standby = await startStandby(primary);
const gateway = await startGateway({ DATABASE_URL: standby.url, MAX_REPLICA_LAG_S: String(MAX_LAG_S) });

await sleep(2 * MAX_LAG_S * 1_000);
const whileIdle = await statuses();

// PostgreSQL itself writes now and then without any client, a list of running transactions or statistics for instance.
let whilePausedAndIdle: Awaited<ReturnType<typeof statuses>> | undefined;
for (let attempt = 0; !whilePausedAndIdle && attempt < MOST_ATTEMPTS; attempt++) {
  await execute(standby, 'select pg_wal_replay_resume()');
  await until(200);
  await execute(standby, 'select pg_wal_replay_pause()');
  await sleep(2 * MAX_LAG_S * 1_000);
  const found = await statuses();
  if (await hasReplayedAll(standby)) whilePausedAndIdle = found;
}

await statusOf(leaked);
await revokeApiKey(db, leaked);
const drainedMs = await until(503);
const whileBehind = await statuses();

await execute(standby, 'select pg_wal_replay_resume()');
const backMs = await until(200);
await sleep(5_000);
const afterwards = { ...(await statuses()), leaked: await statusOf(leaked) };

await db.destroy();
await primary.kill();
const drainedAloneMs = await until(503);
await primary.start();
const backWithPrimaryMs = await until(200);

await gateway.stop();
await Promise.all([standby, primary].map((server) => server.remove()));
const isFine = ({ ready, known }: Awaited<ReturnType<typeof statuses>>) => ready === 200 && known === 200;
report(
  'a gateway on a standby that falls behind',
  { whileIdle, whilePausedAndIdle, drainedMs, whileBehind, backMs, afterwards, drainedAloneMs, backWithPrimaryMs },
  {
    'responds while the primary is idle':
      isFine(whileIdle) && whilePausedAndIdle !== undefined && isFine(whilePausedAndIdle),
    'rejects requests while it is too far behind': drainedMs < (MAX_LAG_S + 4) * 1_000 && whileBehind.known === 503,
    'responses state when to retry': whileBehind.retryAfter !== null,
    'responds after it has caught up': backMs < 4_000 && isFine(afterwards),
    'a revoked key is rejected': afterwards.leaked === 401,
    'rejects requests after it has lost its primary': drainedAloneMs < (MAX_LAG_S + 4) * 1_000,
    'responds after its primary has recovered': backWithPrimaryMs < 15_000,
  },
);

async function statusOf(apiKey: string): Promise<number> {
  const response = await fetch(gateway.url + PATH, { headers: { 'x-api-key': apiKey } });
  await response.text();
  return response.status;
}

async function statuses() {
  const ready = await fetch(`${gateway.url}/ready`);
  const known = await fetch(gateway.url + PATH, { headers: { 'x-api-key': key } });
  await known.text();
  return {
    ready: ready.status,
    reason: (await ready.json()).reason,
    known: known.status,
    retryAfter: known.headers.get('retry-after'),
  };
}

/** Returns the milliseconds until `/ready` has a status. */
async function until(status: number): Promise<number> {
  const began = performance.now();
  while ((await fetch(`${gateway.url}/ready`)).status !== status && performance.now() - began < 60_000) await sleep(50);
  return Math.round(performance.now() - began);
}

/** Returns whether a standby has replayed all that it has received. */
async function hasReplayedAll(server: OwnPostgres): Promise<boolean> {
  const compared = 'select pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() as replayed';
  const [row] = await execute<{ replayed: boolean }>(server, compared);
  return row?.replayed === true;
}

async function execute<Row extends pg.QueryResultRow>(server: OwnPostgres, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}
