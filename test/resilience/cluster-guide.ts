import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from './support/at-exit.ts';
import { DEPLOYED, missingCommands } from './support/cluster/cluster.ts';
import { childrenOf } from './support/cluster/programs.ts';
import { report } from './support/report.ts';

// Follows the guide of `deploy/cluster` from its first to its last command, on machines made of Linux namespaces: each has its own
// network, processes, /etc, /var, /opt and home, and the addresses of the guide. What machines of this kind lack is replaced by what is in
// support/machine: systemd, package downloads and SSH.

const ROOT = join(import.meta.dirname, '../..');
const SHIMS = join(import.meta.dirname, 'support/machine');
const DATABASES = ['database1', 'database2', 'database3'];
const FRONTS = ['front1', 'front2'];
const COMPUTER = 'computer';
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  [COMPUTER]: ['10.0.0.2', '203.0.113.2'],
  ...Object.fromEntries(DATABASES.map((name, at) => [name, [`10.0.0.1${at + 1}`]])),
  ...Object.fromEntries(FRONTS.map((name, at) => [name, [`10.0.0.2${at + 1}`, `203.0.113.2${at + 1}`]])),
};
/** Where a block runs, by its first line. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'your computer, in the repository': [COMPUTER],
  'each database machine': DATABASES,
  'each front machine': FRONTS,
  database1: ['database1'],
  front1: ['front1'],
};
const BLOCK_LIMIT_MS = 180_000;

const missing = missingCommands();
const canIsolate = spawnSync('unshare', ['--net', '--mount', 'true']).status === 0;
if (missing.length > 0 || !canIsolate) {
  process.stderr.write(`skipped: needs ${missing.join(', ') || 'root, and namespaces'}\n`);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'resilience-guide-'));
await chmod(folder, 0o755);
const processes: number[] = [];
const end = () => {
  // The first process of a machine: the others end with it.
  for (const pid of processes) spawnSync('kill', ['-KILL', String(pid)]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
atExit(end);

const network = await startNamespaces(['--net']);
inside(network, ['ip', 'link', 'add', 'bridge0', 'type', 'bridge']);
inside(network, ['ip', 'link', 'set', 'bridge0', 'up']);
const machines = new Map<string, number>();
for (const name of Object.keys(ADDRESSES)) machines.set(name, await startMachine(name));
const known = [...machines].map(([name, pid]) => `${ADDRESSES[name]?.[0]}) echo ${pid} ;;`);
await writeFile(join(folder, COMPUTER, 'run/machines'), `process_of() { case $1 in ${known.join(' ')} esac; }\n`);

const guide = await readFile(join(DEPLOYED, 'README.md'), 'utf8');
const blocks = [...guide.matchAll(/^```sh\n# on ([^\n]*)\n(.*?)^```$/gms)].map(([, place = '', text = '']) => ({
  place,
  text,
}));
const unmarked = [...guide.matchAll(/^```sh\n(?!# on ).*/gm)].map(([text]) => text);
let key = '';
let answer = '';
const began = performance.now();
for (const { place, text } of blocks) {
  const names = PLACES[place];
  if (!names) throw new Error(`The guide has a block for an unknown machine: ${place}`);
  for (const name of names) {
    const output = runBlock(name, text.replaceAll('YOUR KEY', key));
    key = /bg_\w+-?\S*/.exec(output)?.[0] ?? key;
    answer = output;
  }
}
const asRoot = [...DATABASES, ...FRONTS].flatMap(rootPrograms);
const answers = answer.split('{"success":true').length - 1;
report(
  'the guide of a cluster',
  { blocks: blocks.length, seconds: Math.round((performance.now() - began) / 1_000), answers, asRoot },
  {
    'every block says where it runs': unmarked.length === 0 && blocks.length > 10,
    'both front machines answer with the districts of Montpelier':
      answers === 2 && answer.split('"Vermont"').length === 3,
    'only haproxy listens on the public addresses': FRONTS.every((name) => publicPorts(name).join() === '8080'),
    'no gateway, proxy or database runs as root': asRoot.length === 0,
  },
);
/** Starts a process in new namespaces, and returns its number. */
async function startNamespaces(options: readonly string[]): Promise<number> {
  const parent = spawn('unshare', [...options, '--fork', '--kill-child', 'sleep', 'infinity'], { stdio: 'ignore' });
  parent.unref();
  for (let wait = 0; wait < 100; wait++, await sleep(20)) {
    const [child] = parent.pid ? childrenOf(parent.pid) : [];
    if (child === undefined) continue;
    processes.push(child);
    return child;
  }
  throw new Error('The namespaces of a machine do not start');
}

