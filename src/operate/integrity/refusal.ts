import { ImportError } from '../../importers/import.ts';
import { DatasetError } from '../../importers/load/load.ts';
import type { Finding } from './audit.ts';
import { placeOfRecord } from './places-in-files.store.ts';

/** Returns what an error of an import says about its files, as the finding of a check; undefined for another error. */
export function refusal(error: unknown): Finding | undefined {
  if (!(error instanceof ImportError) && !(error instanceof DatasetError)) return undefined;
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => {
    const { file, line: number, row } = placeOfRecord(line.trim(), () => undefined);
    return { file, line: number, row: '', problem: row };
  });
  const finds = 'files that the importer refuses; nothing of them is stored';
  return { check: 'refused', severity: 'fault', finds, count: rows.length, rows };
}
