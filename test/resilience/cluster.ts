import { setTimeout as sleep } from 'node:timers/promises';
import { revokeApiKey } from '../../src/gateway/access/access.store.ts';
import { isMigrated } from '../../src/store/migrate.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { createClient } from './support/client.ts';
import { startClients } from './support/cluster/clients.ts';
import { missingCommands, startCluster } from './support/cluster/cluster.ts';
import { KINDS, type Kind, killOne } from './support/cluster/kills.ts';
import { requestsOf, SAME, startUndisturbed } from './support/cluster/undisturbed.ts';
import { startWriter } from './support/cluster/writer.ts';
import { keyOf, runCommand } from './support/gateway.ts';
import { argument, report, textArgument } from './support/report.ts';

// Starts the cluster of `deploy/cluster` on this machine, and kills its parts with SIGKILL in random order under clients that
// read, a writer and imports, one at a time, with switchovers in between. The responses are compared with those of a service
// on the same data that nothing disturbs.

const kills = argument('kills', 100);
const seed = argument('seed', Math.floor(Math.random() * 1_000_000));
const clientCount = argument('clients', 6);
/** No kill begins after so many seconds. */
const seconds = argument('seconds', Number.POSITIVE_INFINITY);
/** After so many kills each, an import and a switchover. */
const importEvery = argument('import-every', 5);
const switchEvery = argument('switch-every', 10);
const only = textArgument('only', '');
const kinds = KINDS.filter((kind) => only === '' || only.split(',').includes(kind));
const WHOLE_LIMIT_MS = 120_000;
/** A revoked key is rejected within 5 seconds; the measurement itself takes some time. */
const REVOKED_LIMIT_MS = 5_500;
/** The same while a gateway reads from a standby that has no leader: `MAX_REPLICA_LAG_S` of `gateway.env`, and 5 seconds. */
const REVOKED_DISTURBED_LIMIT_MS = 65_000;

const missing = missingCommands();
if (missing.length > 0) {
  process.stderr.write(`skipped: the cluster needs ${missing.join(', ')}\n`);
  process.exit(0);
}
const writeLine = (line: string) => process.stderr.write(`${line}\n`);
writeLine(`seed ${seed}`);
const draw = seeded(seed);

const requests = requestsOf(seed);
const undisturbed = await startUndisturbed(requests);
let answers = await undisturbed.answers();
// The second gateway caches nothing, so that each of its responses is read from the database.
const cluster = await startCluster((front) => ({ ...SAME, ...(front === 2 && { RESPONSE_CACHE_BYTES: '0' }) }));
const [writeUrl = '', otherWriteUrl = ''] = cluster.writeUrls;
await undisturbed.copyTo(writeUrl);
const migrated = await runCommand(['migrate'], { DATABASE_URL: writeUrl });
if (migrated.code !== 0) throw new Error(migrated.text);
await Promise.all(cluster.readUrls.map(untilMigrated));
for (const { gateway } of cluster.fronts) gateway.start();
await untilWhole();
writeLine('the cluster is whole');

let disturbance = 'the start';
const clients = startClients({
  ...{ urls: cluster.urls, key: undisturbed.key, count: clientCount, requests, seed },
  disturbance: () => disturbance,
});
clients.expect(answers);
const writer = await startWriter(cluster.writeUrls);

interface Figures {
  kills: number;
  /** Milliseconds until everything works again, until the slowest response, and without writes: the longest. */
  wholeMs: number;
  slowestMs: number;
  withoutWritesMs: number;
}
const byKind: Record<string, Figures> = {};
const imports = { completed: 0, failed: 0, switchovers: 0, slowestSeenMs: 0 };
const revoked = { undisturbedMs: 0, disturbedMs: 0 };

revoked.undisturbedMs = await revokeKey();
let order: Kind[] = [];
const lastStart = performance.now() + seconds * 1_000;
let done = 0;
for (let kill = 1; kill <= kills && performance.now() < lastStart; kill++) {
  if (order.length === 0) order = shuffled(kinds);
  const kind = order.pop() as Kind;
  const importing = kill % importEvery === 0 ? importNext() : undefined;
  // Somewhere within the import.
  if (importing) await sleep(draw() * 4_000);
  const revoking = kill % importEvery === 1 ? revokeKey() : undefined;
  await disturb(kind, async () => void (await killOne(cluster, kind, draw)));
  await importing;
  done++;
  revoked.disturbedMs = Math.max(revoked.disturbedMs, (await revoking) ?? 0);
  if (kill % switchEvery === 0) {
    await disturb('switchover', () => cluster.switchOver());
    imports.switchovers++;
  }
}
await clients.stop();
const lostWrites = await writer.stop();
const programs = cluster.programs.map(({ name, pid }) => [name, pid] as const);
const logged = await linesAbout(clients.failures);
await cluster.remove();
await undisturbed.remove();
const left = programs.filter(([, pid]) => isAlive(pid));

const { correct, wrong, failed } = clients.counts;
report(
  'kills in a cluster',
  {
    seed,
    kills: done,
    ...clients.counts,
    times: clients.times(),
    byKind,
    imports,
    revoked,
    writes: writer.acknowledged,
    lostWrites,
    left,
    failures: clients.failures,
    logged,
  },
  {
    'no failed read': correct > 0 && failed === 0,
    'no wrong or mixed response': wrong === 0,
    'each import was seen': imports.completed === Math.floor(done / importEvery),
    'no acknowledged write lost': writer.acknowledged > 0 && lostWrites === 0,
    'a revoked key is rejected within 5 seconds': revoked.undisturbedMs < REVOKED_LIMIT_MS,
    'and within the lag that gateways accept during a failure': revoked.disturbedMs < REVOKED_DISTURBED_LIMIT_MS,
    'no process left': left.length === 0,
  },
);

