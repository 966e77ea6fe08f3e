import type { LoadResult } from './load.ts';

/** One run of the load generator. */
export interface Measured extends LoadResult {
  readonly round: number;
  readonly work: string;
  readonly connections: number;
  readonly subject: string;
  /** Resident memory of the server after the run, in MB. */
  readonly resident: number;
  /** Milliseconds of processor time of the server for a request, without the store. */
  readonly cpu: number;
  /** The same of the connections to the store; undefined where it is on another machine. */
  readonly storeCpu?: number | undefined;
}

export interface Report {
  readonly machine: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly store: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
  readonly memory: Readonly<Record<string, number>>;
  /** The subject of another commit that a subject is compared with, too. */
  readonly baselines?: Readonly<Record<string, string>>;
  readonly measured: readonly Measured[];
}

/** The medians over the rounds as tables in Markdown; a ratio is taken within each round, then the median of them. */
export function reportOf({ machine, options, store, statements, baselines = {}, measured }: Report): string {
  const isCompared = Object.keys(baselines).length > 0;
  const lines = [
    `${machine.date}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, ${machine.database}; ` +
      `store ${options.size}, ${options.rounds} rounds of ${options.seconds} s, ${options.pool} connections to the store` +
      `${Number(options.processes) > 1 ? `, ${options.processes} processes of ours` : ''}.`,
    '',
    Object.entries(store)
      .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
      .join(', '),
  ];
  for (const work of unique(measured.map((each) => each.work))) {
    for (const connections of unique(measured.filter((each) => each.work === work).map((each) => each.connections))) {
      lines.push('', `### ${work}, ${connections} connection${connections === 1 ? '' : 's'}`, '');
      lines.push(
        `| subject | requests/s | p50 ms | p99 ms | CPU ms | store CPU ms | statements | memory MB | of the floor | by CPU |${isCompared ? ' of the commit | by CPU |' : ''}`,
        `|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|${isCompared ? '--:|--:|' : ''}`,
      );
      const runs = measured.filter((each) => each.work === work && each.connections === connections);
      for (const subject of unique(runs.map((each) => each.subject))) {
        const own = runs.filter((each) => each.subject === subject);
        const of = (value: (run: Measured) => number) => median(own.map(value));
        const ratiosTo = (baseline: string) => {
          const ratioOf = (ratio: (run: Measured, other: Measured) => number) =>
            median(
              own.flatMap((run) => {
                const other = runs.find((each) => each.subject === baseline && each.round === run.round);
                return other ? ratio(run, other) : [];
              }),
            ).toFixed(2);
          return {
            byRate: ratioOf((run, other) => run.perSecond / other.perSecond),
            byCpu: ratioOf((run, other) => workOf(other) / workOf(run)),
          };
        };
        const { byRate, byCpu } = ratiosTo('floor');
        const baseline = baselines[subject];
        const before = baseline === undefined ? undefined : ratiosTo(baseline);
        const answered = own.some((run) => run.requests > 0);
        const cell = (text: string) => (answered ? text : '');
        const failed = own.reduce((sum, run) => sum + run.failed, 0);
        lines.push(
          `| ${subject}${failed > 0 ? ` (${failed} failed)` : ''} | ${of((run) => run.perSecond).toFixed(0)} | ${cell(of((run) => run.p50).toFixed(1))} | ${cell(of((run) => run.p99).toFixed(1))} | ${cell(of((run) => run.cpu).toFixed(2))} | ${cell(of((run) => run.storeCpu ?? Number.NaN).toFixed(2))} | ${statements[`${work} ${subject}`] ?? ''} | ${of((run) => run.resident).toFixed(0)} | ${byRate} | ${cell(byCpu)} |${isCompared ? ` ${before?.byRate ?? ''} | ${before?.byCpu ?? ''} |` : ''}`,
        );
      }
    }
  }
  return lines.join('\n');
}

/** All figures as JSON, a run of the load generator a line. */
export function rawFigures({ measured, ...rest }: Report): string {
  const runs = measured.map((each) => JSON.stringify(each)).join(',\n  ');
  return `${JSON.stringify(rest, null, 1).replace(/\n\}$/, '')},\n "measured": [\n  ${runs}\n ]\n}\n`;
}

/** All processor time of a request: what the server and the store take together. */
function workOf({ cpu, storeCpu }: Measured): number {
  return cpu + (storeCpu ?? Number.NaN);
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
