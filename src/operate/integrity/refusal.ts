import { ImportError } from '../../importers/import.ts';
import { DatasetError } from '../../importers/load/load.ts';
import type { Finding } from './audit.ts';

/** Returns what an error of an import says about its files, as the finding of a check; undefined for another error. */
export function refusal(error: unknown): Finding | undefined {
  if (!(error instanceof ImportError) && !(error instanceof DatasetError)) return undefined;
  const rows =
    error instanceof DatasetError
      ? error.errors.map(({ file, line, column, reason }) => ({
          file,
          line,
          row: '',
          problem: column === null ? reason : `${column}: ${reason}`,
        }))
      : error.reason.split('\n').map((text) => ({ file: error.file, line: error.line, row: '', problem: text.trim() }));
  const finds = 'files that the importer refuses; nothing of them is stored';
  const count = error instanceof DatasetError ? error.count : rows.length;
  return { check: 'refused', severity: 'fault', finds, count, rows };
}
