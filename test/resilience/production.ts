import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { atExit } from './support/at-exit.ts';
import { statusOf } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import * as production from './support/production-tree.ts';
import { report } from './support/report.ts';

// Follows the README and the Containerfile on a fresh machine, with npm 10 and npm 11 on the installed Node: production
// packages only, a read-only tree, an unprivileged user; embedded with the sample, and on PostgreSQL.

const START_LIMIT_MS = 150_000;
const COMMAND_LIMIT_MS = 60_000;
const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const [, query = '', result = ''] =
  /curl -s http:\/\/localhost:4000\/graphql.*?-d '(.*?)'\n```\n\n```json\n(.*?)```/s.exec(readme) ?? [];
const demoKey = /x-api-key: (bg_demo\S+)'/.exec(readme)?.[1] ?? '';

const figures: Record<string, unknown> = {};
const held: Record<string, boolean> = {};
const folder = await production.makeFolder();
const forget = atExit(() => process.stderr.write(`left behind: ${folder}\n`));
const machineNpm: production.Command = ['npm'];
const npm10 = await production.installNpm(join(folder, 'npm-10'), '10.8.2');
const isNew = Number.parseInt(await production.versionOf(machineNpm), 10) >= 11;
const npm11 = isNew ? machineNpm : await production.installNpm(join(folder, 'npm-11'), '11');

const postgres = await startPostgres();
const emptyDatabase = await createDatabase(postgres.url, 'production');
await checkNpm(npm10, 'npm-10-tree', {});
await checkNpm(npm11, 'npm-11-tree', { DATABASE_URL: emptyDatabase });
await postgres.remove();
await production.remove(folder);
forget();
report('a production install', figures, held);

/**
 * Installs, starts and queries the service with one npm; on the embedded database, unless the environment names another
 * one.
 */
async function checkNpm(npm: production.Command, name: string, environment: { DATABASE_URL?: string }): Promise<void> {
  const label = `npm ${await production.versionOf(npm)}`;
  const tree = join(folder, name);
  const backend = await production.writableFolder(`${tree}-home`);
  const npmRun = (...args: string[]) => startNpm(npm, args, tree, backend, environment);
  const startedAt = performance.now();
  await production.copyTree(tree);
  await production.installProduction(npm, tree);
  const installedAt = performance.now();
  const before = await production.pathsOf(tree);

  const dryRun = await ended(npmRun('run', 'load', 'db/sample', '--dry-run'));
  let key = demoKey;
  if (environment.DATABASE_URL) {
    held[`${label}: migrate`] = (await ended(npmRun('run', 'migrate'))).code === 0;
    const created = await ended(npmRun('run', '--silent', 'keys', '--', 'create', '--package', 'full'));
    key = created.output.trim().split('\n').at(-1) ?? '';
  }
  const gatewayAt = performance.now();
  const gateway = npmRun('start');
  const url = await untilReady(gateway);
  const readyAt = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: query,
  });
  const body = await response.json();
  gateway.child.kill('SIGTERM');
  const { code, output } = await ended(gateway);

  figures[label] = {
    installMs: Math.round(installedAt - startedAt),
    startMs: Math.round(readyAt - gatewayAt),
    totalMs: Math.round(performance.now() - startedAt),
    exitCode: code,
  };
  const expected = environment.DATABASE_URL ? { data: { location: { districts: [] } } } : JSON.parse(result);
  Object.assign(held, {
    [`${label}: installs no development packages`]: !existsSync(join(tree, 'node_modules/vitest')),
    [`${label}: a swallowed option is rejected`]: dryRun.code === 1 && dryRun.output.includes('consumed --dry-run'),
    [`${label}: executes the query of the README`]: response.status === 200 && isDeepStrictEqual(body, expected),
    [`${label}: stops in order`]: output.includes('"stopped"') && (await statusOf(`${url}/health`)) === 0,
    [`${label}: writes nothing into the tree`]: (await production.pathsOf(tree)) === before,
  });
}

/** Creates an empty database on a server, and returns its URL. */
async function createDatabase(server: string, name: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return new URL(name, server).href;
}

interface Npm {
  readonly child: ChildProcess;
  readonly lines: string[];
}

function startNpm(npm: production.Command, args: string[], cwd: string, backend: string, environment: object): Npm {
  const [command, ...before] = production.unprivileged(npm);
  const child = spawn(command, [...before, ...args], {
    cwd,
    env: {
      PATH: production.MACHINE_PATH,
      HOME: backend,
      TMPDIR: backend,
      DATA_DIR: join(backend, 'data'),
      PORT: '0',
      npm_config_update_notifier: 'false',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => lines.push(text));
  const forgetChild = atExit(() => child.kill('SIGKILL'));
  child.once('close', forgetChild);
  return { child, lines };
}

async function ended({ child, lines }: Npm): Promise<{ code: number | null; output: string }> {
  const limit = AbortSignal.timeout(COMMAND_LIMIT_MS);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close', { signal: limit });
  return { code: child.exitCode, output: lines.join('') };
}

async function untilReady({ child, lines }: Npm): Promise<string> {
  for (const end = performance.now() + START_LIMIT_MS; performance.now() < end && child.exitCode === null; ) {
    const url = /(http:\S+)\/graphql/.exec(lines.join(''))?.[1];
    if (url && (await statusOf(`${url}/ready`)) === 200) return url;
    await sleep(100);
  }
  child.kill('SIGTERM');
  throw new Error(`The gateway did not become ready:\n${lines.join('')}`);
}
