import { ImportError } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { checkedChunks, TextFileError } from '../text-file.ts';
import { CodedColumn } from './coded-column.ts';
import { CsvRecords, type MalformedRecord, takeCells } from './csv-records.ts';
import { type RepairedRecord, repairRecords } from './repair-records.ts';
import type { ResultCells } from './result-cells.ts';
import { type FoundColumn, RESULT_COLUMNS, type ResultColumn, ResultReader } from './result-reader.ts';

/** A column of the results. */
export interface WantedColumn {
  readonly name: ResultColumn;
  /** The names of the column in files, in order of preference; its own name if omitted. */
  readonly from?: readonly string[];
  /** The value for all records if the file does not have the column. */
  readonly value?: string;
  /** True if the column is optional. */
  readonly optional?: boolean;
}

/** What is known about the records of a file. */
export interface ReadCsv {
  /** The records that do not have the cells of the header, and could not be repaired. */
  readonly malformed: readonly MalformedRecord[];
  /** Records whose shifted cells have been put in order. */
  readonly repaired: readonly RepairedRecord[];
  /** Returns the line of a record. */
  readonly lineOf: (record: number) => number;
}

/** Columns in which `NA` means that there is no value. */
const MAY_BE_NA = new Set<ResultColumn>(['district', 'party_detailed', 'magnitude']);

/**
 * Reads the records of a CSV file into cells. The texts that a state repeats in hundreds of thousands of records are
 * compared by their bytes.
 * @throws ImportError with file and line if the file is not CSV or UTF-8, is cut off, or lacks a needed column.
 */
export async function readResults(
  file: NamedFile,
  wanted: readonly WantedColumn[],
): Promise<{ readonly csv: ReadCsv; readonly cells: ResultCells }> {
  const columns = new Map(
    RESULT_COLUMNS.map((name) => [name, new CodedColumn(MAY_BE_NA.has(name) ? 'NA' : undefined)]),
  );
  const reader = new ResultReader(columns);
  const records = new CsvRecords(file.name, (bytes, starts) => reader.add(bytes, starts));
  let header: string[] | undefined;
  try {
    for await (const chunk of checkedChunks(file.read(), { quotes: true, lenient: true })) {
      if (header) records.next(chunk);
      else {
        header = records.header(chunk);
        if (!header) continue;
        reader.begin(indexesIn(file.name, header, wanted));
        records.next(Buffer.alloc(0));
      }
    }
    if (!header) {
      header = records.header(Buffer.from('\n'));
      if (!header) throw new ImportError(`${file.name}: is empty; a header row is needed`);
      reader.begin(indexesIn(file.name, header, wanted));
    }
    records.end();
  } catch (error) {
    if (error instanceof TextFileError) throw new ImportError(`${file.name}:${error.line}: ${error.message}`);
    throw error;
  }
  const found = indexesIn(file.name, header, wanted);
  const { repaired, malformed } = repairRecords(
    records.malformed,
    header,
    found,
    (name) => columns.get(name)?.texts ?? [],
  );
  for (const { cells } of repaired) takeCells(cells, (bytes, starts) => reader.add(bytes, starts));
  reader.cells.complete();
  return { csv: { malformed, repaired, lineOf: (record) => records.lineOf(record) }, cells: reader.cells };
}

/**
 * Returns where the wanted columns are in a file.
 * @throws ImportError if the file lacks a needed column.
 */
function indexesIn(file: string, header: readonly string[], wanted: readonly WantedColumn[]): FoundColumn[] {
  const found = wanted.map((column) => ({ column, index: indexOf(column, header) }));
  const missing = found.filter(({ column, index }) => index < 0 && column.value === undefined && !column.optional);
  if (missing.length > 0)
    throw new ImportError(
      `${file}:1: the column ${missing.map(({ column: { name, from = [name] } }) => from[0]).join(', ')} is missing`,
    );
  return found.map(({ column: { name, value = '' }, index }) => ({ name, index, value }));
}

/**
 * Returns the index in the file of a wanted column; -1 if the file does not have it, or its value is given. Letter case and
 * spaces do not matter: `Total Votes` is the column total_votes.
 */
function indexOf({ name, from = [name], value }: WantedColumn, header: readonly string[]): number {
  if (value !== undefined) return -1;
  const names = header.map((each) =>
    each
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_'),
  );
  return from.map((each) => names.indexOf(each)).find((index) => index >= 0) ?? -1;
}
