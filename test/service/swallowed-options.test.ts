import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runCommand } from './support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
/** An address where no database listens: a command that continues in spite of a swallowed option fails differently. */
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';

/** Runs `npm run` with the npm that runs the tests; npm 10 and npm 11 differ in the options that they know. */
async function npmRun(...args: string[]) {
  const npm = process.env.npm_execpath;
  const [command = '', ...before] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, [...before, 'run', '--silent', ...args], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATABASE_URL },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

/**
 * npm knows this option as a switch that is on by default: it leaves no trace, but its value becomes an excess
 * argument.
 */
const WITHOUT_TRACE = '--description';

/** Every option of a command with a value where it takes one, read from its help. */
async function optionsOf(command: readonly string[]): Promise<string[][]> {
  const names = command.slice(0, 2).filter((word) => !/[/-]/.test(word));
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'src/cli.ts'), ...names, '--help']);
  return [...stdout.matchAll(/^ {2}(--[a-z-]+)( <\w+>)?/gm)].map(([, name = '', value]) =>
    value ? [name, 'x'] : [name],
  );
}

describe('without "--" before the arguments', () => {
  it.each([
    [['load', 'db/sample'], 'load -- <folder> --'],
    [['import', 'us-atlas'], 'import -- [source] [path...] --'],
    [
      ['keys', 'create'],
      'keys -- create --expiry <time> --owner <name> --label <text> --operator <name> --package <name>',
    ],
    [['packages', 'set', 'press'], 'packages -- set <name> --'],
  ])('every option of npm run %j is rejected in one line with advice', async (command, correct) => {
    const options = await optionsOf(command);
    // Sorted, so that --replace comes last: npm would read the option after it as its value.
    const { code, stderr } = await npmRun(...command, ...options.toSorted().flat());
    expect(code).toBe(1);
    const lines = stderr.split('\n').filter((line) => line.startsWith('error:'));
    expect(lines).toEqual([expect.stringContaining(`Put all arguments after "--": npm run ${correct}`)]);
    const named = / consumed (.*?) as /.exec(lines[0] ?? '')?.[1]?.split(', ');
    const names = options.map(([name = '']) => name).filter((name) => name !== WITHOUT_TRACE);
    expect(named?.toSorted()).toEqual(names.toSorted());
  });

  it('the option that cannot be detected is rejected as an excess argument', async () => {
    const { code, stderr } = await npmRun('packages', 'set', 'press', WITHOUT_TRACE, 'For the press');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: too many arguments/);
  });
});

describe('an option that npm consumed', () => {
  it.each([
    [
      'an option of another command',
      ['load', 'db/sample', '--report', 'x.csv'],
      /consumed --report as .* -- <folder>$/m,
    ],
    ['a spelling without hyphen', ['load', 'db/sample', '--dryrun'], /consumed --dry-run as /],
    ['before the arguments', ['load', '--dry-run', 'db/sample'], /consumed --dry-run as /],
    ['with an equals sign', ['import', 'us-atlas', '--to=2024-01-01', '--precise'], /consumed --to, --precise as /],
    ['with an empty value', ['import', 'us-atlas', '--state='], /consumed --state as /],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await npmRun(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

describe('variables of npm are not options of a command', () => {
  const reachesTheDatabase = expect.stringMatching(/^error: The database cannot be reached/);

  it('options after "--"', async () => {
    expect((await npmRun('load', '--', 'db/sample', '--dry-run', '--replace')).stderr).toEqual(reachesTheDatabase);
  });

  it.each([
    ['the replaced registry host of a .npmrc', { npm_config_replace_registry_host: 'always' }],
    ['a switch that is off', { npm_config_dry_run: '' }],
    ['the package of npx', { npm_config_package: 'npm@10' }],
    ['options of npm', { npm_config_loglevel: 'error', npm_config_package_lock: 'false', npm_config_prefix: '/usr' }],
  ])('%s', async (_, environment) => {
    const { stderr } = await runCommand(['load', 'db/sample'], { DATABASE_URL, ...environment });
    expect(stderr).toEqual(reachesTheDatabase);
  });

  it('an option that the command also received', async () => {
    const environment = { DATABASE_URL, npm_config_package: 'full' };
    expect((await runCommand(['keys', 'create', '--package', 'full'], environment)).stderr).toEqual(reachesTheDatabase);
  });
});
