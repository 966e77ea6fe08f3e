import type { Day } from '../../base/dates.ts';
import { REPORT_KINDS } from '../../importers/exchange/report-kinds.ts';
import { ImportError } from '../../importers/import.ts';
import type { Imported } from '../../importers/load/inspect.ts';
import { type Placement, placementOf } from '../../importers/load/placement.store.ts';
import { type Check, type ComputedCheck, runCheck, type Severity } from './check.ts';
import { CHECKS } from './checks.ts';
import { placeInFile, placesOf } from './places-in-files.store.ts';

/** A row of a source that a check finds. */
export interface FoundRow {
  /** The file of the source; null if the importer does not know it. */
  readonly file: string | null;
  readonly line: number | null;
  /** What identifies the row in its file: the office, the county, the candidate. */
  readonly row: string;
  readonly problem: string;
}

/** What a check finds in a source. */
export interface Finding {
  readonly check: string;
  readonly severity: Severity;
  readonly finds: string;
  /** All rows; `rows` has the first ones. */
  readonly count: number;
  readonly rows: readonly FoundRow[];
}

/** What all checks find, the worst first: faults before warnings, and each with the most rows first. */
export interface Audit {
  readonly findings: readonly Finding[];
  readonly faults: number;
  readonly warnings: number;
  /** What the import does not place; undefined if it places all contests. */
  readonly placement?: Placement;
}

export interface AuditOptions {
  readonly today: Day;
  /** The most rows of each check to return. */
  readonly most: number;
  /** Whether the checks that take long run too. */
  readonly withSlow: boolean;
}

/**
 * Checks what an import has written, and what its importer reports, within its transaction: each check looks at the records that the
 * source has.
 */
export async function auditImport(imported: Imported, { today, most, withSlow }: AuditOptions): Promise<Audit> {
  const { db, tables, report } = imported;
  const findings: Finding[] = [];
  const isOf = ({ over = [], isSlow = false }: Check | ComputedCheck) =>
    (withSlow || !isSlow) && over.some((table) => tables.has(table));
  for (const check of CHECKS.filter(isOf)) {
    const { name, finds, severity, count, violations } = await runCheck(db, check, { today, scope: 'import', most });
    if (count === 0) continue;
    const places = await placesOf(db, violations, report);
    const rows = violations.map((violation, index) => ({
      file: places[index]?.file ?? null,
      line: places[index]?.line ?? null,
      row: places[index]?.row ?? violation.record,
      problem: violation.problem,
    }));
    findings.push({ check: name, severity, finds, count, rows });
  }
  for (const [kind, own] of Map.groupBy(report?.entries ?? [], (entry) => entry.kind)) {
    const { severity, finds } = REPORT_KINDS[kind];
    const rows = own.slice(0, most).map((entry) => ({ ...placeInFile(entry.record, entry), problem: entry.reason }));
    findings.push({ check: kind, severity, finds, count: own.length, rows });
  }
  const placement = await placementOf(imported);
  return { ...sorted(findings), ...(placement && { placement }) };
}

/** Returns findings in order, with their sums. */
export function sorted(findings: readonly Finding[]): Audit {
  const countOf = (severity: Severity) =>
    findings.reduce((sum, each) => sum + (each.severity === severity ? each.count : 0), 0);
  const rank = ({ severity }: Finding) => (severity === 'fault' ? 0 : 1);
  return {
    findings: findings.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count || (a.check < b.check ? -1 : 1)),
    faults: countOf('fault'),
    warnings: countOf('warning'),
  };
}

/** Thrown if an import has faults that are not accepted; nothing is written. */
export class FaultsError extends ImportError {
  readonly audit: Audit;

  constructor(audit: Audit, refused: readonly Finding[]) {
    super(messageOf(refused));
    this.audit = audit;
  }
}

const SHOWN = 3;

function messageOf(refused: readonly Finding[]): string {
  const lines = refused.flatMap(({ check, finds, count, rows }) => [
    `  ${check}: ${finds}`,
    ...rows.slice(0, SHOWN).map((row) => `    ${placeText(row)}: ${row.problem}`),
    ...(count > SHOWN ? [`    and ${(count - SHOWN).toLocaleString('en')} more`] : []),
  ]);
  const accept = refused.map(({ check }) => `--accept ${check}`).join(' ');
  return [
    'the source has faults; nothing was imported:',
    ...lines,
    `npm run audit shows all of them. To import the source as it is: ${accept}`,
  ].join('\n');
}

/**
 * Throws if an audit has a fault of a check that is not accepted.
 * @throws FaultsError with the checks, files and rows, and the option that accepts them.
 */
export function rejectFaults(audit: Audit, accepted: readonly string[]): void {
  const refused = audit.findings.filter(({ check, severity }) => severity === 'fault' && !accepted.includes(check));
  if (refused.length > 0) throw new FaultsError(audit, refused);
}

/** Returns file, line and row as one text. */
export function placeText({ file, line, row }: Pick<FoundRow, 'file' | 'line' | 'row'>): string {
  const at = file === null ? '' : line === null ? file : `${file}:${line}`;
  return [at, row].filter(Boolean).join(' | ');
}
