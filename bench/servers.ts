import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { processorTime } from './processor-time.ts';
import { GATEWAY_SCRIPT, type ServerSpec } from './targets.ts';

export interface RunningServer {
  readonly url: string;
  /** The first of the server's processes. */
  readonly process: ChildProcess;
  /** Returns the resident memory in MB; undefined if the system does not report it. */
  memory(): Promise<number | undefined>;
  /** Returns the processor time in milliseconds since the start; undefined if the system does not report it. */
  processorTime(): Promise<number | undefined>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly databaseUrl: string;
  /** Database connections of each process. */
  readonly pool: number;
  /** The number of processes of this service that listen on one port; the other servers have one process. */
  readonly processes: number;
}

/** Starts a server on a free loopback port, connected to a database. */
export async function startServer(spec: ServerSpec, options: ServerOptions): Promise<RunningServer> {
  const isGateway = spec.script === GATEWAY_SCRIPT;
  const port = isGateway ? await freePort() : 0;
  const children = Array.from({ length: isGateway ? options.processes : 1 }, () => startProcess(spec, options, port));
  const [first] = children as [ChildProcess];
  const ended = Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  const listening = isGateway
    ? Promise.all(children.map(gatewayListens)).then(() => whenReady(port))
    : new Promise<number>((resolve) => first.once('message', (message) => resolve((message as { port: number }).port)));
  const failed = ended.then(() =>
    Promise.reject(new Error(`The server ${spec.name} ended. BENCH_VERBOSE=1 shows why.`)),
  );
  failed.catch(() => undefined);
  return {
    url: `http://127.0.0.1:${await Promise.race([listening, failed])}`,
    process: first,
    memory: () => sumOf(children, residentMemory),
    processorTime: () => sumOf(children, processorTime),
    async stop() {
      for (const child of children) child.kill('SIGTERM');
      const timer = setTimeout(() => children.map((child) => child.kill('SIGKILL')), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function startProcess(spec: ServerSpec, { databaseUrl, pool, processes }: ServerOptions, port: number): ChildProcess {
  const { root } = spec;
  const child = fork(join(root, spec.script), {
    cwd: root,
    env: {
      ...process.env,
      ...spec.environment,
      DATABASE_URL: databaseUrl,
      POOL_SIZE: String(pool),
      PORT: String(port),
      REUSE_PORT: String(processes > 1),
    },
    execArgv: [
      ...(port === 0 ? [] : startOptions(root)),
      ...(process.env[`BENCH_NODE_${spec.name.toUpperCase().replaceAll('-', '_')}`] ?? '').split(' ').filter(Boolean),
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (process.env.BENCH_VERBOSE) child.stderr?.pipe(process.stderr);
  else child.stderr?.resume();
  return child;
}

/** Resolves when the gateway listens, which it reports on standard error. */
function gatewayListens({ stderr }: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    stderr?.on('data', (text) => String(text).includes('Ballotgraph is running') && resolve());
  });
}

async function sumOf(
  children: readonly ChildProcess[],
  measure: (pid: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  const all = await Promise.all(children.map(({ pid }) => measure(pid ?? 0)));
  return all.includes(undefined) ? undefined : all.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

/** Returns the Node options with which `npm start` of a checkout starts the service. */
function startOptions(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function whenReady(port: number): Promise<number> {
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (ready?.ok) return port;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function residentMemory(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
