import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { ALIKE_NAMES } from './alike-names.store.ts';
import { BOUNDARY_CHECKS } from './boundaries.store.ts';
import { CANDIDATE_CHECKS } from './candidates.store.ts';
import type { Check, ComputedCheck, Violation } from './check.ts';
import type { Scope } from './check-scope.ts';
import { CONTEST_CHECKS } from './contests.store.ts';
import { DUPLICATE_CHECKS } from './duplicates.store.ts';
import { ELECTION_CHECKS } from './elections.store.ts';
import { FEDERAL_TERM_CHECKS } from './federal-terms.store.ts';
import { gaps, missingDistricts, overlaps, type StateMap, stateMaps } from './maps.store.ts';
import { NAME_CHECKS } from './names.store.ts';
import { ORPHAN_CHECKS } from './orphans.store.ts';
import { PLACE_CHECKS } from './places.store.ts';
import { TERM_CHECKS } from './terms.store.ts';
import { VOTING_CHECKS } from './voting.store.ts';

/** Returns a check of each map of a state on each day on which one of its boundaries begins or ends. */
function ofMaps(
  name: string,
  finds: string,
  run: (db: Database, map: StateMap) => Violation[] | Promise<Violation[]>,
): ComputedCheck {
  return {
    name,
    finds,
    over: ['boundaries'],
    isSlow: true,
    async find(db: Database, _: Day, scope: Scope) {
      const violations: Violation[] = [];
      for (const map of await stateMaps(db, scope)) violations.push(...(await run(db, map)));
      return violations;
    },
  };
}

/** All checks of data, in the order in which they run. */
export const CHECKS: readonly (Check | ComputedCheck)[] = [
  ...NAME_CHECKS,
  ...DUPLICATE_CHECKS,
  ...ORPHAN_CHECKS,
  ...ELECTION_CHECKS,
  ...CONTEST_CHECKS,
  ...CANDIDATE_CHECKS,
  ALIKE_NAMES,
  ...TERM_CHECKS,
  ...FEDERAL_TERM_CHECKS,
  ...PLACE_CHECKS,
  ...VOTING_CHECKS,
  ...BOUNDARY_CHECKS,
  ofMaps(
    'missing-districts',
    'maps of a state on a day that miss districts by their numbers or the seats of the state',
    (_, map) => missingDistricts(map),
  ),
  ofMaps('gaps-in-maps', 'areas of a state that no district of a map covers on a day', gaps),
  ofMaps('overlaps-in-maps', 'districts of a map that overlap on a day', overlaps),
];
