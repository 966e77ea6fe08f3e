import type { CandidateRow, RoundRow } from './candidates.store.ts';

interface Counted extends Pick<CandidateRow, 'id' | 'cand_status' | 'votes_for_cand'> {
  readonly rounds?: readonly Pick<RoundRow, 'round' | 'votes_for' | 'status'>[] | undefined;
}

/** The outcome of a race, as far as it is known. */
export interface Tally {
  /** Total votes of the deciding count; null when no votes are known. */
  readonly totalVotes: number | null;
  /** Vote margin between the last winner and the best runner-up; null when not known. */
  readonly margin: number | null;
  /**
   * By candidate id: fraction of `totalVotes`, from 0 to 1; null if the candidate is not in the deciding count or the
   * votes are not known.
   */
  readonly shares: ReadonlyMap<number, number | null>;
  /** By candidate id: whether the candidate won; null until known. */
  readonly winners: ReadonlyMap<number, boolean | null>;
}

/**
 * Computes the outcome of a race from all its candidates.
 *
 * In ranked choice the votes of eliminated candidates transfer to others, so the sum of all candidates' votes counts
 * ballots more than once: the last round decides. If no candidate has won but some have advanced to the next stage, the
 * margin is that between the last of them and the next candidate.
 */
export function tallyOf(candidates: readonly Counted[]): Tally {
  const deciding = finalists(candidates);
  const votes = deciding.flatMap((candidate) => candidate.votes_for_cand ?? []);
  const totalVotes = votes.length > 0 ? sum(votes) : null;
  const isDecided = candidates.some((candidate) => candidate.cand_status === 'Won');
  return {
    totalVotes,
    margin: marginOf(candidates, isDecided ? 'Won' : 'Advanced'),
    shares: new Map(deciding.map((candidate) => [candidate.id, shareOf(candidate, totalVotes)])),
    winners: new Map(candidates.map((candidate) => [candidate.id, isWinner(candidate, isDecided)])),
  };
}

/** Returns all candidates; for ranked choice, those who were still in the last round. */
function finalists(candidates: readonly Counted[]): readonly Counted[] {
  const lastRound = Math.max(0, ...candidates.flatMap(({ rounds = [] }) => rounds.map(({ round }) => round)));
  if (lastRound === 0) return candidates;
  return candidates.filter(
    ({ rounds = [] }) =>
      rounds.some(({ round }) => round === lastRound) &&
      !rounds.some(({ round, status }) => round < lastRound && status === 'Lost'),
  );
}

function shareOf({ votes_for_cand }: Counted, totalVotes: number | null): number | null {
  return votes_for_cand != null && totalVotes ? votes_for_cand / totalVotes : null;
}

function isWinner({ cand_status }: Counted, isDecided: boolean): boolean | null {
  if (cand_status === 'Won') return true;
  return isDecided || cand_status === 'Lost' || cand_status === 'Advanced' ? false : null;
}

function marginOf(candidates: readonly Counted[], winning: 'Won' | 'Advanced'): number | null {
  const votesWhere = (won: boolean) =>
    candidates
      .filter(({ cand_status }) => (cand_status === winning) === won)
      .map((candidate) => candidate.votes_for_cand);
  const winners = votesWhere(true);
  const others = votesWhere(false).filter((votes) => votes != null);
  const known = winners.filter((votes) => votes != null);
  if (known.length === 0 || known.length < winners.length || others.length === 0) return null;
  return Math.min(...known) - Math.max(...others);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
