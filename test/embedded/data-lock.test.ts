import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DatabaseInUseError,
  DataLock,
  identify,
  isAlive,
  LOCK_FILE,
  readLock,
} from '../../src/store/embedded/data-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

function write(content: object): Promise<void> {
  return writeFile(join(folder, LOCK_FILE), JSON.stringify({ id: 'other', host: hostname(), ...content }));
}

describe('the lock of a data folder', () => {
  it('is acquired, updated and released without a trace', async () => {
    const { lock, staleLock } = await DataLock.take(folder);
    expect(staleLock).toBeUndefined();
    await lock.update({ writer: identify(process.pid), socketFolder: '/tmp/x' });
    expect(await readLock(folder)).toMatchObject({ owner: { pid: process.pid }, socketFolder: '/tmp/x' });
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is acquired by one of many concurrent processes', async () => {
    const requested = await Promise.allSettled(Array.from({ length: 20 }, () => DataLock.take(folder)));
    expect(requested.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual([LOCK_FILE]);
  });

  it('is rejected while its owner is alive, with the process and advice', async () => {
    const owner = spawn('sleep', ['60']);
    try {
      await write({ owner: identify(owner.pid ?? 0) });
      const rejection = await DataLock.take(folder).catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(DatabaseInUseError);
      expect(rejection).toMatchObject({ pid: owner.pid });
      expect(String(rejection)).toMatch(new RegExp(`process ${owner.pid} .*Stop that process first.*DATABASE_URL`));
    } finally {
      owner.kill('SIGKILL');
    }
  });

  // A lock that expires after some seconds, like that of proper-lockfile, would be taken over by a second process here.
  it('is rejected while its owner lives, however long ago the owner wrote it', async () => {
    const { lock } = await DataLock.take(folder);
    const dayAgo = Date.now() / 1_000 - 86_400;
    await utimes(join(folder, LOCK_FILE), dayAgo, dayAgo);
    await expect(DataLock.take(folder)).rejects.toThrow(DatabaseInUseError);
    await lock.release();
  });

  it('is taken over from a dead process, with the content of its lock', async () => {
    const dead = spawnSync('true').pid;
    await write({ owner: { pid: dead }, socketFolder: '/tmp/left' });
    const { staleLock } = await DataLock.take(folder);
    expect(staleLock?.socketFolder).toBe('/tmp/left');
    expect(await readdir(folder)).toEqual([LOCK_FILE]);
  });

  it.runIf(process.platform === 'linux')('is taken over if its process id now belongs to another process', async () => {
    await write({ owner: { pid: process.pid, began: '1' } });
    await expect(DataLock.take(folder)).resolves.toBeDefined();
  });

  it('waits for the writer of a dead owner to exit', async () => {
    const writer = spawn('sleep', ['0.5']);
    const ended = once(writer, 'exit');
    const identity = identify(writer.pid ?? 0);
    await write({ owner: { pid: spawnSync('true').pid }, writer: identity });
    await DataLock.take(folder);
    expect(isAlive(identity)).toBe(false);
    await ended;
  });

  it('is rejected if it belongs to another machine, or is not a lock file', async () => {
    await write({ host: 'elsewhere', owner: { pid: 4 } });
    await expect(DataLock.take(folder)).rejects.toThrow(/process 4 on the machine elsewhere/);
    await writeFile(join(folder, LOCK_FILE), 'something');
    await expect(DataLock.take(folder)).rejects.toThrow(/is not a lock/);
    expect(await readFile(join(folder, LOCK_FILE), 'utf8')).toBe('something');
  });

  it('is not removed by a former holder', async () => {
    const { lock } = await DataLock.take(folder);
    await write({ owner: { pid: process.pid } });
    await lock.release();
    expect(await readdir(folder)).toEqual([LOCK_FILE]);
  });
});
