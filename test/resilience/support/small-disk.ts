import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atExit } from './at-exit.ts';

const run = promisify(execFile);
const BLOCK = Buffer.alloc(64 * 1024);

export interface SmallDisk {
  readonly folder: string;
  /** Fills the remaining space; called again, also the space freed since. Resolves with the bytes written. */
  fill(): Promise<number>;
  /** Frees that space again. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Mounts a separate file system in memory, with the given number of megabytes.
 * @throws Error if mounting is not allowed: it requires root, and a container that permits it.
 */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'resilience', folder]);
  const forget = atExit(() => void execFile('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      const file = await open(filler, 'a');
      let taken = 0;
      try {
        for (;;) taken += (await file.write(BLOCK)).bytesWritten;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        await file.close();
      }
      return taken;
    },
    free: () => rm(filler, { force: true }),
    remove: async () => {
      await run('umount', ['-l', folder]);
      forget();
      await rm(folder, { recursive: true });
    },
  };
}
