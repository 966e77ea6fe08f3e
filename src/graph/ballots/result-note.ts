import type { RaceRow } from './ballots.store.ts';
import type { CandidateRow } from './candidates.store.ts';
import type { Tally } from './tally.ts';

/** Says why no winner is shown although there are votes, why there are no shares, and that those of first choices do not decide. */
export function resultNote(
  { scope_basis, is_ranked_choice, left_out }: Pick<RaceRow, 'scope_basis' | 'is_ranked_choice' | 'left_out'>,
  candidates: readonly Pick<CandidateRow, 'votes_for_cand'>[],
  { totalVotes, isFirstChoices, shares, winners }: Tally,
): string | null {
  if (!totalVotes) return null;
  const isDecided = [...winners.values()].includes(true);
  const unless = (end: string) => (isDecided ? '.' : `${end}.`);
  if (scope_basis === 'County')
    return `The results do not say which voters vote on this race: it is listed in the county where the votes were counted${unless(', without a winner')}`;
  if (left_out)
    return `Candidates or votes of this race that ${Object.keys(left_out).join(' and ')} has are not in the data, so that there are no shares${unless(', and no winner is shown')}`;
  if ([...shares.values()].every((share) => share === null))
    return `The votes of a candidate are not known, so that there are no shares${unless(', and no winner is shown')}`;
  const [first = 0, second] = candidates.map(({ votes_for_cand }) => votes_for_cand ?? 0).toSorted((a, b) => b - a);
  if (isFirstChoices) {
    const isMajority = first * 2 > totalVotes;
    if (isMajority && isDecided) return 'First choices only. One candidate has more than half of them.';
    return `First choices only. ${isMajority ? 'One candidate' : 'No candidate'} has more than half of them, and the later rounds of this count are not in the data${unless(', so no winner is shown')}`;
  }
  if (isDecided || first !== second || is_ranked_choice) return null;
  return 'The two leading candidates have the same number of votes. The data do not tell who took office.';
}
