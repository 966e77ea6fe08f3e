import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderError } from '../../folder-error.ts';
import { DataLock, identify, isAlive, readLock } from './data-lock.ts';
import type { FromProcess, ToProcess } from './embedded-process.ts';

/** Settings for `pg`; `host` is the folder of a unix socket that only this user can reach. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedStore {
  /**
   * Connection settings for `pg`, valid until `close`, also after the store was reopened. All connections share one
   * session, transaction by transaction: a second one gets its turn between the transactions of the first, so a pool
   * of more than one gains nothing, and code that needs a second connection within a transaction waits and is refused.
   */
  readonly connection: EmbeddedConnection;
  /** Ends all connections, closes the database and gives the data folder back. Can be called more than once. */
  close(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** Folder for the database and its lock; made when it is missing. */
  readonly dataDir: string;
  /** A statement that runs longer than this is ended by killing and reopening the store. Milliseconds. */
  readonly queryLimitMs: number;
  /** A connection waits this long for the transaction of another; then it is refused with 53300. 10,000 when not set. */
  readonly waitLimitMs?: number;
  /** Told what is done while the store opens, with the seconds so far; every two seconds. */
  readonly onProgress?: (message: string) => void;
  /** Told why the store is being reopened. Its connections have ended, and committed transactions are kept. */
  readonly onRestart?: (reason: string) => void;
}

const PORT = 5432;
const SOCKET_PREFIX = 'ballotgraph-';
/** A unix socket's path may have 104 bytes on some systems. */
const LONGEST_SOCKET_PATH = 100;
const START_LIMIT_MS = 300_000;
const WAIT_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 10_000;
/** For the statements of a `PATIENT_CLIENT`. */
const PATIENT_LIMIT_MS = 600_000;
const LONGEST_RETRY_MS = 5_000;

/**
 * Opens the embedded store: PGlite with PostGIS in a process of its own, which speaks the PostgreSQL protocol. It is
 * reopened by itself when a statement runs too long or leaves the backend in doubt; statements that ran then fail with
 * a broken connection, the next connection works.
 * @throws StoreInUseError when another process has the data folder open.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  if (process.platform === 'win32') {
    throw new Error('The embedded store needs unix sockets, which pg does not reach on Windows: set DATABASE_URL.');
  }
  const dataFolder = resolve(options.dataDir);
  const { lock, leftBehind } = await takeFolder(dataFolder).catch((error) => {
    throw folderError('DATA_DIR', options.dataDir, error);
  });
  await removeSocketFolder(leftBehind?.socketFolder);
  const socketFolder = await makeSocketFolder();
  const keeper = new Keeper(options, dataFolder, socketFolder, lock);
  try {
    await keeper.start();
  } catch (error) {
    await keeper.close();
    throw error;
  }
  return { connection: connectionIn(socketFolder), close: () => keeper.close() };
}

async function takeFolder(folder: string): ReturnType<typeof DataLock.take> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return DataLock.take(folder);
}

/**
 * The connection settings of a store that another living process has open, for a second process to use beside it (see
 * `EmbeddedStore.connection` for what is shared); `undefined` when nobody has it open.
 */
export async function joinEmbeddedStore(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const held = await readLock(resolve(dataDir)).catch((error) => {
    throw folderError('DATA_DIR', dataDir, error);
  });
  return held?.socketFolder && isAlive(held.owner) ? connectionIn(held.socketFolder) : undefined;
}

function connectionIn(socketFolder: string): EmbeddedConnection {
  return { host: socketFolder, port: PORT, user: 'postgres', database: 'postgres' };
}

/** Starts the process, watches over it, and starts it again when it ends. */
class Keeper {
  readonly #options: EmbeddedStoreOptions;
  readonly #dataFolder: string;
  readonly #socketFolder: string;
  readonly #lock: DataLock;
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;
  #whyItEnds: string | undefined;

  constructor(options: EmbeddedStoreOptions, dataFolder: string, socketFolder: string, lock: DataLock) {
    this.#options = options;
    this.#dataFolder = dataFolder;
    this.#socketFolder = socketFolder;
    this.#lock = lock;
  }

