import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Name of the lock file in the data folder. */
export const LOCK_FILE = 'store.lock';
/** Name of that of the process that changes the data, which may be another one than has the store open. */
export const LOAD_LOCK_FILE = 'load.lock';

/** A process, with the moment it began where the system tells it: numbers of processes are used again. */
const processIdentity = z.object({ pid: z.number().int().positive(), began: z.string().optional() });
export type ProcessIdentity = z.infer<typeof processIdentity>;

const lockContent = z.object({
  /** Tells this taking of the lock from any other. */
  id: z.string(),
  host: z.string(),
  owner: processIdentity,
  /** The process that writes the files; it can outlive its owner by a moment. */
  writer: processIdentity.optional(),
  /** Folder of the socket on which the store answers. */
  socketFolder: z.string().optional(),
});
export type LockContent = z.infer<typeof lockContent>;

/** The data folder belongs to another process, which is alive (or cannot be asked whether it is). */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';
  /** The process that has the store open. */
  readonly pid: number;

  constructor(pid: number, message: string) {
    super(message);
    this.pid = pid;
  }
}

const WRITER_GRACE_MS = 8_000;

/**
 * The right to open the embedded store of one data folder: PGlite itself lets two processes write the same files, and
 * both lose commits. Another file in the folder makes it another right.
 */
export class DataLock {
  readonly #path: string;
  #content: LockContent;

  private constructor(path: string, content: LockContent) {
    this.#path = path;
    this.#content = content;
  }

  /**
   * Takes the lock of a data folder. A lock whose processes are dead is taken over; what its holder left behind (the
   * socket folder) is returned in `leftBehind`.
   * @throws StoreInUseError when a living process has it.
   */
  static async take(
    dataFolder: string,
    file = LOCK_FILE,
  ): Promise<{ lock: DataLock; leftBehind: LockContent | undefined }> {
    const path = join(dataFolder, file);
    const content: LockContent = { id: randomUUID(), host: hostname(), owner: identify(process.pid) };
    const lock = new DataLock(path, content);
    let leftBehind: LockContent | undefined;
    const deadline = Date.now() + WRITER_GRACE_MS;
    for (;;) {
      if (await lock.#create()) return { lock, leftBehind };
      const held = await readLock(dataFolder, file);
      if (!held) continue;
      refuseIfHeld(held, path);
      if (held.writer && isAlive(held.writer)) {
        // The owner is dead; its writer notices that within a second or two and ends.
        if (Date.now() > deadline) throw inUse(held.writer.pid, path);
        await sleep(100);
        continue;
      }
      if (await lock.#removeStale(held)) leftBehind = held;
    }
  }

  /** Notes the process that writes and where it answers. */
  async update(change: Pick<LockContent, 'writer' | 'socketFolder'>): Promise<void> {
    this.#content = { ...this.#content, ...change };
    const temporary = await this.#write();
    await rename(temporary, this.#path);
  }

  /** Gives the lock back; one that somebody else holds by now stays as it is. */
  async release(): Promise<void> {
    const held = await readLockFile(this.#path).catch(() => undefined);
    if (held?.id === this.#content.id) await rm(this.#path, { force: true });
  }

  /** Linking a complete file into place is atomic and fails when there is one: nobody reads half a lock. */
  async #create(): Promise<boolean> {
    const temporary = await this.#write();
    try {
      await link(temporary, this.#path);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
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

  /** Moves a dead lock away, and back again if somebody was quicker and the one that was moved is theirs. */
  async #removeStale(stale: LockContent): Promise<boolean> {
    const aside = `${this.#path}.stale.${this.#content.id}`;
    try {
      await rename(this.#path, aside);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    const moved = await readLockFile(aside);
    if (moved.id !== stale.id) await link(aside, this.#path).catch(() => undefined);
    await rm(aside, { force: true });
    return moved.id === stale.id;
  }
}

/** The lock of a data folder as it stands, whoever holds it; `undefined` when there is none. */
export async function readLock(dataFolder: string, file = LOCK_FILE): Promise<LockContent | undefined> {
  try {
    return await readLockFile(join(dataFolder, file));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function readLockFile(path: string): Promise<LockContent> {
  const text = await readFile(path, 'utf8');
  try {
    return lockContent.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not a lock of the embedded store. Remove it if no other process uses this folder.`);
  }
}

function refuseIfHeld(held: LockContent, path: string): void {
  if (held.host !== hostname()) {
    throw new StoreInUseError(
      held.owner.pid,
      `The embedded store was opened by process ${held.owner.pid} on the machine ${held.host}. ` +
        `Stop it there; if it is gone for certain, remove ${path}.`,
    );
  }
  if (isAlive(held.owner)) throw inUse(held.owner.pid, path);
}

function inUse(pid: number, path: string): StoreInUseError {
  return new StoreInUseError(
    pid,
    `The embedded store is open in process ${pid} (lock: ${path}). Stop that process first, ` +
      'choose another DATA_DIR, or use a PostgreSQL server (DATABASE_URL), which takes many processes at once.',
  );
}

/** A process as the lock names it. */
export function identify(pid: number): ProcessIdentity {
  const began = procStat(pid)?.began;
  return began ? { pid, began } : { pid };
}

/** Whether this very process lives; another one that got its number since does not count, nor does a zombie. */
export function isAlive(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false;
  }
  const stat = procStat(identity.pid);
  if (!stat) return true;
  return stat.state !== 'Z' && stat.state !== 'X' && (identity.began === undefined || identity.began === stat.began);
}

/** State and start of a process from Linux's /proc; `undefined` where there is none. */
function procStat(pid: number): { state: string; began: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may hold spaces: count from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', began: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
