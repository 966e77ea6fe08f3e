/** One reason why a row, or a file, cannot be loaded. */
export interface Fault {
  /** The file of the dataset, or for an import the record of the source. */
  readonly file: string;
  /** Counted from 1; null where the file as a whole, or a record without lines, is meant. */
  readonly line: number | null;
  readonly column: string | null;
  readonly reason: string;
}

/** As many are kept and shown; the rest is only counted. */
export const MOST_FAULTS = 100;

/** `file:line: column: reason`, without the parts that there are none of. */
export function formatFault({ file, line, column, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`;
  return column === null ? `${place}: ${reason}` : `${place}: ${column}: ${reason}`;
}

/** Thrown when a dataset is refused; nothing was changed. The message lists the faults, one a line. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  /** For a command that ends with this error (EX_DATAERR). */
  readonly exitCode = 65;
  /** The first ones, in the order of the files and lines. */
  readonly faults: readonly Fault[];
  /** All that were found. */
  readonly count: number;

  constructor(faults: readonly Fault[], count = faults.length) {
    const shown = faults.map((fault) => `  ${formatFault(fault)}`);
    const rest = count > faults.length ? [`  … and ${count - faults.length} more`] : [];
    super([`The dataset is refused; nothing was changed (${counted(count)}):`, ...shown, ...rest].join('\n'));
    this.faults = faults;
    this.count = count;
  }
}

/** Thrown at once when another load or import is at work on the same store. */
export class LoadInProgressError extends Error {
  override readonly name = 'LoadInProgressError';
  /** For a command that ends with this error (EX_TEMPFAIL): trying again later can help. */
  readonly exitCode = 75;

  constructor() {
    super('Another load or import is at work on this store. Try again when it has ended.');
  }
}

/** Gathers faults: the first hundred of each file are kept, all are counted. */
export class Faults {
  readonly #kept = new Map<string, Fault[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(fault: Fault): void {
    this.#count++;
    const kept = this.#kept.get(fault.file) ?? [];
    if (kept.length < MOST_FAULTS) kept.push(fault);
    this.#kept.set(fault.file, kept);
  }

  /** Counts faults that are not kept. */
  countMore(count: number): void {
    this.#count += count;
  }

  /** The faults to show, by line within the files, the files in the order given; those of other files come first. */
  list(files: readonly string[]): Fault[] {
    const rank = (fault: Fault) => files.indexOf(fault.file);
    return [...this.#kept.values()]
      .flat()
      .sort((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0))
      .slice(0, MOST_FAULTS);
  }
}

function counted(count: number): string {
  return count === 1 ? '1 fault' : `${count} faults`;
}
