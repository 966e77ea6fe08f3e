import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { type CheckResult, runCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { stateMaps } from './maps.store.ts';

export interface IntegrityReport {
  readonly checks: readonly CheckResult[];
  /** The number of violations that are faults. */
  readonly faults: number;
  /** The number of violations that are warnings. */
  readonly warnings: number;
  /** The maps that were checked for gaps and overlaps. */
  readonly maps: number;
}

/**
 * Checks the data of a database for violations that no constraint of its tables prevents. Changes nothing.
 * @param onCheck called with the name of each check before it runs.
 */
export async function checkIntegrity(
  db: Database,
  today: Day,
  onCheck: (name: string, done: number, total: number) => void = () => undefined,
): Promise<IntegrityReport> {
  const checks: CheckResult[] = [];
  for (const [done, check] of CHECKS.entries()) {
    onCheck(check.name, done, CHECKS.length);
    checks.push(await runCheck(db, check, { today }));
  }
  const countOf = (severity: CheckResult['severity']) =>
    checks.reduce((sum, check) => sum + (check.severity === severity ? check.count : 0), 0);
  return { checks, faults: countOf('fault'), warnings: countOf('warning'), maps: (await stateMaps(db)).length };
}
