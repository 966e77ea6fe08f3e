import { once } from 'node:events';
import type { GCProfilerResult } from 'node:v8';
import { buildDatabase, serverUrl } from './database/build.ts';
import { startLoad } from './load.ts';
import { readSamples, requestsOf } from './samples.ts';
import { type RunningServer, startServer } from './servers.ts';
import { SERVERS, type ServerSpec, TARGETS } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

// Measures the garbage that a request leaves to V8, without a cache, at 16 connections: how much it allocates, how much
// of that reaches the old generation, and how much main-thread time collection takes. Objects of a completed request
// should not reach the old generation: they are copied twice and occupy memory until the whole heap is marked.

const WARM_SECONDS = 6;
const SECONDS = 4;
const CONNECTIONS = 16;

const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const databaseUrl = await buildDatabase(serverUrl(), 'national', writeLine);
const { sample } = await readSamples(databaseUrl);
const load = startLoad();
const probe = `--import=${new URL('targets/garbage-probe.ts', import.meta.url).href}`;

process.stdout.write('| workload | target | KB allocated | KB promoted | collector µs |\n|---|---|--:|--:|--:|\n');
for (const name of ['baseline', 'gateway']) {
  const spec = SERVERS.find((each) => each.name === name) as ServerSpec;
  const environment = { ...spec.environment, NODE_OPTIONS: probe };
  const server = await startServer({ ...spec, environment }, { databaseUrl, pool: 4, processes: 1 });
  for (const target of TARGETS.filter((each) => each.server === name)) {
    for (const workload of WORKLOADS) {
      const requests = requestsOf(target, workload, sample);
      if (requests.length === 0) continue;
      const run = { url: server.url, connections: CONNECTIONS, requests };
      await load.run({ ...run, duration: WARM_SECONDS });
      server.process.kill('SIGUSR2');
      const { requests: responses } = await load.run({ ...run, duration: SECONDS });
      const { allocated, promoted, us } = summaryOf(await collectionsOf(server));
      const figures = [allocated / 1024 / responses, promoted / 1024 / responses, us / responses];
      process.stdout.write(`| ${[workload, target.name, ...figures.map((each) => each.toFixed(1))].join(' | ')} |\n`);
    }
  }
  await server.stop();
}
load.stop();

async function collectionsOf({ process: child }: RunningServer): Promise<GCProfilerResult> {
  const reported = once(child, 'message');
  child.kill('SIGUSR2');
  const [result] = await reported;
  return result as GCProfilerResult;
}

/** Returns the bytes allocated between the first and the last collection, and the microseconds of all collections. */
function summaryOf({ statistics }: GCProfilerResult) {
  let [allocated, promoted, us] = [0, 0, 0];
  for (const [index, { gcType, beforeGC, afterGC, cost }] of statistics.entries()) {
    const previous = statistics[index - 1]?.afterGC ?? beforeGC;
    allocated += usedOf(beforeGC) - usedOf(previous);
    if (gcType === 'Scavenge') promoted += oldOf(afterGC) - oldOf(beforeGC);
    us += cost;
  }
  return { allocated, promoted, us };
}

type Heap = GCProfilerResult['statistics'][number]['beforeGC'];

function usedOf({ heapStatistics }: Heap): number {
  return heapStatistics.usedHeapSize;
}

/** Returns the size of the heap outside the young generation. */
function oldOf({ heapSpaceStatistics }: Heap): number {
  const old = heapSpaceStatistics.filter(({ spaceName }) => !spaceName.startsWith('new_'));
  return old.reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0);
}
