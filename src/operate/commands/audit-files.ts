import type { Day } from '../../base/dates.ts';
import { type ImportOptions, isSourceName, runImport, type SourceOfFile } from '../../importers/import.ts';
import type { Inspect } from '../../importers/load/inspect.ts';
import { loadFolder } from '../../importers/load/load.ts';
import { joinPlacements } from '../../importers/load/placement.store.ts';
import type { Manifest, ManifestStep } from '../../importers/manifest.ts';
import { ManifestError, type ManifestOptions, runManifest } from '../../importers/run-manifest.ts';
import type { Database } from '../../store/sql/database.ts';
import { type Audit, auditImport, type Finding, sorted } from '../integrity/audit.ts';
import { refusal } from '../integrity/refusal.ts';

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
  const found = (more: readonly Finding[] = []) =>
    withPlacements([...audits.flatMap(({ findings }) => findings), ...more], audits);
  try {
    if (isSourceName(source)) await runImport(db, source, paths, all);
    else for (const path of paths) await loadFolder(db, path, all);
  } catch (error) {
    const refused = refusal(error);
    if (!refused) throw error;
    return found([refused]);
  }
  return found();
}

function withPlacements(findings: readonly Finding[], audits: readonly Audit[]): Audit {
  const placement = joinPlacements(audits.flatMap(({ placement }) => placement ?? []));
  return { ...sorted(findings), ...(placement && { placement }) };
}

export interface AuditManifestOptions extends Omit<AuditFilesOptions, 'options'> {
  readonly around?: ManifestOptions['around'];
}

/**
 * Audits the imports of a manifest, each after those before it, in a transaction that is rolled back. Faults that the manifest
 * accepts are warnings.
 */
export async function auditManifest(
  db: Database,
  manifest: Manifest,
  { today, most, around }: AuditManifestOptions,
): Promise<Audit> {
  const found: Finding[] = [];
  const audits: Audit[] = [];
  const inspect =
    ({ accept = [] }: ManifestStep): Inspect =>
    async (imported) => {
      const audit = await auditImport(imported, { today, most, withSlow: true });
      audits.push(audit);
      found.push(
        ...audit.findings.map((each) =>
          accept.includes(each.check) ? { ...each, severity: 'warning' as const } : each,
        ),
      );
    };
  try {
    await runManifest(db, manifest, { dryRun: true, inspect, ...(around && { around }) });
  } catch (error) {
    const refused = error instanceof ManifestError ? refusal(error.cause) : undefined;
    if (!refused) throw error;
    found.push(refused);
  }
  const byCheck = Map.groupBy(found, ({ check, severity }) => `${severity} ${check}`);
  return withPlacements(
    [...byCheck.values()].map((of) => ({
      ...(of[0] as Finding),
      count: of.reduce((sum, { count }) => sum + count, 0),
      rows: of.flatMap(({ rows }) => rows).slice(0, most),
    })),
    audits,
  );
}
