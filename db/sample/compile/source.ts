import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';

/**
 * Reads files of the data folder, or of the folders `more-data` and `voting-data` beside it; every path is relative to these. Throws if a file
 * is missing or malformed.
 */
export class Source {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the bytes of a file. */
  bytes(path: string): Buffer {
    const beside = ['more-data', 'voting-data'].map((name) => join(dirname(this.folder), name, path));
    const file = join(this.folder, path);
    return readFileSync([file, ...beside].find(existsSync) ?? file);
  }

  /** Returns the text of a UTF-8 file. */
  text(path: string): string {
    return this.bytes(path).toString('utf8');
  }

  /** Returns the names of the files in a folder, sorted. */
  list(path: string): string[] {
    return readdirSync(join(this.folder, path)).sort();
  }

  /** Returns the document of a YAML file; the caller states its type. */
  yaml<T>(path: string): T {
    return parseYaml(this.text(path)) as T;
  }

  /** Returns the document of a JSON file; the caller states its type. */
  json<T>(path: string): T {
    return JSON.parse(this.text(path)) as T;
  }

  /** Returns the rows of a CSV file as objects; without `names` its first line holds the column names. */
  csv(path: string, names?: string[]): Record<string, string>[] {
    return csvRows(this.text(path), names);
  }
}

/** Returns the rows of a CSV text as objects; without `names` its first line holds the column names. */
export function csvRows(text: string, names?: string[]): Record<string, string>[] {
  return parseCsv(text, { columns: names ?? true, bom: true, skip_empty_lines: true }) as Record<string, string>[];
}

/** Returns the value. Throws an error that names what is missing: a changed source must not go unnoticed. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the sources do not have ${what}`);
  return value;
}
