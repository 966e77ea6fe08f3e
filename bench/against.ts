import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gatewayServers, gatewayTargets, ROOT, type ServerSpec, type Target } from './targets.ts';

/** The service of another commit, as targets that are measured alternately with those of this checkout. */
export interface Against {
  readonly servers: readonly ServerSpec[];
  readonly targets: readonly Target[];
  /** The target of the other commit with which each target of this checkout is compared. */
  readonly comparedWith: Readonly<Record<string, string>>;
  /** Deletes the checkout. */
  remove(): Promise<void>;
}

/**
 * Checks a commit out into a separate folder and installs its packages there. Its servers get the requests of its own
 * documents, on the database of this checkout.
 * @param commit anything that identifies a commit to git.
 * @throws Error if git or npm fails.
 */
export async function checkOut(commit: string): Promise<Against> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const suffix = `@${git('rev-parse', '--short', `${commit}^{commit}`)}`;
  const root = join(await mkdtemp(join(tmpdir(), 'bench-against-')), 'checkout');
  const remove = async () => {
    git('worktree', 'remove', '--force', root);
    await rm(dirname(root), { recursive: true });
  };
  git('worktree', 'add', '--detach', root, commit);
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] });
    const others = gatewayTargets(root, suffix);
    const comparedWith = gatewayTargets(ROOT).map(({ name }, index) => [name, others[index]?.name ?? '']);
    return {
      ...{ servers: gatewayServers(root, suffix), targets: others, remove },
      comparedWith: Object.fromEntries(comparedWith),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
