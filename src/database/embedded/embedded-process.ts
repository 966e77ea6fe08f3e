import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { Backend, type Fault, swallowedError } from './backend.ts';
import { leanPostgis } from './lean-postgis.ts';
import { checkRoom, openingProblem } from './opening-problem.ts';
import { SharedSession } from './shared-session.ts';

/** Messages from the parent. `open` is the first one, sent after this process is recorded in the lock. */
export type ToProcess =
  | {
      readonly type: 'open';
      readonly dataFolder: string;
      readonly socketFolder: string;
      readonly socketPath: string;
      readonly waitLimitMs: number;
    }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'close' };

/** Messages to the parent. */
export type FromProcess =
  | { readonly type: 'progress'; readonly message: string }
  | { readonly type: 'ready' }
  | { readonly type: 'pong'; readonly id: number }
  | { readonly type: 'patience'; readonly patient: boolean }
  | { readonly type: 'fault'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

let db: PGlite | undefined;
let stopping = false;
const session = new SharedSession(
  (fault) => void discard(fault),
  (patient) => tell({ type: 'patience', patient }),
);
const server = createServer((socket) => session.accept(socket));

// The parent decides when to exit; a signal to the whole process group must not end the database before its clients.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const watch = new Worker(new URL('./parent-watch.ts', import.meta.url), { workerData: process.ppid });
watch.unref();

process.on('message', (told: ToProcess) => {
  if (told.type === 'ping') tell({ type: 'pong', id: told.id });
  else if (told.type === 'close') void close();
  else open(told).catch(fail);
});

let socketFolder: string | undefined;
process.on('disconnect', () => void close());

async function open(where: Extract<ToProcess, { type: 'open' }>): Promise<void> {
  socketFolder = where.socketFolder;
  await rm(where.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where.socketPath, resolve);
  });
  await chmod(where.socketPath, 0o600);
  db = await openDatabase(where.dataFolder);
  await session.start(new Backend(db), where.waitLimitMs);
  tell({ type: 'ready' });
}

/**
 * Opens the database in `<dataFolder>/store`, and creates it first if there is none. A marker file exists during
 * creation: an incomplete database contains no data that was reported as committed, and is created again.
 */
async function openDatabase(dataFolder: string): Promise<PGlite> {
  const folder = join(dataFolder, 'store');
  const marker = join(dataFolder, 'store.unfinished');
  if (existsSync(marker)) await rm(folder, { recursive: true, force: true });
  const isNew = !existsSync(join(folder, 'PG_VERSION'));
  tell({ type: 'progress', message: isNew ? 'creating the embedded store' : 'opening the embedded store' });
  if (isNew) await checkRoom(dataFolder);
  if (isNew) await writeFile(marker, '');
  const extensions = { postgis: leanPostgis(dataFolder), btree_gist };
  const opened = await PGlite.create({ dataDir: folder, extensions });
  if (isNew) {
    tell({ type: 'progress', message: 'installing PostGIS in the embedded store' });
    await opened.exec('create extension postgis; create extension btree_gist; checkpoint');
    await rm(marker);
  }
  return opened;
}

/**
 * Exits without closing the database: its state in memory is not reliable, but its write-ahead log on disk is, and is
 * replayed on the next start.
 */
async function discard(fault: Fault): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  tell({ type: 'fault', reason: fault.reason });
  await session.end('57P01', 'The embedded store is being reopened after a fault.', swallowedError(fault));
  process.exit(70);
}

async function close(): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  await session.end('57P01', 'The embedded store is closing.');
  await db?.close();
  if (!process.connected && socketFolder) await rm(socketFolder, { recursive: true, force: true });
  process.exit(0);
}

function fail(error: unknown): void {
  tell({ type: 'failed', reason: openingProblem(error) });
  process.exitCode = 1;
  process.disconnect?.();
  setTimeout(() => process.exit(1), 200);
}

function tell(message: FromProcess): void {
  if (process.connected) process.send?.(message);
}
