import { type Against, openOther } from './against.ts';
import { buildDatabase, serverUrl } from './database/build.ts';
import { measureTargets } from './measure.ts';
import { readRepeatable } from './samples.ts';
import { median } from './tables.ts';
import { gatewayServers, gatewayTargets, ROOT, type Target } from './targets.ts';

// Measures what an answer from the response cache costs the gateway: the processor time of a request for districts,
// next to bare node:http that returns as many ready bytes, with GET for REST and with POST for GraphQL. A commit, if given, is measured in turns.

const [commit] = process.argv.slice(2);
const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const databaseUrl = await buildDatabase(serverUrl(), 'national', writeLine);
const other: Against | undefined = commit === undefined ? undefined : await openOther(commit);
const gateways = [...gatewayTargets(ROOT), ...(other?.targets ?? [])].filter(({ cached }) => cached);

/** Returns the target that gets the requests of another one, and answers them with ready bytes. */
const ready = (name: string, { request }: Target): Target => ({
  ...{ name, server: 'ready', request, content: () => undefined, strict: false, setup: 'bare node:http' },
});
const [graphql, rest] = gatewayTargets(ROOT) as [Target, Target];
const [get, post] = [ready('ready GET', rest), ready('ready POST', graphql)];
const targets = [get, post, ...gateways];

const measured = await measureTargets({
  ...{
    workloads: ['districts'],
    connections: [16, 64],
    rounds: 5,
    seconds: 2,
    warmUpSeconds: 5,
    pool: 4,
    processes: 1,
  },
  ...{ databaseUrl, ...(await readRepeatable(databaseUrl)), baseline: get, targets, writeLine },
  servers: [
    { name: 'ready', script: 'bench/targets/ready.ts', root: ROOT },
    ...gatewayServers(ROOT),
    ...(other?.servers ?? []),
  ],
  otherCommit: new Set(),
});
await other?.remove();

process.stdout.write('| connections | target | µs | times bare node:http |\n|--:|---|--:|--:|\n');
for (const connections of [16, 64]) {
  const timesOf = ({ name }: Target) =>
    measured.filter((each) => each.connections === connections && each.target === name).map((each) => each.serverMs);
  for (const target of targets) {
    const bare = timesOf(target.name.startsWith('graphql') || target === post ? post : get);
    const times = timesOf(target);
    const ratio = median(times.map((time, round) => time / (bare[round] as number)));
    const figures = [(median(times) * 1_000).toFixed(0), ratio.toFixed(2)];
    process.stdout.write(`| ${[connections, target.name, ...figures].join(' | ')} |\n`);
  }
}
