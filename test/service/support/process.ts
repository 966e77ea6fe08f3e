import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
}

/** Starts a process of this program, `main`, `cli` or a file, with only the given environment; it is killed when the test ends. */
export function startProcess(script: string, args: string[], environment: Record<string, string>): RunningProcess {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(ROOT, script.includes('.') ? script : `src/${script}.ts`), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output, ended };
}

export interface Gateway extends RunningProcess {
  readonly url: string;
  /** Waits until `/ready` has this status. */
  becomes(status: number): Promise<void>;
  /** The lines of the log so far. */
  log(): Record<string, unknown>[];
}

/** The service itself, on a free port, as soon as it listens. */
export async function startGateway(environment: Record<string, string>): Promise<Gateway> {
  const started = startProcess('main', [], { PORT: '0', ...environment });
  const url = await until(() => /(http:\S+)\/graphql/.exec(started.output.stderr)?.[1], started);
  return {
    ...started,
    url,
    becomes: (status) =>
      until(async () => {
        const response = await fetch(`${url}/ready`).catch(() => undefined);
        return response?.status === status || undefined;
      }, started).then(() => undefined),
    log: () =>
      started.output.stdout
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line)),
  };
}

export function runCommand(args: string[], environment: Record<string, string>): Promise<Ended> {
  return startProcess('cli', args, environment).ended;
}

/** The first start of an embedded database creates it. */
const LIMIT_MS = 180_000;

async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  { child, output }: RunningProcess,
): Promise<T> {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The expected state was not reached:\n${output.stdout}\n${output.stderr}`);
}
