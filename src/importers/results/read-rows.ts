import { ImportError, UnusableFileError } from '../exchange/import-rows.ts';
import type { NamedFile } from '../read/named-file.ts';
import { checkedChunks, inFile } from '../read/text-file.ts';
import { Cells, type FoundColumn, type RawContest } from './cells.ts';
import { CodedColumn } from './coded-column.ts';
import { CsvRecords, type MalformedRecord } from './csv-records.ts';
import { COLUMNS, type Column, type Dialect, hasNoVotes } from './dialect.ts';

/** The value of a column for all records of a file. */
export interface Given {
  /** Whatever columns the file has. */
  readonly always?: string | undefined;
  /** If the file does not have the column. */
  readonly otherwise?: string | undefined;
  /** How to supply the value, for the message. */
  readonly hint?: string;
}

/** The records of a file, read. */
export interface ReadRows {
  readonly cells: Cells;
  /** The records that do not have the cells of the header. */
  readonly malformed: readonly MalformedRecord[];
  /** Returns the line of a record, counted from 1. */
  readonly lineOf: (record: number) => number;
}

/** Columns in which a text of the dialect means that there is no value. */
const MAY_BE_MISSING = new Set<Column>(['district', 'party', 'magnitude']);

/**
 * Reads the records of a CSV file into cells. The texts that a state repeats in hundreds of thousands of records are
 * compared by their bytes: 1.65 million rows take 4.3 seconds of processor time, and csv-parse alone 11.9.
 * @throws ImportError with file and line if the file is not CSV or UTF-8, is cut off, or lacks a needed column.
 */
export async function readRows(
  file: NamedFile,
  dialect: Dialect,
  given: Partial<Record<Column, Given>>,
  isPartyPrimary: (contest: RawContest) => boolean,
): Promise<ReadRows> {
  const columns = COLUMNS.map((name) => new CodedColumn(MAY_BE_MISSING.has(name) ? dialect.missing : []));
  const cells = new Cells(columns, dialect.total_mode, isPartyPrimary);
  const records = new CsvRecords(file.name, (bytes, starts) => cells.add(bytes, starts));
  let isBegun = false;
  const begin = (chunk: Buffer) => {
    const header = records.header(chunk)?.map(plainColumn);
    if (!header) return;
    isBegun = true;
    const modes = dialect.modes.flatMap((name) => (header.includes(name) ? [header.indexOf(name)] : []));
    cells.begin(columnsIn(file.name, header, dialect, given, modes), modes, header.length);
    records.next(Buffer.alloc(0));
  };
  try {
    for await (const chunk of withLineFeeds(checkedChunks(file.read(), { quotes: true, lenient: true }))) {
      if (isBegun) records.next(chunk);
      else begin(chunk);
    }
    if (!isBegun) begin(Buffer.from('\n'));
    if (!isBegun) throw new ImportError('is empty; a header row is needed', file.name);
    records.end();
  } catch (error) {
    throw inFile(error, file.name);
  }
  if (cells.size === 0)
    throw new UnusableFileError('has a header row, and no record that can be read after it', file.name);
  return { cells, malformed: records.malformed, lineOf: (record) => records.lineOf(record) };
}

/** Returns where the columns are in a file. */
function columnsIn(
  file: string,
  header: readonly string[],
  { columns, optional }: Dialect,
  given: Partial<Record<Column, Given>>,
  modes: readonly number[],
): FoundColumn[] {
  const found = COLUMNS.map((name) => {
    const { always, otherwise } = given[name] ?? {};
    const index = columns[name]?.map((each) => header.indexOf(each)).find((at) => at >= 0) ?? -1;
    return { name, index: always === undefined ? index : -1, text: always ?? otherwise };
  });
  const isNeeded = (name: Column) =>
    columns[name] !== undefined && !optional.includes(name) && !(name === 'votes' && modes.length > 0);
  const missing = found.filter(({ name, index, text }) => index < 0 && text === undefined && isNeeded(name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => columns[name]?.[0] ?? name);
    const hints = missing.flatMap(({ name }) => given[name]?.hint ?? []);
    const known = Object.values(columns).flat();
    const others = header.filter((name) => name !== '' && !known.includes(name));
    const separator = header.length === 1 ? '. Columns are separated by commas' : '';
    // A table without offices and candidates is not one of results that lacks a column.
    const isForeign = missing.some(({ name }) => name === 'office') && missing.some(({ name }) => name === 'candidate');
    throw new (isForeign ? UnusableFileError : ImportError)(
      `${file}:1: the column ${names.join(', ')} is missing${hints.length > 0 ? ` (${hints.join('; ')})` : ''}${others.length > 0 ? `. Columns of no known meaning: ${others.join(', ')}` : ''}${separator}`,
    );
  }
  const read = new Set([...found.map(({ index }) => index), ...modes]);
  const unread = header.filter((name, index) => name !== '' && !read.has(index) && !hasNoVotes(name));
  // Without a column of all votes, any other column may have votes too.
  const hasVotes = found.some(({ name, index }) => name === 'votes' && index >= 0);
  if (!hasVotes && unread.length > 0)
    throw new ImportError(
      `no column has all votes, and columns of no known meaning may have some: ${unread.join(', ')}. Add a column votes, or take them out`,
      file,
      1,
    );
  return found.map(({ name, index, text = '' }) => ({ name, index, text }));
}

/** Letter case and spaces of the names of columns do not matter: `Total Votes` is total_votes. */
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
    if (endsWithCr === undefined && (chunk.includes(LF) || chunk.includes(CR)))
      endsWithCr = !chunk.includes(LF) && chunk.indexOf(CR) < chunk.length - 1;
    if (endsWithCr) for (let at = chunk.indexOf(CR); at >= 0; at = chunk.indexOf(CR, at + 1)) chunk[at] = LF;
    yield chunk;
  }
}
