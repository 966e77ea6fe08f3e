import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';
import { type ImportOptions, isSourceName, runImport } from '../import/import.ts';
import type { Inspect } from '../import/inspect.ts';
import { loadFolder } from '../import/load.ts';
import { type Audit, auditImport, sorted } from '../integrity/audit.ts';
import { refusal } from '../integrity/refusal.ts';
import type { SourceOfFile } from './source-of-file.ts';

export interface AuditFilesOptions {
  /** Those of the import. */
  readonly options: ImportOptions;
  readonly today: Day;
  /** The most rows of each check to return. */
  readonly most: number;
}

/** Audits files: imports them in a transaction that is rolled back. Files that the importer refuses are a fault. */
export async function auditFiles(
  db: Database,
  source: SourceOfFile,
  paths: readonly string[],
  { options, today, most }: AuditFilesOptions,
): Promise<Audit> {
  const audits: Audit[] = [];
  const inspect: Inspect = async (imported) => {
    audits.push(await auditImport(imported, { today, most, withSlow: true }));
  };
  const all = { ...options, dryRun: true, inspect };
  const findings = () => audits.flatMap((audit) => audit.findings);
  try {
    if (isSourceName(source)) await runImport(db, source, paths, all);
    else for (const path of paths) await loadFolder(db, path, all);
  } catch (error) {
    const refused = refusal(error);
    if (!refused) throw error;
    return sorted([...findings(), refused]);
  }
  return sorted(findings());
}
