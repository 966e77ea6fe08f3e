import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
/** The id of the user `nobody`, who owns no file. */
const NO_USER = '65534';

/** A command and its first arguments. */
export type Command = readonly [string, ...string[]];

/** The PATH of the machine, without the folders that npm prepends for its scripts. */
export const MACHINE_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const ownEnvironment = { PATH: MACHINE_PATH, HOME: process.env.HOME };

/** Installs a separate npm in a folder, and returns the command that runs it. */
export async function installNpm(folder: string, version: string): Promise<Command> {
  await mkdir(folder);
  // Not by `--prefix`, which moves the global configuration too: that of the machine may name its certificates.
  await writeFile(join(folder, 'package.json'), '{}');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', `npm@${version}`];
  await run('npm', args, { cwd: folder, env: ownEnvironment });
  return ['node', join(folder, 'node_modules/npm/bin/npm-cli.js')];
}

export async function versionOf([command, ...args]: Command): Promise<string> {
  const { stdout } = await run(command, [...args, '--version'], { env: ownEnvironment });
  return stdout.trim();
}

/** Creates a folder for all files of a test, accessible to every user. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'production-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Copies the files under version control in their current state. */
export async function copyTree(to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 1e8 });
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(join(to, dirname(file)), { recursive: true });
    await cp(join(ROOT, file), join(to, file));
  }
}

/** Installs the production packages, and removes all write permissions. */
export async function installProduction([command, ...args]: Command, tree: string): Promise<void> {
  const install = [...args, 'ci', '--omit=dev', '--no-audit', '--no-fund'];
  await run(command, install, { cwd: tree, env: ownEnvironment, maxBuffer: 1e8 });
  await run('chmod', ['-R', 'a+rX,a-w', tree]);
}

/**
 * Returns the command as run by a user without write permission for the tree: `nobody`, if this process is root and can
 * switch to it.
 */
export function unprivileged(command: Command): Command {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', `--reuid=${NO_USER}`, `--regid=${NO_USER}`, '--clear-groups', '--no-new-privs', ...command];
}

/** Creates a folder in which the unprivileged user may write. */
export async function writableFolder(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  if (process.getuid?.() === 0) await run('chown', [`${NO_USER}:${NO_USER}`, folder]);
  return folder;
}

/** Returns every path of the tree, to compare it before and after a run. */
export async function pathsOf(tree: string): Promise<string> {
  return (await readdir(tree, { recursive: true })).sort().join('\n');
}

export async function remove(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true });
}