  /** Resolves when the store answers. */
  async start(): Promise<void> {
    this.#whyItEnds = undefined;
    const child = fork(new URL('./embedded-process.ts', import.meta.url), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    const lastWords = tailOf(child);
    try {
      if (child.pid === undefined) throw await failureOf(child);
      await this.#lock.update({ writer: identify(child.pid), socketFolder: this.#socketFolder });
      await this.#opened(child);
    } catch (error) {
      child.kill('SIGKILL');
      const words = lastWords();
      throw words ? new Error(`${errorText(error)}\n${words}`, { cause: error }) : error;
    }
    this.#watch(child);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child && isRunning(child)) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      tell(child, { type: 'close' });
      const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    }
    await removeSocketFolder(this.#socketFolder);
    await this.#lock.release();
  }

  async #opened(child: ChildProcess): Promise<void> {
    const began = Date.now();
    let doing = 'starting the embedded store';
    const report = () => this.#options.onProgress?.(`${doing} … ${Math.round((Date.now() - began) / 1000)} s`);
    const ticking = setInterval(report, 2_000);
    let limit: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        limit = setTimeout(() => reject(new Error('The embedded store did not open in time')), START_LIMIT_MS);
        child.once('error', reject);
        child.once('exit', (code, signal) =>
          reject(new Error(`The embedded store ended while opening (${signal ?? code})`)),
        );
        child.on('message', (told: FromProcess) => {
          if (told.type === 'progress') {
            doing = told.message;
            report();
          } else if (told.type === 'failed') {
            reject(new Error(`The embedded store cannot be opened: ${told.reason}`));
          } else if (told.type === 'ready') {
            resolve();
          }
        });
        tell(child, {
          type: 'open',
          dataFolder: this.#dataFolder,
          socketFolder: this.#socketFolder,
          socketPath: socketPathIn(this.#socketFolder),
          waitLimitMs: this.#options.waitLimitMs ?? WAIT_LIMIT_MS,
        });
      });
    } finally {
      clearInterval(ticking);
      clearTimeout(limit);
      child.removeAllListeners();
    }
  }

  /**
   * A statement blocks the other process, which then answers no ping. Once a ping is overdue, one more turn of our own
   * event loop is taken before the verdict: the answer may lie unread because it was we who were busy.
   */
  #watch(child: ChildProcess): void {
    const interval = Math.min(250, Math.max(50, this.#options.queryLimitMs / 4));
    let queryLimitMs = this.#options.queryLimitMs;
    let waiting: { id: number; since: number } | undefined;
    let id = 0;
    const timer = setInterval(() => {
      if (!waiting) {
        waiting = { id: ++id, since: performance.now() };
        tell(child, { type: 'ping', id });
      } else if (performance.now() - waiting.since > queryLimitMs) {
        const overdue = waiting;
        setImmediate(() =>
          setImmediate(() => {
            if (waiting !== overdue) return;
            this.#whyItEnds = `a statement ran longer than ${queryLimitMs} ms`;
            child.kill('SIGKILL');
          }),
        );
      }
    }, interval);
    child.on('message', (told: FromProcess) => {
      if (told.type === 'pong' && told.id === waiting?.id) waiting = undefined;
      if (told.type === 'patience') {
        queryLimitMs = this.#options.queryLimitMs;
        if (told.patient) queryLimitMs = Math.max(queryLimitMs, PATIENT_LIMIT_MS);
        // What ran so far ran under the other limit.
        if (waiting) waiting.since = performance.now();
      }
      if (told.type === 'fault') this.#whyItEnds = `a statement left it in doubt: ${told.reason}`;
    });
    child.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      clearInterval(timer);
      if (!this.#closing) void this.#reopen(this.#whyItEnds ?? `its process ended (${signal ?? code})`);
    });
    // The store must not keep a program running that has nothing else to do.
    timer.unref();
    child.unref();
    child.channel?.unref();
  }

  async #reopen(reason: string): Promise<void> {
    for (let pause = 250; !this.#closing; pause = Math.min(pause * 2, LONGEST_RETRY_MS)) {
      this.#options.onRestart?.(reason);
      try {
        await this.start();
        return;
      } catch (error) {
        reason = errorText(error);
        await sleep(pause);
      }
    }
  }
}

async function makeSocketFolder(): Promise<string> {
  // mkdtemp makes the folder accessible for this user only.
  const folder = await mkdtemp(join(tmpdir(), SOCKET_PREFIX));
  if (Buffer.byteLength(socketPathIn(folder)) <= LONGEST_SOCKET_PATH) return folder;
  await removeSocketFolder(folder);
  return mkdtemp(join('/tmp', SOCKET_PREFIX));
}

/** Only what looks like a folder of ours: its name may come from a lock that somebody else wrote. */
async function removeSocketFolder(folder: string | undefined): Promise<void> {
  if (!folder || !basename(folder).startsWith(SOCKET_PREFIX)) return;
  await rm(socketPathIn(folder), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Where `pg` looks for the socket in its `host` folder. */
function socketPathIn(folder: string): string {
  return join(folder, `.s.PGSQL.${PORT}`);
}

function tell(child: ChildProcess, message: ToProcess): void {
  // A process that just ended cannot be told; its end is noticed on its own.
  if (child.connected) child.send(message, () => undefined);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
}

/** The end of what a process writes to its standard error, for the message of the error that explains its end. */
function tailOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-2_000);
  });
  if (child.stderr instanceof Socket) child.stderr.unref();
  return () => tail.trim();
}

function failureOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve));
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
