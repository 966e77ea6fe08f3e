import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
const run = promisify(execFile);

/** The files of another commit of this repository, in a folder of their own, with the packages of the service. */
export interface Checkout {
  readonly root: string;
  /** The abbreviated hash of the commit. */
  readonly commit: string;
  remove(): Promise<void>;
}

/**
 * Checks a commit out into a temporary folder. It uses the packages of this checkout if its lock file is the same, and installs
 * its own otherwise.
 * @param commit anything that identifies a commit to git.
 * @throws Error if git or npm fails.
 */
export async function checkOut(commit: string): Promise<Checkout> {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`);
  const root = await mkdtemp(join(tmpdir(), `ballotgraph-${hash}-`));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    const archive = join(root, 'commit.tar');
    git('archive', '--format=tar', '--output', archive, hash);
    await run('tar', ['-xf', archive, '-C', root]);
    await rm(archive);
    if (await hasSamePackages(root)) await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    else await run('npm', INSTALL, { cwd: root, maxBuffer: 1e8 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, commit: hash, remove };
}

/**
 * Returns the newest commit to which this checkout only adds migrations; undefined if the history that is present has none, as in a
 * shallow clone. A commit with a migration that has been changed or merged into another one since was never released.
 */
export function commitBeforeMigrations(): string | undefined {
  const migrations = 'db/migrations';
  const onlyAdds = (commit: string) => !/^[^A]/m.test(git('diff', '--name-status', commit, '--', migrations));
  try {
    const changes = git('log', '--format=%H^', '--', migrations).split('\n');
    const commits = git('status', '--porcelain', '--', migrations) === '' ? changes : ['HEAD', ...changes];
    const found = commits.find(onlyAdds);
    return found && git('rev-parse', '--verify', '--quiet', found);
  } catch {
    return undefined;
  }
}

async function hasSamePackages(root: string): Promise<boolean> {
  const [own, other] = await Promise.all(
    [ROOT, root].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
  );
  return own === other;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
