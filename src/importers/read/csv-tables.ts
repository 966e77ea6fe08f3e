import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { ImportError } from '../exchange/import-rows.ts';
import type { NamedFile } from './named-file.ts';
import { checkedChunks, inFile } from './text-file.ts';

const LONGEST_RECORD = 16 * 1024 * 1024;

export interface CsvRecord {
  readonly line: number;
  /** Returns the trimmed cell of a column; empty if the row has none. */
  cell(column: string): string;
}

/**
 * Reads the rows of a source's CSV file, row by row.
 * @param known the columns that the file may have; any, if it is left out.
 * @throws ImportError with file and line if the file is not CSV, is truncated, or lacks a required column.
 */
export async function readCsvTable(
  { name: file, read }: NamedFile,
  needed: readonly string[],
  take: (record: CsvRecord) => void,
  known?: readonly string[],
): Promise<void> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
  });
  let places: Map<string, number> | undefined;
  let columns = 0;
  try {
    await pipeline(decode(file, read()), parser, async (records) => {
      for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: Info }>) {
        if (!places) {
          places = readHeader(file, record, needed, known);
          columns = record.length;
          continue;
        }
        if (record.length !== columns)
          throw new ImportError(`has ${record.length} cells; the header has ${columns}`, file, info.lines);
        const found = places;
        take({ line: info.lines, cell: (column) => record[found.get(column) ?? -1]?.trim() ?? '' });
      }
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as CsvError & { lines?: number };
    throw new ImportError('is not CSV as in RFC 4180, or is cut off', file, lines);
  }
  if (!places) throw new ImportError('is empty; a header row is needed', file);
}

/** Yields the text of a file without its byte order mark. */
async function* decode(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of checkedChunks(chunks, { quotes: true, lenient: true }))
      yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw inFile(error, file);
  }
}

function readHeader(
  file: string,
  header: readonly string[],
  needed: readonly string[],
  known: readonly string[] | undefined,
): Map<string, number> {
  const places = new Map(header.map((name, index) => [name.trim(), index]));
  const missing = needed.filter((name) => !places.has(name));
  if (missing.length > 0) throw new ImportError(`the column ${missing.join(', ')} is missing`, file, 1);
  const others = known ? [...places.keys()].filter((name) => !known.includes(name)) : [];
  if (known && others.length > 0)
    throw new ImportError(`the column ${others.join(', ')} is not known; there are ${known.join(', ')}`, file, 1);
  return places;
}
