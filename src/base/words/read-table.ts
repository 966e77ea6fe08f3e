import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/**
 * Reads a table that is beside a module.
 * @param name the file without `.csv`. Its first row has the names of the columns.
 * @param module the `import.meta.url` of the module.
 */
export function readTable<Column extends string>(name: string, module: string): Readonly<Record<Column, string>>[] {
  return parse(readFileSync(new URL(`${name}.csv`, module)), { columns: true });
}
