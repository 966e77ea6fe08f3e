import { once } from 'node:events';
import type { Profiler } from 'node:inspector';
import { parseArgs } from 'node:util';
import { buildDatabase, serverUrl } from './database/build.ts';
import { startLoad } from './load.ts';
import { readSamples, requestsOf } from './samples.ts';
import { type RunningServer, startServer } from './servers.ts';
import type { PathMessage } from './targets/path-probe.ts';
import { ROOT, SERVERS, type ServerSpec, TARGETS } from './targets.ts';
import type { WorkloadName } from './workloads.ts';

// Shows what one request takes in the server: how many promises it creates, and in which layers the processor time is
// spent. Promises are counted over requests that follow one another on one connection, so the number is the same on every run.

const { values: options } = parseArgs({
  options: {
    root: { type: 'string', default: ROOT },
    workloads: { type: 'string', default: 'districts' },
    targets: { type: 'string', default: 'graphql,rest,graphql cached,rest cached' },
    connections: { type: 'string', default: '1,16' },
    seconds: { type: 'string', default: '4' },
    functions: { type: 'string', default: '0' },
  },
});
const WARM_REQUESTS = 4_000;
const COUNTED_REQUESTS = 500;
/** After a start, the gateway caches no responses for two seconds. */
const WARM_SECONDS = 3;

/** Takes a second to end a profile. */
const INSPECTOR = 'node:inspector';

const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const databaseUrl = await buildDatabase(serverUrl(), 'national', writeLine);
const { sample } = await readSamples(databaseUrl);
const load = startLoad();
const probe = `--import=${new URL('targets/path-probe.ts', import.meta.url).href}`;

for (const name of options.targets.split(',')) {
  const target = TARGETS.find((each) => each.name === name);
  const spec = SERVERS.find((each) => each.name === target?.server);
  if (!target || !spec)
    throw new Error(`--targets: ${name} is none of: ${TARGETS.map((each) => each.name).join(', ')}.`);
  const server = await startServer(withProbe(spec), { databaseUrl, pool: 4, processes: 1 });
  for (const workload of options.workloads.split(',') as WorkloadName[]) {
    const requests = requestsOf(target, workload, sample);
    if (requests.length === 0) continue;
    const run = { url: server.url, requests };
    await load.run({ ...run, connections: 16, duration: WARM_SECONDS });
    await load.run({ ...run, connections: 1, amount: WARM_REQUESTS });
    process.stdout.write(`\n## ${name}, ${workload}\n`);
    for (const connections of options.connections.split(',').map(Number)) {
      await ask(server, 'start profile');
      const { requests: sent } = await load.run({ ...run, connections, duration: Number(options.seconds) });
      const profile = await ask<Profiler.Profile>(server, 'end profile');
      printTable(`${connections} connection${connections > 1 ? 's' : ''}`, timesOf(profile, layerOf), sent, 1);
      if (options.functions === '0') continue;
      printTable('functions', timesOf(profile, functionOf), sent, Number(options.functions));
    }
    // Last, because a hook that was enabled once slows down everything that follows.
    await ask(server, 'start counting');
    await load.run({ ...run, connections: 1, amount: COUNTED_REQUESTS });
    const promises = (await ask<number>(server, 'end counting')) / COUNTED_REQUESTS;
    process.stdout.write(`\n${promises.toFixed(0)} promises a request.\n`);
  }
  await server.stop();
}
load.stop();

/** Returns the server of the checkout `--root`, with the probe of this one. */
function withProbe(spec: ServerSpec): ServerSpec {
  return { ...spec, root: options.root, environment: { ...spec.environment, NODE_OPTIONS: probe } };
}

async function ask<Result = undefined>({ process: child }: RunningServer, message: PathMessage): Promise<Result> {
  const replied = once(child, 'message');
  child.send(message);
  const [{ result }] = await replied;
  return result as Result;
}

type CallFrame = Profiler.ProfileNode['callFrame'];

/** Returns the microseconds of each group of functions, without the time in which the process waits or profiles. */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, groupOf: (frame: CallFrame) => string) {
  const working = nodes.filter(
    ({ callFrame: { functionName, url } }) => functionName !== '(idle)' && url !== INSPECTOR,
  );
  const groups = new Map(working.map(({ id, callFrame }) => [id, groupOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const group = groups.get(id);
    if (group !== undefined) times.set(group, (times.get(group) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

/** Returns the layer that a function belongs to: a folder of `src`, a package, or Node. */
function layerOf({ url, functionName }: CallFrame): string {
  const own = /\/src\/((?:graphql\/)?[\w-]+)/.exec(url);
  const ofPackage = /\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(url);
  if (ofPackage) return ofPackage[1] ?? '';
  if (own) return `src/${own[1]}`;
  if (/^(write|writev|writeUtf8String|writeLatin1String|writeBuffer)$/.test(functionName)) return 'writes to sockets';
  if (functionName.startsWith('(')) return functionName;
  return 'Node.js';
}

function functionOf(frame: CallFrame): string {
  const { functionName, url, lineNumber } = frame;
  return `${functionName || 'anonymous'} ${url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`;
}

/** Prints a table of the groups that take at least `least` microseconds a request. */
function printTable(title: string, times: ReadonlyMap<string, number>, requests: number, least: number): void {
  const sum = [...times.values()].reduce((one, other) => one + other, 0);
  const rows = [...times]
    .map(([group, time]) => [group, time / requests] as const)
    .filter(([, time]) => time >= least)
    .sort(([, one], [, other]) => other - one);
  process.stdout.write(`\n| ${title} | µs a request |\n|---|--:|\n| all | ${(sum / requests).toFixed(0)} |\n`);
  for (const [group, time] of rows) process.stdout.write(`| ${group} | ${time.toFixed(1)} |\n`);
}