/** Starts a machine: an empty home, and folders over those of this machine in which it writes its own files. */
async function startMachine(name: string): Promise<number> {
  const pid = await startNamespaces([
    ...['--net', '--mount', '--uts'],
    // From the computer, ssh enters the other machines.
    ...(name === COMPUTER ? [] : ['--pid', '--mount-proc']),
  ]);
  const own = join(folder, name);
  const layered = ['etc', 'var', 'opt'];
  for (const part of layered)
    for (const layer of ['upper', 'work']) await mkdir(join(own, part, layer), { recursive: true });
  for (const part of ['run', 'root']) await mkdir(join(own, part), { recursive: true });
  const mounts = [
    ...layered.map(
      (part) =>
        `mount -t overlay overlay -o lowerdir=/${part},upperdir=${own}/${part}/upper,workdir=${own}/${part}/work /${part}`,
    ),
    ...['run', 'root'].map((part) => `mount --bind ${own}/${part} /${part}`),
  ];
  inside(pid, ['sh', '-euc', ['hostname "$0"', ...mounts].join('\n'), name]);
  const port = `m${processes.length}`;
  inside(network, ['ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
  inside(network, ['ip', 'link', 'set', port, 'master', 'bridge0', 'up']);
  for (const address of ADDRESSES[name] ?? []) inside(pid, ['ip', 'address', 'add', `${address}/24`, 'dev', 'eth0']);
  for (const device of ['lo', 'eth0']) inside(pid, ['ip', 'link', 'set', device, 'up']);
  return pid;
}

function inside(pid: number, command: readonly string[]): string {
  return execFileSync('nsenter', ['--target', String(pid), '--all', ...command], { encoding: 'utf8' });
}

/** Runs a block of the guide in a new shell, which ends at the first command that fails. */
function runBlock(name: string, text: string): string {
  const pid = machines.get(name);
  const place = name === COMPUTER ? ROOT : '/root';
  const environment = {
    ...{ HOME: '/root', LANG: 'C.UTF-8', CHECKOUT: ROOT },
    PATH: `${SHIMS}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  };
  const options = ['--target', String(pid), '--all', `--wdns=${place}`, 'bash', '-euc', text];
  const { status, stdout, stderr } = spawnSync('nsenter', options, {
    ...{ env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: BLOCK_LIMIT_MS },
  });
  if (status === 0) return stdout;
  const logs = spawnSync('sh', ['-c', `tail -n 20 ${join(folder, name, 'var/upper/log')}/*.unit.log`], {
    encoding: 'utf8',
  });
  throw new Error(`A block of ${name} fails:\n${text}\n${stdout}\n${stderr}\n${logs.stdout}`);
}

/** Returns the ports on which a front machine accepts connections at its address for clients. */
function publicPorts(name: string): string[] {
  const listening = inside(machines.get(name) ?? 0, ['ss', '--no-header', '--listening', '--numeric', '--tcp']);
  const address = ADDRESSES[name]?.[1] ?? '';
  const reachable = new RegExp(
    String.raw`(?:${address.replaceAll('.', String.raw`\.`)}|0\.0\.0\.0|\*|\[::\]):(\d+)\s`,
    'g',
  );
  return [...new Set([...listening.matchAll(reachable)].map(([, port = '']) => port))];
}

/** Returns the programs of a machine that run as root, but Varnish's first process, which starts the one that serves. */
function rootPrograms(name: string): string[] {
  const programs = inside(machines.get(name) ?? 0, ['ps', '-eo', 'user:20=,args=']).split('\n');
  return programs.filter((line) =>
    /^root +\S*(etcd|python3|postgres|pgbouncer|haproxy|redis-server|node)\b/.test(line),
  );
}
