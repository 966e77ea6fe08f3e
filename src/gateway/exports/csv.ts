import { csvCell } from '../../base/csv-cell.ts';

/** The line ending of a CSV file (RFC 4180). */
const ROW_END = '\r\n';

/** Returns a row of a CSV file in the format of PostgreSQL's COPY: empty text is `""`, null is an empty cell. */
export function csvRow(cells: readonly (string | null)[]): string {
  const isQuoted = (cell: string) => cell === '' || (cells.length === 1 && cell === '\\.');
  return cells.map((cell) => (cell === null ? '' : csvCell(cell, isQuoted(cell)))).join(',') + ROW_END;
}
