import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadFolder } from '../../src/importers/load/load.ts';
import { readLock } from '../../src/store/embedded/data-lock.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { codeIn, createClient } from './support/client.ts';
import { connectionTo, makeEmbedded } from './support/embedded.ts';
import { type FailingGateway, startGateway } from './support/gateway.ts';
import { freePorts } from './support/ports.ts';
import { type Readers, startReaders } from './support/readers.ts';
import { argument, report, Tally } from './support/report.ts';

// Provokes failures of the embedded database under readers that know the correct responses: runaway statements, errors
// that PGlite swallows, sessions that return wrong results from then on, a second opener; and `kill -9` of the database
// and of the gateway in turn while data are loaded.

const kills = argument('kills', 20);
const rounds = argument('rounds', 3);
const READERS = 4;
const LIMIT_MS = 5_000;

/** Raises an exception in GEOS, for which PGlite returns no rows and no error. */
const SWALLOWED = `ST_Intersection(ST_GeomFromText('POLYGON((0 0,2 2,2 0,0 2,0 0))'), ST_GeomFromText('POLYGON((0 0,1 0,1 2,0 1,0 0))'))`;
/** Stored queries by id. That they run away or fail is not known when they are planned. */
const STORED: Readonly<Record<string, string>> = {
  'run-away': 'select count(*) as count from generate_series(1, 10000000000) as n',
  swallowed: `select name, ST_AsText(${SWALLOWED}) as shape from districts`,
  'in-order': 'select id, name from districts order by id',
};
/** After each of these, a session that is not discarded returns nothing for `select 1`. */
const POISON = [
  `create table if not exists poured (line text); copy poured to program 'cat'`,
  'create or replace function deeper() returns int language plpgsql as $$ begin return deeper() + 1; end $$; select deeper()',
];

const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
const dataDir = join(folder, 'data');
const queries = join(folder, 'queries');
await mkdir(queries);
for (const [id, sql] of Object.entries(STORED)) {
  await writeFile(
    join(queries, `${id}.sql`),
    `-- title: ${id}\n-- description: A query of the resilience test.\n-- grants: districts\n${sql}\n`,
  );
}
const { full: key } = await makeEmbedded(dataDir);
const [port = 0] = await freePorts(1);
const environment = {
  DATA_DIR: dataDir,
  QUERIES_DIR: queries,
  PORT: String(port),
  RESPONSE_CACHE_BYTES: '0',
};
let gateway: FailingGateway = await startGateway(environment);
const client = createClient(gateway.url);
const reopened = new Tally();
/** Counts why the database was reopened, from the log of a gateway that has exited. */
function countReopenings({ lines }: FailingGateway): void {
  for (const line of lines.filter((text) => text.includes('is being reopened'))) {
    reopened.add(line.startsWith('{') ? JSON.parse(line).reason : line);
  }
}
const startReading = () => startReaders({ url: gateway.url, key, count: READERS, pauseMs: 20 });

const outcomes = new Tally();
const slowestMs: Record<string, number> = {};
const wrongResponses: unknown[] = [];
const rejections: unknown[] = [];
let [hit, rejected, rejectedAtKills, unfinished] = [0, 0, 0, 0];

/** Causes a failure under readers, and waits until they are served again. */
async function underReaders(name: string, problem: (readers: Readers) => Promise<unknown>): Promise<void> {
  const readers = await startReading();
  await sleep(300);
  hit += readers.inFlight;
  await problem(readers);
  const isServed = await Promise.race([readers.served().then(() => true), sleep(30_000, false, { ref: false })]);
  if (!isServed) unfinished++;
  await readers.stop();
  slowestMs[name] = Math.max(slowestMs[name] ?? 0, readers.slowestMs());
  const failed = readers.counts.rejected + readers.counts.misnamed + readers.counts.broken;
  if (failed > 0) rejections.push({ [name]: readers.rejections });
  rejected += failed;
  if (readers.counts.wrong > 0 || readers.counts.misnamed > 0) wrongResponses.push({ [name]: readers.rejections });
}

/** Requests a file of a stored query; returns the status of the response. */
async function fileOf(id: string): Promise<string> {
  const { status, text } = await client.send(
    { path: '/getQueryResults', body: JSON.stringify({ id, format: 'csv' }) },
    key,
  );
  return `${status} ${codeIn(text)}`.trim();
}

/** Runs a statement in parallel with the gateway; returns the code of its error, or the number of its rows. */
async function fromSecondClient(sql: string): Promise<string> {
  const direct = new pg.Client({ ...(await connectionTo(dataDir)) });
  direct.on('error', () => undefined);
  try {
    await direct.connect();
    const results = [await direct.query(sql)].flat();
    return `${results.at(-1)?.rows.length ?? 0} rows`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke';
  } finally {
    await direct.end().catch(() => undefined);
  }
}

/** Returns the first result of the session that is not rejected because it is being reopened. */
async function firstResponse(): Promise<string> {
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(100)) {
    const response = await fromSecondClient('select 1 as one').catch(() => 'no process has it open');
    if (response.endsWith('rows')) return response;
  }
  return 'no response';
}

