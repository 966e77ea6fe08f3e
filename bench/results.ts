import { readFile, writeFile } from 'node:fs/promises';
import type { MeasuredImport } from './imports.ts';
import type { LoadResult } from './load.ts';
import { BASELINE } from './targets.ts';

/** One run of the load generator. */
export interface Measurement extends LoadResult {
  readonly round: number;
  readonly workload: string;
  readonly connections: number;
  readonly target: string;
  /** Resident memory of the server after the run, in MB. */
  readonly memoryMb: number;
  /** Processor time of the server per request in milliseconds, without the database. */
  readonly serverMs: number;
  /** Processor time of the database connections per request; undefined if the database is on another machine. */
  readonly databaseMs?: number | undefined;
}

/** One execution of the benchmark: all workloads and targets, or a part of them. */
export interface Run {
  readonly date: string;
  /** The measured commit; ends in `+` if files differed from it. */
  readonly commit: string;
  /** The version in package.json then. */
  readonly version: string;
  /** What a reader must know about the run. */
  readonly note?: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly node: string;
    readonly database: string;
  };
  readonly options: {
    readonly size: string;
    readonly rounds: number;
    readonly seconds: number;
    readonly pool: number;
    readonly processes: number;
  };
  /** Versions of the measured packages. */
  readonly versions: Readonly<Record<string, string>>;
  /** Rows of the database. */
  readonly database: Readonly<Record<string, number>>;
  /** Statements per request, by workload and target. */
  readonly statements: Readonly<Record<string, number>>;
  /** The target of another commit with which a target is compared. */
  readonly comparedWith: Readonly<Record<string, string>>;
  /** Targets of another commit whose responses differ from the baseline's, and how. */
  readonly differences: readonly string[];
  readonly measured: readonly Measurement[];
  readonly imports: readonly MeasuredImport[];
}

export interface Results {
  readonly runs: readonly Run[];
}

/** Reads a file of results. */
export async function readResults(path: string): Promise<Results> {
  return JSON.parse(await readFile(path, 'utf8')) as Results;
}

/** Writes results as JSON, one line per measurement. */
export async function writeResults(path: string, { runs }: Results): Promise<void> {
  const texts = runs.map(({ measured, ...rest }) => {
    const lines = measured.map((each) => JSON.stringify(each)).join(',\n   ');
    return `${JSON.stringify(rest, null, 1).replace(/\n\}$/, '')},\n "measured": [\n   ${lines}\n ]\n}`;
  });
  await writeFile(path, `{"runs": [\n${texts.join(',\n')}\n]}\n`);
}

/**
 * Adds a run to results. What it measured again replaces the earlier measurements, except those of the baseline: ratios
 * are computed within a run.
 */
export function addRun({ runs }: Results, run: Run): Results {
  const cellOf = ({ workload, connections, target }: Measurement) => `${workload} ${connections} ${target}`;
  const cells = new Set(run.measured.filter(({ target }) => target !== BASELINE).map(cellOf));
  const earlier = runs.map((each) => ({
    ...each,
    measured: each.measured.filter((measurement) => !cells.has(cellOf(measurement))),
    imports: run.imports.length > 0 ? [] : each.imports,
  }));
  const isNeeded = ({ measured, imports }: Run) =>
    imports.length > 0 || measured.some(({ target }) => target !== BASELINE);
  return { runs: [...earlier.filter(isNeeded), run] };
}
