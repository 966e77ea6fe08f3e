import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';

export interface EmbeddedInstance {
  readonly connection: EmbeddedDatabase['connection'];
  readonly dataDir: string;
}

/** The embedded databases of a run, which the main process opens. */
export interface EmbeddedDatabases {
  /** The Unix socket at which workers ask for a database or for the template. */
  readonly socket: string;
  close(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/test-databases');
/** What the template depends on. */
const SOURCES =
  '{package-lock.json,{db/migrations,src/store}/**/*.ts,test/support/{embedded-databases,global-setup}.ts}';

const open = (dataDir: string) => openEmbeddedDatabase({ dataDir, queryLimitMs: 60_000 });

/**
 * Serves one embedded database to each worker, opened when a worker first asks for it and open until the end of the run:
 * opening one takes seconds. They are copies of a template, which is kept for later runs, as creating it takes longest.
 * @param prepare migrates the template.
 */
export async function serveEmbeddedDatabases(
  prepare: (connection: EmbeddedDatabase['connection']) => Promise<void>,
): Promise<EmbeddedDatabases> {
  const folder = await mkdtemp(join(tmpdir(), 'ballotgraph-test-'));
  const socket = join(folder, 'socket');
  // In the background: tests that need no database do not wait.
  const template = findTemplate(folder, prepare);
  template.catch(() => undefined);
  const opened = new Map<string, Promise<EmbeddedDatabase>>();

  async function copyOf(worker: string): Promise<EmbeddedInstance> {
    const dataDir = join(folder, worker);
    const opening =
      opened.get(worker) ?? template.then((from) => cp(from, dataDir, { recursive: true })).then(() => open(dataDir));
    opened.set(worker, opening);
    return { connection: (await opening).connection, dataDir };
  }

  const server = createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => undefined);
    const wanted = await text(client);
    const answer = await (wanted === TEMPLATE ? template : copyOf(wanted)).then(
      (value) => ({ value }),
      (error) => ({ error: String(error) }),
    );
    client.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));

  return {
    socket,
    async close() {
      server.close();
      await template.catch(() => undefined);
      await Promise.all([...opened.values()].map((opening) => opening.then((database) => database.close())));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const TEMPLATE = 'template';

/** Returns the data folder of the template, which is not open, and creates it if there is none of these sources. */
async function findTemplate(folder: string, prepare: Parameters<typeof serveEmbeddedDatabases>[0]): Promise<string> {
  const digest = await digestOf(SOURCES);
  const cached = join(CACHE, digest);
  if (existsSync(cached)) return cached;
  const created = join(folder, TEMPLATE);
  const database = await open(created);
  await prepare(database.connection).finally(() => database.close());
  await mkdir(CACHE, { recursive: true });
  for (const older of await readdir(CACHE)) await rm(join(CACHE, older), { recursive: true, force: true });
  // Renamed when it is complete: other runs never see a part.
  const copy = `${cached}.${process.pid}`;
  await cp(created, copy, { recursive: true });
  await rename(copy, cached);
  return created;
}

async function digestOf(pattern: string): Promise<string> {
  const digest = createHash('sha256');
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: ROOT })) files.push(file);
  for (const file of files.sort()) digest.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return digest.digest('hex').slice(0, 16);
}

/** Asks the main process for the database of a worker, which is one per pool id. */
export function databaseOfWorker(socket: string): Promise<EmbeddedInstance> {
  return ask(socket, String(process.env.VITEST_POOL_ID));
}

/** Asks the main process for the data folder of a migrated database that is not open. */
export function templateFolder(socket: string): Promise<string> {
  return ask(socket, TEMPLATE);
}

async function ask<Value>(socket: string, wanted: string): Promise<Value> {
  const { value, error } = JSON.parse(await text(createConnection(socket).end(wanted)));
  if (error !== undefined) throw new Error(error);
  return value;
}
