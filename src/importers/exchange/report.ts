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
export interface ReportEntry extends ReportLine {
  readonly kind: ReportKind;
}

/** Collects what an import leaves out, so that nothing is dropped silently. */
export class Report {
  readonly #source: string;
  readonly #entries: ReportEntry[] = [];
  readonly #lines = new Map<string, number>();

  constructor(source: string) {
    this.#source = source;
  }

  get entries(): readonly ReportEntry[] {
    return this.#entries;
  }

  /** Adds an entry. `sentence` is needed if the reason has details of the record other than numbers. */
  add(record: string, kind: ReportKind, reason: string, sentence = withoutNumbers(reason)): void {
    this.#entries.push({ source: this.#source, record, kind, reason, sentence });
  }

  /** Records the line of its file on which a record begins. */
  locate(record: string, line: number | undefined): void {
    if (line !== undefined && !this.#lines.has(record)) this.#lines.set(record, line);
  }

  /** Returns the line on which a record begins; undefined if it is not known. */
  lineOf(record: string): number | undefined {
    return this.#lines.get(record);
  }
}

function withoutNumbers(reason: string): string {
  return reason.replace(/\d[\d.,-]*/g, '…');
}

/** Returns a text as a cell of a CSV file (RFC 4180). */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the report as CSV (RFC 4180) with the columns source, record, reason. */
export function reportCsv(entries: readonly ReportLine[]): string {
  const lines = entries.map(({ source, record, reason }) => [source, record, reason].map(csvCell).join(','));
  return `${['source,record,reason', ...lines].join('\n')}\n`;
}
