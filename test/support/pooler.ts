import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

const FILE = join(import.meta.dirname, '../../deploy/cluster/pgbouncer.ini');

/**
 * Starts pgbouncer (a Debian package) in front of a server, with the configuration for operators: its pool mode and the
 * settings of its connections. It serves every database of the server, without passwords.
 */
export async function startPooler(server: string): Promise<Pooler> {
  const { hostname, port: serverPort } = new URL(server);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'ballotgraph-pooler-'));
  const deployed = (await readFile(FILE, 'utf8')).replace(/^ballotgraph = .* (connect_query=.*)$/m, '* = TARGET $1');
  if (!deployed.includes('TARGET')) throw new Error(`${FILE} has no database ballotgraph`);
  const settings: Record<string, string> = { auth_type: 'any', auth_file: '', listen_addr: '127.0.0.1' };
  const lines = deployed
    .replace('TARGET', `host=${hostname} port=${serverPort || '5432'} user=${new URL(server).username}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .split('\n')
    .map((line) => {
      const [, name = ''] = /^(\w+) = /.exec(line) ?? [];
      return name in settings ? `${name} = ${settings[name]}` : line;
    });
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  // pgbouncer does not run as root.
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o755);
  const command = ['/usr/sbin/pgbouncer', ...(isRoot ? ['-u', 'nobody'] : []), join(folder, 'pgbouncer.ini')] as const;
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-5_000);
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  };
  for (const end = performance.now() + 10_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: poolerUrl(server, port) });
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (connected) return { port, stop };
    if (performance.now() > end || child.exitCode !== null) {
      await stop();
      throw new Error(`pgbouncer does not start:\n${log}`);
    }
  }
}

/** Returns the URL of a database through a pgbouncer on this machine. */
export function poolerUrl(database: string, port: number): string {
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
