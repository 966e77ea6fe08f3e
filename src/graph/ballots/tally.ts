import type { CandidateRow, RoundRow } from './candidates.store.ts';

interface Counted extends Pick<CandidateRow, 'id' | 'cand_status' | 'votes_for_cand' | 'withdrew_still_on_ballot'> {
  readonly rounds?: readonly Pick<RoundRow, 'round' | 'running_total' | 'status'>[] | undefined;
}

/** The outcome of a race, as far as it is known. */
export interface Tally {
  /** Total votes of the deciding count; null when no votes are known. */
  readonly totalVotes: number | null;
  /**
   * Vote margin between the last winner and the best runner-up, 0 or more; null when not known, without opponents, if a
   * runner-up has more votes than a winner, and in ranked choice without the rounds of the count.
   */
  readonly margin: number | null;
  /**
   * By candidate id: fraction of `totalVotes`, from 0 to 1; null if the candidate is not in the deciding count or the
   * votes are not known.
   */
  readonly shares: ReadonlyMap<number, number | null>;
  /** By candidate id: whether the candidate won; null until known. */
  readonly winners: ReadonlyMap<number, boolean | null>;
  /** Whether the votes are first choices of a ranked-choice count whose rounds are not known. */
  readonly isFirstChoices: boolean;
}

/** Statuses of candidates who cannot win. One who died before the election and was elected nevertheless has `Won`. */
const OUT: ReadonlySet<string | null> = new Set(['Withdrew', 'Disqualified', 'Deceased']);

/**
 * Computes the outcome of a race from all its candidates.
 *
 * In ranked choice the votes of eliminated candidates transfer to others, so the sum of all candidates' votes counts
 * ballots more than once: the last round decides. A candidate elected in an earlier round belongs to it with the votes
 * that remain after a surplus was transferred, which are those of the round that elected them if none was. The margin
 * compares votes before the transfer of a surplus: afterwards all who are elected have the same number.
 *
 * Candidates who withdrew, were disqualified or died are in neither count, unless they won or advanced. If no candidate
 * has won but some have advanced to the next stage, the margin is that between the last of them and the next candidate.
 * @param seats the number of candidates who win; null if it is not known.
 * @param isRankedChoice whether voters rank the candidates: without rounds, their votes are first choices, which have no margin.
 * @param isComplete whether all candidates and votes that the sources have are in the data: otherwise there are no shares and no margin.
 */
export function tallyOf(
  candidates: readonly Counted[],
  seats: number | null,
  isRankedChoice = false,
  isComplete = true,
): Tally {
  const deciding = finalists(candidates);
  const votes = deciding.flatMap((candidate) => candidate.votes_for_cand ?? []);
  const totalVotes = votes.length > 0 ? sum(votes) : null;
  const isDecided = seats !== null && candidates.filter(({ cand_status }) => cand_status === 'Won').length >= seats;
  const winners = new Map(candidates.map((candidate) => [candidate.id, isWinner(candidate, isDecided)]));
  const isFirstChoices = isRankedChoice && candidates.every(({ rounds = [] }) => rounds.length === 0);
  return {
    totalVotes,
    isFirstChoices,
    margin: isFirstChoices || !isComplete ? null : marginOf(candidates, winners),
    // Of a total without the votes of a candidate there are no shares.
    shares: new Map(
      deciding.map((candidate) => [
        candidate.id,
        !isComplete || votes.length < deciding.length ? null : shareOf(candidate, totalVotes),
      ]),
    ),
    winners,
  };
}

function isSuccessful({ cand_status }: Counted): boolean {
  return cand_status === 'Won' || cand_status === 'Advanced';
}

function canWin(candidate: Counted): boolean {
  return isSuccessful(candidate) || !(candidate.withdrew_still_on_ballot || OUT.has(candidate.cand_status));
}

/** Returns the candidates who could win; for ranked choice, those who were elected or still in the last round. */
function finalists(candidates: readonly Counted[]): readonly Counted[] {
  const lastRound = Math.max(0, ...candidates.flatMap(({ rounds = [] }) => rounds.map(({ round }) => round)));
  return candidates.filter(
    (candidate) => canWin(candidate) && (lastRound === 0 || isElected(candidate) || isInRound(candidate, lastRound)),
  );
}

function isElected(candidate: Counted): boolean {
  return isSuccessful(candidate) || (candidate.rounds ?? []).some(({ status }) => status === 'Won');
}

function isInRound({ rounds = [] }: Counted, last: number): boolean {
  return (
    rounds.some(({ round }) => round === last) && !rounds.some(({ round, status }) => round < last && status === 'Lost')
  );
}

function shareOf({ votes_for_cand }: Counted, totalVotes: number | null): number | null {
  return votes_for_cand != null && totalVotes ? votes_for_cand / totalVotes : null;
}

function isWinner(candidate: Counted, isDecided: boolean): boolean | null {
  if (candidate.cand_status === 'Won') return true;
  return isDecided || candidate.cand_status === 'Lost' || candidate.cand_status === 'Advanced' || !canWin(candidate)
    ? false
    : null;
}

function marginOf(candidates: readonly Counted[], winners: Tally['winners']): number | null {
  const isWon = candidates.some(({ cand_status }) => cand_status === 'Won');
  if (isWon && candidates.some(({ id }) => winners.get(id) === null)) return null;
  const status = isWon ? 'Won' : 'Advanced';
  const first = candidates.filter(({ cand_status }) => cand_status === status).map(mostVotes);
  const known = first.filter((votes) => votes != null);
  const rivals = candidates.filter((candidate) => candidate.cand_status !== status && canWin(candidate));
  const others = rivals.flatMap(({ votes_for_cand }) => votes_for_cand ?? []);
  if (known.length === 0 || known.length < first.length || others.length === 0 || others.length < rivals.length)
    return null;
  const margin = Math.min(...known) - Math.max(...others);
  return margin >= 0 ? margin : null;
}

/** Returns the votes of a candidate before a surplus was transferred, as a whole number; null when not known. */
function mostVotes({ votes_for_cand, rounds = [] }: Counted): number | null {
  if (votes_for_cand == null) return null;
  return Math.max(votes_for_cand, ...rounds.map(({ running_total }) => Math.round(running_total ?? 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
