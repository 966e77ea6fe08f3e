import type { Measurement, Results, Run } from './results.ts';
import { BASELINE } from './targets.ts';

/** A ratio of a target to another: by requests per second, and by processor time per request. */
export interface Ratio {
  readonly byRate: number;
  /** NaN if the database is on another machine. */
  readonly byProcessorTime: number;
}

/** Returns one Markdown table per workload and number of connections, with medians over the rounds. */
export function workloadTables(results: Results): string {
  const measured = results.runs.flatMap((run) => run.measured);
  const lines: string[] = [];
  for (const workload of unique(measured.map((each) => each.workload))) {
    for (const connections of connectionsOf(measured, workload)) {
      lines.push('', `### ${workload}, ${connections} connection${connections === 1 ? '' : 's'}`, '');
      lines.push(...tableOf(results, workload, connections));
    }
  }
  return lines.slice(1).join('\n');
}

/** Returns the ratio of a target to the baseline: the median of the ratios within each round. */
export function ratioOf(
  { runs }: Results,
  workload: string,
  connections: number,
  target: string,
  to: string = BASELINE,
): Ratio | undefined {
  const pairs = runs.flatMap(({ measured }) => {
    const of = (name: string) =>
      measured.filter((e) => e.workload === workload && e.connections === connections && e.target === name);
    const others = of(to);
    return of(target).flatMap((one) => {
      const other = others.find(({ round }) => round === one.round);
      return other ? [{ one, other }] : [];
    });
  });
  if (pairs.length === 0) return undefined;
  return {
    byRate: median(pairs.map(({ one, other }) => one.perSecond / other.perSecond)),
    byProcessorTime: median(pairs.map(({ one, other }) => processorTimeOf(other) / processorTimeOf(one))),
  };
}

/** Returns the numbers of connections at which a workload was measured, in ascending order. */
export function connectionsOf(measured: readonly Measurement[], workload: string): number[] {
  return unique(measured.filter((each) => each.workload === workload).map((each) => each.connections)).sort(
    (one, other) => one - other,
  );
}

/** Returns a Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    `|---|${head
      .slice(1)
      .map(() => '--:|')
      .join('')}`,
    ...rows.map(line),
  ];
}

const COLUMNS = [
  ...['target', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU ms', 'database CPU ms', 'statements', 'memory MB'],
  ...['ratio by rate', 'ratio by CPU'],
];

function tableOf(results: Results, workload: string, connections: number): string[] {
  const own = results.runs.flatMap(({ measured }) =>
    measured.filter((each) => each.workload === workload && each.connections === connections),
  );
  const comparedWith = Object.assign({}, ...results.runs.map((run) => run.comparedWith)) as Run['comparedWith'];
  const statements = Object.assign({}, ...results.runs.map((run) => run.statements)) as Run['statements'];
  const compares = Object.keys(comparedWith).length > 0;
  const rows = unique(own.map((each) => each.target)).map((target) => {
    const ofTarget = own.filter((each) => each.target === target);
    const middle = (value: (measurement: Measurement) => number, digits: number) =>
      text(median(ofTarget.map(value)), digits);
    const succeeded = ofTarget.some(({ requests }) => requests > 0);
    const ratioTo = (to?: string) => {
      const ratio = ratioOf(results, workload, connections, target, to);
      return [text(ratio?.byRate ?? Number.NaN, 2), text(ratio?.byProcessorTime ?? Number.NaN, 2)];
    };
    const other = comparedWith[target];
    return [
      `${target}${failuresOf(ofTarget)}`,
      middle((each) => each.perSecond, 0),
      ...(succeeded ? [middle((e) => e.p50, 1), middle((e) => e.p99, 1), middle((e) => e.serverMs, 2)] : ['', '', '']),
      succeeded ? middle((each) => each.databaseMs ?? Number.NaN, 2) : '',
      String(statements[`${workload} ${target}`] ?? ''),
      middle((each) => each.memoryMb, 0),
      ...ratioTo(),
      ...(compares ? (other ? ratioTo(other) : ['', '']) : []),
    ];
  });
  const head = compares ? [...COLUMNS, 'to the commit by rate', 'to the commit by CPU'] : COLUMNS;
  return markdownTable(head, rows);
}

/** Returns the failed requests of all rounds as text, by status or error; empty if there are none. */
function failuresOf(measured: readonly Measurement[]): string {
  const counts = new Map<string, number>();
  for (const { failures } of measured) {
    for (const [reason, count] of Object.entries(failures)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  if (counts.size === 0) return '';
  return ` (failed: ${[...counts].map(([reason, count]) => `${count} × ${reason}`).join(', ')})`;
}

/** Returns the total processor time of a request: server and database together. */
function processorTimeOf({ serverMs, databaseMs }: Measurement): number {
  return serverMs + (databaseMs ?? Number.NaN);
}

function text(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '';
}

export function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
