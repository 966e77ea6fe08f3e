/** How the winners of a race are found. */
export interface Counting {
  readonly seats: number;
  /** More than half of the votes are needed: where voters rank, and where the law asks for it. */
  readonly needsMajority: boolean;
  /** Votes for somebody, candidate or not. */
  readonly validVotes: number;
  /** Votes that the source may have hidden from any one candidate. */
  readonly hidden: (candidate: number) => number;
}

/**
 * Won and Lost in the order of the candidates, where the votes leave no doubt; undefined where they do, or where votes
 * are not known.
 */
export function outcomes(votes: readonly (number | null)[], counting: Counting): ('Won' | 'Lost')[] | undefined {
  const { seats, needsMajority, validVotes, hidden } = counting;
  const known = votes.filter((count) => count !== null);
  if (known.length === 0 || known.length < votes.length) return undefined;
  const order = votes.map((count, index) => ({ index, count: count ?? 0 })).sort((a, b) => b.count - a.count);
  const last = order[Math.min(seats, order.length) - 1];
  if (!last) return undefined;
  const doubt = order.slice(seats).some(({ index, count }) => count + hidden(index) >= last.count);
  if (doubt || (needsMajority && (seats > 1 || last.count * 2 <= validVotes))) return undefined;
  const winners = new Set(order.slice(0, seats).map(({ index }) => index));
  return votes.map((_, index) => (winners.has(index) ? 'Won' : 'Lost'));
}
