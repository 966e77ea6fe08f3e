import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderError } from '../../base/folder-error.ts';
import { PROGRESS_MS } from '../../base/progress.ts';
import { DataLock, identify, isAlive, readLock } from './data-lock.ts';
import type { FromProcess, ToProcess } from './embedded-process.ts';

/** Settings for `pg`; `host` is the folder of a Unix socket that only this user can access. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedDatabase {
  /**
   * Connection settings for `pg`, valid until `close`, also after the database was reopened. All connections share one
   * session, transaction by transaction: a second connection gets its turn between the transactions of the first. So a
   * pool of more than one connection has no advantage, and code that needs a second connection within a transaction
   * waits and is rejected.
   */
  readonly connection: EmbeddedConnection;
  /** Ends all connections, closes the database and releases the data folder. Can be called more than once. */
  close(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** The folder of the database and its lock; created if it is missing. */
  readonly dataDir: string;
  /** Milliseconds after which a running statement is ended by killing and reopening the database. */
  readonly queryLimitMs: number;
  /**
   * Milliseconds that a connection waits for another one's transaction before it is rejected with 53300; 10,000 if
   * omitted.
   */
  readonly waitLimitMs?: number;
  /** Called every two seconds while the database opens, with the current activity and the elapsed seconds. */
  readonly onProgress?: (message: string) => void;
  /**
   * Called with the reason when the database is being reopened. Its connections are closed; committed transactions are
   * kept.
   */
  readonly onRestart?: (reason: string) => void;
}

const PORT = 5432;
const SOCKET_PREFIX = 'ballotgraph-';
/** The path of a Unix socket is limited to 104 bytes on some systems. */
const LONGEST_SOCKET_PATH = 100;
const START_LIMIT_MS = 300_000;
const WAIT_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 10_000;
/** The time limit for statements of a `LONG_RUNNING_CLIENT`. */
const LONG_RUNNING_LIMIT_MS = 600_000;
const LONGEST_RETRY_MS = 5_000;

/**
 * Opens the embedded database: PGlite with PostGIS in a process of its own, which speaks the PostgreSQL protocol. It is
 * reopened automatically if a statement runs too long or leaves the backend in an unknown state; statements that were
 * running then fail with a broken connection, and the next connection works.
 * @throws DatabaseInUseError if another process has the data folder open.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new Error(
      'The embedded database needs Unix sockets, which `pg` does not support on Windows: set DATABASE_URL.',
    );
  }
  const dataFolder = resolve(options.dataDir);
  const { lock, staleLock } = await takeFolder(dataFolder).catch((error) => {
    throw folderError('DATA_DIR', options.dataDir, error);
  });
  await removeSocketFolder(staleLock?.socketFolder);
  const socketFolder = await makeSocketFolder();
  const supervisor = new Supervisor(options, dataFolder, socketFolder, lock);
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.close();
    throw error;
  }
  return { connection: connectionIn(socketFolder), close: () => supervisor.close() };
}

async function takeFolder(folder: string): ReturnType<typeof DataLock.take> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return DataLock.take(folder);
}

/**
 * Returns the connection settings of an embedded database that another live process has open, so that a second process
 * can use it as well (see `EmbeddedDatabase.connection` for what is shared); `undefined` if no process has it open.
 */
export async function joinEmbeddedDatabase(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const held = await readLock(resolve(dataDir)).catch((error) => {
    throw folderError('DATA_DIR', dataDir, error);
  });
  return held?.socketFolder && isAlive(held.owner) ? connectionIn(held.socketFolder) : undefined;
}

function connectionIn(socketFolder: string): EmbeddedConnection {
  return { host: socketFolder, port: PORT, user: 'postgres', database: 'postgres' };
}

/** Starts the database process, monitors it, and restarts it when it exits. */
class Supervisor {
  readonly #options: EmbeddedDatabaseOptions;
  readonly #dataFolder: string;
  readonly #socketFolder: string;
  readonly #lock: DataLock;
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;
  #exitReason: string | undefined;

  constructor(options: EmbeddedDatabaseOptions, dataFolder: string, socketFolder: string, lock: DataLock) {
    this.#options = options;
    this.#dataFolder = dataFolder;
    this.#socketFolder = socketFolder;
    this.#lock = lock;
  }

