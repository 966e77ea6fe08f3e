import type { LoadResult } from './load.ts';

/** One run of the load generator. */
export interface Measured extends LoadResult {
  readonly round: number;
  readonly work: string;
  readonly connections: number;
  readonly subject: string;
  /** Resident memory of the server after the run, in MB. */
  readonly resident: number;
  /** Processor time of the server per request in milliseconds, without the database. */
  readonly cpu: number;
  /** Processor time of the database connections per request; undefined if the database is on another machine. */
  readonly storeCpu?: number | undefined;
}

export interface Report {
  readonly machine: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly store: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
  readonly memory: Readonly<Record<string, number>>;
  /** The target of another commit with which a target is also compared. */
  readonly baselines?: Readonly<Record<string, string>>;
  readonly measured: readonly Measured[];
}

/**
 * Returns the medians over the rounds as Markdown tables; a ratio is computed within each round, then the median of the
 * ratios.
 */
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

/** Returns all figures as JSON, one line per run of the load generator. */
export function rawFigures({ measured, ...rest }: Report): string {
  const runs = measured.map((each) => JSON.stringify(each)).join(',\n  ');
  return `${JSON.stringify(rest, null, 1).replace(/\n\}$/, '')},\n "measured": [\n  ${runs}\n ]\n}\n`;
}

/** Returns the total processor time of a request: server and database together. */
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
