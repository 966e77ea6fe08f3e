import { once } from 'node:events';
import type { GCProfilerResult } from 'node:v8';
import { readDraws, requestsOf } from './draws.ts';
import { startLoad } from './load.ts';
import { buildStore, serverUrl } from './store/build.ts';
import { type RunningServer, SERVERS, type ServerKind, SUBJECTS, startServer } from './subjects.ts';
import { WORKS } from './works.ts';

// Measures the garbage that a request leaves to V8, without a cache, at 16 connections: how much it allocates, how much
// of that reaches the old generation, and how much main-thread time collection takes. Objects of a completed request
// should not reach the old generation: they are copied twice and occupy memory until the whole heap is marked.

const WARM_SECONDS = 6;
const SECONDS = 4;
const CONNECTIONS = 16;

const say = (line: string) => process.stderr.write(`${line}\n`);
const databaseUrl = await buildStore(serverUrl(), 'national', say);
const { draw } = await readDraws(databaseUrl);
const load = startLoad();
const probe = `--import=${new URL('subjects/garbage-probe.ts', import.meta.url).href}`;

process.stdout.write('| work | subject | KB allocated | KB promoted | collector µs |\n|---|---|--:|--:|--:|\n');
for (const name of ['floor', 'ours']) {
  const kind = SERVERS.find((each) => each.name === name) as ServerKind;
  const environment = { ...kind.environment, NODE_OPTIONS: probe };
  const server = await startServer({ ...kind, environment }, { databaseUrl, pool: 4, processes: 1 });
  for (const subject of SUBJECTS.filter((each) => each.server === name)) {
    for (const work of WORKS) {
      const requests = requestsOf(subject, work, draw);
      if (requests.length === 0) continue;
      const run = { url: server.url, connections: CONNECTIONS, requests };
      await load.run({ ...run, duration: WARM_SECONDS });
      server.process.kill('SIGUSR2');
      const { requests: answered } = await load.run({ ...run, duration: SECONDS });
      const { allocated, promoted, us } = summaryOf(await seenBy(server));
      const figures = [allocated / 1024 / answered, promoted / 1024 / answered, us / answered];
      process.stdout.write(`| ${[work, subject.name, ...figures.map((each) => each.toFixed(1))].join(' | ')} |\n`);
    }
  }
  await server.stop();
}
load.stop();

async function seenBy({ process: child }: RunningServer): Promise<GCProfilerResult> {
  const told = once(child, 'message');
  child.kill('SIGUSR2');
  const [seen] = await told;
  return seen as GCProfilerResult;
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
