import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { contentOfGraph, contentOfRest } from './content.ts';
import { processorTime } from './processor-time.ts';
import { type Asker, askFloor, askGraph, askPostgraphile, askRest, askWritten, type WorkName } from './works.ts';

/** A server under test: several targets may share one. */
export interface ServerKind {
  readonly name: string;
  /** The path relative to the root. */
  readonly script: string;
  /** The checkout from which it is started; defaults to this one. */
  readonly root?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A way to send requests to a server, measured as one column of the table. */
export interface Subject {
  readonly name: string;
  readonly server: string;
  readonly ask: Asker;
  readonly content: (work: WorkName, body: unknown) => unknown;
  /**
   * If true, the responses must equal the baseline in every detail; peers are compared in the requested fields only.
   */
  readonly strict: boolean;
  readonly warm?: boolean;
}

const OURS = {
  TODAY: '2026-07-01',
  LOG_LEVEL: 'warn',
  GRAPHIQL: 'false',
  // One key sends all requests.
  MAX_IN_FLIGHT: '1000',
  MAX_IN_FLIGHT_PER_KEY: '1000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
};

const OUR_SCRIPT = 'src/main.ts';

export const SERVERS: readonly ServerKind[] = [
  { name: 'floor', script: 'bench/subjects/floor.ts' },
  { name: 'ours', script: OUR_SCRIPT, environment: { ...OURS, RESPONSE_CACHE_BYTES: '0' } },
  { name: 'ours-warm', script: OUR_SCRIPT, environment: OURS },
  {
    name: 'postgraphile',
    script: 'bench/peers/postgraphile.js',
    environment: { NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  },
  { name: 'mercurius', script: 'bench/peers/mercurius.js', environment: { NODE_ENV: 'production' } },
  { name: 'apollo', script: 'bench/peers/apollo.js', environment: { NODE_ENV: 'production' } },
];

const ofRest = (_: WorkName, body: unknown) => contentOfRest(body);

export const SUBJECTS: readonly Subject[] = [
  { name: 'floor', server: 'floor', ask: askFloor, content: ofRest, strict: true },
  { name: 'graphql', server: 'ours', ask: askGraph, content: contentOfGraph, strict: true },
  { name: 'rest', server: 'ours', ask: askRest, content: ofRest, strict: true },
  { name: 'graphql warm', server: 'ours-warm', ask: askGraph, content: contentOfGraph, strict: true, warm: true },
  { name: 'rest warm', server: 'ours-warm', ask: askRest, content: ofRest, strict: true, warm: true },
  { name: 'postgraphile', server: 'postgraphile', ask: askPostgraphile, content: contentOfGraph, strict: false },
  { name: 'mercurius', server: 'mercurius', ask: askWritten, content: contentOfGraph, strict: false },
  { name: 'apollo', server: 'apollo', ask: askWritten, content: contentOfGraph, strict: false },
];

export interface RunningServer {
  readonly url: string;
  /** The first of the server's processes. */
  readonly process: ChildProcess;
  /** Returns the resident memory in MB; undefined if the system does not report it. */
  memory(): Promise<number | undefined>;
  /** Returns the processor time in milliseconds since the start; undefined if the system does not report it. */
  work(): Promise<number | undefined>;
  stop(): Promise<void>;
}

export interface ServerPlace {
  readonly databaseUrl: string;
  /** Database connections of each process. */
  readonly pool: number;
  /** The number of processes of this service that listen on one port; the other servers have one process. */
  readonly processes: number;
}

/** Starts a server on a free loopback port, connected to a database. */
export async function startServer(kind: ServerKind, place: ServerPlace): Promise<RunningServer> {
  const isOurs = kind.script === OUR_SCRIPT;
  const port = isOurs ? await freePort() : 0;
  const children = Array.from({ length: isOurs ? place.processes : 1 }, () => startProcess(kind, place, port));
  const [first] = children as [ChildProcess];
  const ended = Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  const listening = isOurs
    ? Promise.all(children.map(listens)).then(() => answers(port))
    : new Promise<number>((resolve) => first.once('message', (message) => resolve((message as { port: number }).port)));
  const url = `http://127.0.0.1:${await Promise.race([listening, ended.then(() => Promise.reject(new Error(`${kind.name} ended`)))])}`;
  return {
    url,
    process: first,
    memory: () => sumOf(children, residentMemory),
    work: () => sumOf(children, processorTime),
    async stop() {
      for (const child of children) child.kill('SIGTERM');
      const timer = setTimeout(() => children.map((child) => child.kill('SIGKILL')), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function startProcess(kind: ServerKind, { databaseUrl, pool, processes }: ServerPlace, port: number): ChildProcess {
  const isOurs = port !== 0;
  const root = kind.root ?? ROOT;
  const child = fork(join(root, kind.script), {
    cwd: root,
    env: {
      ...process.env,
      ...kind.environment,
      DATABASE_URL: databaseUrl,
      POOL_SIZE: String(pool),
      PORT: String(port),
      REUSE_PORT: String(processes > 1),
    },
    execArgv: [
      ...(isOurs ? startOptions(root) : []),
      ...(process.env[`BENCH_NODE_${kind.name.toUpperCase().replace('-', '_')}`] ?? '').split(' ').filter(Boolean),
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (process.env.BENCH_VERBOSE) child.stderr?.pipe(process.stderr);
  else child.stderr?.resume();
  return child;
}

/** Resolves when the server listens, which this service reports on standard error. */
function listens({ stderr }: ChildProcess): Promise<void> {
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

const ROOT = join(import.meta.dirname, '..');

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

async function answers(port: number): Promise<number> {
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
