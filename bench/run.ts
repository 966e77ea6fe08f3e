import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkOut } from './against.ts';
import { checkAnswers, fetchJson, serverOf } from './check.ts';
import { readDraws, requestsOf } from './draws.ts';
import { importTable, measureImports } from './imports.ts';
import { type Load, startLoad } from './load.ts';
import { storeTimes, workBetween } from './processor-time.ts';
import { type Measured, rawFigures, reportOf } from './report.ts';
import { countStatements } from './statement-counter.ts';
import { buildStore, dropStore, serverUrl, sizesOf, withClient } from './store/build.ts';
import { isSize } from './store/states.ts';
import { untilQuiet } from './store/until-quiet.ts';
import { type RunningServer, SERVERS, SUBJECTS, type Subject, startServer } from './subjects.ts';
import { WORKS, type WorkName } from './works.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    size: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    works: { type: 'string' },
    subjects: { type: 'string' },
    pool: { type: 'string', default: '4' },
    processes: { type: 'string', default: '1' },
    out: { type: 'string' },
    against: { type: 'string' },
    drop: { type: 'boolean', default: false },
  },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const url = serverUrl();
const size = options.size ?? 'national';
if (!isSize(size)) throw new Error('--size must be small, tenth or national.');

const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 1.5 : 3));
const warmSeconds = options.quick ? 2 : 10;
const connections = (options.connections ?? (options.quick ? '16' : '1,16,64')).split(',').map(Number);
const asked = options.works?.split(',') ?? [...WORKS, 'import'];
const works = asked.filter((work) => work !== 'import') as WorkName[];
const wanted = options.subjects?.split(',');
const against = options.against === undefined ? undefined : await checkOut(options.against);
const chosen = against ? SUBJECTS.filter(({ name }) => name === 'floor' || name in against.baselines) : SUBJECTS;
const subjects = [...chosen, ...(against?.subjects ?? [])].filter(
  ({ name }) =>
    name === 'floor' || (wanted?.some((each) => name === each || name === against?.baselines[each]) ?? true),
);
const kinds = [...SERVERS, ...(against?.servers ?? [])];
const floor = subjects[0] as Subject;
const pool = Number(options.pool);
const processes = Number(options.processes);

const imports = asked.includes('import') ? await measureImports(url, say) : [];
if (imports.length > 0) process.stdout.write(`${importTable(imports)}\n\n`);
if (works.length === 0) {
  if (options.out) await writeFile(options.out, `${JSON.stringify({ imports }, null, 1)}\n`);
  process.exit();
}

say(`store: ${size}`);
const databaseUrl = await buildStore(url, size, say);
const { draw, near } = await readDraws(databaseUrl);
const statements = new Map<string, number>();
const measured: Measured[] = [];
const memory = new Map<string, number>();

try {
  await withServers(true, checkAndCount);
  await withServers(false, measure);
} finally {
  against?.remove();
}

const report = {
  machine: await machine(databaseUrl),
  options: { size, rounds, seconds, connections, pool, processes },
  store: await sizesOf(databaseUrl),
  statements: Object.fromEntries(statements),
  baselines: against?.baselines ?? {},
  memory: Object.fromEntries(memory),
  measured,
  imports,
};
process.stdout.write(`${reportOf(report)}\n`);
if (options.out) await writeFile(options.out, rawFigures(report));
if (options.drop) await dropStore(url, size);

/** Starts the required servers, connected through a statement counter if they are not timed. */
async function withServers(
  counted: boolean,
  task: (servers: ReadonlyMap<string, RunningServer>, counts: ReadonlyMap<string, () => number>) => Promise<void>,
) {
  const servers = new Map<string, RunningServer>();
  const counters = new Map<string, Awaited<ReturnType<typeof countStatements>>>();
  try {
    for (const kind of kinds) {
      if (!subjects.some(({ server }) => server === kind.name)) continue;
      const counter = counted ? await countStatements(databaseUrl) : undefined;
      if (counter) counters.set(kind.name, counter);
      servers.set(kind.name, await startServer(kind, { databaseUrl: counter?.url ?? databaseUrl, pool, processes }));
    }
    await task(servers, new Map([...counters].map(([name, { count }]) => [name, count])));
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    for (const counter of counters.values()) counter.close();
  }
}

