import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { isCalendarDate } from '../../../base/dates.ts';
import { quote } from '../../exchange/cells.ts';
import { type DatasetTable, TABLES } from '../../exchange/format.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import { DatasetError, type ValidationErrors } from '../../exchange/validation-errors.ts';
import { textIn } from '../../read/text-file.ts';

export interface DatasetFolder {
  readonly path: string;
  /** The files in the folder, in loading order, with their size in bytes. */
  readonly files: readonly { readonly table: DatasetTable; readonly path: string; readonly bytes: number }[];
  readonly provenance: Provenance;
}

const DESCRIPTION = 'dataset.json';
const LARGEST_DESCRIPTION = 1024 * 1024;
/** Files of these types are presumably meant to be loaded. */
const DATA_FILE = /\.(csv|tsv|json|geojson|geojsonl|ndjson|gz|zip)$/i;

const noNul = (text: string) => !text.includes('\0');
const text = z
  .string('must be a text')
  .trim()
  .min(1, 'is empty')
  .max(2_000, 'is too long')
  .refine(noNul, 'contains a NUL character');
const description = z.strictObject({
  name: text.optional(),
  license: text.nullish(),
  source: text.nullish(),
  as_of: z.string('must be a date').refine(isCalendarDate, 'is not an existing day, YYYY-MM-DD').nullish(),
});

/**
 * Opens a dataset folder: lists its files and reads its description. Files that look like data but are not part of the
 * exchange format are validation errors; others (a README, hidden files) are ignored.
 * @throws DatasetError if the folder does not exist or contains no file of the exchange format.
 */
export async function openFolder(path: string, errors: ValidationErrors): Promise<DatasetFolder> {
  const name = basename(resolve(path)) || 'dataset';
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOTDIR' ? 'is not a folder' : 'there is no such folder, or it cannot be read';
    throw new DatasetError([{ file: path, line: null, column: null, reason }]);
  });
  const expected = [DESCRIPTION, ...TABLES.map(({ file }) => file)];
  for (const entry of entries.filter((entry) => DATA_FILE.test(entry) && !entry.startsWith('.'))) {
    if (expected.includes(entry)) continue;
    errors.add({
      file: entry,
      line: null,
      column: null,
      reason: `is not a file of the exchange format: ${expected.join(', ')}`,
    });
  }
  const files: { table: DatasetTable; path: string; bytes: number }[] = [];
  for (const table of TABLES.filter(({ file }) => entries.includes(file))) {
    const found = await stat(join(path, table.file));
    if (found.isFile()) files.push({ table, path: join(path, table.file), bytes: found.size });
    else errors.add({ file: table.file, line: null, column: null, reason: 'is not a regular file' });
  }
  if (files.length === 0 && errors.count === 0) {
    throw new DatasetError([
      { file: name, line: null, column: null, reason: `has none of the files ${expected.slice(1).join(', ')}` },
    ]);
  }
  const read = entries.includes(DESCRIPTION) ? await readDescription(join(path, DESCRIPTION), errors) : {};
  const provenance = {
    name: read.name ?? name,
    license: read.license ?? null,
    source: read.source ?? null,
    asOf: read.as_of ?? null,
  };
  return { path, files, provenance };
}

async function readDescription(path: string, errors: ValidationErrors): Promise<z.infer<typeof description>> {
  const report = (column: string | null, reason: string, line = 1) =>
    errors.add({ file: DESCRIPTION, line, column, reason });
  const found = await stat(path);
  if (!found.isFile()) {
    report(null, 'is not a regular file');
    return {};
  }
  if (found.size > LARGEST_DESCRIPTION) {
    report(null, 'is longer than 1 MiB');
    return {};
  }
  const bytes = await readFile(path);
  let value: unknown;
  try {
    value = JSON.parse(textIn(bytes));
  } catch {
    report(null, 'is not JSON in UTF-8');
    return {};
  }
  const parsed = description.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys')
      report(
        null,
        `unknown member ${issue.keys.map(quote).join(', ')}; valid members are name, license, source, as_of`,
      );
    else report(issue.path.join('.') || null, issue.path.length > 0 ? issue.message : 'must be an object');
  }
  return {};
}
