import type { Database } from '../store/database.ts';
import { readBoundaries } from './boundary-rows.ts';
import { readCsv } from './csv-rows.ts';
import { Faults } from './faults.ts';
import { openFolder } from './folder.ts';
import type { TableName } from './format.ts';
import { type LoadSummary, type Progress, runLoad } from './run-load.ts';

export { DatasetError, type Fault, formatFault, LoadInProgressError } from './faults.ts';
export type { FileSummary, LoadSummary, Progress, ProgressUnit } from './run-load.ts';

export interface LoadOptions {
  /** The tables that the folder brings are replaced whole: rows that are not in it are removed. */
  readonly replace?: boolean;
  /** Everything is checked and counted, and nothing is changed. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Loads a folder in the exchange format, in one transaction: a reader sees all of the old data or all of the new. Rows
 * are upserted by id, and rows that are the same are left alone.
 *
 * An optional column that a file does not have is left as it is in rows that exist.
 * @throws DatasetError listing what is wrong with the folder, all its files having been checked; nothing was changed.
 * @throws LoadInProgressError at once when another load or import is at work on the store.
 */
export async function loadFolder(db: Database, folder: string, options: LoadOptions = {}): Promise<LoadSummary> {
  const faults = new Faults();
  const dataset = await openFolder(folder, faults);
  const total = dataset.files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  return runLoad(db, {
    provenance: dataset.provenance,
    replace: options.replace ?? false,
    dryRun: options.dryRun ?? false,
    onProgress: options.onProgress,
    faults,
    async fill(transaction, staging) {
      const columns = new Map<TableName, readonly string[]>();
      const unreadable = new Set<TableName>();
      for (const { table, path } of dataset.files) {
        const onBytes = (count: number) => {
          done += count;
          options.onProgress?.({ phase: 'read', file: table.file, done, total, unit: 'bytes' });
        };
        if (table.name === 'boundaries') {
          await readBoundaries(path, transaction, staging, faults, onBytes);
          columns.set(
            table.name,
            table.columns.map(({ name }) => name),
          );
        } else {
          const outcome = await readCsv(path, table, staging, faults, onBytes);
          columns.set(table.name, outcome.columns ?? []);
          if (!outcome.complete) unreadable.add(table.name);
        }
      }
      return { columns, unreadable };
    },
  });
}
