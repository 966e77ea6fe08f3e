import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { openDatabase, openPool, type PoolSettings } from '../../src/store/sql/database.ts';
import { CALLERS, runCopy } from '../changes/copy/run.ts';
import { runStep } from '../changes/copy/steps.ts';
import { TRANSPORTS, type TransportName } from '../changes/copy/transports.ts';
import { createDraw } from '../drawn/random.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { REDIS, startRedis } from '../support/redis.ts';
import { liftRateLimits } from '../support/unlimited.ts';
import { startGateway } from './support/gateway.ts';
import { deployedConfiguration, startHaproxy, startStoreProxy } from './support/haproxy.ts';
import { ownBackend } from './support/own-backend.ts';
import { freePorts } from './support/ports.ts';
import { startPostgres, startStandby } from './support/postgres.ts';
import { argument, report, textArgument } from './support/report.ts';

// Changes a country at random, by imports, withdrawals, merges, splits and edits, while processes that keep a copy by the feed
// alone are killed again and again, and compares the copies with all records of the tables. On a server, two change it at once,
// and the copies read two gateways with one Redis behind haproxy; half-way the primary fails, with changes that its standby lacks.

const imports = argument('imports', 20);
const kills = argument('kills', 50);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';
const names = Object.keys(TRANSPORTS);
const transports = textArgument('transports', names.join()).split(',') as TransportName[];
if (!transports.every((name) => names.includes(name))) throw new Error(`--transports are of ${names.join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'change-files-'));
const environment = { MAX_IN_FLIGHT_PER_KEY: '100', FILES_DIR: folder };
const openAt = (at: PoolSettings['at'], size: number) =>
  openPool({ at, size, statementTimeoutMs: 0, waitMs: 30_000 }).on('error', () => undefined);

const service = await (kind === 'server' ? startCluster() : startEmbedded());
const { db } = service;
await liftRateLimits(db);
const callers = await Promise.all(
  Object.entries(CALLERS).map(async ([name, grants]) => ({ name, grants, key: await createApiKey(db, name) })),
);
const began = performance.now();
const run = await runCopy({ ...service, callers, transports, seed, imports, kills });
const seconds = Math.round((performance.now() - began) / 1_000);
await service.remove();
await rm(folder, { recursive: true });
report(
  'changes',
  { database: kind, transports, seed, ...run, redis: existsSync(REDIS), seconds },
  {
    'as many imports and kills as requested': run.imports >= imports && run.kills >= kills,
    'no record of a copy differs': run.differences.length === 0,
    'after the failover copies begin again, and only then': run.restarts > 0 === (kind === 'server'),
    'there are records': Object.values(run.records).every((count) => count > 50),
  },
);

async function startEmbedded() {
  const backend = await ownBackend('embedded');
  const pool = openAt(backend.at, 1);
  const own = openDatabase(pool);
  const app = await buildDatabaseApp({ db: own, pool }, environment, { kind: 'embedded' });
  const urls = [await app.listen({ port: 0, host: '127.0.0.1' })];
  const remove = async () => {
    await app.close();
    await own.destroy();
    await backend.remove();
  };
  return { db: own, urls: { graphql: urls, sse: urls, rest: urls, files: urls }, remove };
}

async function startCluster() {
  const primary = await startPostgres({ settings: ['fsync=off'], fill: () => Promise.resolve() });
  const standby = await startStandby(primary);
  const stores = await startStoreProxy(primary, standby);
  const [front = 0, redisPort = 0] = await freePorts(2);
  const redis = existsSync(REDIS) ? startRedis(redisPort) : undefined;
  const own = openDatabase(openAt({ connectionString: stores.url }, 4));
  const settings = {
    ...{ ...environment, DATABASE_URL: stores.url, POOL_WAIT_MS: '5000' },
    ...(redis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
  };
  const gateways = await Promise.all([1, 2].map(() => startGateway(settings)));
  const direct = gateways.map(({ url }) => url);
  const [GATEWAY1 = '', GATEWAY2 = ''] = direct.map((url) => new URL(url).host);
  const balancer = await startHaproxy(await deployedConfiguration({ CLIENTS: front, GATEWAY1, GATEWAY2 }), front);
  const balanced = [`http://127.0.0.1:${front}`];

  /**
   * Lets the primary fail, with changes that copies have read and its standby has not. Those by REST read values later than their cursors
   * say (docs/changes.md), unless they have the newest change.
   */
  async function halfway(untilRead: (names: readonly TransportName[]) => Promise<void>): Promise<void> {
    const replaying = openDatabase(openAt({ connectionString: standby.url }, 1));
    await sql`alter system set primary_conninfo = ''`.execute(replaying);
    await sql`select pg_reload_conf()`.execute(replaying);
    await replaying.destroy();
    await sleep(1_000);
    await runStep(own, 'parts', createDraw(seed));
    await runStep(own, 'edits', createDraw(seed));
    await untilRead(['rest', 'files']);
    await primary.kill();
    await standby.promote();
    const isWritable = () =>
      sql`create temp table writable ()`.execute(own).then(
        () => true,
        () => false,
      );
    while (!(await isWritable())) await sleep(100);
  }
  const remove = async () => {
    for (const { stop } of gateways) await stop();
    await own.destroy();
    for (const { stop } of [balancer, stores]) await stop();
    redis?.kill('SIGKILL');
    for (const server of [primary, standby]) await server.remove();
  };
  // The records of REST are read from the gateway whose page told of them.
  const urls = { graphql: balanced, sse: balanced, rest: direct, files: direct };
  return { db: own, urls, halfway, writers: 2, remove };
}
