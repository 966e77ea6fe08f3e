import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { minimalPostgis } from './minimal-postgis.ts';
import { checkRoom, openingProblem } from './opening-problem.ts';
import { Backend, type SwallowedFailure, swallowedError } from './pglite-backend.ts';
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
  | { readonly type: 'longRunning'; readonly longRunning: boolean }
  | { readonly type: 'failure'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

let db: PGlite | undefined;
let stopping = false;
const session = new SharedSession(
  (failure) => void discard(failure),
  (longRunning) => send({ type: 'longRunning', longRunning }),
);
const server = createServer((socket) => session.accept(socket));

// The parent decides when to exit; a signal to the whole process group must not end the database before its clients.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const parentWatch = new Worker(new URL('./parent-watch.ts', import.meta.url), { workerData: process.ppid });
parentWatch.unref();

process.on('message', (message: ToProcess) => {
  if (message.type === 'ping') send({ type: 'pong', id: message.id });
  else if (message.type === 'close') void close();
  else open(message).catch(fail);
});

let socketFolder: string | undefined;
process.on('disconnect', () => void close());

async function open(folders: Extract<ToProcess, { type: 'open' }>): Promise<void> {
  socketFolder = folders.socketFolder;
  await rm(folders.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(folders.socketPath, resolve);
  });
  await chmod(folders.socketPath, 0o600);
  db = await openDatabase(folders.dataFolder);
  await session.start(new Backend(db), folders.waitLimitMs);
  send({ type: 'ready' });
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
  send({ type: 'progress', message: isNew ? 'Creating the embedded database' : 'Opening the embedded database' });
  if (isNew) await checkRoom(dataFolder);
  if (isNew) await writeFile(marker, '');
  const extensions = { postgis: minimalPostgis(dataFolder), btree_gist, pg_trgm };
  const opened = await PGlite.create({ dataDir: folder, extensions });
  if (isNew) {
    send({ type: 'progress', message: 'Installing PostGIS in the embedded database' });
    await opened.exec('create extension postgis; create extension btree_gist; checkpoint');
    await rm(marker);
  }
  return opened;
}

/**
 * Exits without closing the database: its state in memory is not reliable, but its write-ahead log on disk is, and is
 * replayed on the next start.
 */
async function discard(failure: SwallowedFailure): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  send({ type: 'failure', reason: failure.reason });
  await session.end(
    '57P01',
    'The embedded database is being reopened after an internal error.',
    swallowedError(failure),
  );
  process.exit(70);
}

async function close(): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  await session.end('57P01', 'The embedded database is closing.');
  await db?.close();
  if (!process.connected && socketFolder) await rm(socketFolder, { recursive: true, force: true });
  process.exit(0);
}

function fail(error: unknown): void {
  send({ type: 'failed', reason: openingProblem(error) });
  process.exitCode = 1;
  process.disconnect?.();
  setTimeout(() => process.exit(1), 200);
}

function send(message: FromProcess): void {
  if (process.connected) process.send?.(message);
}
