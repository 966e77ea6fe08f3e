import { InvalidArgumentError } from 'commander';
import { commandsToday } from '../../base/clock.ts';
import { writeLine } from '../../base/progress.ts';
import { REPORT_KINDS } from '../../importers/exchange/report-kinds.ts';
import type { Inspect } from '../../importers/load/inspect.ts';
import type { Placement } from '../../importers/load/placement.store.ts';
import type { Audit } from '../integrity/audit.ts';
import { CHECKS } from '../integrity/checks.ts';

/** The rows of each check that an import keeps for its message. */
const KEPT = 20;

/** The names of the checks that find faults, which can be accepted. */
export const ACCEPTABLE: readonly string[] = [
  ...CHECKS.map(({ name, severity = 'fault' }) => ({ name, severity })),
  ...Object.entries(REPORT_KINDS).map(([name, { severity }]) => ({ name, severity })),
].flatMap(({ name, severity }) => (severity === 'fault' ? [name] : []));

/** Adds the name of a check to those whose faults are accepted. */
export function acceptedCheck(name: string, before: readonly string[] = []): readonly string[] {
  if (!ACCEPTABLE.includes(name))
    throw new InvalidArgumentError(`It must be the name of a check that finds faults: ${ACCEPTABLE.join(', ')}.`);
  return [...before, name];
}

/**
 * Returns what looks at the end of an import for faults, and for contests that are not placed. A dry run only tells faults.
 */
export async function inspections(): Promise<
  (accepted: readonly string[], dryRun: boolean, onUnplaced?: (placement: Placement) => void) => Inspect
> {
  const { auditImport, rejectFaults } = await import('../integrity/audit.ts');
  const today = commandsToday();
  return (accepted, dryRun, onUnplaced) => async (imported) => {
    const audit = await auditImport(imported, { today, most: KEPT, withSlow: false });
    if (!dryRun) rejectFaults(audit, accepted);
    tellAudit(audit);
    if (dryRun && audit.findings.some(({ check, severity }) => severity === 'fault' && !accepted.includes(check)))
      process.exitCode = 1;
    if (audit.placement) onUnplaced?.(audit.placement);
  };
}

function tellAudit({ findings, faults, warnings }: Audit): void {
  if (findings.length === 0) return;
  const names = findings.map(({ check, count }) => `${check} ${count.toLocaleString('en')}`);
  writeLine(
    `audit: ${faults.toLocaleString('en')} faults, ${warnings.toLocaleString('en')} warnings: ${names.join(', ')}`,
  );
}
