/** How the winners of a race are determined. */
export interface Counting {
  readonly seats: number;
  /** A majority of the votes is required: in ranked-choice contests, and where the law requires it. */
  readonly needsMajority: boolean;
  /** True if the source does not show who won: the number of seats is not certain, or names are spelled in several ways. */
  readonly unknown: boolean;
  /** All votes cast for a person, whether a candidate or not. */
  readonly validVotes: number;
  /** The most votes that a candidate may have besides, in counts that the source suppresses. */
  readonly hidden: (candidate: number) => number;
}

/**
 * Returns Won and Lost in the order of the candidates if the votes are conclusive; undefined if they are not, whatever the
 * suppressed counts are.
 * @param votes the votes that the source shows: the least that a candidate can have.
 */
export function outcomes(votes: readonly number[], counting: Counting): ('Won' | 'Lost')[] | undefined {
  const { seats, needsMajority, unknown, validVotes, hidden } = counting;
  if (unknown || votes.length === 0) return undefined;
  const order = votes.map((count, index) => ({ index, count })).sort((a, b) => b.count - a.count);
  const last = order[Math.min(seats, order.length) - 1];
  if (!last) return undefined;
  const doubt = order.slice(seats).some(({ index, count }) => count + hidden(index) >= last.count);
  const most = order.reduce((sum, { index }) => sum + (index === last.index ? 0 : hidden(index)), validVotes);
  if (doubt || (needsMajority && (seats > 1 || last.count * 2 <= most))) return undefined;
  const winners = new Set(order.slice(0, seats).map(({ index }) => index));
  return votes.map((_, index) => (winners.has(index) ? 'Won' : 'Lost'));
}
