import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { atExit } from '../at-exit.ts';
import type { Command } from '../production-tree.ts';

const run = promisify(execFile);
const IS_ROOT = process.getuid?.() === 0;

/** The users of the programs, if this process is root: none of them runs as root. */
export type User = 'postgres' | 'nobody';

export interface ProgramOptions {
  readonly name: string;
  readonly user: User;
  /** An existing folder, for its log. */
  readonly folder: string;
  readonly command: Command;
  /** Options of `setpriv` in addition to the user. */
  readonly rights?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns the processes that it leaves when it is killed, and which die with its machine. */
  readonly others?: () => readonly number[];
}

/** A program of a machine: a process with the processes that it starts. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  start(): void;
  /** Kills it with SIGKILL and waits until its processes are gone. */
  kill(): Promise<void>;
  log(): Promise<string>;
}

/** Creates a folder that a user owns. */
export async function ownFolder(folder: string, user: User): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (IS_ROOT) await chown(folder, ...(await idsOf(user)));
  return folder;
}

/** Returns a command as the user runs it, with more options of `setpriv`; unchanged if this process is not root. */
export function asUser(user: User, command: Command, rights: readonly string[] = []): Command {
  if (!IS_ROOT) return command;
  const identity = [`--reuid=${user}`, `--regid=${GROUPS[user]}`, '--clear-groups', '--no-new-privs'];
  return ['setpriv', ...identity, ...rights, ...command];
}

/**
 * Returns the options of `setpriv` with which a user can read a file: the right to read all files, if it is in a folder that only
 * root may open.
 */
export async function rightsToRead(user: User, file: string): Promise<readonly string[]> {
  if (!IS_ROOT) return [];
  const [test, ...args] = asUser(user, ['test', '-r', file]);
  const canRead = await run(test, args).then(
    () => true,
    () => false,
  );
  return canRead ? [] : ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
}

/** Creates a program, which does not run yet. What runs is killed when this process exits. */
export function createProgram({ name, user, folder, command, rights, environment, others }: ProgramOptions): Program {
  const logFile = join(folder, `${name}.log`);
  const [file, ...args] = asUser(user, command, rights);
  let child: ChildProcess | undefined;

  const killAll = () => {
    const left = others?.() ?? [];
    // Of the group of a child that is gone, nothing is left: its number may belong to another process by now.
    if (child?.pid && child.exitCode === null && child.signalCode === null) killIgnoringErrors(-child.pid);
    for (const pid of left) killIgnoringErrors(pid);
  };
  let forget = () => {};
  return {
    name,
    get pid() {
      return child?.pid ?? 0;
    },
    start() {
      const log = openSync(logFile, 'a');
      child = spawn(file, args, {
        cwd: folder,
        stdio: ['ignore', log, log],
        detached: true,
        env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8', ...environment },
      });
      closeSync(log);
      forget();
      forget = atExit(killAll);
      child.once('error', ({ message }) => appendFileSync(logFile, `${message}\n`));
    },
    async kill() {
      const ended = child;
      killAll();
      for (let wait = 0; ended && ended.exitCode === null && ended.signalCode === null && wait < 200; wait++)
        await sleep(10);
      forget();
    },
    log: () => readFile(logFile, 'utf8').catch(() => ''),
  };
}

/** Returns the process of the PostgreSQL in a data directory, and the processes that it has started. */
export function postgresProcesses(data: string): number[] {
  try {
    const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (!readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').includes(data)) return [];
    return [postmaster, ...childrenOf(postmaster)];
  } catch {
    return [];
  }
}

/** Returns the processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

const GROUPS: Readonly<Record<User, string>> = { postgres: 'postgres', nobody: 'nogroup' };

async function idsOf(user: User): Promise<[number, number]> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => run('id', [which, user])));
  return [Number(uid?.stdout), Number(gid?.stdout)];
}

function killIgnoringErrors(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited in the meantime.
  }
}
