import type { Database } from '../../store/sql/database.ts';
import type { ImportContext, OpenedSource } from '../exchange/import-rows.ts';
import type { LoadSummary } from '../exchange/load-summary.ts';
import { recordImporter } from './editions/replace-editions.store.ts';
import type { Inspect } from './inspect.ts';
import { inOneTransaction } from './transaction.ts';
import { recordSource } from './write/provenance.ts';

/**
 * Runs the import of a source that writes its own tables, in one transaction.
 * @throws LoadInProgressError immediately if another load or import is running on the database.
 */
export async function runDirectImport(
  db: Database,
  importer: string,
  opened: OpenedSource,
  {
    dryRun,
    report,
    onRead,
    inspect,
  }: Pick<ImportContext, 'report' | 'onRead'> & { readonly dryRun: boolean; readonly inspect: Inspect | undefined },
): Promise<LoadSummary> {
  const started = performance.now();
  return inOneTransaction(db, dryRun, async (transaction) => {
    const sourceId = await recordSource(transaction, opened.provenance, false);
    const files = (await opened.write?.({ db: transaction, report, onRead }, sourceId)) ?? [];
    const anyChange = files.some(({ inserted, updated, removed }) => inserted + updated + removed > 0);
    await recordSource(transaction, opened.provenance, anyChange);
    await recordImporter(transaction, importer, opened.provenance);
    await inspect?.({
      db: transaction,
      tables: new Set(['address_points']),
      report,
    });
    return { files, warnings: [], seconds: (performance.now() - started) / 1000, dryRun };
  });
}
