import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WORLD } from '../support/world.ts';
import { createClient } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { deployedConfiguration, startHaproxy } from './support/haproxy.ts';
import { freePorts } from './support/ports.ts';
import { type OwnPostgres, startPostgres, startStandby } from './support/postgres.ts';
import { REQUESTS, startReaders } from './support/readers.ts';
import { argument, report } from './support/report.ts';

// Two gateways read from two streaming standbys behind haproxy, configured as in `deploy/haproxy.cfg`. Each standby is
// killed under 16 readers; then one lags behind, and the other one is killed, so that both gateways see old data after
// new.

const seconds = argument('seconds', 6);
const [clients = 0, gateway1 = 0, gateway2 = 0, store1 = 0, store2 = 0] = await freePorts(5);

const primary = await startPostgres();
const key = await keyOf(primary.url, 'full');
const standbys = [await startStandby(primary), await startStandby(primary)] as const;
const haproxy = await startHaproxy(
  await deployedConfiguration({
    ...{ CLIENTS: clients, GATEWAY1: gateway1, GATEWAY2: gateway2, STORE1: store1, STORE2: store2 },
    ...{ STANDBY1: standbys[0].port, STANDBY2: standbys[1].port, DATABASE_USER: 'ballotgraph' },
  }),
  clients,
);
const [one, two] = await Promise.all([startAt(gateway1, store1), startAt(gateway2, store2)]);
await sleep(2_000);

const served = await Promise.all(
  standbys.map((standby) =>
    request(
      standby,
      'select count(*)::int from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()',
    ),
  ),
);
const readers = await startReaders({ url: `http://127.0.0.1:${clients}`, key, count: 16 });
const perSecond: Record<string, number> = {};
await during('both', seconds);
for (const [which, standby] of standbys.entries()) {
  await standby.kill();
  await during(`without ${which + 1}`, seconds);
  await standby.start();
  await during(`${which + 1} back`, seconds);
}
await readers.stop();
const lagging = await lag();

await Promise.all([one.stop(), two.stop()]);
await haproxy.stop();
await Promise.all([...standbys, primary].map((server) => server.remove()));
const { completed, wrong, rejected, misnamed, broken } = readers.counts;
report(
  'two gateways on two standbys behind haproxy, each standby killed',
  { ...readers.counts, perSecond, served, slowestMs: readers.slowestMs(), rejections: readers.rejections, lagging },
  {
    'both standbys served': served.every((count) => count > 0),
    'responds in every phase': completed > 0 && Object.values(perSecond).every((rate) => rate > 0),
    'no failed read': wrong + rejected + misnamed + broken === 0,
    'a gateway saw old data after new': lagging.sawOldAgain,
    'old data is not cached as new': lagging.oldAfterReturn === 0,
    'new data within 1 s where a standby has them': lagging.newAfterMs < 1_000,
  },
);

function startAt(port: number, database: number) {
  return startGateway({
    DATABASE_URL: `postgres://ballotgraph@127.0.0.1:${database}/postgres`,
    PORT: String(port),
    POOL_SIZE: '8',
    MAX_IN_FLIGHT_PER_KEY: '64',
  });
}

async function during(phase: string, length: number): Promise<void> {
  const before = readers.counts.completed;
  await sleep(length * 1_000);
  perSecond[phase] = Math.round((readers.counts.completed - before) / length);
}

/** Returns the single value of a statement on one of the PostgreSQL servers. */
async function request(server: OwnPostgres, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' });
  await client.end();
  return rows[0]?.[0];
}

/** Checks the responses of the second gateway while its backup standby lags behind. */
async function lag() {
  const client = createClient(two.url);
  const isNew = async () => {
    const responses = await Promise.all(REQUESTS.slice(0, 2).map((request) => client.send(request, key)));
    return responses.every(({ status, text }) => status === 200 && text.includes('"New name"'));
  };
  const until = async (wanted: boolean, limitMs = 30_000) => {
    const began = performance.now();
    while ((await isNew()) !== wanted && performance.now() - began < limitMs) await sleep(20);
    return Math.round(performance.now() - began);
  };
  await request(standbys[0], 'select pg_wal_replay_pause()');
  await request(primary, `update districts set name = 'New name' where id = ${WORLD.alpha} returning id`);
  const newAfterMs = await until(true);
  // Long enough that the new data version counts as settled, and new responses are cached.
  await sleep(3_000);
  await until(true);
  await standbys[1].kill();
  await until(false);
  const sawOldAgain = !(await isNew());
  await standbys[1].start();
  await until(true);
  let oldAfterReturn = 0;
  for (const end = performance.now() + 3_000; performance.now() < end; await sleep(20)) {
    if (!(await isNew())) oldAfterReturn++;
  }
  await request(standbys[0], 'select pg_wal_replay_resume()');
  client.close();
  return { newAfterMs, sawOldAgain, oldAfterReturn };
}
