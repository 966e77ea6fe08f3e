import { setTimeout as sleep } from 'node:timers/promises';
import { startStandby } from '../test/resilience/support/postgres.ts';
import { withClient } from './database/build.ts';
import { untilIdle } from './database/until-idle.ts';
import { startLoad } from './load.ts';
import { databaseTimes, timeBetween } from './processor-time.ts';
import { readSamples, requestsOf } from './samples.ts';
import { startServer } from './servers.ts';
import { markdownTable, median } from './tables.ts';
import { ROOT, SERVERS, TARGETS } from './targets.ts';
import type { WorkloadName } from './workloads.ts';

// Measures what a request costs a streaming standby, next to its primary: the processor time of the connections of PostgreSQL
// and of the gateway, without the response cache. Both are measured in turn, by the same gateway, on one machine. The
// standby is made from the server at DATABASE_URL, and removed.

const WORKLOADS: readonly WorkloadName[] = ['districts', 'officeholders', 'ballot'];
const CONNECTIONS = 16;
const POOL = 4;
const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 3;

const primaryUrl = process.env.DATABASE_URL ?? '';
const { port, pathname } = new URL(primaryUrl);
const settingOf = (name: string) =>
  withClient(primaryUrl, async (client) => (await client.query(`show ${name}`)).rows[0]?.[name] as string);
const names = ['max_connections', 'shared_buffers', 'max_worker_processes'];
const settings = await Promise.all(names.map(async (name) => `${name}=${await settingOf(name)}`));
const standby = await startStandby({ port: Number(port) }, { settings });
const standbyUrl = new URL(standby.url);
standbyUrl.pathname = pathname;
const urls = { primary: primaryUrl, standby: standbyUrl.href };

interface Cost {
  readonly gatewayMs: number;
  readonly databaseMs: number;
  readonly perSecond: number;
}

const spec = SERVERS.find(({ name }) => name === 'gateway');
if (!spec) throw new Error(`There is no gateway among the servers of ${ROOT}`);
const servers = {
  primary: await startServer(spec, { databaseUrl: urls.primary, pool: POOL, processes: 1 }),
  standby: await startServer(spec, { databaseUrl: urls.standby, pool: POOL, processes: 1 }),
};
const load = startLoad();
const { sample, neighbours } = await readSamples(primaryUrl);
const places = ['primary', 'standby'] as const;
const targets = TARGETS.filter(({ name }) => name === 'graphql' || name === 'rest');

async function costOf(place: (typeof places)[number], target: (typeof targets)[number], workload: WorkloadName) {
  const server = servers[place];
  const requests = requestsOf(target, workload, sample);
  await untilIdle(urls[place]);
  await load.run({ url: server.url, connections: CONNECTIONS, requests, duration: 0.5 });
  const [serverStart, databaseStart] = [(await server.processorTime()) ?? 0, await databaseTimes(urls[place])];
  const result = await load.run({ url: server.url, connections: CONNECTIONS, requests, duration: SECONDS });
  const gatewayMs = ((await server.processorTime()) ?? 0) - serverStart;
  const databaseMs = timeBetween(databaseStart, await databaseTimes(urls[place])) ?? Number.NaN;
  if (result.requests === 0) throw new Error(`${place} ${workload} ${target.name}: no request succeeded`);
  return {
    gatewayMs: gatewayMs / result.requests,
    databaseMs: databaseMs / result.requests,
    perSecond: result.perSecond,
  } satisfies Cost;
}

const costs = new Map<string, Cost[]>();
try {
  await sleep(WARM_UP_SECONDS * 1_000);
  for (const place of places)
    for (const target of targets)
      for (const workload of WORKLOADS) {
        const requests = requestsOf(target, workload, neighbours);
        await load.run({ url: servers[place].url, connections: CONNECTIONS, requests, duration: WARM_UP_SECONDS });
      }
  for (let round = 0; round < ROUNDS; round++)
    for (const workload of WORKLOADS)
      for (const target of targets)
        for (const place of places) {
          const key = `${workload} ${target.name} ${place}`;
          costs.set(key, [...(costs.get(key) ?? []), await costOf(place, target, workload)]);
        }
} finally {
  load.stop();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await standby.remove();
}

const ms = (values: readonly number[]) => median(values).toFixed(2);
const rows = [...costs].map(([key, all]) => [
  key,
  ms(all.map(({ gatewayMs }) => gatewayMs)),
  ms(all.map(({ databaseMs }) => databaseMs)),
  `${Math.min(...all.map(({ databaseMs }) => databaseMs)).toFixed(2)} to ${Math.max(...all.map(({ databaseMs }) => databaseMs)).toFixed(2)}`,
  Math.round(1_000 / median(all.map(({ databaseMs }) => databaseMs))).toString(),
  Math.round(median(all.map(({ perSecond }) => perSecond))).toString(),
]);
const head = [
  'request',
  'gateway ms',
  'database ms',
  'least to most',
  "a database's core, per second",
  'measured per second',
];
process.stdout.write(`${markdownTable(head, rows).join('\n')}\n`);
