import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import ownPackage from '../package.json' with { type: 'json' };
import { openOther } from './against.ts';
import { buildDatabase, dropDatabase, serverUrl, sizesOf, withClient } from './database/build.ts';
import { checkStatements } from './expected-statements.ts';
import { importTable, measureImports } from './imports.ts';
import { checkTargets, measureTargets, type Plan } from './measure.ts';
import { readOptions } from './options.ts';
import { addRun, type Run, readResults, writeResults } from './results.ts';
import { readRepeatable, readSamples } from './samples.ts';
import { workloadTables } from './tables.ts';
import { BASELINE, ROOT, SERVERS, TARGETS, type Target } from './targets.ts';

const writeLine = (line: string) => process.stderr.write(`${line}\n`);
const options = readOptionsOrExit();
if (options.help) {
  const guide = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
  process.stdout.write(`npm run bench -- [options]\n\n${/^\| option [\s\S]*?(?=\n\n)/m.exec(guide)?.[0]}\n`);
  process.exit();
}
/** Compares the responses and the statements of requests, without measuring. */
const isCheck = options.check || options.accept;
const startedAt = performance.now();
const url = serverUrl();
// Before the servers start: files may change while they are measured.
const commit = commitOf();

const imports = options.imports ? await measureImports(url, writeLine) : [];
if (imports.length > 0) process.stdout.write(`${importTable(imports)}\n\n`);

writeLine(`database: ${options.size}`);
const databaseUrl = await buildDatabase(url, options.size, writeLine);
const against = options.against === undefined ? undefined : await openOther(options.against);
let outcome: Pick<Run, 'statements' | 'differences' | 'measured'> = { statements: {}, differences: [], measured: [] };
try {
  const [baseline, targets] = chooseTargets();
  const plan: Plan = {
    ...options,
    ...(await (isCheck ? readRepeatable : readSamples)(databaseUrl)),
    ...{ databaseUrl, baseline, targets, writeLine },
    servers: [...SERVERS, ...(against?.servers ?? [])],
    otherCommit: new Set(against?.targets.map(({ name }) => name)),
  };
  if (plan.workloads.length > 0) {
    const checked = await checkTargets(plan);
    if (isCheck) {
      process.exitCode = await checkStatements(checked.statements, options.accept, writeLine);
    } else outcome = { ...checked, measured: await measureTargets(plan) };
  }
} finally {
  await against?.remove();
}

const run: Run = {
  date: new Date().toISOString().slice(0, 10),
  commit,
  version: ownPackage.version,
  machine: await machineOf(databaseUrl),
  options: {
    ...{ size: options.size, rounds: options.rounds, seconds: options.seconds },
    ...{ pool: options.pool, processes: options.processes },
  },
  versions: await versionsOf(),
  database: await sizesOf(databaseUrl),
  comparedWith: against?.comparedWith ?? {},
  ...outcome,
  imports,
};
if (run.measured.length > 0) process.stdout.write(`${workloadTables({ runs: [run] })}\n`);
if (options.out) await writeResults(options.out, { runs: [run] });
if (options.addTo) {
  const earlier = existsSync(options.addTo) ? await readResults(options.addTo) : { runs: [] };
  await writeResults(options.addTo, addRun(earlier, run));
}
if (options.drop) await dropDatabase(url, options.size);
writeLine(`took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);

/**
 * Returns the baseline, and the chosen targets with the baseline first.
 * @throws Error if `--targets` names none of the targets.
 */
function chooseTargets(): [Target, Target[]] {
  const comparedWith = against?.comparedWith ?? {};
  const available = [
    ...TARGETS.filter(({ name }) => !against || name === BASELINE || name in comparedWith),
    ...(against?.targets ?? []),
  ];
  const [baseline] = available as [Target];
  const { targets: names } = options;
  const unknown = names?.find((name) => !TARGETS.some((target) => target.name === name));
  if (unknown !== undefined) {
    throw new Error(`--targets: ${unknown} is none of: ${TARGETS.map(({ name }) => name).join(', ')}.`);
  }
  const isChosen = ({ name, onlyIfNamed }: Target) =>
    names?.some((each) => name === each || name === comparedWith[each]) ?? !onlyIfNamed;
  return [baseline, available.filter((target) => target === baseline || isChosen(target))];
}

function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'db', 'bench/*.ts', 'bench/*.js');
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
}

async function machineOf(target: string): Promise<Run['machine']> {
  const version = await withClient(target, async (client) => (await client.query('select version()')).rows[0].version);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    database: String(version).split(' on ')[0] ?? '',
  };
}

/** Returns the versions of the packages of the gateway that take part in a request, and of the peers. */
async function versionsOf(): Promise<Run['versions']> {
  const versions = async (path: string, isListed: (name: string) => boolean) => {
    const { dependencies } = JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    return Object.entries(dependencies).filter(([name]) => isListed(name));
  };
  const gateway = ['fastify', 'graphql', 'graphql-yoga', 'dataloader', 'kysely', 'pg'];
  return Object.fromEntries([
    ...(await versions('../package.json', (name) => gateway.includes(name))),
    ...(await versions('peers/package.json', (name) => !gateway.includes(name))),
  ]);
}

function readOptionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    writeLine(`error: ${error instanceof Error ? error.message : error} (see --help)`);
    process.exit(1);
  }
}