async function checkAndCount(servers: ReadonlyMap<string, RunningServer>, counts: ReadonlyMap<string, () => number>) {
  // After a start, responses are not cached for two seconds.
  await setTimeout(3_000);
  for (const work of works) {
    for (const subject of subjects) {
      if (subject !== floor) await checkAnswers(work, subject, servers, floor, draw, work === 'points' ? 3 : 20);
      const server = serverOf(servers, subject);
      const used: number[] = [];
      for (let i = 0; i < 15; i++) {
        // Twice: the second time, the cache is filled.
        const asks = [subject.ask(work, i, near), subject.ask(work, i, draw)];
        if (!asks[0] || !asks[1]) break;
        await fetchJson(server, asks[0]);
        const before = counts.get(subject.server)?.() ?? 0;
        await fetchJson(server, asks[1]);
        used.push((counts.get(subject.server)?.() ?? 0) - before);
      }
      if (used.length > 0) statements.set(`${work} ${subject.name}`, median(used));
    }
    say(`checked: ${work}`);
  }
}

async function measure(servers: ReadonlyMap<string, RunningServer>) {
  const load = startLoad();
  await setTimeout(3_000);
  await warmUp(servers, load);
  for (let round = 0; round < rounds; round++) {
    for (const work of works) {
      for (const count of connections) {
        for (const subject of subjects) {
          const { url: at } = serverOf(servers, subject);
          const requests = requestsOf(subject, work, draw);
          if (requests.length === 0) continue;
          const before = requestsOf(subject, work, subject.warm ? near : draw);
          const amount = Math.max(before.length, count);
          await untilQuiet(databaseUrl);
          await load.run({
            url: at,
            connections: count,
            requests: before,
            ...(subject.warm ? { amount } : { duration: 0.5 }),
          });
          const server = serverOf(servers, subject);
          const [workBefore, storeBefore] = [(await server.work()) ?? 0, await storeTimes(databaseUrl)];
          const result = await load.run({ url: at, connections: count, requests, duration: seconds });
          const cpu = (((await server.work()) ?? 0) - workBefore) / result.requests;
          const storeWork = workBetween(storeBefore, await storeTimes(databaseUrl));
          const storeCpu = storeWork === undefined ? undefined : storeWork / result.requests;
          const resident = (await server.memory()) ?? 0;
          memory.set(subject.server, Math.max(memory.get(subject.server) ?? 0, resident));
          measured.push({ round, work, connections: count, subject: subject.name, resident, cpu, storeCpu, ...result });
          say(`round ${round + 1}/${rounds} ${work} × ${count} ${subject.name}: ${result.perSecond.toFixed(0)}/s`);
        }
      }
    }
  }
  load.stop();
}

/**
 * Warms the servers up for about ten seconds before they are measured: Node compiles frequently executed code during
 * that time.
 */
async function warmUp(servers: ReadonlyMap<string, RunningServer>, load: Load) {
  for (const subject of subjects) {
    for (const work of works) {
      const requests = requestsOf(subject, work, near);
      const { url: at } = serverOf(servers, subject);
      if (requests.length > 0) await load.run({ url: at, connections: 16, requests, duration: warmSeconds });
    }
    say(`warmed up: ${subject.name}`);
  }
}

async function machine(target: string) {
  const { availableParallelism, cpus, totalmem } = await import('node:os');
  const version = await withClient(target, async (client) => (await client.query('select version()')).rows[0].version);
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    database: String(version).split(' on ')[0],
  };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
