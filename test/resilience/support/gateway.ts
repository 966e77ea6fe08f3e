import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '../../../src/gateway/access/access.store.ts';
import { openDatabase, openPool, type PoolSettings } from '../../../src/store/sql/database.ts';
import { liftRateLimits } from '../../support/unlimited.ts';
import { atExit } from './at-exit.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_LIMIT_MS = 120_000;

export interface FailingGateway {
  readonly url: string;
  readonly child: ChildProcess;
  readonly pid: number;
  /** Lines of the log and of standard error so far. */
  readonly lines: string[];
  /** Stops the process. Resolves with the exit code once it has exited. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  /** Whether to wait until the gateway is ready, or only until it listens. */
  readonly until?: 'ready' | 'listening';
  /** Arguments for Node in addition to those of `npm start`. */
  readonly execArgv?: readonly string[];
  /** The user and the group of the process; those of this one if omitted. */
  readonly userId?: number | undefined;
  /** The folder of another version of the service. */
  readonly root?: string;
}

/** Starts the service in a separate process, as `npm start` does; resolves when it is ready. */
export async function startGateway(
  environment: Record<string, string>,
  { until = 'ready', execArgv = [], userId, root = ROOT }: StartOptions = {},
): Promise<FailingGateway> {
  const child = spawn(process.execPath, [...execArgv, ...startArguments(root)], {
    cwd: root,
    env: { ...ownEnvironment(), PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(userId !== undefined && { uid: userId, gid: userId }),
  });
  const lines = linesOf(child);
  const ended = once(child, 'exit').then(atExit(() => child.kill('SIGKILL')));
  for (const end = performance.now() + START_LIMIT_MS; performance.now() < end && child.exitCode === null; ) {
    const url = /(http:\S+)\/graphql/.exec(lines.join('\n'))?.[1];
    if (url && (until === 'listening' || (await isReady(url)))) {
      return {
        url,
        child,
        pid: child.pid ?? 0,
        lines,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await ended;
          return child.exitCode;
        },
      };
    }
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The gateway did not become ready:\n${lines.join('\n')}`);
}

/** Returns the options of Node and the program, as `npm start` runs them. */
function startArguments(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return scripts.start.split(' ').slice(1);
}

/** Runs a command of the service (`load`, `migrate`, …); returns its exit code and output. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; text: string }> {
  const { child, text, ended } = startCommand(args, environment);
  await ended;
  return { code: child.exitCode, text: text() };
}

/** Starts a command without waiting for it to exit. */
function startCommand(args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli.ts'), ...args], {
    cwd: ROOT,
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = linesOf(child);
  return { child, text: () => lines.join('\n'), ended: once(child, 'close') };
}

export async function isReady(url: string): Promise<boolean> {
  return (await statusOf(`${url}/ready`)) === 200;
}

/** Returns the status of a page that needs no key; 0 without a response. */
export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Creates a key of a package directly in the database, without rate limits. */
export async function keyOf(database: string | PoolSettings['at'], packageName: string): Promise<string> {
  const at = typeof database === 'string' ? { connectionString: database } : database;
  const db = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  try {
    await liftRateLimits(db);
    return await createApiKey(db, packageName);
  } finally {
    await db.destroy();
  }
}

function ownEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.filter(Boolean));
    });
  }
  return lines;
}
