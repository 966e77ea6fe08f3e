import { importTable } from './imports.ts';
import type { Results, Run } from './results.ts';
import { connectionsOf, markdownTable, type Ratio, ratioOf, unique, workloadTables } from './tables.ts';
import { BASELINE, TARGETS } from './targets.ts';

// Text of the pages that show results: bench/results.md and the table of the README.

const START = '<!-- benchmark: written by bench/publish.ts -->';
const END = '<!-- /benchmark -->';

/** Returns the page of all results. */
export function resultsPage(results: Results): string {
  const { runs } = results;
  const measured = runs.flatMap((run) => run.measured);
  const used = TARGETS.filter(({ name }) => measured.some(({ target }) => target === name));
  const imports = runs.flatMap((run) => run.imports);
  const { database } = runs.at(-1) as Run;
  const lines = [
    '# Benchmark results',
    '',
    'Written by `bench/publish.ts` from `results.json`; [README.md](README.md) explains how to measure. ' +
      '[notes.md](notes.md) has earlier measurements of single parts.',
    '',
    ...descriptions(runs),
    '',
    `Database: ${Object.entries(database)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([what, count]) => `${count.toLocaleString('en')} × ${what}`)
      .join(', ')}.`,
    '',
    '## Targets',
    '',
    'All targets use prepared statements with `plan_cache_mode=force_generic_plan` and without the JIT of PostgreSQL.',
    '',
    '| target | setup |',
    '|---|---|',
    ...used.map(({ name, setup }) => `| ${name} | ${setup} |`),
    '',
    '## Ratios to the baseline',
    '',
    'Requests per second relative to the baseline; in brackets the same by processor time of server and database, which ' +
      'excludes the load generator and waiting for a processor. A value above 1 is better than the baseline.',
    '',
    ...overview(results),
    '',
    '## Measurements',
    '',
    'Medians over the rounds. Requests that failed are listed with their status or error; a target with 0 requests/s ' +
      'completed none within a round.',
    '',
    workloadTables(results),
    ...(imports.length > 0 ? ['', importTable(imports)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the README with its table of ratios replaced.
 * @throws Error if the README has no place for it.
 */
export function readmeWith(readme: string, results: Results): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${START} … ${END}.`);
  const text = [
    START,
    'Requests at 16 connections by processor time, relative to one hand-written SQL statement behind `node:http` (1.00; higher is better). *Cached* is the default.',
    '',
    ...readmeTable(results),
    '',
    '[bench/results.md](bench/results.md) has all figures and the setup of each peer, [bench](bench/README.md) says how to measure ' +
      `(${results.runs.map(({ date, commit }) => `${date}, commit ${commit}`).join('; ')}).`,
    '',
  ];
  return `${readme.slice(0, start)}${text.join('\n')}${readme.slice(end)}`;
}

/** Returns one line per run: date, commit, hardware, versions and options. */
function descriptions(runs: readonly Run[]): string[] {
  return runs.map(({ date, commit, note, machine, options, versions, measured, imports }) => {
    const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    const workloads = unique([...measured.map((each) => each.workload), ...(imports.length > 0 ? ['import'] : [])]);
    const processes = options.processes > 1 ? `, ${options.processes} gateway processes` : '';
    return (
      `- ${date}, commit ${commit}: ${workloads.join(', ')}. ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, ` +
      `Node ${machine.node}, ${machine.database}; database \`${options.size}\`, ${options.rounds} rounds of ` +
      `${options.seconds} s, ${options.pool} database connections per process${processes}.` +
      (names.length > 0 ? ` Packages: ${names.join(', ')}.` : '') +
      (note === undefined ? '' : ` ${note}`)
    );
  });
}

function overview(results: Results): string[] {
  return ratioTable(
    results,
    () => true,
    ({ byRate, byProcessorTime }) => {
      const byTime = Number.isFinite(byProcessorTime) ? ` (${byProcessorTime.toFixed(2)})` : '';
      return `${byRate.toFixed(2)}${byTime}`;
    },
  );
}

/** The number of connections in the README's table: a busy server. */
const README_CONNECTIONS = 16;

function readmeTable(results: Results): string[] {
  const isShown = (connections: number) => connections === README_CONNECTIONS;
  return ratioTable(results, isShown, ({ byProcessorTime }) =>
    Number.isFinite(byProcessorTime) ? byProcessorTime.toFixed(2) : '',
  );
}

function ratioTable(
  results: Results,
  isShown: (connections: number) => boolean,
  textOf: (ratio: Ratio) => string,
): string[] {
  const measured = results.runs.flatMap((run) => run.measured);
  const targets = TARGETS.map(({ name }) => name).filter(
    (name) => name !== BASELINE && measured.some(({ target }) => target === name),
  );
  const rows = unique(measured.map(({ workload }) => workload)).flatMap((workload) =>
    connectionsOf(measured, workload)
      .filter(isShown)
      .map((connections) => [
        workload,
        String(connections),
        ...targets.map((target) => {
          const ratio = ratioOf(results, workload, connections, target);
          return ratio ? textOf(ratio) : '';
        }),
      ]),
  );
  return markdownTable(['workload', 'connections', ...targets], rows);
}
