import type { Database } from '../../store/sql/database.ts';
import type { TableName } from './format.ts';
import type { FileSummary, ProgressUnit } from './load-summary.ts';
import type { Report } from './report.ts';

/** The origin of the rows of a load: one edition of a data set. */
export interface Provenance {
  readonly name: string;
  readonly source: string | null;
  readonly license: string | null;
  /** The day, `YYYY-MM-DD`, for which the data are valid. */
  readonly asOf: string | null;
}

/** An identifier of a record in a source or in another data set. */
export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/**
 * How a record without a known external identifier is matched in the database: by exact names within the same district,
 * office and day, never by similarity. Without a rule the record is new.
 */
export type Match =
  /** A party by its name. */
  | { readonly by: 'name' }
  /** An office with the same name, level, branch, chamber and seat in its district; with `alone`, whatever its name. */
  | { readonly by: 'office'; readonly alone: boolean }
  /** A person of the same name who holds one of the offices from the same start day. */
  | { readonly by: 'holder'; readonly holds: readonly { readonly office: ExternalId; readonly start: string }[] }
  /** The officeholder with the same office, person and start. */
  | { readonly by: 'term' }
  /** A district with the same name, type and state. */
  | { readonly by: 'district' }
  /** A person of the same name who holds or held the office, or was a candidate for it. */
  | { readonly by: 'candidacy'; readonly office: ExternalId }
  /** The election of the same type that the district holds on the day. */
  | { readonly by: 'election' }
  /** The race in the election for the same office and position, with the same type, stage and party. */
  | { readonly by: 'race' }
  /** The candidate of the race who is the same person, or has the same name. */
  | { readonly by: 'candidate'; readonly name: string }
  /** The measure with the same name or official title on which the district votes in the election. */
  | { readonly by: 'measure' };

/** A file of a source, as far as it is of one state and day. A newer file of the same name replaces what an older one brought. */
export interface Edition {
  /** Two letters; null for the whole country. */
  readonly state: string | null;
  /** Null for a file that is of no election. */
  readonly day: string | null;
  /** The name of the file without folders; for sources with a file for each contest, the contest. */
  readonly file: string;
}

export type ImportValue = string | number | boolean | null | undefined;

/**
 * A row of the exchange format as a source has it: with external identifiers in place of ids, and unchecked. Columns
 * for which the source has no data are left out.
 */
export interface ImportRow {
  readonly table: TableName;
  /** The record of the source, as the report names it. */
  readonly record: string;
  /**
   * The names that identify the record, the best one first. For a district, `ocdid` and `geoid` (see `districtGeoid`)
   * are looked up in its columns.
   */
  readonly ids?: readonly ExternalId[];
  /** Further names, stored for other sources to match. */
  readonly labels?: readonly ExternalId[];
  /** The columns that refer to other records. */
  readonly refs?: Readonly<Record<string, ExternalId | readonly ExternalId[] | null>>;
  readonly values: Readonly<Record<string, ImportValue>>;
  /** The GeoJSON geometry of a boundary. */
  readonly geometry?: unknown;
  readonly match?: Match;
  /**
   * Set for votes of a race that are not stored: those of a candidate whom the other source of the race lacks (`other`) may speak against
   * an outcome, and without any of them (`missing`) there are no shares.
   */
  readonly leftOut?: 'other' | 'missing';
  /** The files that have the record, if newer ones replace them. */
  readonly editions?: readonly Edition[];
}

export interface ImportContext {
  /** The transaction of the import, to read existing data. */
  readonly db: Database;
  readonly report: Report;
  /** Reports how much of the source has been read. */
  onRead(done: number, total: number, unit: ProgressUnit): void;
}

/** The source that an adapter opens from the given paths. */
export interface OpenedSource {
  readonly provenance: Provenance;
  /** Yields the rows, table by table, referenced tables before those that refer to them. */
  rows(context: ImportContext): AsyncIterable<ImportRow>;
  /**
   * Writes the rows of a source that has none of the exchange format, such as addresses; `rows` yields nothing then.
   * @param sourceId the id of the provenance, to which the rows refer.
   */
  write?(context: ImportContext, sourceId: number): Promise<readonly FileSummary[]>;
  /** True if offices of this source have one holder at a time, so that a term ends when the next begins. */
  readonly oneHolder?: boolean;
  /** Returns the files that have been read, also those without a row, if newer ones replace them. */
  editions?(): readonly Edition[];
  /** Corrects staged rows after they have been matched with the database. */
  settle?(db: Database, report: Report): Promise<void>;
  /** Writes what the source has besides rows, after their provenance is recorded as that of `sourceId`. */
  finish?(db: Database, sourceId: number): Promise<void>;
  /** Throws an ImportError if the staged rows, after all checks, are not what the source should have supplied. */
  verify?(db: Database, report: Report): Promise<void>;
}

/** Returns the external identifier of a district by its type and its GEOID in any form: `0500000US50001` or `50001`. */
export function districtGeoid(type: string, geoId: string): ExternalId {
  return { scheme: 'geoid', value: `${type}:${geoId.replace(/^.*US/, '')}` };
}

/** Thrown if the paths or options for a source, or one of its files, cannot be used. The message is `file:line: reason`, without what is null. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** The exit code of a command that fails with this error (EX_DATAERR). */
  readonly exitCode = 65;
  /** What is wrong, or what is valid; a list has a line for each. */
  readonly reason: string;
  readonly file: string | null;
  readonly line: number | null;

  constructor(reason: string, file: string | null = null, line: number | null = null) {
    super(file === null ? reason : `${file}${line === null ? '' : `:${line}`}: ${reason}`);
    this.reason = reason;
    this.file = file;
    this.line = line;
  }
}

/** A file without anything that can be imported, beside which others may be of the source: they are imported, and the report names it. */
export class UnusableFileError extends ImportError {}
