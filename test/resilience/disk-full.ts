import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeIn, createClient, graphql } from './support/client.ts';
import { makeEmbedded } from './support/embedded.ts';
import { type FailingGateway, isReady, keyOf, runCommand, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { type Readers, startReaders } from './support/readers.ts';
import { report, Tally } from './support/report.ts';
import { mountSmallDisk } from './support/small-disk.ts';

// Fills the disk under PostgreSQL's data, under finished export files, and under the embedded database, each on a
// separate small file system: data are loaded into the full database under 4 readers, and again when there is free
// space. Mounting requires root.

const READERS = 4;
const LIMIT_MS = 5_000;
const PERSONS = 40_000;

const work = await mkdtemp(join(tmpdir(), 'resilience-'));
const dataset = join(work, 'dataset');
await mkdir(dataset);
const about = { name: 'Many', license: 'CC0-1.0', source: 'made up', as_of: '2024-01-15' };
await writeFile(join(dataset, 'dataset.json'), JSON.stringify(about));
const rows = Array.from({ length: PERSONS }, (_, n) => `${1_000_000 + n},Manyfold ${n}\n`);
await writeFile(join(dataset, 'persons.csv'), `id,name\n${rows.join('')}`);

const held: Record<string, boolean> = {};
const figures: Record<string, unknown> = {};
const COUNT = graphql('{ people(name: "Manyfold", first: 1) { totalCount } }');

interface DatabaseOnDisk {
  readonly name: string;
  readonly gateway: FailingGateway;
  readonly key: string;
  readonly environment: Record<string, string>;
  readonly disk: Awaited<ReturnType<typeof mountSmallDisk>>;
  /** Restarts the server if necessary, as a supervisor does. */
  revive(): Promise<void>;
  /** Returns how often the database, or the load, reported that there is no space. */
  complaints(load: string): Promise<number>;
}

async function countOf(url: string, key: string): Promise<string> {
  const client = createClient(url);
  const { status, text } = await client.send(COUNT, key).catch(() => ({ status: 0, text: '' }));
  client.close();
  return /"totalCount":(\d+)/.exec(text)?.[1] ?? `${status} ${codeIn(text)}`;
}

async function fillDatabase({
  name,
  gateway,
  key,
  environment,
  disk,
  revive,
  complaints,
}: DatabaseOnDisk): Promise<void> {
  const readers: Readers = await startReaders({ url: gateway.url, key, count: READERS, pauseMs: 20 });
  await sleep(500);
  const bytes = await disk.fill();
  const completedBefore = readers.counts.completed;
  const rejected = await runCommand(['load', dataset], environment);
  await disk.fill();
  await sleep(1_000);
  const completedFull = readers.counts.completed - completedBefore;
  const { rejected: rejectedFull } = readers.counts;
  const complained = await complaints(rejected.text);

  await disk.free();
  const freedAt = performance.now();
  await revive();
  await readers.served();
  while (!(await isReady(gateway.url)) && performance.now() - freedAt < 30_000) await sleep(50);
  const recoveryMs = performance.now() - freedAt;
  await readers.stop();
  const before = await countOf(gateway.url, key);
  const taken = await runCommand(['load', dataset], environment);
  // Cached lists are at most one second old.
  await sleep(1_500);
  const after = await countOf(gateway.url, key);
  figures[name] = {
    filledMiB: Math.round(bytes / 1024 / 1024),
    completedFull,
    rejectedFull,
    complained,
    load: { code: rejected.code, text: rejected.text.slice(-300) },
    ...readers.counts,
    rejections: readers.rejections,
    recoveryMs: Math.round(recoveryMs),
    before,
    again: taken.code,
    after,
  };
  const { wrong, misnamed, broken } = readers.counts;
  held[`${name}: the disk was full, and requests came`] = complained > 0 && completedFull + rejectedFull > 0;
  held[`${name}: the load is rejected and nothing of it is stored`] = rejected.code !== 0 && before === '0';
  held[`${name}: no wrong response, and no status but 503 and 504`] = wrong + misnamed + broken === 0;
  held[`${name}: served again within 5 seconds`] = recoveryMs < LIMIT_MS;
  held[`${name}: loads when there is room`] = taken.code === 0 && after === String(PERSONS);
}

{
  const disk = await mountSmallDisk(220);
  const postgres = await startPostgres({
    parent: disk.folder,
    initdb: ['--wal-segsize=1'],
    settings: ['max_wal_size=8MB', 'min_wal_size=2MB'],
  });
  const environment = { DATABASE_URL: postgres.url };
  const key = await keyOf(postgres.url, 'full');
  const gateway = await startGateway({ ...environment, RESPONSE_CACHE_BYTES: '0' });
  const complaints = async () => [...(await postgres.log()).matchAll(/No space left on device/g)].length;
  await fillDatabase({
    name: 'PostgreSQL',
    ...{ gateway, key, environment, disk, complaints },
    // PostgreSQL stops when it cannot write its log either.
    revive: () => postgres.start(),
  });
  held['PostgreSQL: exits with 0'] = (await gateway.stop()) === 0;
  await postgres.remove();
  await disk.remove();
}

{
  const disk = await mountSmallDisk(4);
  const postgres = await startPostgres();
  const key = await keyOf(postgres.url, 'full');
  const gateway = await startGateway({
    DATABASE_URL: postgres.url,
    FILES_DIR: join(disk.folder, 'files'),
    EXPORT_TTL: '0',
  });
  const client = createClient(gateway.url);
  const readers = await startReaders({ url: gateway.url, key, count: READERS, pauseMs: 20 });
  const outcomes = new Tally();
  const exportOnce = async (when: string) => {
    const body = JSON.stringify({ id: 'districts', format: 'json' });
    const { status, text, headers } = await client.send({ path: '/getQueryResults', body }, key);
    const retry = headers['retry-after'] ? ' with Retry-After' : '';
    outcomes.add(`${when}: ${status}${retry} ${codeIn(text)}`.trim());
  };
  await exportOnce('before');
  await disk.fill();
  const completedBefore = readers.counts.completed;
  for (let turn = 0; turn < 3; turn++) await exportOnce('full');
  const completedFull = readers.counts.completed - completedBefore;
  await disk.free();
  await exportOnce('after');
  await readers.stop();
  client.close();
  figures.files = { completedFull, outcomes, ...readers.counts };
  held['files: rejected with 503 while full, created before and after'] =
    outcomes.of('before: 200') === 1 &&
    outcomes.of('full: 503 with Retry-After STORE_UNAVAILABLE') === 3 &&
    outcomes.of('after: 200') === 1;
  const { completed, ...others } = readers.counts;
  held['files: lookups are not affected'] =
    completedFull > 0 && completed > 0 && Object.values(others).every((count) => count === 0);
  held['files: exits with 0'] = (await gateway.stop()) === 0;
  await postgres.remove();
  await disk.remove();
}

{
  const disk = await mountSmallDisk(300);
  const environment = { DATA_DIR: join(disk.folder, 'data') };
  const { full: key } = await makeEmbedded(environment.DATA_DIR);
  const gateway = await startGateway({ ...environment, RESPONSE_CACHE_BYTES: '0' });
  const complaint = /no space left on device/i;
  await fillDatabase({
    name: 'embedded database',
    ...{ gateway, key, disk, environment },
    revive: async () => undefined,
    complaints: async (load) => [load, ...gateway.lines].filter((line) => complaint.test(line)).length,
  });
  held['embedded database: exits with 0'] = (await gateway.stop()) === 0;
  await disk.remove();
}

await rm(work, { recursive: true });
report('disk full', figures, held);
