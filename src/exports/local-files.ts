import { createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { identify, isAlive } from '../store/embedded/data-lock.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { signPath, verifyLink } from './signed-links.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Where the gateway serves the files of this store. */
export const FILES_PATH = '/files';

/** The path of a file below its folder, and in its links. */
const FILE_PATH = /^[0-9a-f-]{36}\/[A-Za-z0-9_-]{1,100}\.[a-z]{1,10}$/;
const FOLDER = /^[0-9a-f-]{36}$/;
/** Files that are being written, in a folder for each process, named so that others can tell whether it lives. */
const UNFINISHED = /^\.unfinished-(?<pid>\d+)-(?<began>\d*)-(?<host>.*)$/;
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;
const WRITE_BUFFER = 1024 * 1024;

/** The file system as a file store: `<folder>/<key>/<name>`. */
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
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    try {
      const sink = createWriteStream(join(unfinished, file.name), {
        flush: true,
        highWaterMark: WRITE_BUFFER,
        mode: 0o600,
      });
      await pipeline(blocks, sink, { signal });
      await rename(unfinished, join(this.folder, file.key));
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  }

  async has(file: StoredFile): Promise<boolean> {
    return access(join(this.folder, file.key, file.name)).then(
      () => true,
      () => false,
    );
  }

  async link(file: StoredFile, seconds: number, linkBase: string): Promise<string> {
    const expires = Math.floor(this.#now() / 1_000) + seconds;
    return linkBase + signPath(`${FILES_PATH}/${file.key}/${file.name}`, expires, await this.#keys());
  }

  /** Where the file of a link lies in the folder: `<key>/<name>`. undefined for a link that is not (or no more) good. */
  async resolveLink(address: string): Promise<string | undefined> {
    const path = verifyLink(address, this.#now() / 1_000, await this.#keys());
    const inFolder = path?.slice(FILES_PATH.length + 1);
    return inFolder && FILE_PATH.test(inFolder) && path?.startsWith(`${FILES_PATH}/`) ? inFolder : undefined;
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

  /** Whether nobody writes there any more; of another machine that cannot be asked, only the time tells. */
  #isForgotten(name: string, changed: number): boolean {
    const { pid, began, host } = UNFINISHED.exec(name)?.groups ?? {};
    if (pid === undefined) return false;
    if (host !== hostname()) return this.#now() - changed > FORGOTTEN_MS;
    return !isAlive(began ? { pid: Number(pid), began } : { pid: Number(pid) });
  }
}
