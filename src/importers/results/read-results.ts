import { ImportError, UnusableFileError } from '../exchange/import-rows.ts';
import type { NamedFile } from '../read/named-file.ts';
import { checkedChunks, TextFileError } from '../read/text-file.ts';
import { CodedColumn } from './coded-column.ts';
import { columnsByValues, HELD, type Sample } from './columns-by-values.ts';
import { CsvRecords, type MalformedRecord, takeCells, textOfCell } from './csv-records.ts';
import { type RepairedRecord, repairRecords } from './repair-records.ts';
import type { ResultCells } from './result-cells.ts';
import { type FoundColumn, RESULT_COLUMNS, type ResultColumn, ResultReader } from './result-reader.ts';

/** A column of the results. */
export interface WantedColumn {
  readonly name: ResultColumn;
  /** The names of the column in files, in order of preference; its own name if omitted. */
  readonly from?: readonly string[];
  /** The value for all records, whatever columns the file has. */
  readonly value?: string;
  /** The value for all records if the file does not have the column. */
  readonly otherwise?: string | undefined;
  /** How to supply the value if the file does not have the column, for the message. */
  readonly hint?: string;
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
  /** The columns that are known by their values, with the names that they have in the header. */
  readonly byValues: readonly { readonly header: string; readonly name: ResultColumn }[];
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
  let found: readonly FoundColumn[] = [];
  const begin = (chunk: Buffer, chunks: Buffer) => {
    header = records.header(chunk);
    if (!header) return;
    found = columnsIn(file.name, header, wanted, sampleOf(file.name, chunks));
    reader.begin(found, header.length);
    records.next(Buffer.alloc(0));
  };
  try {
    const chunks = checkedChunks(file.read(), { quotes: true, lenient: true });
    let first = Buffer.alloc(0);
    for await (const chunk of withLineFeeds(chunks)) {
      if (header) records.next(chunk);
      else {
        first = Buffer.concat([first, chunk]);
        begin(chunk, first);
      }
    }
    if (!header) begin(Buffer.from('\n'), first);
    if (!header) throw new ImportError(`${file.name}: is empty; a header row is needed`);
    records.end();
  } catch (error) {
    if (error instanceof TextFileError) throw new ImportError(`${file.name}:${error.line}: ${error.message}`);
    throw error;
  }
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
  const names = header;
  const byValues = found.flatMap(({ name, index, isByValues }) =>
    isByValues ? [{ name, header: names[index] ?? '' }] : [],
  );
  return { csv: { malformed, repaired, byValues, lineOf: (record) => records.lineOf(record) }, cells: reader.cells };
}

/** The most records of a file that show what its columns hold. */
const SAMPLE = 2_000;

/** Returns the first complete records of a file. */
function sampleOf(file: string, bytes: Buffer): Sample {
  const sample: string[][] = [];
  const records = new CsvRecords(file, (record, starts) => {
    if (sample.length === SAMPLE) return;
    const cells = Array.from({ length: starts.length - 1 }, (_, at) =>
      textOfCell(record, starts[at] ?? 0, (starts[at + 1] ?? 1) - 1).trim(),
    );
    sample.push(cells);
  });
  if (records.header(bytes)) records.next(Buffer.alloc(0));
  return sample;
}

/**
 * Returns where the wanted columns are in a file: by their names, and by their values where the header does not name them,
 * or its name is contradicted by the values.
 * @throws ImportError if the file lacks a needed column.
 */
function columnsIn(
  file: string,
  header: readonly string[],
  wanted: readonly WantedColumn[],
  sample: Sample,
): FoundColumn[] {
  const named = wanted.map((column) => {
    const index = indexOf(column, header);
    return { column, index, sumOf: index < 0 ? indexesOf(column, header) : [] };
  });
  const open = named.filter(({ column, sumOf }) => column.value === undefined && sumOf.length === 0);
  const byValues = columnsByValues(
    sample,
    new Map(named.filter(({ index }) => index >= 0).map(({ column, index }) => [column.name, index])),
    open.map(({ column }) => column.name),
  );
  const moved = new Set(byValues.values());
  const found = named.map((each) => {
    const index = byValues.get(each.column.name);
    if (index !== undefined) return { ...each, index, isByValues: true };
    return { ...each, index: moved.has(each.index) ? -1 : each.index, isByValues: false };
  });
  const missing = found.filter(
    ({ column: { value, otherwise, optional }, index, sumOf }) =>
      index < 0 && sumOf.length === 0 && value === undefined && otherwise === undefined && !optional,
  );
  if (missing.length > 0) {
    const names = missing.map(({ column: { name, from = [name] } }) => from[0]);
    const used = new Set(found.flatMap(({ index, sumOf }) => [index, ...sumOf]));
    const others = header.filter((name, index) => name !== '' && !used.has(index));
    const needs = missing.map(
      ({ column: { name, from = [name], hint } }) =>
        `${from[0]}${Object.hasOwn(HELD, name) ? ` (${HELD[name as keyof typeof HELD]})` : ''}${hint ? `: ${hint}` : ''}`,
    );
    // A table without offices and candidates is not one of results that lacks a column.
    const isForeign = names.includes('office') && names.includes('candidate');
    throw new (isForeign ? UnusableFileError : ImportError)(
      `${file}:1: the column ${names.join(', ')} is missing, and no other column shows by its values that it is ${needs.join('; ')}${others.length > 0 ? `. Columns of no known meaning: ${others.join(', ')}` : ''}`,
    );
  }
  return found.map(({ column: { name, value, otherwise = '' }, index, sumOf, isByValues }) => {
    return { name, index, value: value ?? otherwise, sumOf, isByValues };
  });
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
