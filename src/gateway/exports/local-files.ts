import { createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SigningKeys } from '../../base/config/signing-keys.ts';
import { folderError } from '../../base/folder-error.ts';
import { identify, isAlive } from '../../store/embedded/data-lock.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { signPath, verifyLink } from './signed-links.ts';

/** Path under which the gateway serves these files. */
export const FILES_PATH = '/files';

/**
 * The part of a link after `/files/`: the id of the API key that requested it, and the path of the file in its folder.
 */
const LINKED = /^(?<keyId>\d{1,10})\/(?<path>[0-9a-f-]{36}\/[A-Za-z0-9_-]{1,110}(\.[a-z]{1,10}){1,2})$/;
const FOLDER = /^[0-9a-f-]{36}$/;
/**
 * Folder of unfinished files, one for each process; its name lets other processes determine whether that process is
 * alive.
 */
const UNFINISHED = /^\.unfinished-(?<pid>\d+)-(?<began>\d*)-(?<host>.*)$/;
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
const WRITE_BUFFER = 1024 * 1024;

/** The target of a link. */
export interface LinkedFile {
  /** Path of the file in the folder: `<key>/<name>`. */
  readonly path: string;
  /** Id of the API key that requested the link. */
  readonly keyId: number;
}

/** Stores files in the file system: `<folder>/<key>/<name>`. */
export class LocalFiles implements FileStore {
  readonly folder: string;
  readonly #keys: () => Promise<SigningKeys>;
  readonly #unfinished: string;
  readonly #now: () => number;

  constructor(folder: string, keys: () => Promise<SigningKeys>, now: () => number = Date.now) {
    this.folder = resolve(folder);
    this.#keys = keys;
    this.#now = now;
    const { pid, began = '' } = identify(process.pid);
    this.#unfinished = join(this.folder, `.unfinished-${pid}-${began}-${hostname()}`);
  }

  async write(file: StoredFile, blocks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const unfinished = join(this.#unfinished, file.key);
    try {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      const sink = createWriteStream(join(unfinished, file.name), {
        flush: true,
        highWaterMark: WRITE_BUFFER,
        mode: 0o600,
      });
      await pipeline(blocks, sink, { signal });
      await rename(unfinished, join(this.folder, file.key));
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
      throw folderError('FILES_DIR', this.folder, error);
    }
  }

  async has(file: StoredFile): Promise<boolean> {
    return access(join(this.folder, file.key, file.name)).then(
      () => true,
      () => false,
    );
  }

  async link(file: StoredFile, seconds: number, linkBase: string, keyId: number): Promise<string> {
    const expires = Math.floor(this.#now() / 1_000) + seconds;
    return linkBase + signPath(`${FILES_PATH}/${keyId}/${file.key}/${file.name}`, expires, await this.#keys());
  }

  /** Returns the target of a link; undefined if the link was altered or has expired. */
  async resolveLink(address: string): Promise<LinkedFile | undefined> {
    const path = verifyLink(address, this.#now() / 1_000, await this.#keys());
    if (!path?.startsWith(`${FILES_PATH}/`)) return undefined;
    const linked = LINKED.exec(path.slice(FILES_PATH.length + 1))?.groups;
    return linked?.path ? { path: linked.path, keyId: Number(linked.keyId) } : undefined;
  }

  async clean(before: Date): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const changed = await stat(path).catch(() => undefined);
      if (!changed) continue;
      const isOld = FOLDER.test(name) && changed.mtime < before;
      if (isOld || this.#isForgotten(name, changed.mtimeMs)) await rm(path, { recursive: true, force: true });
    }
  }

  /**
   * Returns whether a folder was left by a process that has ended. For a process on another machine only the age of the
   * folder decides.
   */
  #isForgotten(name: string, changed: number): boolean {
    const { pid, began, host } = UNFINISHED.exec(name)?.groups ?? {};
    if (pid === undefined) return false;
    if (host !== hostname()) return this.#now() - changed > FORGOTTEN_MS;
    return !isAlive(began ? { pid: Number(pid), began } : { pid: Number(pid) });
  }
}
