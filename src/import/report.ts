/** A record of a source that was not imported, or not all of it, and why. */
export interface ReportEntry {
  readonly source: string;
  readonly record: string;
  readonly reason: string;
}

/** Gathers what an import leaves out, so that nothing is lost in silence. */
export class Report {
  readonly #source: string;
  readonly #entries: ReportEntry[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  get entries(): readonly ReportEntry[] {
    return this.#entries;
  }

  add(record: string, reason: string): void {
    this.#entries.push({ source: this.#source, record, reason });
  }
}

/** The report as CSV (RFC 4180) with the columns source, record, reason. */
export function reportCsv(entries: readonly ReportEntry[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = entries.map(({ source, record, reason }) => [source, record, reason].map(cell).join(','));
  return `${['source,record,reason', ...lines].join('\n')}\n`;
}
