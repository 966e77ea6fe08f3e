import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { listApiKeys } from '../../src/gateway/access/access.store.ts';
import { isApiKey } from '../../src/gateway/access/api-key.ts';
import { createAuthenticator } from '../../src/gateway/access/authenticator.ts';
import { useDatabase } from '../support/database.ts';
import { useProxy } from '../support/proxy.ts';
import { runCommand } from './support/process.ts';

const database = useDatabase();
const proxy = useProxy(database);
const run = (...args: string[]) => runCommand(args, { DATABASE_URL: proxy.url });

describe('npm run keys', () => {
  it('create shows the key once, as the last line, and it has the grants of the package', async () => {
    const { code, stdout, stderr } = await run('keys', 'create', '--package', 'lookup');
    expect(code).toBe(0);
    const key = stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(isApiKey(key)).toBe(true);
    expect(`${stdout}${stderr}`.split(key)).toHaveLength(2);
    expect(await createAuthenticator(database.db)(key)).toMatchObject({ packageName: 'lookup' });

    const list = await run('keys', 'list');
    expect(list.stdout).toContain(key.slice(0, 11));
    expect(list.stdout).not.toContain(key.slice(12));
  });

  it('revoke accepts the prefix from the list', async () => {
    const key = (await run('keys', 'create', '--package', 'full')).stdout.trim();
    expect((await run('keys', 'revoke', key.slice(0, 11))).code).toBe(0);
    await expect(createAuthenticator(database.db)(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await run('keys', 'list')).stdout).toMatch(new RegExp(`${key.slice(0, 11)} .*revoked`));
  });
});

describe('npm run keys, for keys with owners and expiry', () => {
  it('lists owner, label and expiry, rotates with an overlap, and logs who did it', async () => {
    const details = ['--owner', 'Example Press', '--label', 'election night', '--expiry', '2099-12-31'];
    const old = (await run('keys', 'create', '--package', 'full', ...details, '--operator', 'ada')).stdout.trim();
    const rotated = await run('keys', 'rotate', old.slice(0, 11), '--valid-until', '12h', '--expiry', 'never');
    const key = rotated.stdout.trim();
    expect(isApiKey(key)).toBe(true);
    expect(`${rotated.stdout}${rotated.stderr}`.split(key)).toHaveLength(2);
    const list = (await run('keys', 'list')).stdout.split('\n');
    const [oldLine, newLine] = [old, key].map((each) => list.find((line) => line.includes(each.slice(0, 11))));
    expect(oldLine).toMatch(/full +Example Press +election night +\S+Z +\S+Z .*active$/);
    expect(newLine).toMatch(/full +Example Press +election night +\S+Z +active, secret of key \d+$/);
    expect((await run('keys', 'set', key.slice(0, 11), '--expiry', '2099-12-31')).stdout).toContain(
      '2100-01-01T00:00:00.000Z',
    );
    const log = (await run('keys', 'log', key.slice(0, 11))).stdout;
    expect(log).toMatch(new RegExp(`${userInfo().username} .* key .*rotated`));
    expect(log).toMatch(/changed .*expires_at/);
    expect((await run('keys', 'log', '--last', '50')).stdout).toMatch(/ada .*Example Press/);
    for (const each of [old, key]) expect(log).not.toContain(each.slice(12));
    const revoked = (await run('keys', 'revoke', key.slice(0, 11))).stdout;
    expect(revoked).toContain(`still accepted: ${old.slice(0, 11)}`);
  });
});

describe('npm run packages and origins', () => {
  it('set a package and list it', async () => {
    expect(
      (await run('packages', 'set', 'press', '--grants', 'elections, results', '--description', 'Press')).code,
    ).toBe(0);
    expect((await run('packages', 'list')).stdout).toMatch(/^press\s+elections,results\s+no limits\s+Press$/m);
  });

  it('limit the rate of a package, keep its grants, and remove the limit again', async () => {
    await run('packages', 'set', 'model', '--grants', 'districts');
    const set = await run('packages', 'set', 'model', '--per-second', '5', '--burst', '100', '--per-day', '200000');
    expect(set.stdout).toBe('Package model: districts; 5/s, burst 100, 200000/day\n');
    expect((await run('packages', 'set', 'model', '--burst', 'off')).stdout).toContain('districts; 5/s, 200000/day');
    const lifted = await run('packages', 'set', 'model', '--per-second', 'off', '--per-day', 'off');
    expect(lifted.stdout).toBe('Package model: districts; no limits\n');
  });

  it('add, list and remove an origin', async () => {
    expect((await run('origins', 'add', 'https://www.example.org')).code).toBe(0);
    expect((await run('origins', 'list')).stdout).toBe('https://www.example.org\n');
    expect((await run('origins', 'remove', 'https://www.example.org')).code).toBe(0);
    expect((await run('origins', 'list')).stdout).toBe('');
  });
});

