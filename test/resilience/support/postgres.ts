import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { migrate } from '../../../src/store/migrate.ts';
import { type Database, openDatabase, openPool } from '../../../src/store/sql/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { atExit } from './at-exit.ts';
import { freePorts } from './ports.ts';

/** The folder of PostgreSQL's programs. */
export const BIN = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const run = promisify(execFile);

/** Returns a command that runs as the user postgres if this process is root, since PostgreSQL does not run as root. */
const asPostgres = (command: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args];

export interface OwnPostgres {
  readonly url: string;
  readonly port: number;
  /** Returns its log so far. */
  log(): Promise<string>;
  /** Kills the whole server with SIGKILL, like a crash of its machine. */
  kill(): Promise<void>;
  /** Starts it (again) and waits until it accepts connections, including recovery. */
  start(): Promise<void>;
  /** Promotes a standby to primary. */
  promote(): Promise<void>;
  /** Kills it and deletes its folder. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** The parent of its folder; defaults to the system's folder for temporary files. */
  readonly parent?: string;
  /** Arguments of initdb, and settings of the server (`name=value`). */
  readonly initdb?: readonly string[];
  readonly settings?: readonly string[];
  /** Fills the migrated database; by default with the small country of the tests. */
  readonly fill?: (db: Database) => Promise<void>;
}

/** Starts a separate PostgreSQL with nothing in it. */
export function startEmptyPostgres(options: PostgresOptions = {}): Promise<OwnPostgres> {
  return makeServer(options, async (data) => {
    const arguments_ = ['-D', data, '-U', 'ballotgraph', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    await run(...asPostgres(join(BIN, 'initdb'), [...arguments_, ...(options.initdb ?? [])]));
  });
}

/** Starts a separate PostgreSQL with data, which a test can break. */
export async function startPostgres(options: PostgresOptions = {}): Promise<OwnPostgres> {
  const server = await startEmptyPostgres(options);
  const at = { connectionString: server.url };
  const db = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  await migrate(db);
  await (options.fill ?? createElectionWorld)(db);
  await db.destroy();
  return server;
}

/** Starts a copy of another server, which goes on by itself. */
export function startCopy(
  original: Pick<OwnPostgres, 'url'>,
  options: Pick<PostgresOptions, 'settings'> = {},
): Promise<OwnPostgres> {
  return makeServer(options, (data) => takeBaseBackup(original, data));
}

/** Starts a streaming standby of another server on this machine. */
export function startStandby(
  primary: Pick<OwnPostgres, 'port'>,
  options: Pick<PostgresOptions, 'settings'> = {},
): Promise<OwnPostgres> {
  const url = `postgres://ballotgraph@127.0.0.1:${primary.port}`;
  return makeServer(options, (data) => takeBaseBackup({ url }, data, '-R'));
}

/** Takes a base backup of a server into a new folder. */
export async function takeBaseBackup(
  { url }: Pick<OwnPostgres, 'url'>,
  folder: string,
  ...args: readonly string[]
): Promise<void> {
  const place = ['--checkpoint=fast', '--pgdata', folder, '--dbname', url];
  await run(...asPostgres(join(BIN, 'pg_basebackup'), [...place, ...args]));
}

/** Starts a server from a base backup, which it recovers as its settings say. */
export function startRecovery(backup: string, settings: readonly string[]): Promise<OwnPostgres> {
  return makeServer({ settings }, async (data) => {
    await run(...asPostgres('cp', ['-a', backup, data]));
    await run(...asPostgres('touch', [join(data, 'recovery.signal')]));
  });
}

async function makeServer(options: PostgresOptions, fill: (data: string) => Promise<void>): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(options.parent ?? tmpdir(), 'resilience-'));
  const [data, logFile] = [join(folder, 'data'), join(folder, 'log')];
  const [port = 0] = await freePorts(1);
  await chmod(folder, 0o777);
  await fill(data);
  const settings = ['max_connections=60', ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]);

  async function start(): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings];
      const shell = ['-c', 'exec "$0" "$@" >>"$PGLOG" 2>&1', join(BIN, 'postgres'), ...place];
      const [command, args] = asPostgres('sh', shell);
      spawn(command, args, { stdio: 'ignore', detached: true, env: { ...process.env, PGLOG: logFile } }).unref();
      for (let wait = 0; wait < 100; wait++) {
        await sleep(25);
        const isReady = await run(join(BIN, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).catch(() => false);
        if (isReady) return;
      }
    }
    throw new Error(`PostgreSQL does not start:\n${await log()}`);
  }

  const log = () => readFile(logFile, 'utf8').catch(() => '');

  async function kill(): Promise<void> {
    const pid = postmasterIn(data);
    if (pid === undefined) return;
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
    for (const each of [pid, ...stdout.split('\n').filter((line) => line.trim())]) killIgnoringErrors(Number(each));
    await sleep(100);
    // As a supervisor does that knows the process to be dead.
    await rm(join(data, 'postmaster.pid'), { force: true });
  }

  const forget = atExit(() => killIgnoringErrors(postmasterIn(data)));
  await start();
  return {
    url: `postgres://ballotgraph@127.0.0.1:${port}/postgres`,
    port,
    log,
    kill,
    start,
    promote: async () => void (await run(...asPostgres(join(BIN, 'pg_ctl'), ['promote', '-w', '-D', data]))),
    remove: async () => {
      await kill();
      forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function postmasterIn(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function killIgnoringErrors(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited in the meantime.
  }
}
