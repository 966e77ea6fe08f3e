import { setTimeout } from 'node:timers/promises';
import { fetchJson, findDifference, serverOf } from './check-responses.ts';
import { untilIdle } from './database/until-idle.ts';
import { type Load, startLoad } from './load.ts';
import { databaseTimes, timeBetween } from './processor-time.ts';
import type { Measurement } from './results.ts';
import { requestsOf } from './samples.ts';
import { type RunningServer, startServer } from './servers.ts';
import { countStatements } from './statement-counter.ts';
import { median } from './tables.ts';
import type { ServerSpec, Target } from './targets.ts';
import type { Sample, WorkloadName } from './workloads.ts';

/** What a run measures, and with which servers. */
export interface Plan {
  readonly workloads: readonly WorkloadName[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly pool: number;
  readonly processes: number;
  readonly databaseUrl: string;
  readonly sample: Sample;
  readonly neighbours: Sample;
  readonly baseline: Target;
  /** All targets, the baseline first. */
  readonly targets: readonly Target[];
  readonly servers: readonly ServerSpec[];
  /** Targets of another commit: their responses may differ, as the commits between may have corrected them. */
  readonly otherCommit: ReadonlySet<string>;
  writeLine(line: string): void;
}

type Servers = ReadonlyMap<string, RunningServer>;

// After a start, the gateway caches no responses for two seconds.
const CACHE_DELAY_MS = 3_000;

/**
 * Compares the responses of each target with the baseline's, and counts the statements of a request.
 * @returns statements by workload and target, and the differences of targets of another commit.
 * @throws Error if responses of another target differ.
 */
export async function checkTargets(plan: Plan) {
  const statements: Record<string, number> = {};
  const differences: string[] = [];
  const counters = new Map<string, Awaited<ReturnType<typeof countStatements>>>();
  const urlOf = async ({ name }: ServerSpec) => {
    const counter = await countStatements(plan.databaseUrl);
    counters.set(name, counter);
    return counter.url;
  };
  await withServers(plan, urlOf, async (servers) => {
    for (const workload of plan.workloads) {
      for (const target of plan.targets) {
        const count = workload === 'points' ? 3 : 20;
        const difference =
          target === plan.baseline
            ? undefined
            : await findDifference(workload, target, servers, plan.baseline, plan.sample, count);
        if (difference !== undefined) {
          if (!plan.otherCommit.has(target.name)) throw new Error(difference);
          differences.push(difference);
          plan.writeLine(difference);
        }
        const counted = await statementsOf(
          target,
          workload,
          plan,
          servers,
          () => counters.get(target.server)?.count() ?? 0,
        );
        if (counted !== undefined) statements[`${workload} ${target.name}`] = counted;
      }
      plan.writeLine(`checked: ${workload}`);
    }
  }).finally(() => {
    for (const counter of counters.values()) counter.close();
  });
  return { statements, differences };
}

/** Returns the median number of statements of a request; undefined if the target does not support the workload. */
async function statementsOf(target: Target, workload: WorkloadName, plan: Plan, servers: Servers, count: () => number) {
  const server = serverOf(servers, target);
  const counts: number[] = [];
  for (let i = 0; i < 15; i++) {
    const fillsCache = target.request(workload, i, plan.neighbours);
    const request = target.request(workload, i, plan.sample);
    if (!fillsCache || !request) return undefined;
    await fetchJson(server, fillsCache);
    const before = count();
    await fetchJson(server, request);
    counts.push(count() - before);
  }
  return median(counts);
}

/** Measures each target in each round, after warming all servers up. */
export async function measureTargets(plan: Plan): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  await withServers(
    plan,
    async () => plan.databaseUrl,
    async (servers) => {
      const load = startLoad();
      await warmUp(plan, servers, load);
      for (let round = 0; round < plan.rounds; round++) {
        for (const workload of plan.workloads) {
          for (const connections of plan.connections) {
            for (const target of plan.targets) {
              const measurement = await measureOnce(plan, servers, load, { round, workload, connections, target });
              if (measurement) measured.push(measurement);
            }
          }
        }
      }
      load.stop();
    },
  );
  return measured;
}

interface Cell {
  readonly round: number;
  readonly workload: WorkloadName;
  readonly connections: number;
  readonly target: Target;
}

async function measureOnce(plan: Plan, servers: Servers, load: Load, cell: Cell): Promise<Measurement | undefined> {
  const { workload, connections, target } = cell;
  const server = serverOf(servers, target);
  const requests = requestsOf(target, workload, plan.sample);
  if (requests.length === 0) return undefined;
  const { databaseUrl } = plan;
  await untilIdle(databaseUrl);
  const before = requestsOf(target, workload, target.cached ? plan.neighbours : plan.sample);
  const length = target.cached ? { amount: Math.max(before.length, connections) } : { duration: 0.5 };
  await load.run({ url: server.url, connections, requests: before, ...length });
  const [serverStart, databaseStart] = [(await server.processorTime()) ?? 0, await databaseTimes(databaseUrl)];
  const result = await load.run({ url: server.url, connections, requests, duration: plan.seconds });
  const serverMs = (((await server.processorTime()) ?? 0) - serverStart) / result.requests;
  const databaseMs = timeBetween(databaseStart, await databaseTimes(databaseUrl));
  const perSecond = result.perSecond.toFixed(0);
  plan.writeLine(`round ${cell.round + 1}/${plan.rounds} ${workload} × ${connections} ${target.name}: ${perSecond}/s`);
  return {
    ...{ round: cell.round, workload, connections, target: target.name },
    ...{ memoryMb: (await server.memory()) ?? 0, serverMs },
    databaseMs: databaseMs === undefined ? undefined : databaseMs / result.requests,
    ...result,
  };
}

/** Runs each workload on each target before anything is measured: Node compiles frequently executed code meanwhile. */
async function warmUp(plan: Plan, servers: Servers, load: Load) {
  for (const target of plan.targets) {
    for (const workload of plan.workloads) {
      const requests = requestsOf(target, workload, plan.neighbours);
      if (requests.length === 0) continue;
      const { url } = serverOf(servers, target);
      await load.run({ url, connections: 16, requests, duration: plan.warmUpSeconds });
    }
    plan.writeLine(`warmed up: ${target.name}`);
  }
}

/** Starts the servers of the targets, runs a task and stops them. */
async function withServers(
  { servers: specs, targets, pool, processes }: Plan,
  urlOf: (spec: ServerSpec) => Promise<string>,
  task: (servers: Servers) => Promise<void>,
): Promise<void> {
  const servers = new Map<string, RunningServer>();
  try {
    for (const spec of specs) {
      if (!targets.some(({ server }) => server === spec.name)) continue;
      servers.set(spec.name, await startServer(spec, { databaseUrl: await urlOf(spec), pool, processes }));
    }
    await setTimeout(CACHE_DELAY_MS);
    await task(servers);
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}
