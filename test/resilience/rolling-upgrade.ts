import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { checkOut, commitBeforeMigrations } from '../support/checkout.ts';
import { databaseUrl } from '../support/global-setup.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { atExit } from './support/at-exit.ts';
import { type FailingGateway, runCommand, startGateway } from './support/gateway.ts';
import { deployedConfiguration, startHaproxy } from './support/haproxy.ts';
import { freePorts } from './support/ports.ts';
import { startEmptyPostgres } from './support/postgres.ts';
import { argument, report, textArgument } from './support/report.ts';
import { GATEWAY_HEADER, startUpgradeReaders, type Version } from './support/upgrade/readers.ts';
import { answersOf, everyFieldOf, requestsOf, seedAs, THIS_ROOT } from './support/upgrade/versions.ts';

// Upgrades two gateways behind haproxy from an earlier commit to this one, as docs/operations.md describes, under clients that
// read: the schema is migrated while both are old and a bulk download runs, one of them starts again on the new schema, and they are replaced one by one.
// They share a Redis, if there is one. Each response is compared with that of its version where nothing disturbs it. Before that, the
// old version answers requests for every field of its schema on the new schema as it did on the old one.

const from = textArgument('from', '') || commitBeforeMigrations();
const clients = argument('clients', 8);
/** Of each phase. */
const seconds = argument('seconds', 3);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const FEWEST_REQUESTS = 50;
/** Longer than a request may wait for the database. */
const LONG_READ_MS = 8_000;

if (from === undefined) {
  process.stderr.write('skipped: no earlier commit is present, as in a shallow clone\n');
  process.exit(0);
}
const old = await checkOut(from);
atExit(() => rmSync(old.root, { recursive: true, force: true }));
const roots: Readonly<Record<Version, string>> = { old: old.root, new: THIS_ROOT };

const postgres = await startEmptyPostgres();
const [served, undisturbed] = [databaseUrl(postgres.url, 'served'), databaseUrl(postgres.url, 'undisturbed')];
await execute('create database served');
const key = await seedAs(old.root, served);
await execute('create database undisturbed template served');

const common = { TODAY: '2024-10-01', PUBLIC_URL: 'http://elections.example', POOL_SIZE: '8' };
const asked = requestsOf(seed, 300);
const everyField = await everyFieldOf(old.root);
const answers = (root: string) =>
  answersOf(root, { ...common, DATABASE_URL: undisturbed }, [...asked, ...everyField], key);
const before = await answers(old.root);
await migrateDatabase(undisturbed);
const [beforeMigrated, after] = [await answers(old.root), await answers(THIS_ROOT)];
const affected = [...asked, ...everyField].filter((_, at) => before[at] !== beforeMigrated[at]);
const requests = asked.flatMap((request, at) => {
  const [oldAnswer, newAnswer] = [before[at], after[at]];
  return oldAnswer === undefined || newAnswer === undefined
    ? []
    : [{ request, answers: { old: oldAnswer, new: newAnswer } }];
});
const changed = requests.filter(({ answers }) => answers.old !== answers.new);

