import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createProgram } from '../resilience/support/cluster/programs.ts';
import { freePort } from './free-port.ts';

export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

const PGBOUNCER = '/usr/sbin/pgbouncer';
const FILE = join(import.meta.dirname, '../../deploy/cluster/pgbouncer.ini');
const START_LIMIT_MS = 10_000;

export const hasPooler = () => existsSync(PGBOUNCER);

/**
 * Starts pgbouncer (a Debian package) in front of a server, with the configuration for operators: its pool mode and the
 * settings of its connections. It serves every database of the server, without passwords.
 */
export async function startPooler(server: string): Promise<Pooler> {
  if (!hasPooler()) throw new Error(`TEST_POOLER needs ${PGBOUNCER}: install Debian's package pgbouncer`);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'ballotgraph-pooler-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configurationFor(await readFile(FILE, 'utf8'), server, port));
  const pgbouncer = createProgram({ name: 'pgbouncer', user: 'nobody', folder, command: [PGBOUNCER, file] });
  const stop = async () => {
    await pgbouncer.kill();
    await rm(folder, { recursive: true });
  };
  pgbouncer.start();
  const end = performance.now() + START_LIMIT_MS;
  while (!(await canConnect(poolerUrl(server, port)))) {
    if (performance.now() > end) {
      const log = await pgbouncer.log();
      await stop();
      throw new Error(`pgbouncer does not start:\n${log}`);
    }
    await sleep(50);
  }
  return { port, stop };
}

/** Returns the deployed configuration for every database of a server, and its port on this machine. */
function configurationFor(deployed: string, server: string, port: number): string {
  const { hostname, port: serverPort, username } = new URL(server);
  const target = `host=${hostname} port=${serverPort || '5432'} user=${username}`;
  const settings: Record<string, string> = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_type: 'any',
    auth_file: '',
  };
  const lines = deployed.split('\n').map((line) => {
    const [, name = ''] = /^(\w+) = /.exec(line) ?? [];
    if (name === 'ballotgraph') return line.replace(/^.*(?= connect_query=)/, `* = ${target}`);
    return name in settings ? `${name} = ${settings[name]}` : line;
  });
  if (!lines.some((line) => line.startsWith(`* = ${target} connect_query=`)))
    throw new Error(`${FILE} has no database ballotgraph with a connect_query`);
  return lines.join('\n');
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return isConnected;
}

/** Returns the URL of a database through a pgbouncer on this machine. */
export function poolerUrl(database: string, port: number): string {
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
