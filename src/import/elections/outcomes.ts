/** How the winners of a race are determined. */
export interface Counting {
  readonly seats: number;
  /** A majority of the votes is required: in ranked-choice contests, and where the law requires it. */
  readonly needsMajority: boolean;
  /** True if the source does not show who won: the number of seats is not certain, or names are spelled in several ways. */
  readonly unknown: boolean;
  /** All votes cast for a person, whether a candidate or not. */
  readonly validVotes: number;
  /** The maximum number of votes that the source may have suppressed for a candidate. */
  readonly hidden: (candidate: number) => number;
}

/**
 * Returns Won and Lost in the order of the candidates if the votes are conclusive; undefined if they are not, or if
 * votes are unknown.
 */
export function outcomes(votes: readonly (number | null)[], counting: Counting): ('Won' | 'Lost')[] | undefined {
  const { seats, needsMajority, unknown, validVotes, hidden } = counting;
  const known = votes.filter((count) => count !== null);
  if (unknown || known.length === 0 || known.length < votes.length) return undefined;
  const order = votes.map((count, index) => ({ index, count: count ?? 0 })).sort((a, b) => b.count - a.count);
  const last = order[Math.min(seats, order.length) - 1];
  if (!last) return undefined;
  const doubt = order.slice(seats).some(({ index, count }) => count + hidden(index) >= last.count);
  if (doubt || (needsMajority && (seats > 1 || last.count * 2 <= validVotes))) return undefined;
  const winners = new Set(order.slice(0, seats).map(({ index }) => index));
  return votes.map((_, index) => (winners.has(index) ? 'Won' : 'Lost'));
}