const [first = 0, second = 0, front = 0, redisPort = 0] = await freePorts(4);
const ports: Readonly<Record<string, number>> = { gateway1: first, gateway2: second };
const redis = existsSync(REDIS) ? startRedis(redisPort) : undefined;
atExit(() => redis?.kill('SIGKILL'));
const environment = {
  ...common,
  ...{ DATABASE_URL: served, MAX_IN_FLIGHT_PER_KEY: '64' },
  ...(redis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
};
const gateways = new Map<string, FailingGateway>();
const exitCodes: (number | null)[] = [];
/** The first gateway caches nothing, so that it reads each response from the database. */
const start = async (name: string, version: Version) => {
  const own = { PORT: String(ports[name]), ...(name === 'gateway1' && { RESPONSE_CACHE_BYTES: '0' }) };
  gateways.set(name, await startGateway({ ...environment, ...own }, { root: roots[version] }));
};
await Promise.all(Object.keys(ports).map((name) => start(name, 'old')));
const configuration = await deployedConfiguration({ CLIENTS: front, GATEWAY1: first, GATEWAY2: second });
const marked = configuration.replace(/^backend gateways\n/m, `$&  http-response set-header ${GATEWAY_HEADER} %s\n`);
const haproxy = await startHaproxy(marked, front);

const readers = startUpgradeReaders(`http://127.0.0.1:${front}`, key, requests, clients);
for (const name of gateways.keys()) readers.versions.set(name, 'old');
await phase('both old');
let migrations: readonly string[] = [];
let migrationMs = 0;
await phase('migrations', async () => {
  const { ended } = await readForLong(LONG_READ_MS);
  const began = performance.now();
  migrations = await migrateDatabase(served);
  migrationMs = Math.round(performance.now() - began);
  await ended;
});
await phase('an old one starts again', () => replace('gateway2', 'old'));
await phase('one replaced', () => replace('gateway2', 'new'));
await phase('both replaced', () => replace('gateway1', 'new'));
await readers.stop();

for (const gateway of gateways.values()) exitCodes.push(await gateway.stop());
await haproxy.stop();
redis?.kill('SIGKILL');
await postgres.remove();
await old.remove();

const phases = readers.counts();
const sumOf = (count: 'old' | 'new' | 'failed' | 'wrong') =>
  Object.values(phases).reduce((sum, each) => sum + each[count], 0);
printTable();
report(
  'rolling upgrade',
  {
    ...{ from: old.commit, seed, requests: requests.length, changed: changed.length, sharedRedis: redis !== undefined },
    ...{ migrations, migrationMs, phases, exitCodes, failures: readers.failures },
    firstChanged: changed[0]?.request,
    everyField: before.slice(asked.length).filter((answer) => answer !== undefined).length,
    ...{ affected: affected.length, firstAffected: affected[0] },
  },
  {
    'the old version answers the same on the new schema, for every field':
      everyField.length > 0 && affected.length === 0,
    'both versions answer enough requests': requests.length >= FEWEST_REQUESTS,
    'reads during the migrations': (phases.migrations?.old ?? 0) > 0,
    'both versions side by side': (phases['one replaced']?.old ?? 0) > 0 && (phases['one replaced']?.new ?? 0) > 0,
    'no failed read': sumOf('failed') === 0,
    'no wrong response': sumOf('wrong') === 0,
    'each ended in order': exitCodes.every((code) => code === 0),
  },
);

/** Runs the work of a phase, and lets the clients go on for a while. */
async function phase(name: string, work?: () => Promise<void>): Promise<void> {
  readers.begin(name);
  await work?.();
  await sleep(seconds * 1_000);
}

/** Ends a gateway and starts one of a version at its address. */
async function replace(name: string, version: Version): Promise<void> {
  exitCodes.push((await gateways.get(name)?.stop()) ?? null);
  readers.versions.set(name, version);
  await start(name, version);
}

/** Migrates a database to the schema of this version; returns the names of the migrations. */
async function migrateDatabase(url: string): Promise<readonly string[]> {
  const { code, text } = await runCommand(['migrate'], { DATABASE_URL: url });
  if (code !== 0) throw new Error(`The migrations failed with ${code}:\n${text}`);
  return [...text.matchAll(/^Schema: (\d{4}-\S+)$/gm)].map(([, name = '']) => name);
}

/** Begins a transaction that has read every table, like a long bulk download. */
async function readForLong(ms: number): Promise<{ readonly ended: Promise<void> }> {
  const client = new pg.Client({ connectionString: served });
  await client.connect();
  await client.query('begin');
  const { rows } =
    await client.query(`select format('lock table %s in access share mode', oid::regclass) as lock from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  for (const { lock } of rows) await client.query(lock);
  return { ended: sleep(ms).then(() => client.end()) };
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Writes the figures of the phases as a Markdown table on standard error. */
function printTable(): void {
  const rows = Object.entries(phases).map(([name, each]) => [name, ...Object.values(each)]);
  const table = [['phase', 'old', 'new', 'failed', 'wrong', 'slowest, ms'], Array(6).fill('---'), ...rows];
  process.stderr.write(`${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`);
}
