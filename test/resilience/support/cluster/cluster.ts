import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename } from 'node:fs/promises';
import { get } from 'node:https';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import ownPackage from '../../../../package.json' with { type: 'json' };
import { atExit } from '../at-exit.ts';
import type { Command } from '../production-tree.ts';
import {
  asUser,
  createProgram,
  ownFolder,
  type Program,
  type ProgramOptions,
  postgresProcesses,
  rightsToRead,
  type User,
} from './programs.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');
/** The configuration for operators. */
export const DEPLOYED = join(ROOT, 'deploy/cluster');
/** The commands that Debian's packages install. */
const COMMANDS = ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/pgbouncer', '/usr/sbin/haproxy', '/usr/sbin/varnishd']
  .concat(['/usr/bin/redis-server', '/usr/bin/envsubst', '/usr/lib/postgresql/15/bin/postgres'])
  .concat(['/usr/share/postgresql/15/extension/postgis.control']);
/** The program of `npm start` with its options, without the launcher. */
const GATEWAY = ownPackage.scripts.start.split(' ').filter((word) => !['node', 'src/launch.js'].includes(word));
const READY_LIMIT_MS = 120_000;

/** Returns the files of Debian's packages that are missing. */
export function missingCommands(): string[] {
  return COMMANDS.filter((file) => !existsSync(file));
}

/** A database machine: etcd, Patroni with PostgreSQL, pgbouncer. */
export interface DatabaseMachine {
  readonly name: string;
  readonly address: string;
  /** The folder with its files. */
  readonly state: string;
  readonly data: string;
  readonly etcd: Program;
  readonly patroni: Program;
  readonly pgbouncer: Program;
}

/** A front machine: haproxy, a gateway, Varnish. */
export interface FrontMachine {
  readonly name: string;
  readonly address: string;
  /** That of the service for clients. */
  readonly publicAddress: string;
  readonly haproxy: Program;
  readonly gateway: Program;
  readonly varnish: Program;
}

