import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startStoreProxy } from './support/haproxy.ts';
import { startPostgres, startStandby } from './support/postgres.ts';
import { REQUESTS, startReaders } from './support/readers.ts';
import { report } from './support/report.ts';

// Kills the primary PostgreSQL permanently under 8 readers; its streaming standby, behind the same haproxy, is promoted
// half a second later. `pg` does not support connection strings with several hosts, so a proxy is needed in front of
// them.

const READERS = 8;
const LIMIT_MS = 5_000;
const NOTICED_MS = 500;

const primary = await startPostgres();
const standby = await startStandby(primary);
const haproxy = await startStoreProxy(primary, standby);
const { url } = haproxy;
const key = await keyOf(url, 'full');
// By default, requests are rejected when the first of their queue has waited for half a second.
const gateway = await startGateway({ DATABASE_URL: url, RESPONSE_CACHE_BYTES: '0', POOL_WAIT_MS: '5000' });
const readers = await startReaders({ url: gateway.url, key, count: READERS });
await sleep(1_000);

const hit = readers.inFlight;
const killedAt = performance.now();
await primary.kill();
const served = readers.served();
await sleep(NOTICED_MS);
await standby.promote();
const promotedMs = performance.now() - killedAt;
const servedMs = await served;

// A write reaches the new primary, and the gateway reads it from there.
let written = '';
for (; written === '' && performance.now() - killedAt < 30_000; await sleep(100)) {
  written = await keyOf(url, 'lookup').catch(() => '');
}
const client = createClient(gateway.url);
const { status } = await client.send({ path: '/data/districts/point?lat=42&long=-98' }, written);
const writableMs = performance.now() - killedAt;
client.close();
await sleep(1_000);
await readers.stop();
const exitCode = await gateway.stop();
await haproxy.stop();
await primary.remove();
await standby.remove();
const { completed, wrong, rejected, misnamed, broken } = readers.counts;
report(
  'failover to a promoted standby',
  {
    hit,
    ...readers.counts,
    requests: REQUESTS.length,
    slowestMs: readers.slowestMs(),
    servedMs: Math.round(servedMs),
    promotedMs: Math.round(promotedMs),
    writableMs: Math.round(writableMs),
    newKeyStatus: status,
    rejections: readers.rejections,
    exitCode,
  },
  {
    'the failure hit requests': hit > 0 && completed > 0,
    'no wrong response': wrong === 0,
    'no failed request': rejected + misnamed + broken === 0,
    'served again within 5 seconds': servedMs < LIMIT_MS,
    'a write is seen within 5 seconds': status === 200 && writableMs < LIMIT_MS,
    'exits with 0': exitCode === 0,
  },
);
