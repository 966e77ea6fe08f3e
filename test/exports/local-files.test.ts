import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../src/gateway/exports/local-files.ts';
import { useFolder } from './support.ts';

const root = useFolder();
let folder: string;
let files: LocalFiles;
let count = 0;
beforeEach(async () => {
  folder = join(root.path, String(++count));
  await mkdir(folder);
  files = new LocalFiles(folder, async () => [{ id: 'KEY1', secret: 's'.repeat(32) }]);
});

const file = (digit: string) =>
  ({ key: `00000000-0000-4000-8000-00000000000${digit}`, name: 'x_2026-07-01.csv' }) as const;
const never = new AbortController().signal;
const visible = async () => (await readdir(folder)).filter((name) => !name.startsWith('.'));
const longAgo = new Date('2020-01-01');

describe('a file', () => {
  it('exists once it is complete, for its owner only', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* blocks() {
      yield Buffer.from('half');
      await gate;
      yield Buffer.from(' and half');
    }
    const writing = files.write(file('1'), blocks(), never);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await visible()).toEqual([]);
    expect(await files.has(file('1'))).toBe(false);
    go();
    await writing;
    expect(await files.has(file('1'))).toBe(true);
    const path = join(folder, file('1').key, file('1').name);
    expect(await readFile(path, 'utf8')).toBe('half and half');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('does not exist if its blocks fail, and leaves nothing', async () => {
    async function* blocks() {
      yield Buffer.from('half');
      throw new Error('no more');
    }
    await expect(files.write(file('1'), blocks(), never)).rejects.toThrow('no more');
    expect(await visible()).toEqual([]);
    const [unfinished = ''] = await readdir(folder);
    expect(await readdir(join(folder, unfinished))).toEqual([]);
  });

  it('is removed if it is old', async () => {
    await files.write(file('1'), Readable.from([Buffer.from('old')]), never);
    await files.write(file('2'), Readable.from([Buffer.from('new')]), never);
    await utimes(join(folder, file('1').key), longAgo, longAgo);
    await files.clean(new Date(Date.now() - 1_000));
    expect(await visible()).toEqual([file('2').key]);
  });
});

describe('cleaning', () => {
  it('ignores other files', async () => {
    await writeFile(join(folder, 'notes.txt'), '');
    await mkdir(join(folder, 'pictures'));
    await utimes(join(folder, 'notes.txt'), longAgo, longAgo);
    await utimes(join(folder, 'pictures'), longAgo, longAgo);
    await files.clean(new Date());
    expect(await visible()).toEqual(['notes.txt', 'pictures']);
  });

  it('ignores files that this process and other running ones write', async () => {
    async function* blocks() {
      yield Buffer.from('half');
      await files.clean(new Date());
      yield Buffer.from(' and half');
    }
    await files.write(file('1'), blocks(), never);
    await mkdir(join(folder, `.unfinished-${process.ppid}--${hostname()}`));
    await files.clean(longAgo);
    expect((await readdir(folder)).sort()).toEqual([
      expect.stringMatching(/^\.unfinished/),
      expect.stringMatching(/^\.unfinished/),
      file('1').key,
    ]);
  });

  it('removes files of a process that was killed while writing', async () => {
    const child = fork(new URL('./write-forever.ts', import.meta.url), [folder], { execArgv: [] });
    await once(child, 'message');
    const [unfinished = ''] = await readdir(folder);
    expect(await readdir(join(folder, unfinished, file('9').key))).toEqual([file('9').name]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await visible()).toEqual([]);
    await files.clean(longAgo);
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes files that another machine left a day ago', async () => {
    const [now, then] = ['.unfinished-1-2-elsewhere', '.unfinished-1-3-elsewhere'];
    await mkdir(join(folder, now));
    await mkdir(join(folder, then));
    await utimes(join(folder, then), longAgo, longAgo);
    await files.clean(longAgo);
    expect(await readdir(folder)).toEqual([now]);
  });

  it('does nothing for a missing folder', async () => {
    await new LocalFiles(join(folder, 'none'), async () => [{ id: 'KEY1', secret: 's' }]).clean(new Date());
    expect(await readdir(folder)).toEqual([]);
  });
});