for (let round = 0; round < rounds; round++) {
  for (const id of ['run-away', 'swallowed']) {
    await underReaders(id, async () => outcomes.add(`${id}: ${await fileOf(id)}`));
  }
  await underReaders('swallowed, second client', async () =>
    outcomes.add(`swallowed, second client: ${await fromSecondClient(`select ${SWALLOWED}`)}`),
  );
  for (const [which, sql] of POISON.entries()) {
    await underReaders(`poison ${which}`, async () => {
      const response = await fromSecondClient(sql);
      outcomes.add(`poison ${which}: ${response.endsWith('rows') ? response : 'an error'}`);
      outcomes.add(`after poison: ${await firstResponse()}`);
    });
  }
  await underReaders('second opener', async () => {
    const second = await startGateway({ ...environment, PORT: '0' }).catch((error: Error) => error.message);
    const isRejected = typeof second === 'string' && second.includes(`open in process ${gateway.pid}`);
    outcomes.add(`second opener: ${isRejected ? 'rejected' : 'admitted'}`);
    if (typeof second !== 'string') await second.stop();
  });
  outcomes.add(`in-order: ${await fileOf('in-order')}`);
}

const acknowledged: number[] = [];
const lost: number[] = [];
let [killedWhileLoading, loading, isOver] = [0, 0, false];

/** Loads datasets one after the other, each with one person, into the database of the running gateway. */
async function loadOnAndOn(): Promise<void> {
  const dataset = join(folder, 'dataset');
  await mkdir(dataset);
  await writeFile(
    join(dataset, 'dataset.json'),
    JSON.stringify({ name: 'Loads', license: 'CC0-1.0', source: 'made up', as_of: '2024-01-15' }),
  );
  for (let id = 1_000_001; !isOver; id++) {
    await writeFile(join(dataset, 'persons.csv'), `id,name\n${id},Load ${id}\n`);
    try {
      const db = openDatabase(
        openPool({ at: await connectionTo(dataDir), size: 1, statementTimeoutMs: 0, waitMs: 20_000 }),
      );
      try {
        loading++;
        await loadFolder(db, dataset);
        acknowledged.push(id);
      } finally {
        loading--;
        await db.destroy();
      }
      // All share one session, and a load is one transaction: readers wait for each load.
      await sleep(300);
    } catch {
      await sleep(50);
    }
  }
}

const recoveriesMs: number[] = [];
const killsAt = new Tally();
const loader = loadOnAndOn();
let [inFlight, wrong] = [0, 0];
for (let kill = 0; kill < kills; kill++) {
  await sleep(500 + Math.random() * 1_000);
  const readers = await startReading();
  while (loading === 0) await sleep(1);
  await sleep(Math.random() * 50);
  const isGateway = kill % 2 === 1;
  const writer = (await readLock(dataDir))?.writer;
  if (loading > 0) killedWhileLoading++;
  inFlight += readers.inFlight;
  const began = performance.now();
  if (isGateway) {
    await gateway.stop('SIGKILL');
    countReopenings(gateway);
    gateway = await startGateway(environment);
  } else if (writer) {
    process.kill(writer.pid, 'SIGKILL');
    await sleep(20);
  }
  await readers.served();
  if (!isGateway) recoveriesMs.push(Math.round(performance.now() - began));
  killsAt.add(isGateway ? 'gateway' : 'store');
  await readers.stop();
  wrong += readers.counts.wrong + readers.counts.misnamed;
  if (!isGateway) rejectedAtKills += readers.counts.rejected + readers.counts.broken;
  const direct = new pg.Client({ ...(await connectionTo(dataDir)) });
  await direct.connect();
  const { rows } = await direct.query('select id from persons where id > 1000000');
  await direct.end();
  const found = new Set(rows.map(({ id }) => id));
  lost.push(...acknowledged.filter((id) => !found.has(id)));
}
isOver = true;
await loader;
client.close();
const exitCode = await gateway.stop();
countReopenings(gateway);
await rm(folder, { recursive: true });

const slowest = Math.max(...Object.values(slowestMs));
report(
  'embedded database',
  {
    rounds,
    hit,
    outcomes,
    slowestMs,
    rejected,
    rejections,
    rejectedAtKills,
    unfinished,
    wrongResponses,
    kills: killsAt,
    killedWhileLoading,
    inFlight,
    recoveriesMs,
    reopened,
    loads: acknowledged.length,
    lost,
    exitCode,
  },
  {
    'the failures hit requests': hit > 0 && inFlight > 0 && killedWhileLoading > 0,
    'run-away statements are ended': outcomes.of('run-away: 504 DEADLINE_EXCEEDED') === rounds,
    'no silently empty response':
      wrongResponses.length === 0 &&
      wrong === 0 &&
      outcomes.of('swallowed, second client: XX000') === rounds &&
      POISON.every((_, which) => outcomes.of(`poison ${which}: an error`) === rounds) &&
      outcomes.of('after poison: 1 rows') === rounds * POISON.length,
    'no file of a swallowed error': outcomes.of('swallowed: 200') === 0 && outcomes.of('in-order: 200') === rounds,
    'the second opener is rejected': outcomes.of('second opener: rejected') === rounds,
    'other requests are served within 5 seconds': slowest < LIMIT_MS && rejected === 0 && unfinished === 0,
    'served again within 5 seconds of a kill of the database': recoveriesMs.every((ms) => ms < LIMIT_MS),
    'no acknowledged load is lost': acknowledged.length > 0 && lost.length === 0,
    'exits with 0': exitCode === 0,
  },
);