  /** Resolves when the database accepts connections. */
  async start(): Promise<void> {
    this.#exitReason = undefined;
    const child = fork(new URL('./embedded-process.ts', import.meta.url), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    const readOutput = tailOf(child);
    try {
      if (child.pid === undefined) throw await failureOf(child);
      await this.#lock.update({ writer: identify(child.pid), socketFolder: this.#socketFolder });
      await this.#opened(child);
    } catch (error) {
      child.kill('SIGKILL');
      const output = readOutput();
      throw output ? new Error(`${errorText(error)}\n${output}`, { cause: error }) : error;
    }
    this.#monitor(child);
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
      send(child, { type: 'close' });
      const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    }
    await removeSocketFolder(this.#socketFolder);
    await this.#lock.release();
  }

  async #opened(child: ChildProcess): Promise<void> {
    const began = Date.now();
    let activity = 'Starting the embedded database';
    const report = (after = '') => this.#options.onProgress?.(`${activity} …${after}`);
    const ticking = setInterval(() => report(` ${Math.round((Date.now() - began) / 1_000)} s`), PROGRESS_MS);
    let limit: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        limit = setTimeout(() => reject(new Error('The embedded database did not open in time')), START_LIMIT_MS);
        child.once('error', reject);
        child.once('exit', (code, signal) =>
          reject(new Error(`The embedded database ended while opening (${signal ?? code})`)),
        );
        child.on('message', (message: FromProcess) => {
          if (message.type === 'progress') {
            activity = message.message;
            report();
          } else if (message.type === 'failed') {
            reject(new Error(`The embedded database cannot be opened: ${message.reason}`));
          } else if (message.type === 'ready') {
            resolve();
          }
        });
        send(child, {
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
   * Kills the process if a statement blocks it for too long: it then responds to no ping. When a ping is overdue, one
   * more turn of this process's own event loop is taken before the decision: the response may be unread because this
   * process was busy.
   */
  #monitor(child: ChildProcess): void {
    const interval = Math.min(250, Math.max(50, this.#options.queryLimitMs / 4));
    let queryLimitMs = this.#options.queryLimitMs;
    let waiting: { id: number; since: number } | undefined;
    let id = 0;
    const timer = setInterval(() => {
      if (!waiting) {
        waiting = { id: ++id, since: performance.now() };
        send(child, { type: 'ping', id });
      } else if (performance.now() - waiting.since > queryLimitMs) {
        const overdue = waiting;
        setImmediate(() =>
          setImmediate(() => {
            if (waiting !== overdue) return;
            this.#exitReason = `a statement ran longer than ${queryLimitMs} ms`;
            child.kill('SIGKILL');
          }),
        );
      }
    }, interval);
    child.on('message', (message: FromProcess) => {
      if (message.type === 'pong' && message.id === waiting?.id) waiting = undefined;
      if (message.type === 'longRunning') {
        queryLimitMs = this.#options.queryLimitMs;
        if (message.longRunning) queryLimitMs = Math.max(queryLimitMs, LONG_RUNNING_LIMIT_MS);
        // The time so far was under the other limit.
        if (waiting) waiting.since = performance.now();
      }
      if (message.type === 'failure') this.#exitReason = `a statement left it in an unknown state: ${message.reason}`;
    });
    child.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      clearInterval(timer);
      if (!this.#closing) void this.#reopen(this.#exitReason ?? `its process ended (${signal ?? code})`);
    });
    // The database must not keep the process alive when it has nothing else to do.
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
  // mkdtemp creates a folder that only this user can access.
  const folder = await mkdtemp(join(tmpdir(), SOCKET_PREFIX));
  if (Buffer.byteLength(socketPathIn(folder)) <= LONGEST_SOCKET_PATH) return folder;
  await removeSocketFolder(folder);
  return mkdtemp(join('/tmp', SOCKET_PREFIX));
}

/**
 * Removes a socket folder, if its name has the expected prefix: the name may come from a lock that another program
 * wrote.
 */
async function removeSocketFolder(folder: string | undefined): Promise<void> {
  if (!folder || !basename(folder).startsWith(SOCKET_PREFIX)) return;
  await rm(socketPathIn(folder), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Returns the path at which `pg` expects the socket in its `host` folder. */
function socketPathIn(folder: string): string {
  return join(folder, `.s.PGSQL.${PORT}`);
}

function send(child: ChildProcess, message: ToProcess): void {
  // A process that has just exited cannot receive messages; its exit is handled separately.
  if (child.connected) child.send(message, () => undefined);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
}

/** Collects the last output of a process on standard error, for the message of the error that explains its exit. */
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
