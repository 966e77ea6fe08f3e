import type { Reason } from '../exchange/report-kinds.ts';
import type { ContestOffice } from './contest-offices.ts';
import type { CountedBallots } from './counted-ballots.ts';
import { countyCount } from './county-counts.ts';
import { pseudoCandidate } from './names.ts';
import type { Office } from './offices.ts';
import type { Place } from './places.ts';
import { type Contest, type Tally, validVotes, votesOf } from './result-contests.ts';

const ASSUMED: Reason = {
  kind: 'weak-scopes',
  reason: 'the source does not state which voters vote on it, and its county is assumed: the outcome is unknown',
};
const INCOMPLETE: Reason = {
  kind: 'weak-scopes',
  reason: 'other rows of the office and district have some of the candidates: the outcome is unknown',
};
const CONTRADICTORY: Reason = {
  kind: 'undecided-contests',
  reason: 'the source contradicts itself about the office or its district: the outcome is unknown',
};
export const MISSING: Reason = {
  kind: 'counties-missing',
  reason: 'the state votes on it, and counties are missing: the outcome is unknown',
};
const UNNAMED: Reason = {
  kind: 'undecided-contests',
  reason: 'votes without a name may decide it: the outcome is unknown',
};

/**
 * Returns why the votes of a contest do not prove who won, whatever they are: its district is assumed, some of its counties are
 * missing, or as many votes have no name as the last winner has. Undefined if nothing speaks against an outcome.
 */
export function unprovenReason(
  contest: Contest,
  { basis, office, contradiction }: ContestOffice,
  candidates: readonly Tally[],
  seats: number,
): Reason | undefined {
  if (basis === 'County') return ASSUMED;
  if (contradiction) return CONTRADICTORY;
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

/**
 * Returns the most ballots with a vote on a contest that its file lacks: those of precincts of its district with a count of other
 * contests and none of it. Voters who did not vote on it in the other precincts leave that many for them.
 */
export function missingBallots(contest: Contest, place: Place, seats: number): number {
  const scope = scopeOf(contest, place);
  if (!scope || contest.isComplete || scope.counted === 0 || contest.stage.startsWith('PRI')) return 0;
  return Math.max(0, Math.min(scope.all - scope.counted, scope.most * seats - validVotes(contest)));
}

/** Returns the ballots of the areas that are the district of a contest, or may be; undefined if the file does not show it. */
function scopeOf({ scopes, counties, towns, district }: Contest, { row }: Place): CountedBallots | undefined {
  switch (row.values.type) {
    case 'Country':
    case 'State':
      return scopes.state;
    case 'County':
      return counties.length === 1 && district === '' ? scopes.counties : undefined;
    case 'City-town':
      return towns.length === 1 && district === '' ? scopes.towns : undefined;
    case 'Congress':
      return scopes.chamber ?? (/^\d+$/.test(district) ? undefined : scopes.state);
    default:
      return scopes.chamber;
  }
}
