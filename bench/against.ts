import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVERS, type ServerKind, SUBJECTS, type Subject } from './subjects.ts';

/** The service of another commit, as targets that are measured alternately with those of this checkout. */
export interface Against {
  readonly servers: readonly ServerKind[];
  readonly subjects: readonly Subject[];
  /** The target of the other commit with which each target of this checkout is compared. */
  readonly baselines: Readonly<Record<string, string>>;
  /** Deletes the checkout. */
  remove(): void;
}

/**
 * Checks a commit out into a separate folder and installs its packages there.
 * @param commit anything that identifies a commit to git.
 * @throws Error if git or npm fails.
 */
export async function checkOut(commit: string): Promise<Against> {
  const folder = join(await mkdtemp(join(tmpdir(), 'bench-against-')), 'checkout');
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const short = git('rev-parse', '--short', commit);
  git('worktree', 'add', '--detach', folder, commit);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  const suffix = `@${short}`;
  const ours = SUBJECTS.filter(({ server }) => server.startsWith('ours'));
  return {
    servers: SERVERS.filter(({ name }) => name.startsWith('ours')).map((server) => ({
      ...server,
      name: `${server.name}${suffix}`,
      root: folder,
      environment: environmentOf(folder, server.environment),
    })),
    subjects: ours.map((subject) => ({
      ...subject,
      name: `${subject.name} ${suffix}`,
      server: `${subject.server}${suffix}`,
    })),
    baselines: Object.fromEntries(ours.map(({ name }) => [name, `${name} ${suffix}`])),
    remove: () => void git('worktree', 'remove', '--force', folder),
  };
}

/** Returns the environment under the names of a checkout: until November 2026 `RESPONSE_CACHE_BYTES` was `CACHE`. */
function environmentOf(folder: string, { RESPONSE_CACHE_BYTES, ...others }: ServerKind['environment'] = {}) {
  if (RESPONSE_CACHE_BYTES === undefined) return others;
  const documentation = join(folder, 'docs/configuration.md');
  const isRenamed = existsSync(documentation) && readFileSync(documentation, 'utf8').includes('RESPONSE_CACHE_BYTES');
  return { ...others, [isRenamed ? 'RESPONSE_CACHE_BYTES' : 'CACHE']: RESPONSE_CACHE_BYTES };
}
