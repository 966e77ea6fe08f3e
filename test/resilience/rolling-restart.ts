import { setTimeout as sleep } from 'node:timers/promises';
import { type FailingGateway, keyOf, startGateway } from './support/gateway.ts';
import { deployedConfiguration, startHaproxy } from './support/haproxy.ts';
import { freePorts } from './support/ports.ts';
import { startPostgres } from './support/postgres.ts';
import { startReaders } from './support/readers.ts';
import { argument, report } from './support/report.ts';

// Stops two gateways behind haproxy, configured as in `deploy/haproxy.cfg`, with SIGTERM in turn and starts them again,
// ten times, under 32 clients.

const restarts = argument('restarts', 10);
const CLIENTS = 32;
const [first = 0, second = 0, front = 0] = await freePorts(3);
const ports = [first, second];

const postgres = await startPostgres();
const key = await keyOf(postgres.url, 'full');
const environment = {
  DATABASE_URL: postgres.url,
  POOL_SIZE: '8',
  MAX_IN_FLIGHT_PER_KEY: '64',
  // The machine may be busy with other tests: requests that a busy gateway rejects are not the subject.
  MAX_EVENT_LOOP_DELAY_MS: '0',
  RESPONSE_CACHE_BYTES: '0',
};
const start = (port: number) => startGateway({ ...environment, PORT: String(port) });
const gateways: FailingGateway[] = await Promise.all(ports.map(start));
const haproxy = await startHaproxy(
  await deployedConfiguration({ CLIENTS: front, GATEWAY1: first, GATEWAY2: second }),
  front,
);

const readers = await startReaders({ url: `http://127.0.0.1:${front}`, key, count: CLIENTS });
let hit = 0;
const exitCodes: (number | null)[] = [];
for (let restart = 0; restart < restarts; restart++) {
  await sleep(1_000);
  const which = restart % 2;
  hit += readers.inFlight;
  exitCodes.push((await gateways[which]?.stop()) ?? null);
  gateways[which] = await start(ports[which] ?? 0);
}
await sleep(1_000);
await readers.stop();
await Promise.all(gateways.map((gateway) => gateway.stop()));
await haproxy.stop();
await postgres.remove();
const { completed, wrong, rejected, misnamed, broken } = readers.counts;
report(
  'SIGTERM of two gateways in turn behind haproxy',
  { restarts, hit, ...readers.counts, slowestMs: readers.slowestMs(), exitCodes, rejections: readers.rejections },
  {
    'requests were in flight': hit > 0 && completed > 0,
    'no failed request': wrong + rejected + misnamed + broken === 0,
    'each ended in order': exitCodes.length === restarts && exitCodes.every((code) => code === 0),
  },
);
