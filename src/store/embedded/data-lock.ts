import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '../../base/errors.ts';

/** Name of the lock file in the data folder. */
export const LOCK_FILE = 'store.lock';
/**
 * Name of the lock file of the process that changes the data, which may be another one than the owner of the database.
 */
export const LOAD_LOCK_FILE = 'load.lock';

/** A process with its start time, if the operating system provides it: process ids are reused. */
const processIdentity = z.object({ pid: z.number().int().positive(), began: z.string().optional() });
export type ProcessIdentity = z.infer<typeof processIdentity>;

const lockContent = z.object({
  /** Identifies this acquisition of the lock. */
  id: z.string(),
  host: z.string(),
  owner: processIdentity,
  /** The process that writes the files; it may briefly outlive the owner. */
  writer: processIdentity.optional(),
  /** The folder of the Unix socket on which the database listens. */
  socketFolder: z.string().optional(),
});
export type LockContent = z.infer<typeof lockContent>;

/** The error for a data folder that belongs to another process, which is alive or on another machine. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  /** The process that has the database open. */
  readonly pid: number;

  constructor(pid: number, message: string) {
    super(message);
    this.pid = pid;
  }
}

const WRITER_GRACE_MS = 8_000;

/**
 * A lock for the embedded database of one data folder: PGlite itself lets two processes write the same files, and both
 * lose commits. Another file name in the same folder is an independent lock.
 *
 * `proper-lockfile` 4.1 is not used: it takes a lock for stale when its file was not touched for some seconds. A second
 * process gets it while the owner is busy or suspended, and after a kill it waits 10 s, where the identity of the owner
 * decides both cases at once.
 */
export class DataLock {
  readonly #path: string;
  #content: LockContent;

  private constructor(path: string, content: LockContent) {
    this.#path = path;
    this.#content = content;
  }

  /**
   * Acquires the lock of a data folder. A lock whose processes are dead is taken over; its content (with the socket
   * folder to remove) is returned as `staleLock`.
   * @throws DatabaseInUseError if a live process holds the lock.
   */
  static async take(
    dataFolder: string,
    file = LOCK_FILE,
  ): Promise<{ lock: DataLock; staleLock: LockContent | undefined }> {
    const path = join(dataFolder, file);
    const content: LockContent = { id: randomUUID(), host: hostname(), owner: identify(process.pid) };
    const lock = new DataLock(path, content);
    let staleLock: LockContent | undefined;
    const deadline = Date.now() + WRITER_GRACE_MS;
    for (;;) {
      if (await lock.#create()) return { lock, staleLock };
      const held = await readLock(dataFolder, file);
      if (!held) continue;
      throwIfHeld(held, path);
      if (held.writer && isAlive(held.writer)) {
        // The owner is dead; its writer notices this within a second or two and exits.
        if (Date.now() > deadline) throw inUse(held.writer.pid, path);
        await sleep(100);
        continue;
      }
      if (await lock.#removeStale(held)) staleLock = held;
    }
  }

  /** Records the process that writes and the folder of its socket. */
  async update(change: Pick<LockContent, 'writer' | 'socketFolder'>): Promise<void> {
    this.#content = { ...this.#content, ...change };
    const temporary = await this.#write();
    await rename(temporary, this.#path);
  }

  /** Releases the lock; a lock that another process holds by now is left unchanged. */
  async release(): Promise<void> {
    const held = await readLockFile(this.#path).catch(() => undefined);
    if (held?.id === this.#content.id) await rm(this.#path, { force: true });
  }

  /**
   * Creates the lock file and returns false if it exists. Linking a complete file is atomic, so a partially written
   * lock is never read.
   */
  async #create(): Promise<boolean> {
    const temporary = await this.#write();
    try {
      await link(temporary, this.#path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #write(): Promise<string> {
    const temporary = `${this.#path}.${this.#content.id}`;
    await writeFile(temporary, `${JSON.stringify(this.#content)}\n`, { mode: 0o600 });
    return temporary;
  }

  /**
   * Moves the lock of a dead process away. If another process was faster and its lock was moved instead, it is
   * restored.
   */
  async #removeStale(stale: LockContent): Promise<boolean> {
    const aside = `${this.#path}.stale.${this.#content.id}`;
    try {
      await rename(this.#path, aside);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
    const moved = await readLockFile(aside);
    if (moved.id !== stale.id) await link(aside, this.#path).catch(() => undefined);
    await rm(aside, { force: true });
    return moved.id === stale.id;
  }
}

/** Reads the lock of a data folder, of any process; `undefined` if there is none. */
export async function readLock(dataFolder: string, file = LOCK_FILE): Promise<LockContent | undefined> {
  try {
    return await readLockFile(join(dataFolder, file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function readLockFile(path: string): Promise<LockContent> {
  const text = await readFile(path, 'utf8');
  try {
    return lockContent.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not a lock of the embedded database. Remove it if no other process uses this folder.`);
  }
}

function throwIfHeld(held: LockContent, path: string): void {
  if (held.host !== hostname()) {
    throw new DatabaseInUseError(
      held.owner.pid,
      `The embedded database was opened by process ${held.owner.pid} on the machine ${held.host}. ` +
        `Stop it there; if it is gone for certain, remove ${path}.`,
    );
  }
  if (isAlive(held.owner)) throw inUse(held.owner.pid, path);
}

function inUse(pid: number, path: string): DatabaseInUseError {
  return new DatabaseInUseError(
    pid,
    `The embedded database is open in process ${pid} (lock: ${path}). Stop that process first, ` +
      'choose another DATA_DIR, or use a PostgreSQL server (DATABASE_URL), which takes many processes at once.',
  );
}

/** Returns the identity of a process for the lock. */
export function identify(pid: number): ProcessIdentity {
  const began = procStat(pid)?.began;
  return began ? { pid, began } : { pid };
}

/** Returns whether this process is alive. A zombie, or another process that has the same id by now, does not count. */
export function isAlive(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const stat = procStat(identity.pid);
  if (!stat) return true;
  return stat.state !== 'Z' && stat.state !== 'X' && (identity.began === undefined || identity.began === stat.began);
}

/** Returns the state and start time of a process from Linux's /proc; `undefined` if not available. */
function procStat(pid: number): { state: string; began: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name, in parentheses, may contain spaces: split the text after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', began: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
