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
  /** Takes all room that is left; again, what was freed since. Resolves with the bytes that it took. */
  fill(): Promise<number>;
  /** Gives that room back. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A file system of its own in memory, with so many megabytes.
 * @throws Error where mounting is not allowed: it takes root, and a container that lets it.
 */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'faults', folder]);
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