describe('npm run secret', () => {
  it('rotates the secret with an overlap and says so, without showing it', async () => {
    expect((await run('secret', 'status')).stdout).toBe('Never rotated.\n');
    const secretsOf = async () => (await database.db.selectFrom('shared_secret').selectAll().execute())[0];
    const before = await secretsOf();
    const runs = [await run('secret', 'rotate', '--operator', 'ada'), await run('secret', 'status')];
    for (const { stdout } of runs)
      expect(stdout).toMatch(/^Rotated \S+Z\. .* accepted until: npm run secret -- end-overlap\n$/);
    const rotated = await secretsOf();
    expect(rotated?.previous_secret).toEqual(before?.secret);
    const ended = await run('secret', 'end-overlap');
    expect(ended.stdout).toMatch(/^Rotated \S+Z\. .* no longer accepted\.\n$/);
    const log = await run('keys', 'log', 'shared_secret');
    expect(log.stdout).toMatch(/ada .* secret .* rotated .*\n.* ended overlap /);
    const shown = JSON.stringify([...runs, ended, log]);
    for (const each of [before?.secret, rotated?.secret])
      for (const form of ['hex', 'base64'] as const) expect(shown).not.toContain(each?.toString(form));
  });
});

describe('a command that fails', () => {
  it.each([
    [['keys', 'create', '--package', 'none'], /no package "none".*full, lookup/],
    [['keys', 'create'], /--package/],
    [['keys', 'revoke', 'zzzzzzzz'], /no active key/],
    [['keys', 'rotate', 'zzzzzzzz'], /no active key/],
    [['keys', 'set', 'zzzzzzzz', '--label', 'x'], /no active key/],
    [['keys', 'set', 'zzzzzzzz'], /--owner, --label or --expiry/],
    [['keys', 'create', '--package', 'full', '--expiry', '2020-01-01'], /in the future/],
    [['keys', 'create', '--package', 'full', '--expiry', '2026-02-30'], /30d, 12h/],
    [['keys', 'create', '--package', 'full', '--owner', ' '], /one line/],
    [['keys', 'log', '--last', '0'], /whole number/],
    [['packages', 'set', 'x', '--grants', 'districts,everything'], /no grant everything.*districts/],
    [['packages', 'set', 'No Name', '--grants', 'districts'], /lower-case/],
    [['packages', 'set', 'full', '--per-second', '0'], /whole number from 1/],
    [['packages', 'set', 'full', '--per-second', '5', '--burst', '4'], /burst/],
    [['packages', 'set', 'none', '--per-day', '5'], /no package "none"/],
    [['origins', 'add', 'https://Example.org/'], /as https:\/\/example\.org/],
    [['origins', 'add', 'null'], /http:\/\/ or https:\/\//],
    [['origins', 'add', '*'], /http:\/\/ or https:\/\//],
    [['origins', 'remove', 'https://nobody.example'], /not in the allow-list/],
    [['secret', 'end-overlap'], /no overlap to end/],
    [['publish', '/tmp/x', '--layers', 'CONGRESS,PARISH'], /"PARISH" is none of COUNTRY, CONGRESS/],
    [['publish', '/tmp/x', '--states', 'VT,ZZ'], /--states.*postal code/],
    [['publish', '/tmp/x', '--date', '2026-02-30'], /--date.*YYYY-MM-DD/],
    [['publish', '/tmp/x'], /No boundary of any type in any state/],
    [['nonsense'], /unknown command/],
  ])('%j reports the reason in one line and exits 1', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const line = stderr.split('\n').filter((text) => text.startsWith('error:'));
    expect(line).toEqual([expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('names an unavailable database, without its password', async () => {
    const { code, stderr } = await runCommand(['keys', 'list'], {
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The database cannot be reached.*DATABASE_URL/);
    expect(stderr).not.toContain('hunter2');
  });

  it('lists all errors in the configuration and exits 2', async () => {
    const { code, stderr } = await runCommand(['keys', 'list'], { DATABASE_URL: 'mysql://x', PORT: 'x' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/PORT: .*\n.*DATABASE_URL: /);
  });
});

it('a command migrates the schema once', async () => {
  const before = await listApiKeys(database.db);
  const runs = await Promise.all([run('migrate'), run('migrate')]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(runs[0]?.stdout).toBe('');
  expect(await listApiKeys(database.db)).toEqual(before);
});
