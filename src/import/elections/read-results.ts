import { ImportError, UnusableFileError } from '../import-rows.ts';
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
  /** The names of the columns whose sum it is, in a file that has none of its own. */
  readonly sumOf?: RegExp;
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
    for await (const chunk of withLineFeeds(checkedChunks(file.read(), { quotes: true, lenient: true }))) {
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
  if (reader.cells.units.length === 0)
    throw new UnusableFileError(`${file.name}: has a header row, and no record that can be read after it`);
  reader.cells.complete();
  return { csv: { malformed, repaired, lineOf: (record) => records.lineOf(record) }, cells: reader.cells };
}

/**
 * Returns where the wanted columns are in a file.
 * @throws ImportError if the file lacks a needed column.
 */
function indexesIn(file: string, header: readonly string[], wanted: readonly WantedColumn[]): FoundColumn[] {
  const found = wanted.map((column) => {
    const index = indexOf(column, header);
    return { column, index, sumOf: index < 0 ? indexesOf(column, header) : [] };
  });
  const missing = found.filter(
    ({ column, index, sumOf }) => index < 0 && sumOf.length === 0 && column.value === undefined && !column.optional,
  );
  if (missing.length > 0) {
    const names = missing.map(({ column: { name, from = [name] } }) => from[0]);
    // A table without offices and candidates is not one of results that lacks a column.
    const isForeign = names.includes('office') && names.includes('candidate');
    throw new (isForeign ? UnusableFileError : ImportError)(`${file}:1: the column ${names.join(', ')} is missing`);
  }
  return found.map(({ column: { name, value = '' }, index, sumOf }) => ({ name, index, value, sumOf }));
}

/**
 * Returns the index in the file of a wanted column; -1 if the file does not have it, or its value is given. Letter case and
 * spaces do not matter: `Total Votes` is the column total_votes.
 */
function indexOf({ name, from = [name], value }: WantedColumn, header: readonly string[]): number {
  if (value !== undefined) return -1;
  const names = header.map(plainColumn);
  return from.map((each) => names.indexOf(each)).find((index) => index >= 0) ?? -1;
}

/** Returns the indexes of the columns whose sum a wanted column is. */
function indexesOf({ sumOf, value }: WantedColumn, header: readonly string[]): number[] {
  if (!sumOf || value !== undefined) return [];
  return header.flatMap((name, index) => (sumOf.test(plainColumn(name)) ? [index] : []));
}

function plainColumn(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
}

const [LF, CR] = [0x0a, 0x0d];

/** Yields the chunks of a file with line feeds, if the lines of it end with carriage returns alone, as old spreadsheets write them. */
async function* withLineFeeds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let endsWithCr: boolean | undefined;
  for await (const chunk of chunks) {
    if (endsWithCr === undefined && chunk.includes(LF)) endsWithCr = false;
    else if (endsWithCr === undefined && chunk.includes(CR) && chunk.at(-1) !== CR) endsWithCr = true;
    else if (endsWithCr === undefined && chunk.at(-1) === CR && chunk.indexOf(CR) < chunk.length - 1) endsWithCr = true;
    if (endsWithCr) for (let at = chunk.indexOf(CR); at >= 0; at = chunk.indexOf(CR, at + 1)) chunk[at] = LF;
    yield chunk;
  }
}
