import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient, graphql, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres, startStandby } from './support/postgres.ts';
import { startReaders } from './support/readers.ts';
import { argument, report } from './support/report.ts';

// Reads from a standby that lets no statement delay what its primary has changed: PostgreSQL ends the statements on the standby
// that read a table while it is locked on the primary, as migrations do, or that could still see rows that the primary removes.

const seconds = argument('seconds', 10);
const least = argument('conflicts', 10);

/** Between two removals. */
const LOCKS = 10;

const primary = await startPostgres();
const [key, downloadKey] = [await keyOf(primary.url, 'full'), await keyOf(primary.url, 'full')];
const writer = new pg.Client({ connectionString: primary.url });
await writer.connect();
// Not a table of the data, so that the data version stays.
await writer.query('create table removed_rows as select n from generate_series(1, 1000) n');
const standby = await startStandby(primary, { settings: ['max_standby_streaming_delay=0'] });
const { pathname } = new URL(standby.url);
// Of another database, where nothing is in the way.
const watcher = new pg.Client({ connectionString: standby.url.replace(pathname, '/template1') });
await watcher.connect();
const conflicts = async () => {
  const { rows } = await watcher.query(
    'select (confl_snapshot + confl_lock + confl_bufferpin)::int as found from pg_stat_database_conflicts where datname = $1',
    [pathname.slice(1)],
  );
  return rows[0].found as number;
};

const gateway = await startGateway({ DATABASE_URL: standby.url, RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' });
const readers = await startReaders({ url: gateway.url, key, count: 8 });
const client = createClient(gateway.url);
let isOver = false;
const downloading = download();
const before = readers.counts.completed;
for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
  for (let lock = 0; lock < LOCKS; lock++)
    await writer.query(`begin; lock table districts, races, elections, api_keys; commit`);
  // A statement is ended if it began before the standby has replayed the change, and runs when it replays the removal: so both at once.
  await watcher.query('select pg_wal_replay_pause()');
  await writer.query('update removed_rows set n = n');
  await writer.query('vacuum removed_rows');
  await sleep(20);
  await watcher.query('select pg_wal_replay_resume()');
}
isOver = true;
const downloads = await downloading;
const again = await Promise.all(downloads.failed.map((request) => client.send(request, downloadKey)));
client.close();
await readers.stop();
const found = await conflicts();
await Promise.all([writer.end(), watcher.end(), gateway.stop()]);
await Promise.all([standby, primary].map((server) => server.remove()));

const { completed, wrong, rejected, misnamed, broken } = readers.counts;
report(
  'reads on a standby that are in the way of changes',
  {
    ...readers.counts,
    downloads: downloads.outcomes,
    again: again.map(({ status }) => status),
    conflicts: found,
    slowestMs: readers.slowestMs(),
    rejections: readers.rejections,
  },
  {
    'statements were ended': found >= least,
    // A download is a transaction of a dozen statements: here most of them, or all, are ended again and again.
    'downloads succeed, or say when to try again': Object.keys(downloads.outcomes).every((outcome) =>
      ['200', '503 with Retry-After'].includes(outcome),
    ),
    'a download that failed succeeds when nothing is in its way': again.every(({ status }) => status === 200),
    'no failed read': completed > before && wrong + rejected + misnamed + broken === 0,
  },
);

/** Requests each file of the bulk download, which is then created, until the time is over; counts the outcomes, and collects what failed. */
async function download(): Promise<{ outcomes: Record<string, number>; failed: TestRequest[] }> {
  const outcomes: Record<string, number> = {};
  const failed: TestRequest[] = [];
  const { text } = await client.send(graphql('{ bulkQueries { id } }'), downloadKey);
  const queries: { id: string }[] = JSON.parse(text).data.bulkQueries;
  for (const format of ['csv', 'json', 'ndjson'])
    for (const { id } of queries) {
      if (isOver) return { outcomes, failed };
      const request = { path: '/getQueryResults', body: JSON.stringify({ id, format }) };
      const { status, headers } = await client.send(request, downloadKey);
      const outcome = headers['retry-after'] === undefined ? `${status}` : `${status} with Retry-After`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (status !== 200) failed.push(request);
    }
  return { outcomes, failed };
}
