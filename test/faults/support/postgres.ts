import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase, openPool } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { createElectionWorld } from '../../support/election-world.ts';

const BIN = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const run = promisify(execFile);

/** PostgreSQL does not run as root: there, the user postgres runs it. */
const asPostgres = (command: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args];

export interface OwnPostgres {
  readonly url: string;
  /** Kills the whole server with SIGKILL, as a crash of its machine does. */
  kill(): Promise<void>;
  /** Starts it again and waits until it takes connections; recovery is part of that. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A PostgreSQL of its own with the small country of the tests, to be killed at will. */
export async function startPostgres(): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  const data = join(folder, 'data');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  await chmod(folder, 0o777);
  const initdb = ['-D', data, '-U', 'ballotgraph', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  await run(...asPostgres(join(BIN, 'initdb'), initdb));
  const url = `postgres://ballotgraph@127.0.0.1:${port}/postgres`;

  async function start(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'max_connections=60'];
      spawn(...asPostgres(join(BIN, 'postgres'), options), { stdio: 'ignore', detached: true }).unref();
      for (let wait = 0; wait < 40; wait++) {
        await sleep(50);
        const isReady = await run(join(BIN, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).catch(() => false);
        if (isReady) return;
      }
      if (attempt > 5) throw new Error('PostgreSQL does not start');
    }
  }

  async function kill(): Promise<void> {
    const [pid = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', pid]).catch(() => ({ stdout: '' }));
    for (const each of [pid, ...stdout.split('\n').filter((line) => line.trim())]) {
      try {
        process.kill(Number(each), 'SIGKILL');
      } catch {
        // It ended by itself in the meantime.
      }
    }
    await sleep(100);
    // What a supervisor does that knows the process to be dead.
    await rm(join(data, 'postmaster.pid'), { force: true });
  }

  await start();
  const db = openDatabase(openPool({ at: { connectionString: url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  await migrate(db);
  await createElectionWorld(db);
  await db.destroy();
  const remove = async () => {
    await kill().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  return { url, kill, start, remove };
}
