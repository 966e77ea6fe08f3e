import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '../../../src/access/access.store.ts';
import { openDatabase, openPool } from '../../../src/store/database.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface FaultGateway {
  readonly url: string;
  readonly child: ChildProcess;
  /** Lines of the log and of standard error so far. */
  readonly lines: string[];
  /** Resolves with the exit code when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The service in a process of its own; resolves when it is ready. */
export async function startGateway(environment: Record<string, string>): Promise<FaultGateway> {
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  }
  const ended = once(child, 'exit');
  for (let attempt = 0; attempt < 600; attempt++) {
    const url = /(http:\S+)\/graphql/.exec(lines.join('\n'))?.[1];
    const ready = url && (await fetch(`${url}/ready`).catch(() => undefined));
    if (ready && ready.status === 200) {
      return {
        url,
        child,
        lines,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await ended;
          return child.exitCode;
        },
      };
    }
    await sleep(100);
  }
  throw new Error(`The gateway did not become ready:\n${lines.join('\n')}`);
}

export async function keyOf(databaseUrl: string, packageName: string): Promise<string> {
  const pool = openPool({ at: { connectionString: databaseUrl }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 });
  const db = openDatabase(pool);
  const key = await createApiKey(db, packageName);
  await db.destroy();
  return key;
}

/** The value that so many percent of the values are not above. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Writes the figures of a run, and what they had to be, and sets the exit code. */
export function report(title: string, figures: Record<string, unknown>, held: Record<string, boolean>): void {
  const failed = Object.entries(held).filter(([, holds]) => !holds);
  process.stdout.write(`${JSON.stringify({ test: title, ...figures, notHeld: failed.map(([name]) => name) })}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** The argument `--name value` of the command line, as a number. */
export function argument(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
}
