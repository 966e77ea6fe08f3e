import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './support/client.ts';
import { isReady, keyOf, startGateway, statusOf } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { REQUESTS } from './support/readers.ts';
import { argument, report, Tally } from './support/report.ts';

// Starts the gateway while its PostgreSQL is down: it stays up, reports that it is not ready, and serves requests once
// PostgreSQL is up.

const seconds = argument('seconds', 30);
const LIMIT_MS = 5_000;

const postgres = await startPostgres();
const key = await keyOf(postgres.url, 'full');
await postgres.kill();
const gateway = await startGateway({ DATABASE_URL: postgres.url }, { until: 'listening' });
const client = createClient(gateway.url);

const seen = new Tally();
for (const end = performance.now() + seconds * 1_000; performance.now() < end; await sleep(200)) {
  seen.add(`health ${await statusOf(`${gateway.url}/health`)}`);
  seen.add(`ready ${await statusOf(`${gateway.url}/ready`)}`);
  for (const request of REQUESTS) {
    const { status, headers } = await client.send(request, key);
    seen.add(`request ${status}${headers['retry-after'] ? ' with Retry-After' : ''}`);
  }
}
const logLines = gateway.lines.length;

await postgres.start();
const upAt = performance.now();
let [readyMs, servedMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
for (; performance.now() - upAt < 30_000 && !Number.isFinite(readyMs + servedMs); await sleep(50)) {
  const { status } = await client.send(REQUESTS[0] ?? { path: '/' }, key);
  if (status === 200) servedMs = Math.min(servedMs, performance.now() - upAt);
  if (await isReady(gateway.url)) readyMs = Math.min(readyMs, performance.now() - upAt);
}
client.close();
const exitCode = await gateway.stop();
await postgres.remove();
const expected = ['health 200', 'ready 503', 'request 503 with Retry-After'];
report(
  'a database that is down at the start',
  { seen, readyMs: Math.round(readyMs), servedMs: Math.round(servedMs), logLines, exitCode },
  {
    'requests came while it was down': seen.of('request 503 with Retry-After') > 0,
    'alive, not ready, and each request rejected with 503': Object.keys(seen.toJSON()).every((what) =>
      expected.includes(what),
    ),
    'ready and served within 5 seconds': readyMs < LIMIT_MS && servedMs < LIMIT_MS,
    'exits with 0': exitCode === 0,
  },
);
