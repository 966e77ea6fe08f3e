import { readTable } from '../../base/words/read-table.ts';
import type { ReportEntry } from '../../importers/import.ts';
import type { Severity } from './check.ts';

/** A check of what an importer reports: the entries of its report whose kind matches. */
export interface ReportedCheck {
  readonly name: string;
  readonly severity: Severity;
  readonly finds: string;
  readonly kind: RegExp;
}

/** The checks of reports; an entry belongs to the first one that matches. */
export const REPORTED: readonly ReportedCheck[] = readTable<'name' | 'severity' | 'finds' | 'kind'>(
  'reported',
  import.meta.url,
).map(({ name, severity, finds, kind }) => ({ name, severity: severity as Severity, finds, kind: new RegExp(kind) }));

/** Returns the entries of a report by check, in the order of the checks, without those that have none. */
export function reportedBy(
  entries: readonly ReportEntry[],
): readonly { readonly check: ReportedCheck; readonly entries: readonly ReportEntry[] }[] {
  const checks = new Map<string, ReportedCheck | undefined>();
  const found = Map.groupBy(entries, ({ kind }) => {
    if (!checks.has(kind))
      checks.set(
        kind,
        REPORTED.find((check) => check.kind.test(kind)),
      );
    return checks.get(kind);
  });
  return REPORTED.flatMap((check) => {
    const own = found.get(check);
    return own ? [{ check, entries: own }] : [];
  });
}
