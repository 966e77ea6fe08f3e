import { csvCell } from '../../base/csv-cell.ts';
import type { ReportKind } from './report-kinds.ts';

/** A line of a report: what happened to a record of a source, and why. */
export interface ReportLine {
  readonly source: string;
  readonly record: string;
  readonly reason: string;
  /** The reason without details of the record, for counting. */
  readonly sentence: string;
}

/** A record of a source that was not imported, or not completely, and why. */
export interface ReportEntry extends ReportLine, Place {
  readonly kind: ReportKind;
}

/** Where a record of a source is. */
export interface Place {
  /** Null if the record is of no single file. */
  readonly file: string | null;
  readonly line: number | null;
}

const NOWHERE: Place = { file: null, line: null };

/** Collects what an import leaves out, so that nothing is dropped silently. */
export class Report {
  readonly #source: string;
  readonly #entries: ReportEntry[] = [];
  readonly #places = new Map<string, Place>();

  constructor(source: string) {
    this.#source = source;
  }

  get entries(): readonly ReportEntry[] {
    return this.#entries;
  }

  /**
   * Adds an entry. A detail of the record stands in the reason where the sentence has `…`, otherwise after it; numbers are none of the
   * sentence in any case.
   */
  add(record: string, kind: ReportKind, sentence: string, detail?: string | number): void {
    const [before = '', after] = sentence.split('…');
    const reason =
      detail === undefined ? sentence : after === undefined ? `${sentence}: ${detail}` : `${before}${detail}${after}`;
    const entry = { source: this.#source, record, ...this.placeOf(record), kind, reason };
    this.#entries.push({ ...entry, sentence: withoutNumbers(sentence) });
  }

  /** Says in which file a record is, and on which line it begins, before entries about it are added. Returns the record. */
  locate(record: string, file: string | null, line: number | null = null): string {
    if (!this.#places.has(record)) this.#places.set(record, { file, line });
    return record;
  }

  /** Returns where a record is, as `locate` was told. */
  placeOf(record: string): Place {
    return this.#places.get(record) ?? NOWHERE;
  }
}

function withoutNumbers(reason: string): string {
  return reason.replace(/\d[\d.,-]*/g, '…');
}

/** Returns the report as CSV (RFC 4180) with the columns source, record, reason. */
export function reportCsv(entries: readonly ReportLine[]): string {
  const lines = entries.map(({ source, record, reason }) =>
    [source, record, reason].map((cell) => csvCell(cell)).join(','),
  );
  return `${['source,record,reason', ...lines].join('\n')}\n`;
}
