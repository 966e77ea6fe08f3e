import { parse } from 'csv-parse/sync';

export type Row = Record<string, string>;

/** The rows of a result file, in the columns of MEDSL or OpenElections. */
export class ResultTable {
  readonly columns: readonly string[];
  rows: Row[];
  /** Lines that are written as they are, after the row with the index. */
  readonly raw = new Map<Row, string>();

  constructor(text: string) {
    const [header = [], ...records] = parse(text, {
      relax_column_count: true,
      bom: true,
      relax_quotes: true,
    }) as string[][];
    this.columns = header;
    this.rows = records
      .filter(({ length }) => length === header.length)
      .map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
  }

  /** Returns the name of a column in this file; both publishers have most of them. */
  name(medsl: string): string {
    const others: Record<string, string> = { county_name: 'county', party_detailed: 'party' };
    return this.columns.includes(medsl) ? medsl : (others[medsl] ?? medsl);
  }

  get(row: Row, column: string): string {
    return row[this.name(column)] ?? '';
  }

  set(row: Row, column: string, value: string): void {
    row[this.name(column)] = value;
  }

  copy(row: Row): Row {
    return { ...row };
  }

  toText(): string {
    const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [this.columns.join(',')];
    for (const row of this.rows) {
      lines.push(this.columns.map((name) => cell(row[name] ?? '')).join(','));
      const raw = this.raw.get(row);
      if (raw !== undefined) lines.push(raw);
    }
    return `${lines.join('\n')}\n`;
  }
}
