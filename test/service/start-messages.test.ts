import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ON_A_SERVER } from '../support/needs.ts';
import { startGateway, startProcess } from './support/process.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ballotgraph-messages-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NOWHERE = 'postgres://me:hunter2@127.0.0.1:1/nowhere';
/** The greeting that only a working service may print. */
const WELCOME = /is running|npm run keys|curl/;

it('the gateway waits for an unreachable database, with one short line and without a welcome', async () => {
  const gateway = await startGateway({ DATABASE_URL: NOWHERE });
  await gateway.becomes(503);
  const { stdout, stderr } = gateway.output;
  expect(stderr).toMatch(/^Waiting for the database of DATABASE_URL\. .*503\.\n$/);
  expect(stderr).not.toMatch(WELCOME);
  expect(stdout).toMatch(/Server listening at [^"]+, not ready until the database has been reached"/);
  const warnings = gateway.log().filter(({ level }) => level === 'warn');
  expect(warnings.some(({ reason }) => /ECONNREFUSED 127\.0\.0\.1:1/.test(String(reason)))).toBe(true);
  for (const line of stdout.trim().split('\n')) expect(line.length, line).toBeLessThan(300);
  expect(`${stdout}${stderr}`).not.toMatch(/hunter2|\\n\s+at |^\s+at /m);
});

it.runIf(inject('backend').kind === 'server')(
  `a database that does not exist ends the start with advice, reported once${ON_A_SERVER}`,
  async () => {
    const backend = inject('backend');
    const url = Object.assign(new URL(backend.kind === 'server' ? backend.url : NOWHERE), {
      pathname: '/no_such_database',
    }).href;
    const { code, stdout, stderr } = await startProcess('main', [], { PORT: '0', DATABASE_URL: url }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'DATABASE_URL: database "no_such_database" does not exist. Create it (createdb), or correct DATABASE_URL.\n',
    );
    expect(stdout).not.toContain('no_such_database');
    // A command gives the same advice.
    const command = await startProcess('cli', ['migrate'], { DATABASE_URL: url }).ended;
    expect(command.code).toBe(1);
    expect(command.stderr).toMatch(
      /^error: DATABASE_URL: .*does not exist\. Create it \(createdb\), or correct DATABASE_URL\.$/m,
    );
  },
);

describe('an unusable folder is reported once, with its variable', () => {
  it.each([
    ['DATA_DIR', () => ({ DATA_DIR: join(folder, 'file') })],
    ['DATA_DIR', () => ({ DATA_DIR: join(folder, 'file', 'below') })],
    ['PERSISTED_DIR', () => ({ DATABASE_URL: NOWHERE, PERSISTED_DIR: join(folder, 'none') })],
    ['PERSISTED_DIR', () => ({ DATABASE_URL: NOWHERE, PERSISTED_DIR: join(folder, 'file') })],
  ])('%s: %s', async (variable, environment) => {
    const { code, stdout, stderr } = await startProcess('main', [], { PORT: '0', ...environment() }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${variable}: .*${folder}.* cannot be used: .*\\.$`, 'm'));
    expect(`${stdout}${stderr}`.split(`${variable}: `)).toHaveLength(2);
    expect(stderr).not.toContain('First start');
    expect(stderr).not.toMatch(/^\s+at |\[object|E[A-Z]{4,}: /m);
  });

  it('in a command', async () => {
    const { code, stderr } = await startProcess('cli', ['packages', 'list'], { DATA_DIR: join(folder, 'file') }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: DATA_DIR: .* cannot be used/m);
  });
});

it('every invalid variable is reported once', async () => {
  const wrong = {
    DEADLINE_MS: '0.5',
    MAX_HEADERS: 'x',
    LOG_LEVEL: 'loud',
    EXPORT_TTL: '-0.5',
    MAX_REPLICA_LAG_S: '-1',
  };
  const { code, stderr } = await startProcess('main', [], wrong).ended;
  expect(code).toBe(2);
  for (const name of Object.keys(wrong)) expect(stderr.split(`  ${name}: `)).toHaveLength(2);
  expect(stderr).toContain('LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent');
  expect(stderr).not.toMatch(/Invalid|expected|received/);
});
