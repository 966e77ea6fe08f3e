import { setTimeout as sleep } from 'node:timers/promises';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { startReaders } from './support/readers.ts';
import { argument, report } from './support/report.ts';

// Kills the whole PostgreSQL with `kill -9` every 10 seconds under 8 readers, which know the correct responses.

const seconds = argument('seconds', 120);
const every = argument('every', 10);
const READERS = 8;

const postgres = await startPostgres();
const key = await keyOf(postgres.url, 'full');
// Without a cache, so that every request needs the database.
const gateway = await startGateway({ DATABASE_URL: postgres.url, RESPONSE_CACHE_BYTES: '0' });
const readers = await startReaders({ url: gateway.url, key, count: READERS });

let [kills, hit] = [0, 0];
const recoveries: number[] = [];
const outages: number[] = [];
for (const end = performance.now() + seconds * 1_000; performance.now() + every * 1_000 <= end; ) {
  await sleep(every * 1_000);
  hit += readers.inFlight;
  kills++;
  await postgres.kill();
  const downAt = performance.now();
  const served = readers.served();
  await postgres.start();
  outages.push(performance.now() - downAt);
  recoveries.push(await served);
}
await sleep(2_000);
await readers.stop();
const logLines = gateway.lines.length;
const exitCode = await gateway.stop();
await postgres.remove();
const { completed, wrong, rejected, misnamed, broken } = readers.counts;
report(
  'kill -9 of PostgreSQL under readers',
  {
    kills,
    hit,
    ...readers.counts,
    slowestMs: readers.slowestMs(),
    recoveriesMs: recoveries.map(Math.round),
    outagesMs: outages.map(Math.round),
    rejections: readers.rejections,
    logLines,
    exitCode,
  },
  {
    'the failure hit requests': hit > 0 && kills > 0 && completed > 0,
    'no wrong response': wrong === 0,
    'no failed request': rejected + misnamed + broken === 0,
    'served again within 5 seconds': Math.max(...recoveries) < 5_000,
    'exits with 0': exitCode === 0,
  },
);
