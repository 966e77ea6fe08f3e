/** The changes of a load to the rows of one table. */
export interface Changes {
  inserted: number;
  updated: number;
  unchanged: number;
  removed: number;
}

/** The progress of a load in one phase of one file or source. */
export interface Progress {
  readonly phase: 'read' | 'check' | 'write';
  readonly file: string;
  readonly done: number;
  readonly total: number;
  readonly unit: ProgressUnit;
}

export type ProgressUnit = 'bytes' | 'rows';

/** The changes of a load, or of a dry run, to the table of one file. */
export interface FileSummary extends Readonly<Changes> {
  readonly file: string;
  /** Boundaries whose invalid geometry was repaired. */
  readonly repaired: number;
}

export interface LoadSummary {
  readonly files: readonly FileSummary[];
  readonly warnings: readonly string[];
  readonly seconds: number;
  readonly dryRun: boolean;
}
