import { setTimeout as sleep } from 'node:timers/promises';
import { readPastConflicts } from '../src/store/past-conflicts.ts';
import { runCommand } from '../test/resilience/support/gateway.ts';
import { startCopy, startStandby } from '../test/resilience/support/postgres.ts';
import { withClient } from './database/build.ts';
import { startLoad } from './load.ts';
import { readSamples, requestsOf } from './samples.ts';
import { startServer } from './servers.ts';
import { markdownTable, median } from './tables.ts';
import { ROOT, SERVERS, TARGETS } from './targets.ts';

// Measures reads on a streaming standby while its primary writes as an import does: new votes of all candidates in one transaction, then
// the removal of the old rows. Both servers are copies of the one at DATABASE_URL, and are removed.

const CONNECTIONS = 16;
const POOL = 4;
const ROUNDS = 3;
const SECONDS = 10;
const WRITE = 'update candidates set votes_for_cand = coalesce(votes_for_cand, 0) + 1';
/** A standby applies changes within a second (deploy/cluster/patroni.yml), and may tell its primary which rows it still reads. */
const STANDBYS = { 'as deployed': [], 'with hot_standby_feedback': ['hot_standby_feedback=on'] } as const;
type StandbyName = keyof typeof STANDBYS;

const original = process.env.DATABASE_URL ?? '';
const { pathname } = new URL(original);
const at = (url: string) => new URL(pathname, url).href;
const memory = 'shared_buffers=512MB';
const primary = await startCopy({ url: original }, { settings: [memory, 'max_wal_senders=10'] });
// A standby could not be migrated.
const migrated = await runCommand(['migrate'], { DATABASE_URL: at(primary.url) });
if (migrated.code !== 0) throw new Error(migrated.text);
const query = (url: string, statement: string) =>
  withClient(url, async (client) => Number(Object.values((await client.query(statement)).rows[0] ?? {})[0]));
const sent = () => query(at(primary.url), `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`);
const spec = SERVERS.find(({ name }) => name === 'gateway');
const target = TARGETS.find(({ name }) => name === 'graphql');
if (!spec || !target) throw new Error(`There is no gateway among the servers of ${ROOT}`);

const { sample } = await readSamples(at(primary.url));
const requests = requestsOf(target, 'ballot', sample);
const load = startLoad();

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
  readonly most: number;
  readonly failed: number;
  readonly conflicts: number;
}

/** Writes until the signal is aborted, and returns how often. */
async function write(signal: AbortSignal): Promise<number> {
  return withClient(at(primary.url), async (client) => {
    for (let times = 0; ; times++) {
      if (signal.aborted) return times;
      await client.query(WRITE);
      await client.query('vacuum candidates');
      await sleep(1_000);
    }
  });
}

const rows: string[][] = [];
try {
  for (const name of Object.keys(STANDBYS) as StandbyName[]) {
    const settings = ['max_standby_streaming_delay=1s', memory, ...STANDBYS[name]];
    const standby = await startStandby(primary, { settings });
    const url = at(standby.url);
    const server = await startServer(spec, { databaseUrl: url, pool: POOL, processes: 1 });
    const conflicts = () =>
      readPastConflicts(() =>
        query(
          url,
          'select confl_snapshot + confl_lock + confl_bufferpin from pg_stat_database_conflicts where datname = current_database()',
        ),
      );
    const measure = async (duration: number): Promise<Measured> => {
      const before = await conflicts();
      const result = await load.run({ url: server.url, connections: CONNECTIONS, requests, duration });
      const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0);
      return { ...result, failed, conflicts: (await conflicts()) - before };
    };
    const measured: Record<'nothing' | 'import', Measured[]> = { nothing: [], import: [] };
    let [writes, bytes] = [0, 0];
    await measure(3);
    for (let round = 0; round < ROUNDS; round++) {
      measured.nothing.push(await measure(SECONDS));
      const [stop, from] = [new AbortController(), await sent()];
      const writing = write(stop.signal);
      measured.import.push(await measure(SECONDS));
      stop.abort();
      writes += await writing;
      bytes += (await sent()) - from;
    }
    await server.stop();
    await standby.remove();
    for (const [what, all] of Object.entries(measured))
      rows.push([
        name,
        what === 'import' ? `${writes} times, ${Math.round(bytes / 1e6)} MB of log` : 'nothing',
        ...[
          Math.round(median(all.map(({ perSecond }) => perSecond))),
          Math.round(median(all.map(({ p99 }) => p99))),
        ].map(String),
        String(Math.round(Math.max(...all.map(({ most }) => most)))),
        ...(['failed', 'conflicts'] as const).map((figure) => String(all.reduce((sum, each) => sum + each[figure], 0))),
      ]);
  }
} finally {
  load.stop();
  await primary.remove();
}
const head = ['standby', 'written meanwhile', 'requests/s', 'p99 ms', 'slowest ms', 'failed', 'statements ended'];
process.stdout.write(`${markdownTable(head, rows).join('\n')}\n`);
