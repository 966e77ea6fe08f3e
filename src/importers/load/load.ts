import type { Database } from '../../store/sql/database.ts';
import type { TableName } from '../exchange/format.ts';
import type { LoadSummary, Progress } from '../exchange/load-summary.ts';
import { ValidationErrors } from '../exchange/validation-errors.ts';
import type { Inspect } from './inspect.ts';
import { recordIncumbency } from './persons/incumbency.store.ts';
import { repeatMerges } from './persons/merge-persons.store.ts';
import { recordOfficesOnDays } from './persons/offices-on-day.store.ts';
import { runLoad } from './run-load.ts';
import { readBoundaries } from './stage/boundary-rows.ts';
import { readCsv } from './stage/csv-rows.ts';
import { openFolder } from './stage/folder.ts';

export { DatasetError, LoadInProgressError, type ValidationError } from '../exchange/validation-errors.ts';

export interface LoadOptions {
  /** Replaces the tables that the folder supplies: rows that are not in it are deleted. */
  readonly replace?: boolean;
  /** Checks and counts everything, and changes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Looks at the result before the transaction ends; an error undoes the load. */
  readonly inspect?: Inspect | undefined;
  /** Runs in the transaction when everything is written, before incumbency is recorded. */
  readonly afterWriting?: (transaction: Database) => Promise<void>;
}

/**
 * Loads a folder in the exchange format in one transaction: a reader sees either all of the old data or all of the new.
 * Rows are upserted by id, and identical rows are not touched.
 *
 * An optional column that is missing from a file is unchanged in existing rows.
 * @throws DatasetError with the validation errors of all files; nothing was changed.
 * @throws LoadInProgressError immediately if another load or import is running on the database.
 */
export async function loadFolder(db: Database, folder: string, options: LoadOptions = {}): Promise<LoadSummary> {
  const errors = new ValidationErrors();
  const dataset = await openFolder(folder, errors);
  const total = dataset.files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  return runLoad(db, {
    provenance: dataset.provenance,
    importer: 'load',
    replace: options.replace ?? false,
    dryRun: options.dryRun ?? false,
    onProgress: options.onProgress,
    inspect: options.inspect,
    errors,
    async fill(transaction, staging) {
      const columns = new Map<TableName, readonly string[]>();
      const unreadable = new Set<TableName>();
      for (const { table, path } of dataset.files) {
        const onBytes = (count: number) => {
          done += count;
          options.onProgress?.({ phase: 'read', file: table.file, done, total, unit: 'bytes' });
        };
        if (table.name === 'boundaries') {
          await readBoundaries(path, transaction, staging, errors, onBytes);
          columns.set(
            table.name,
            table.columns.map(({ name }) => name),
          );
        } else {
          const outcome = await readCsv(path, table, staging, errors, onBytes);
          columns.set(table.name, outcome.columns ?? []);
          if (!outcome.complete) unreadable.add(table.name);
        }
      }
      return { columns, unreadable };
    },
    async complete(transaction) {
      await repeatMerges(transaction);
      await recordOfficesOnDays(transaction, dataset.provenance, { isStatusStated: true });
      await options.afterWriting?.(transaction);
      await recordIncumbency(transaction);
    },
  });
}
