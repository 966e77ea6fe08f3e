import type { Database } from '../store/database.ts';
import type { TableName } from './format.ts';
import type { Provenance } from './provenance.ts';
import type { Report } from './report.ts';
import type { ProgressUnit } from './run-load.ts';

/** How a source, or another data set, names a record. */
export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/**
 * How a record that is not known by any external identifier is found in the store: by exact names within the same
 * district, office and day, never by likeness. Without a way it is new.
 */
export type Match =
  /** A party by its name. */
  | { readonly by: 'name' }
  /** An office of the same name, level, branch, chamber and seat of its district; `alone`: whatever its name. */
  | { readonly by: 'office'; readonly alone: boolean }
  /** A person of the same name who holds one of the offices from the same day on. */
  | { readonly by: 'holder'; readonly holds: readonly { readonly office: ExternalId; readonly start: string }[] }
  /** The officeholder with the same office, person and start. */
  | { readonly by: 'term' }
  /** A district of the same name, type and state. */
  | { readonly by: 'district' }
  /** A person of the same name who holds the office, held it, or stood for it. */
  | { readonly by: 'candidacy'; readonly office: ExternalId }
  /** The election of the same type that the district holds on the day. */
  | { readonly by: 'election' }
  /** The race for the same office and position in the election, of the same type, stage and party. */
  | { readonly by: 'race' }
  /** The candidate of the race who is the same person, or has the same name. */
  | { readonly by: 'candidate'; readonly name: string }
  /** The measure of the same name, or with the same official title, on which the district votes in the election. */
  | { readonly by: 'measure' };

export type ImportValue = string | number | boolean | null | undefined;

/**
 * A row of the exchange format as a source has it: in the place of ids it has external identifiers, and nothing is
 * checked yet. Columns that the source says nothing about are left out.
 */
export interface ImportRow {
  readonly table: TableName;
  /** The record of the source, as a report names it. */
  readonly record: string;
  /**
   * The names that tell which record it is, the best one first. For a district `ocdid` and `geoid` (see
   * `districtGeoid`) are looked up in its columns.
   */
  readonly ids?: readonly ExternalId[];
  /** Further names, kept for others to join by. */
  readonly labels?: readonly ExternalId[];
  /** The columns that refer to other records. */
  readonly refs?: Readonly<Record<string, ExternalId | readonly ExternalId[] | null>>;
  readonly values: Readonly<Record<string, ImportValue>>;
  /** Of a boundary: a GeoJSON geometry. */
  readonly geometry?: unknown;
  readonly match?: Match;
}

export interface ImportContext {
  /** The transaction of the import, to look at what the store has. */
  readonly db: Database;
  readonly report: Report;
  /** Tells how much of the source has been read. */
  onRead(done: number, total: number, unit: ProgressUnit): void;
}

/** What an adapter makes of the paths that it was given. */
export interface OpenedSource {
  readonly provenance: Provenance;
  /** The rows, table by table, those that are referred to before those that refer to them. */
  rows(context: ImportContext): AsyncIterable<ImportRow>;
  /** Offices of this source have one holder at a time, so that a term ends where the next begins. */
  readonly oneHolder?: boolean;
  /** Puts staged rows in order that have been joined with what the store has. */
  settle?(db: Database, report: Report): Promise<void>;
}

/** The external identifier of a district by its type and its GEOID, in whichever form: `0500000US50001` or `50001`. */
export function districtGeoid(type: string, geoId: string): ExternalId {
  return { scheme: 'geoid', value: `${type}:${geoId.replace(/^.*US/, '')}` };
}

/** Thrown when the paths or options given for a source cannot be used; the message says what would be right. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** For a command that ends with this error (EX_DATAERR). */
  readonly exitCode = 65;
}
