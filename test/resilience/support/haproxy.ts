import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './ports.ts';
import type { OwnPostgres } from './postgres.ts';

export interface Haproxy {
  stop(): Promise<void>;
}

/**
 * Returns the configuration recommended to operators (`deploy/haproxy.cfg`) with its variables replaced: those of its
 * sections for which all values are given.
 * @param values by the names of its variables; a number is a local port.
 */
export async function deployedConfiguration(values: Readonly<Record<string, string | number>>): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../../deploy/haproxy.cfg'), 'utf8');
  const filledIn = text.replaceAll(/"\$\{(\w+)\}"/g, (variable, name: string) => {
    const value = values[name] ?? variable;
    return typeof value === 'number' ? `127.0.0.1:${value}` : value;
  });
  return `${filledIn
    .split('\n\n')
    .filter((section) => !section.includes('${'))
    .join('\n\n')}\n`;
}

/** Starts haproxy (a Debian package) with a configuration; resolves when it accepts connections on the port. */
export async function startHaproxy(config: string, port: number): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  const child = spawn('haproxy', ['-f', file, '-db'], {
    stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  const stop = async () => {
    child.kill();
    await rm(folder, { recursive: true });
  };
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await Promise.race([isOpen(port), failed])) return { stop };
    await sleep(50);
  }
  await stop();
  throw new Error(`haproxy does not start with this configuration:\n${config}`);
}

/** Starts haproxy in front of a primary PostgreSQL and its standby, which serves when the primary is down. */
export async function startStoreProxy(
  primary: Pick<OwnPostgres, 'port'>,
  standby: Pick<OwnPostgres, 'port'>,
): Promise<Haproxy & { readonly url: string }> {
  const [port = 0] = await freePorts(1);
  const { stop } = await startHaproxy(
    `defaults
  mode tcp
  timeout connect 1s
  option redispatch 1
  timeout check 1s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}
  default_backend stores
backend stores
  option pgsql-check user ballotgraph
  default-server check inter 250ms fall 1 rise 1 on-marked-down shutdown-sessions
  server primary 127.0.0.1:${primary.port}
  server standby 127.0.0.1:${standby.port} backup
`,
    port,
  );
  // Until it has checked both.
  await sleep(500);
  return { url: `postgres://ballotgraph@127.0.0.1:${port}/postgres`, stop };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}