export interface Cluster {
  readonly databases: readonly DatabaseMachine[];
  readonly fronts: readonly FrontMachine[];
  readonly redis: Program;
  readonly programs: readonly Program[];
  /** The addresses of the service for clients. */
  readonly urls: readonly string[];
  /** The addresses of the database for gateways, by the read ports. */
  readonly readUrls: readonly string[];
  /** The addresses of the leader's database, by the write ports. */
  readonly writeUrls: readonly string[];
  /** Returns the members with the role and the state that Patroni knows. */
  members(): Promise<readonly Member[]>;
  leader(): Promise<DatabaseMachine | undefined>;
  /** Asks Patroni to make another member the leader. */
  switchOver(): Promise<void>;
  /** Returns what is missing for every program to work; empty for a cluster that is whole. */
  missing(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Environment variables for a gateway in addition to those of `gateway.env`, by the number of its machine. */
export type GatewayEnvironment = (front: number) => Readonly<Record<string, string>>;

/**
 * Starts the machines of `deploy/cluster` on this one, from the same files. Each has an address of its own (127.x.y.n), so that
 * all ports are the usual ones. The gateways are not started: the database has no schema yet.
 */
export async function startCluster(gatewayEnvironment: GatewayEnvironment = () => ({})): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-cluster-'));
  await chmod(folder, 0o755);
  const network = await freeNetwork();
  const databaseAddresses = [11, 12, 13].map((host) => `${network}.${host}`);
  const frontAddresses = [21, 22].map((host) => `${network}.${host}`);
  const publicAddresses = [121, 122].map((host) => `${network}.${host}`);
  const redisAddress = `${network}.31`;
  const common = {
    ...namedAddresses('DATABASE', databaseAddresses),
    ...namedAddresses('FRONT', frontAddresses),
    REDIS: redisAddress,
    PUBLIC_URL: 'http://elections.example',
    // The address from which a machine connects to itself.
    NETWORK: '127.0.0.0/8',
    ...{
      POSTGRES_PASSWORD: 'one',
      REPLICATION_PASSWORD: 'two',
      BALLOTGRAPH_PASSWORD: 'three',
      GATEWAY_PASSWORD: 'four',
    },
    ...{ PATRONI_PASSWORD: 'four', REDIS_PASSWORD: 'five', REWIND_PASSWORD: 'six' },
  };
  const programs: Program[] = [];
  // Registered before those of the programs, and called after them.
  atExit(() => {
    for (const program of programs) void program.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Creates the folder of a machine with its files, rendered as an operator does. */
  async function machine(name: string, address: string, user: User, files: readonly string[], variables: object) {
    const state = await ownFolder(join(folder, name), user);
    const script = join(DEPLOYED, 'render.sh');
    const values = { ...common, NAME: name, ADDRESS: address, STATE: state, ...variables };
    const [command, ...args] = asUser(user, [script, state, ...files], await rightsToRead(user, script));
    await run(command, args, { env: { PATH: process.env.PATH, ...values } });
    const add = (
      program: string,
      command: Command,
      more: Pick<ProgramOptions, 'environment' | 'others' | 'rights'> = {},
    ) => {
      const added = createProgram({ name: `${name}-${program}`, user, folder: state, command, ...more });
      programs.push(added);
      return added;
    };
    return { state, add };
  }

  async function databaseMachine(number: number): Promise<DatabaseMachine> {
    const [name, address] = [`database${number}`, databaseAddresses[number - 1] as string];
    const files = ['etcd.env', 'patroni.yml', 'post-init.sh', 'pgbouncer.ini', 'userlist.txt'];
    const { state, add } = await machine(name, address, 'postgres', files, {});
    await rename(join(certificates, name), join(state, 'certificates'));
    const data = join(state, 'postgresql');
    return {
      name,
      address,
      state,
      data,
      etcd: add('etcd', ['etcd'], { environment: await variablesIn(join(state, 'etcd.env')) }),
      patroni: add('patroni', ['patroni', join(state, 'patroni.yml')], { others: () => postgresProcesses(data) }),
      pgbouncer: add('pgbouncer', ['pgbouncer', join(state, 'pgbouncer.ini')]),
    };
  }

  async function frontMachine(number: number): Promise<FrontMachine> {
    const [name, address] = [`front${number}`, frontAddresses[number - 1] as string];
    const [first, second, third] = [0, 1, 2].map((at) => databaseAddresses[(at + number - 1) % 3] as string);
    const publicAddress = publicAddresses[number - 1] as string;
    const own = { FIRST: first, SECOND: second, THIRD: third, PUBLIC_ADDRESS: publicAddress };
    const files = ['haproxy.cfg', 'gateway.env', 'varnish.vcl'];
    const { state, add } = await machine(name, address, 'nobody', files, own);
    const environment = {
      ...(await variablesIn(join(state, 'gateway.env'))),
      ...{ NODE_ENV: 'production', DATA_DIR: join(state, 'data'), MALLOC_ARENA_MAX: '2', LOG_LEVEL: 'warn' },
      ...gatewayEnvironment(number),
    };
    const main = join(ROOT, GATEWAY.at(-1) ?? '');
    const varnish = ['-F', '-n', join(state, 'varnish'), '-a', `${address}:6081`, '-f', join(state, 'varnish.vcl')];
    return {
      name,
      address,
      publicAddress,
      haproxy: add('haproxy', ['haproxy', '-db', '-f', join(state, 'haproxy.cfg')]),
      gateway: add('gateway', [process.execPath, ...GATEWAY.slice(0, -1), main], {
        environment,
        rights: await rightsToRead('nobody', main),
      }),
      varnish: add('varnish', ['varnishd', ...varnish, '-s', 'malloc,64m']),
    };
  }

  const certificates = await createCertificates(await ownFolder(join(folder, 'authority'), 'postgres'), common);
  const databases = await Promise.all([1, 2, 3].map(databaseMachine));
  const fronts = await Promise.all([1, 2].map(frontMachine));
  const { state, add } = await machine('redis', redisAddress, 'nobody', ['redis.conf'], {});
  const redis = add('redis', ['redis-server', join(state, 'redis.conf')]);
  for (const { etcd, patroni, pgbouncer } of databases) for (const each of [etcd, patroni, pgbouncer]) each.start();
  for (const { haproxy, varnish } of fronts) for (const each of [haproxy, varnish]) each.start();
  redis.start();

  async function members(): Promise<readonly Member[]> {
    for (const { address } of databases) {
      const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
        .then((found) => found.json())
        .catch(() => undefined);
      if (response) return response.members;
    }
    return [];
  }

  async function leader(): Promise<DatabaseMachine | undefined> {
    const asked = databases.map(async (each) =>
      (await statusOf(`http://${each.address}:8008/primary`)) === 200 ? each : undefined,
    );
    return (await Promise.all(asked)).find((each) => each !== undefined);
  }

  async function missing(): Promise<string[]> {
    const [known, ...checks] = await Promise.all([
      members(),
      ...databases.map(async ({ name, address, state }) =>
        (await isHealthy(address, join(state, 'certificates'))) ? [] : [`etcd of ${name}`],
      ),
      // Patroni says for seconds that a PostgreSQL works which has been killed; its port says at once that it does not.
      ...databases.map(async ({ name, address }) =>
        (await accepts(address, 5432)) && (await statusOf(`http://${address}:8008/read-only`)) === 200
          ? []
          : [`PostgreSQL of ${name}`],
      ),
      ...fronts.map(async ({ name, address }) =>
        (await statusOf(`http://${address}:4000/ready`)) === 200 ? [] : [`gateway of ${name}`],
      ),
      ...fronts.map(async ({ name, address }) =>
        (await statusOf(`http://${address}:6081/edge`)) === 200 ? [] : [`Varnish of ${name}`],
      ),
      ...fronts.map(async ({ name, publicAddress }) =>
        (await statusOf(`http://${publicAddress}:8080/ready`)) === 200 ? [] : [`haproxy of ${name}`],
      ),
    ]);
    const timelines = new Set(known.map(({ timeline }) => timeline));
    const withRole = (role: string) => known.filter((each) => each.role === role).length;
    // Without a synchronous standby, nobody may replace the leader: commits that only it has would be lost.
    const isWhole =
      known.length === 3 && withRole('leader') === 1 && withRole('sync_standby') === 1 && timelines.size === 1;
    return [
      ...(isWhole ? [] : [`members: ${JSON.stringify(known.map(({ name, role, state }) => [name, role, state]))}`]),
      ...checks.flat(),
    ];
  }

  async function switchOver(): Promise<void> {
    const [command, ...args] = asUser('postgres', [
      'patronictl',
      ...['-c', join(folder, 'database1', 'patroni.yml'), 'switchover', '--force'],
    ]);
    await run(command, args, { env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } });
  }

  for (const end = performance.now() + READY_LIMIT_MS; ; await sleep(250)) {
    const known = await members();
    if (
      known.length === 3 &&
      known.every(({ state: now }) => ['running', 'streaming'].includes(now)) &&
      (await leader())
    )
      break;
    if (performance.now() > end) {
      const logs = await Promise.all(
        programs.map(async (each) => `${each.name}:\n${(await each.log()).slice(-6_000)}`),
      );
      throw new Error(`The cluster does not start: ${JSON.stringify(known)}\n${logs.join('\n')}`);
    }
  }
  return {
    ...{ databases, fronts, redis, programs, members, leader, switchOver, missing },
    urls: publicAddresses.map((address) => `http://${address}:8080`),
    readUrls: frontAddresses.map(
      (address) => `postgres://ballotgraph_gateway:${common.GATEWAY_PASSWORD}@${address}:5000/ballotgraph`,
    ),
    writeUrls: frontAddresses.map(
      (address) => `postgres://ballotgraph:${common.BALLOTGRAPH_PASSWORD}@${address}:5001/ballotgraph`,
    ),
    remove: async () => {
      await Promise.all(programs.map((program) => program.kill()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the first three numbers of addresses of this machine on which nothing listens. */
export async function freeNetwork(): Promise<string> {
  for (;;) {
    const [second, third] = [1, 0].map((least) => least + Math.floor(Math.random() * (255 - least)));
    const network = `127.${second}.${third}`;
    const isFree = await Promise.all([5432, 8080].map((port) => canListen(`${network}.11`, port)));
    if (isFree.every(Boolean)) return network;
  }
}

/**
 * Creates the certificates of the machines, as an operator does.
 * @param folder one that belongs to `postgres`.
 * @returns the folder with one for each machine.
 */
export async function createCertificates(folder: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const script = join(DEPLOYED, 'certificates.sh');
  const [command, ...args] = asUser('postgres', [script, folder], await rightsToRead('postgres', script));
  await run(command, args, { env: { PATH: process.env.PATH, ...variables } });
  return folder;
}

/** Returns whether an etcd says that it works, to a client with a certificate. */
async function isHealthy(address: string, certificates: string): Promise<boolean> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'patroni.crt', 'patroni.key'].map((file) => readFile(join(certificates, file))),
  );
  return new Promise((resolve) => {
    const request = get(`https://${address}:2379/health`, { ...{ ca, cert, key }, agent: false, timeout: 2_000 });
    request.once('timeout', () => request.destroy(new Error('no response')));
    request.once('error', () => resolve(false));
    request.once('response', async (response) => {
      const text = await response.toArray().catch(() => []);
      resolve(Buffer.concat(text).toString().includes('"true"'));
    });
  });
}

/** Returns whether a program accepts connections. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

function namedAddresses(name: string, addresses: readonly string[]): Record<string, string> {
  return Object.fromEntries(addresses.map((address, at) => [`${name}${at + 1}`, address]));
}

/** Reads a file of variables for systemd. */
async function variablesIn(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Returns the status of a page; 0 without a response. */
export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.status ?? 0;
}
