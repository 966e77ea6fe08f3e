import type { ContestOffice } from './contest-offices.ts';
import { countyCount } from './county-counts.ts';
import { pseudoCandidate } from './names.ts';
import type { Office } from './offices.ts';
import { type Contest, type Tally, votesOf } from './result-contests.ts';

const ASSUMED = 'the source does not state which voters vote on it, and its county is assumed: the outcome is unknown';
const INCOMPLETE = 'other rows of the office and district have some of the candidates: the outcome is unknown';
export const MISSING = 'the state votes on it, and counties are missing: the outcome is unknown';
const UNNAMED = 'votes without a name may decide it: the outcome is unknown';

/**
 * Returns why the votes of a contest do not prove who won, whatever they are: its district is assumed, some of its counties are
 * missing, or as many votes have no name as the last winner has. Undefined if nothing speaks against an outcome.
 */
export function unprovenReason(
  contest: Contest,
  { basis, office }: ContestOffice,
  candidates: readonly Tally[],
  seats: number,
): string | undefined {
  if (basis === 'County') return ASSUMED;
  const { type } = office.place.row.values;
  if (contest.isIncomplete || (contest.isNumberRepeated && isOfWholeState(contest, office))) return INCOMPLETE;
  if ((type === 'State' || type === 'Country') && isMissingCounties(contest)) return MISSING;
  const votes = candidates.map((tally) => votesOf(tally) ?? tally.shown).sort((a, b) => b - a);
  const last = votes[Math.min(seats, votes.length) - 1] ?? 0;
  const unnamed = [
    ...contest.pseudo.filter(({ name }) => pseudoCandidate(name) === 'unnamed'),
    ...contest.labels,
  ].reduce((sum, { shown }) => sum + shown, 0);
  return unnamed > 0 && unnamed >= last ? UNNAMED : undefined;
}

/** Returns whether a number of an office has one meaning in the whole state; New Hampshire numbers the districts of its House by county. */
function isOfWholeState({ state }: Contest, { place, values }: Office): boolean {
  if (state.postal === 'NH' && values.chamber === 'Lower' && values.level === 'State') return false;
  return values.chamber !== undefined || ['Congress', 'State', 'Country'].includes(String(place.row.values.type));
}

/** Returns whether a contest of a whole state has votes in fewer counties than the state, or its files, have. */
export function isMissingCounties({ state, counties, countiesInFiles }: Contest): boolean {
  return counties.length > 0 && counties.length < (countyCount(state.postal) ?? countiesInFiles);
}
