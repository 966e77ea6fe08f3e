import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/**
 * Reads a table of words in this folder.
 * @param name the file without `.csv`. Its first row has the names of the columns.
 */
export function readTable<Column extends string>(name: string): Readonly<Record<Column, string>>[] {
  return parse(readFileSync(new URL(`${name}.csv`, import.meta.url)), { columns: true });
}
