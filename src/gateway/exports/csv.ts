/** The line ending of a CSV file (RFC 4180). */
const ROW_END = '\r\n';

/** Returns a row of a CSV file in the format of PostgreSQL's COPY: empty text is `""`, null is an empty cell. */
export function csvRow(cells: readonly (string | null)[]): string {
  return cells.map((cell) => csvCell(cell, cells.length === 1)).join(',') + ROW_END;
}

function csvCell(cell: string | null, isOnly: boolean): string {
  if (cell === null) return '';
  const mustBeQuoted = cell === '' || /[",\r\n]/.test(cell) || (isOnly && cell === '\\.');
  return mustBeQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
}
