/**
 * Returns a text as a cell of a CSV file (RFC 4180).
 * @param isQuoted true for a text that needs quotes although it has no separator, quote or line break.
 */
export function csvCell(text: string, isQuoted = false): string {
  return isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
