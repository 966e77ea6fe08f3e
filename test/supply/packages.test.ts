import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RELEASE } from '../../src/base/release.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const ROOT = join(import.meta.dirname, '../..');
const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
const packages = Object.entries<Locked>(lock.packages).filter(([path]) => path !== '');
const production = packages.filter(([, { dev }]) => !dev);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Licences that only require attribution. */
const PERMISSIVE =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0|PostgreSQL)\)?$/;
/** Allowed with a reason. */
const OTHERS: Readonly<Record<string, string>> = {
  '@fontsource-variable/atkinson-hyperlegible-next':
    'OFL-1.1 allows a font to be part of any program and to be served to browsers',
};

it('the release that the gateway names is that of package.json and the lock file', () => {
  expect(RELEASE).toBe(lock.version);
  expect(RELEASE).toBe(lock.packages[''].version);
});

describe('the packages of the lock file', () => {
  it('contain one copy of graphql', () => {
    expect(packages.filter(([path]) => nameOf(path) === 'graphql').map(([path]) => path)).toEqual([
      'node_modules/graphql',
    ]);
  });

  it('run nothing when they are installed', () => {
    const running = production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect(running).toEqual([]);
  });

  it('come from the registry with a checksum', () => {
    for (const [path, locked] of packages as [string, Locked & { resolved?: string; integrity?: string }][]) {
      expect(locked.resolved, path).toBeUndefined();
      expect(locked.integrity, path).toMatch(/^sha512-/);
    }
  });

  it('have permissive licences where they are part of the running service', async () => {
    const uncommon: string[] = [];
    for (const [path, { license }] of production) {
      const stated = license ?? (await licenceIn(path));
      if (stated === undefined) continue;
      const choices = stated.replaceAll(/[()]/g, '').split(' OR ');
      if (!choices.some((choice) => PERMISSIVE.test(choice)) && !(nameOf(path) in OTHERS)) {
        uncommon.push(`${nameOf(path)}: ${stated}`);
      }
    }
    expect(uncommon).toEqual([]);
  });

  it('are installed as the lock file has them', async () => {
    const { stdout } = await promisify(execFile)('npm', ['ls', '--all', '--json'], {
      cwd: ROOT,
      maxBuffer: 1e8,
    }).catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout).problems ?? []).toEqual([]);
  }, 60_000);
});

/** Returns the licence of an installed package; undefined for packages of other platforms. */
async function licenceIn(path: string): Promise<string | undefined> {
  const file = join(ROOT, path, 'package.json');
  if (!existsSync(file)) return undefined;
  return JSON.parse(await readFile(file, 'utf8')).license ?? 'none';
}
