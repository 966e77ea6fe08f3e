import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';
import { type Check, type CheckResult, MAX_SHOWN, runCheck, type Violation } from './check.ts';
import { DUPLICATE_CHECKS } from './duplicates.store.ts';
import { ELECTION_CHECKS } from './elections.store.ts';
import { BOUNDARY_CHECKS, gaps, missingDistricts, overlaps, type StateMap, stateMaps } from './maps.store.ts';
import { NAME_CHECKS } from './names.store.ts';
import { ORPHAN_CHECKS } from './orphans.store.ts';
import { TERM_CHECKS } from './terms.store.ts';

const CHECKS: readonly Check[] = [
  ...NAME_CHECKS,
  ...DUPLICATE_CHECKS,
  ...ORPHAN_CHECKS,
  ...ELECTION_CHECKS,
  ...TERM_CHECKS,
  ...BOUNDARY_CHECKS,
];

interface MapCheck {
  readonly name: string;
  readonly finds: string;
  readonly run: (db: Database, map: StateMap) => Violation[] | Promise<Violation[]>;
}

const MAP_CHECKS: readonly MapCheck[] = [
  {
    name: 'missing-districts',
    finds: 'maps of a state on a day that miss districts by their numbers or the seats of the state',
    run: (_, map) => missingDistricts(map),
  },
  { name: 'gaps-in-maps', finds: 'areas of a state that no district of a map covers on a day', run: gaps },
  { name: 'overlaps-in-maps', finds: 'districts of a map that overlap on a day', run: overlaps },
];

export interface IntegrityReport {
  readonly checks: readonly CheckResult[];
  /** The number of violations that all checks found. */
  readonly violations: number;
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
  const maps = await stateMaps(db);
  const total = CHECKS.length + MAP_CHECKS.length * maps.length;
  let done = 0;
  for (const check of CHECKS) {
    onCheck(check.name, done++, total);
    checks.push(await runCheck(db, check, today));
  }
  for (const { name, finds, run } of MAP_CHECKS) {
    const violations: Violation[] = [];
    for (const map of maps) {
      onCheck(`${name} ${map.type} ${map.state}`, done++, total);
      violations.push(...(await run(db, map)));
    }
    checks.push({ name, finds, count: violations.length, violations: violations.slice(0, MAX_SHOWN) });
  }
  return { checks, violations: checks.reduce((sum, { count }) => sum + count, 0), maps: maps.length };
}
