import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { createClient, graphql } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { COLLECTING, watchMemory } from './support/memory.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, percentile, report } from './support/report.ts';

// A thousand clients of one key read the events of `Subscription.changes` from one gateway, while another key sends small requests one
// after the other; in turns with the same requests without events. Then the feed is read from its start, page by page.

const readers = argument('readers', 1_000);
const events = argument('events', 10);
const PERSONS = 20_000;
/** The data version is read four times a second for all readers. */
const LAST_LIMIT_MS = 3_000;
const QUIET_MS = 3_000;
const AT_ONCE = 100;

const postgres = await startPostgres();
const pool = openPool({ at: { connectionString: postgres.url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 });
const db = openDatabase(pool);
await sql`insert into persons (name) select 'Person ' || n from generate_series(1, ${PERSONS}::int) as n`.execute(db);
const limits = { MAX_READERS_PER_KEY: String(readers), MAX_SOCKETS_PER_ADDRESS: String(2 * readers) };
const gateway = await startGateway({ DATABASE_URL: postgres.url, ...limits }, COLLECTING);
const memory = watchMemory(gateway);
const [key, otherKey] = [await keyOf(postgres.url, 'full'), await keyOf(postgres.url, 'full')];
const client = createClient(gateway.url);

/** When each reader received its last event. */
const received: number[] = [];
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** Opens a subscription from now on; resolves at its first event, which has no changes. */
function subscribe(reader: number): Promise<void> {
  const query = 'subscription { changes { nodes { kind recordId record { id } } next } }';
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, accept: 'text/event-stream', 'content-type': 'application/json' };
    const sent = httpRequest(`${gateway.url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The subscription has the status ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"errors"')) throw new Error(text);
        if (!text.includes('event: next')) return;
        received[reader] = performance.now();
        resolve();
      });
      response.on('error', () => undefined);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ query }));
  });
}

let isProbing = true;
const times = { quiet: [] as number[], event: [] as number[] };
let phase: keyof typeof times = 'quiet';
async function probe(): Promise<void> {
  for (let n = 0; isProbing; n++) {
    const began = performance.now();
    const { status } = await client.send({ path: `/data/districts/point?lat=${42 + n / 1e6}&long=-98` }, otherKey);
    if (status !== 200) throw new Error(`A request of the other key has the status ${status}`);
    times[phase].push(performance.now() - began);
    await sleep(5);
  }
}

await client.send({ path: '/data/districts/point?lat=42&long=-98' }, otherKey);
await memory.sample();
const began = performance.now();
// At most as many at once as may wait for their first page.
for (let reader = 0; reader < readers; reader += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, readers - reader) }, (_, n) => subscribe(reader + n)));
const connectedMs = Math.round(performance.now() - began);
await memory.sample();
const probing = probe();
const lastMs: number[] = [];
for (let event = 0; event < events; event++) {
  phase = 'quiet';
  await sleep(QUIET_MS);
  phase = 'event';
  const committing = performance.now();
  await sql`update persons set url = ${`https://${event}.example`} where id = (select min(id) from persons)`.execute(
    db,
  );
  while (received.some((at) => at < committing) && performance.now() - committing < 30_000) await sleep(5);
  lastMs.push(Math.max(...received) - committing);
}
isProbing = false;
await probing;
await memory.sample();
agent.destroy();
await sleep(1_000);

const pages = {
  changes: await readAll('nodes { kind type recordId fields }'),
  records: await readAll('nodes { kind recordId record { id ... on Person { name url } } }'),
};
const exitCode = await gateway.stop();
client.close();
await db.destroy();
await postgres.remove();
const { residentMiB, heapUsedMiB } = memory.figures().figures;
const p95 = { quiet: percentile(times.quiet, 95), event: percentile(times.event, 95) };
report(
  'readers of changes',
  {
    ...{ readers, events, connectedMs, lastMs: lastMs.map(Math.round), residentMiB, heapUsedMiB, pages },
    otherKeyP95Ms: { quiet: Math.round(p95.quiet), event: Math.round(p95.event) },
    exitCode,
  },
  {
    'each reader received each event in time': lastMs.every((ms) => ms < LAST_LIMIT_MS),
    'the other key was not delayed for long': p95.event < Math.max(3 * p95.quiet, 100),
    'each page has changes': pages.changes.changes > PERSONS && pages.records.changes > PERSONS,
  },
);

/** Reads the feed from its start; returns the pages, and for each the milliseconds that passed, and those of the processor in the gateway. */
async function readAll(selection: string) {
  const [since, processorSince] = [performance.now(), await processorMs()];
  let [after, read, changes] = ['start', 0, 0];
  for (let isUpToDate = false; !isUpToDate; read++) {
    const query = `query ($after: String) { changes(after: $after, first: 100) { ${selection} next isUpToDate } }`;
    const { text } = await client.send(graphql(query, { after }), key);
    const { data } = JSON.parse(text);
    ({ next: after, isUpToDate } = data.changes);
    changes += data.changes.nodes.length;
  }
  const perPage = (ms: number) => Math.round((100 * ms) / read) / 100;
  return {
    read,
    changes,
    ms: perPage(performance.now() - since),
    processorMs: perPage((await processorMs()) - processorSince),
  };
}

/** The processor time of the gateway so far; Linux counts it in hundredths of a second. */
async function processorMs(): Promise<number> {
  const fields = (await readFile(`/proc/${gateway.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
