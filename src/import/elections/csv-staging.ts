import { CompiledQuery, sql } from 'kysely';
import { CopyData } from '../../database/copy-in.ts';
import type { Database } from '../../database/database.ts';
import { ImportError } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { checkedChunks, TextFileError } from '../text-file.ts';
import { CsvRecords, type MalformedRecord } from './csv-records.ts';

/** The bytes that one COPY sends. The embedded database holds all of them in memory. */
const COPY_BYTES = 4 * 1024 * 1024;

/** A column of the staged table. */
export interface StagedColumn {
  readonly name: string;
  /** The names of the column in files, in order of preference; its own name if omitted. */
  readonly from?: readonly string[];
  /** The value for all records if the file does not have the column. */
  readonly value?: string;
  /** True if the column is optional. */
  readonly optional?: boolean;
}

/** What is known about the records of a staged file. */
export interface StagedCsv {
  /** The records that do not have the cells of the header. */
  readonly malformed: readonly MalformedRecord[];
  /** Returns the line of a record. */
  readonly lineOf: (record: number) => number;
  /** The names of the columns of the file. */
  readonly header: readonly string[];
  /** The index in the file of each wanted column; -1 for a column that the file does not have. */
  readonly columns: readonly { readonly name: string; readonly index: number }[];
}

/**
 * Creates a temporary view of the records of a CSV file, with the given columns as text without spaces at their ends, and
 * `n`, the number of the record. The database parses the cells.
 * @throws ImportError with file and line if the file is not CSV or UTF-8, is cut off, or lacks a needed column.
 */
export async function stageCsv(
  db: Database,
  file: NamedFile,
  table: string,
  wanted: readonly StagedColumn[],
): Promise<StagedCsv> {
  const records = new CsvRecords(file.name);
  let header: string[] | undefined;
  let blocks: Buffer[] = [];
  let size = 0;
  let inFlight: Promise<unknown> = Promise.resolve();
  const columns = (names: readonly string[]) => names.map((_, index) => `c${index}`);

  async function send(): Promise<void> {
    const bytes = withLineFeeds(Buffer.concat(blocks));
    blocks = [];
    size = 0;
    await inFlight;
    if (bytes.length === 0 || !header) return;
    const names = columns(header).join(', ');
    const text = `/* import.copy */ copy ${table}_rows (${names}) from stdin with (format csv, null E'\\x01')`;
    inFlight = db.executeQuery(CompiledQuery.raw(text, [new CopyData(bytes)]));
    // The write is awaited before the next block; until then its rejection must not count as unhandled.
    inFlight.catch(() => undefined);
  }

  try {
    for await (const chunk of checkedChunks(file.read(), { quotes: true, lenient: true })) {
      let bytes = chunk;
      if (!header) {
        header = records.header(chunk);
        if (!header) continue;
        await createTable(db, file.name, table, header, wanted);
        bytes = Buffer.alloc(0);
      }
      const block = records.next(bytes);
      if (block.bytes.length > 0) blocks.push(block.bytes);
      size += block.bytes.length;
      if (size >= COPY_BYTES) await send();
    }
    if (!header) {
      header = records.header(Buffer.from('\n'));
      if (!header) throw new ImportError(`${file.name}: is empty; a header row is needed`);
      await createTable(db, file.name, table, header, wanted);
    }
    blocks.push(records.end().bytes);
  } catch (error) {
    await inFlight.catch(() => undefined);
    if (error instanceof TextFileError) throw new ImportError(`${file.name}:${error.line}: ${error.message}`);
    throw error;
  }
  await send();
  await inFlight;
  const names = header;
  return {
    malformed: records.malformed,
    lineOf: (record) => records.lineOf(record),
    header: names,
    columns: wanted.map((column) => ({ name: column.name, index: indexOf(column, names) ?? -1 })),
  };
}

/**
 * Returns the index in the file of a wanted column; undefined if the file does not have it, or its value is given. Letter
 * case and spaces do not matter: `Total Votes` is the column total_votes.
 */
function indexOf({ name, from = [name], value }: StagedColumn, header: readonly string[]): number | undefined {
  if (value !== undefined) return undefined;
  const names = header.map((each) =>
    each
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_'),
  );
  return from.map((each) => names.indexOf(each)).find((index) => index >= 0);
}

async function createTable(
  db: Database,
  file: string,
  table: string,
  header: readonly string[],
  wanted: readonly StagedColumn[],
): Promise<void> {
  const missing = wanted.filter(
    (column) => column.value === undefined && !column.optional && indexOf(column, header) === undefined,
  );
  if (missing.length > 0)
    throw new ImportError(
      `${file}:1: the column ${missing.map(({ name, from = [name] }) => from[0]).join(', ')} is missing`,
    );
  const columns = header.map((_, index) => sql.raw(`c${index} text`));
  const named = wanted.map((column) => {
    const index = indexOf(column, header);
    const value = index === undefined ? sql`${sql.lit(column.value ?? '')}::text` : sql.raw(`btrim(c${index})`);
    return sql`${value} as ${sql.ref(column.name)}`;
  });
  await sql`/* import.stage-csv */ drop table if exists ${sql.table(`${table}_rows`)} cascade`.execute(db);
  await sql`/* import.stage-csv */ create temp table ${sql.table(`${table}_rows`)}
    (${sql.join(columns)}, n integer generated always as identity) on commit drop`.execute(db);
  await sql`/* import.stage-csv */ create temp view ${sql.table(table)} as
    select n, ${sql.join(named)} from ${sql.table(`${table}_rows`)}`.execute(db);
}

/** COPY requires the same line break after all records. */
function withLineFeeds(bytes: Buffer): Buffer {
  if (!bytes.includes('\r')) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n').replaceAll('\r', ' '), 'latin1');
}