/** Disturbs the cluster, waits until it is whole again, and adds the figures. */
async function disturb(what: Kind | 'switchover', work: () => Promise<void>): Promise<void> {
  disturbance = what;
  clients.mayRepeat = what === 'haproxy';
  clients.sinceLast();
  writer.longestGap();
  const began = performance.now();
  await work();
  await untilWhole();
  const wholeMs = Math.round(performance.now() - began);
  // What fails late belongs to this disturbance, too.
  await sleep(1_000);
  clients.mayRepeat = false;
  const { slowestMs } = clients.sinceLast();
  const withoutWritesMs = writer.longestGap();
  byKind[what] ??= { kills: 0, wholeMs: 0, slowestMs: 0, withoutWritesMs: 0 };
  const figures = byKind[what];
  figures.kills++;
  for (const [name, ms] of Object.entries({ wholeMs, slowestMs, withoutWritesMs }))
    figures[name as keyof Figures] = Math.max(figures[name as keyof Figures], ms);
  writeLine(
    `${what}: whole after ${wholeMs} ms, slowest ${slowestMs} ms, without writes ${withoutWritesMs} ms, ${clients.counts.failed} failed, ${clients.counts.wrong} wrong`,
  );
}

/**
 * Waits until the member that the gateway of a front machine reads from has the migrated schema. A gateway that starts on a
 * standby without it ends; systemd would start it again.
 */
async function untilMigrated(connectionString: string): Promise<void> {
  const at = { connectionString };
  const db = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 2_000 }));
  const end = performance.now() + WHOLE_LIMIT_MS;
  let problem: unknown = 'its schema is old';
  const isReady = () =>
    isMigrated(db).catch((error) => {
      problem = error;
      return false;
    });
  while (!(await isReady())) {
    if (performance.now() > end) throw new Error('The member of a front machine is not migrated', { cause: problem });
    await sleep(200);
  }
  await db.destroy();
}

/** Returns the lines that the gateways have logged about the request ids in the texts. */
async function linesAbout(failures: readonly string[]): Promise<string[]> {
  const ids = failures.flatMap((text) => /"request_?[iI]d":\s*"([^"]+)"/.exec(text)?.[1] ?? []);
  const logs = await Promise.all(cluster.fronts.map(({ gateway }) => gateway.log()));
  return logs.flatMap((log) => log.split('\n')).filter((line) => ids.some((id) => line.includes(id)));
}

/** Waits until every program has worked for a second. */
async function untilWhole(): Promise<void> {
  let found: string[] = [];
  let times = 0;
  for (const end = performance.now() + WHOLE_LIMIT_MS; performance.now() < end && times < 5; await sleep(200)) {
    found = await cluster.missing();
    times = found.length === 0 ? times + 1 : 0;
  }
  if (times >= 5) return;
  const logs = await Promise.all(
    cluster.programs.map(async (each) => `${each.name}:\n${(await each.log()).slice(-1_500)}`),
  );
  throw new Error(`The cluster is not whole: ${found.join(', ')}\n${logs.join('\n')}`);
}

/** Imports the next edition, again if the leader fails meanwhile, and waits until every gateway has it. */
async function importNext(): Promise<void> {
  const args = await undisturbed.importNext();
  const next = await undisturbed.answers();
  clients.expect(answers, next);
  const began = performance.now();
  for (let attempt = 0; ; attempt++) {
    const url = attempt % 2 === 0 ? writeUrl : otherWriteUrl;
    const { code, text } = await runCommand(['import', ...args], { DATABASE_URL: url });
    if (code === 0) break;
    imports.failed++;
    if (performance.now() - began > WHOLE_LIMIT_MS) throw new Error(`The import failed with ${code}:\n${text}`);
    await sleep(1_000);
  }
  imports.completed++;
  const committed = performance.now();
  const changed = requests.findIndex((_, which) => answers[which] !== next[which]);
  for (const { address } of cluster.fronts) {
    const client = createClient(`http://${address}:4000`);
    const isNew = async () => {
      const request = requests[changed];
      const response = request && (await client.send(request, undisturbed.key).catch(() => undefined));
      return response?.text === next[changed];
    };
    while (!(await isNew()) && performance.now() - committed < WHOLE_LIMIT_MS) await sleep(50);
    client.close();
  }
  imports.slowestSeenMs = Math.max(imports.slowestSeenMs, Math.round(performance.now() - committed));
  answers = next;
}

/** Creates a key, revokes it, and returns the milliseconds until no gateway accepts it. */
async function revokeKey(): Promise<number> {
  const key = await untilWritten(() => keyOf(writeUrl, 'full'));
  const gateways = cluster.fronts.map(({ address }) => createClient(`http://${address}:4000`));
  const path = '/data/election_dates/list?state=AK&year=2022';
  const statusAt = async (client: (typeof gateways)[number]) =>
    (await client.send({ path }, key).catch(() => undefined))?.status;
  const until = async (status: number) => {
    const began = performance.now();
    for (const client of gateways)
      while ((await statusAt(client)) !== status && performance.now() - began < WHOLE_LIMIT_MS) await sleep(50);
    return Math.round(performance.now() - began);
  };
  await until(200);
  const db = openDatabase(
    openPool({ at: { connectionString: writeUrl }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }),
  );
  const prefix = key.split('_')[1] ?? '';
  await untilWritten(() => revokeApiKey(db, prefix));
  const took = await until(401);
  await db.destroy();
  for (const client of gateways) client.close();
  return took;
}

/** Repeats a write until the leader has acknowledged it. */
async function untilWritten<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + WHOLE_LIMIT_MS; ; await sleep(500)) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => [draw(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
