import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';

/** Reads files of the data folder; every path is relative to it. A file that is missing or malformed throws. */
export class Source {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The bytes of a file. */
  bytes(path: string): Buffer {
    return readFileSync(join(this.folder, path));
  }

  /** The text of a file in UTF-8. */
  text(path: string): string {
    return this.bytes(path).toString('utf8');
  }

  /** The names of the files of a folder, sorted. */
  list(path: string): string[] {
    return readdirSync(join(this.folder, path)).sort();
  }

  /** The document of a YAML file; the caller states its shape. */
  yaml<T>(path: string): T {
    return parseYaml(this.text(path)) as T;
  }

  /** The document of a JSON file; the caller states its shape. */
  json<T>(path: string): T {
    return JSON.parse(this.text(path)) as T;
  }

  /** The rows of a CSV file as objects; without `names` its first line holds the column names. */
  csv(path: string, names?: string[]): Record<string, string>[] {
    return csvRows(this.text(path), names);
  }
}

/** The rows of a CSV text as objects; without `names` its first line holds the column names. */
export function csvRows(text: string, names?: string[]): Record<string, string>[] {
  return parseCsv(text, { columns: names ?? true, bom: true, skip_empty_lines: true }) as Record<string, string>[];
}

/** The value, or an error that names what is missing: a source that changed must not pass unnoticed. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the sources do not have ${what}`);
  return value;
}
