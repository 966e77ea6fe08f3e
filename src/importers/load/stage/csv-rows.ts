import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { dictionary } from '../../../base/dictionary.ts';
import { errorsOfRow, quote, readCell, type Value } from '../../exchange/cells.ts';
import type { DatasetTable } from '../../exchange/format.ts';
import type { ValidationErrors } from '../../exchange/validation-errors.ts';
import { checkedChunks, TextFileError } from '../../read/text-file.ts';
import type { Staging } from './staging.ts';

/** The maximum size of a whole record in bytes; cells of 1 MB are accepted. */
const LONGEST_RECORD = 16 * 1024 * 1024;

const WHAT_CSV_LACKS: Partial<Record<string, string>> = dictionary({
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is not closed: the file is cut off, or a quote within a cell is not doubled',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its closing quote: a quote within a cell must be doubled',
  INVALID_OPENING_QUOTE: 'a quote is inside a cell that is not quoted',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${LONGEST_RECORD / 1024 / 1024} MiB`,
});

interface Layout {
  readonly present: readonly string[];
  /** The index in a record for each column of the table; -1 if the file does not have the column. */
  readonly places: readonly number[];
}

/** Stops reading a file whose header is invalid. */
class UnusableHeader extends Error {}

export interface CsvOutcome {
  /** The columns of the file; undefined if its header is invalid. */
  readonly columns: readonly string[] | undefined;
  /** False if reading stopped before the end of the file, so that some of its rows are unknown. */
  readonly complete: boolean;
}

/**
 * Reads a CSV file of the exchange format into its staging table, row by row. Validation errors go to `errors`; reading
 * continues with the next row wherever possible.
 */
export async function readCsv(
  path: string,
  table: DatasetTable,
  staging: Staging,
  errors: ValidationErrors,
  onBytes?: (count: number) => void,
): Promise<CsvOutcome> {
  const file = basename(path);
  let layout: Layout | undefined;
  let headerSeen = false;
  let lastLine = 0;
  let emptyLines = 0;
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
    record_delimiter: ['\r\n', '\n'],
  });
  try {
    await pipeline(checkedChunks(path, { quotes: true, onBytes }), parser, async (records) => {
      for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: Info }>) {
        const line = lastLine + 1 + info.empty_lines - emptyLines;
        emptyLines = info.empty_lines;
        lastLine = info.lines;
        if (!headerSeen) {
          headerSeen = true;
          layout = readHeader(table, record, (column, reason) => errors.add({ file, line, column, reason }));
          if (!layout) throw new UnusableHeader();
        } else if (layout) {
          const bad = await stageRecord(table, layout, record, line, staging);
          for (const { column, reason } of bad) errors.add({ file, line, column, reason });
        }
      }
    });
  } catch (error) {
    if (error instanceof UnusableHeader) return { columns: undefined, complete: false };
    const described = describe(error);
    if (!described) throw error;
    errors.add({ file, line: described.line, column: null, reason: described.reason });
    return { columns: layout?.present, complete: false };
  }
  if (!headerSeen) errors.add({ file, line: 1, column: null, reason: 'the file is empty; a header row is needed' });
  return { columns: layout?.present, complete: headerSeen };
}

function readHeader(
  table: DatasetTable,
  header: readonly string[],
  report: (column: string | null, reason: string) => void,
): Layout | undefined {
  const known = table.columns.map((column) => column.name);
  const unknown = header.filter((name) => !known.includes(name));
  const twice = header.filter((name, index) => known.includes(name) && header.indexOf(name) !== index);
  const missing = table.columns.filter((column) => column.required && !header.includes(column.name));
  for (const name of unknown) {
    report(null, `unknown column ${quote(name)}; the columns of this file are ${known.join(', ')}`);
  }
  for (const name of twice) report(name, 'the column occurs twice');
  for (const { name } of missing) report(name, 'the required column is missing');
  if (unknown.length > 0 || twice.length > 0 || missing.length > 0) return undefined;
  return { present: header, places: known.map((name) => header.indexOf(name)) };
}

/** Stages a valid row; otherwise reports what is wrong and records the id of the row. */
async function stageRecord(
  table: DatasetTable,
  layout: Layout,
  record: readonly string[],
  line: number,
  staging: Staging,
): Promise<readonly { column: string | null; reason: string }[]> {
  if (record.length !== layout.present.length) {
    return [{ column: null, reason: `has ${record.length} cells; the header has ${layout.present.length}` }];
  }
  const cells = table.columns.map((column, index) => readCell(column, record[layout.places[index] ?? -1] ?? ''));
  const bad = errorsOfRow(table, cells);
  const id = cells[table.columns.findIndex(({ name }) => name === 'id')];
  if (bad.length === 0) await staging.add(table, { line, origin: null, values: cells as readonly Value[] });
  else if (typeof id === 'number') await staging.reject(table, id);
  return bad;
}

function describe(error: unknown): { line: number; reason: string } | undefined {
  if (error instanceof TextFileError) return { line: error.line, reason: error.message };
  if (!(error instanceof CsvError)) return undefined;
  const lines = (error as CsvError & { lines?: number }).lines ?? 0;
  return { line: Math.max(1, lines), reason: WHAT_CSV_LACKS[error.code] ?? 'is not CSV as in RFC 4180' };
}
