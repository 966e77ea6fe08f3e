import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { ImportError } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { checkedChunks, TextFileError } from '../text-file.ts';
import { CodedColumn } from './coded-column.ts';
import { CsvRecords, type MalformedRecord, takeCells } from './csv-records.ts';
import { type RepairedRecord, repairRecords } from './repair-records.ts';
import { type FoundColumn, RESULT_COLUMNS, type ResultColumn, ResultWriter } from './result-writer.ts';

/** A column of the staged results. */
export interface StagedColumn {
  readonly name: ResultColumn;
  /** The names of the column in files, in order of preference; its own name if omitted. */
  readonly from?: readonly string[];
  /** The value for all records if the file does not have the column. */
  readonly value?: string;
  /** True if the column is optional. */
  readonly optional?: boolean;
}

/** What is known about the records of a staged file. */
export interface StagedCsv {
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
 * Creates temporary tables of the records of a CSV file: `result_rows` with the votes of each record, and the contests and
 * the precincts to which they refer by number, `result_contests` and `result_units`. The texts that a state repeats in
 * hundreds of thousands of records are compared by their bytes, and the database gets each of them once.
 * @throws ImportError with file and line if the file is not CSV or UTF-8, is cut off, or lacks a needed column.
 */
export async function stageResults(db: Database, file: NamedFile, wanted: readonly StagedColumn[]): Promise<StagedCsv> {
  await createTables(db);
  const columns = new Map(
    RESULT_COLUMNS.map((name) => [name, new CodedColumn(MAY_BE_NA.has(name) ? 'NA' : undefined)]),
  );
  const writer = new ResultWriter(db, columns);
  const records = new CsvRecords(file.name, (bytes, starts) => writer.add(bytes, starts));
  let header: string[] | undefined;
  try {
    for await (const chunk of checkedChunks(file.read(), { quotes: true, lenient: true })) {
      if (header) records.next(chunk);
      else {
        header = records.header(chunk);
        if (!header) continue;
        writer.begin(indexesIn(file.name, header, wanted));
        records.next(Buffer.alloc(0));
      }
      await writer.sendFull();
    }
    if (!header) {
      header = records.header(Buffer.from('\n'));
      if (!header) throw new ImportError(`${file.name}: is empty; a header row is needed`);
      writer.begin(indexesIn(file.name, header, wanted));
    }
    records.end();
  } catch (error) {
    await writer.settle();
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
  for (const { cells } of repaired) takeCells(cells, (bytes, starts) => writer.add(bytes, starts));
  await writer.end();
  return { malformed, repaired, lineOf: (record) => records.lineOf(record) };
}

/**
 * Returns where the wanted columns are in a file.
 * @throws ImportError if the file lacks a needed column.
 */
function indexesIn(file: string, header: readonly string[], wanted: readonly StagedColumn[]): FoundColumn[] {
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
function indexOf({ name, from = [name], value }: StagedColumn, header: readonly string[]): number {
  if (value !== undefined) return -1;
  const names = header.map((each) =>
    each
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_'),
  );
  return from.map((each) => names.indexOf(each)).find((index) => index >= 0) ?? -1;
}

async function createTables(db: Database): Promise<void> {
  await sql`/* import.results.drop */
    drop table if exists result_rows, result_cells, result_contests, result_units, result_parties`.execute(db);
  await sql`/* import.results.create */
    create temp table result_rows (n integer, contest integer, unit integer, candidate text collate "C",
      party text collate "C", is_write_in boolean, is_total boolean, votes integer, bad text) on commit drop`.execute(
    db,
  );
  await sql`/* import.results.create */
    create temp table result_units (unit integer, area integer, county_name text, county_fips text, jurisdiction_name text,
      jurisdiction_fips text, precinct text) on commit drop`.execute(db);
  await sql`/* import.results.create */
    create temp table result_contests (contest integer, state_po text, date text, stage text, special boolean,
      office text, district text, primary_party text, dataverse text, least text, most text) on commit drop`.execute(
    db,
  );
}
