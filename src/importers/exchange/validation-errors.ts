/** One validation error: why a row or a file cannot be loaded. */
export interface ValidationError {
  /** The file of the dataset; for an import, the record of the source. */
  readonly file: string;
  /** Counted from 1; null for the whole file, or for a record without line numbers. */
  readonly line: number | null;
  readonly column: string | null;
  readonly reason: string;
}

/** The maximum number of errors that are stored and shown; the rest are only counted. */
export const MAX_ERRORS = 100;

/** Formats an error as `file:line: column: reason`, leaving out absent parts. */
function formatError({ file, line, column, reason }: ValidationError): string {
  const place = line === null ? file : `${file}:${line}`;
  return column === null ? `${place}: ${reason}` : `${place}: ${column}: ${reason}`;
}

/** Thrown when a dataset is rejected; nothing was changed. The message lists the validation errors, one per line. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  /** The exit code of a command that fails with this error (EX_DATAERR). */
  readonly exitCode = 65;
  /** The first errors, in the order of files and lines. */
  readonly errors: readonly ValidationError[];
  /** The total number of errors. */
  readonly count: number;

  constructor(errors: readonly ValidationError[], count = errors.length) {
    const shown = errors.map((error) => `  ${formatError(error)}`);
    const rest = count > errors.length ? [`  … and ${count - errors.length} more`] : [];
    super([`The dataset was rejected; nothing was changed (${counted(count)}):`, ...shown, ...rest].join('\n'));
    this.errors = errors;
    this.count = count;
  }
}

/** Thrown immediately if another load or import is running on the same database. */
export class LoadInProgressError extends Error {
  override readonly name = 'LoadInProgressError';
  /** The exit code of a command that fails with this error (EX_TEMPFAIL): a later retry can succeed. */
  readonly exitCode = 75;

  constructor() {
    super('Another load or import is running on this database. Try again when it has finished.');
  }
}

/** Collects validation errors: stores the first hundred of each file and counts all of them. */
export class ValidationErrors {
  readonly #errors = new Map<string, ValidationError[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(error: ValidationError): void {
    this.#count++;
    const errors = this.#errors.get(error.file) ?? [];
    if (errors.length < MAX_ERRORS) errors.push(error);
    this.#errors.set(error.file, errors);
  }

  /** Counts errors that are not stored. */
  countMore(count: number): void {
    this.#count += count;
  }

  /**
   * Returns the errors to show, by line within each file and in the given order of files; errors of other files come
   * first.
   */
  list(files: readonly string[]): ValidationError[] {
    const rank = (error: ValidationError) => files.indexOf(error.file);
    return [...this.#errors.values()]
      .flat()
      .sort((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0))
      .slice(0, MAX_ERRORS);
  }
}

function counted(count: number): string {
  return count === 1 ? '1 error' : `${count} errors`;
}
