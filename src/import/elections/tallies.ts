import { pseudoCandidate } from './names.ts';

/** The votes for one name in one contest, over all precincts and voting modes. */
export interface Tally {
  readonly name: string;
  /** The first party that the source names. */
  party: string;
  /** True if the name was only ever written in. */
  writeIn: boolean;
  /** Sums of the votes by voting mode, and of rows that already are totals over all modes. */
  byMode: number;
  totals: number;
  /** Number of rows whose count the source suppresses. */
  hidden: number;
  readonly precincts: Set<number>;
}

/** A row of results: one name in one precinct. */
export interface ResultRow {
  readonly name: string;
  readonly party: string;
  readonly writeIn: boolean;
  readonly precinct: string;
  /** True if the row is the sum over all voting modes. */
  readonly isTotal: boolean;
  /** Null if the source suppresses the count. */
  readonly votes: number | null;
}

/** A contest or a question as results name it, summed over its precincts. */
export class Contest<Facts> {
  readonly facts: Facts;
  readonly #precinctNumbers: Map<string, number>;
  readonly #tallies = new Map<string, Tally>();

  constructor(facts: Facts, precinctNumbers: Map<string, number>) {
    this.facts = facts;
    this.#precinctNumbers = precinctNumbers;
  }

  add({ name, party, writeIn, precinct, isTotal, votes }: ResultRow): void {
    let tally = this.#tallies.get(name);
    if (!tally) {
      tally = { name, party, writeIn, byMode: 0, totals: 0, hidden: 0, precincts: new Set() };
      this.#tallies.set(name, tally);
    }
    // A printed name that was also written in has rows of both kinds; all votes are for the same person.
    tally.party ||= party;
    tally.writeIn &&= writeIn;
    if (votes === null) tally.hidden++;
    else if (isTotal) tally.totals += votes;
    else tally.byMode += votes;
    tally.precincts.add(this.#numberOf(precinct));
  }

  /** Returns the tallies of names that stand for a person or an answer. */
  get names(): Tally[] {
    return [...this.#tallies.values()].filter(({ name }) => pseudoCandidate(name) === null);
  }

  /** Returns the tallies of blank ballots, votes without a name, and the like. */
  get pseudo(): Tally[] {
    return [...this.#tallies.values()].filter(({ name }) => pseudoCandidate(name) !== null);
  }

  get precincts(): number {
    return new Set([...this.#tallies.values()].flatMap(({ precincts }) => [...precincts])).size;
  }

  /** Returns true if the source has both totals and votes by mode, and the totals are not their sums. */
  get isContradictory(): boolean {
    const all = [...this.#tallies.values()];
    const isBoth = all.some(({ totals }) => totals > 0) && all.some(({ byMode }) => byMode > 0);
    return isBoth && all.some(({ totals, byMode }) => totals !== byMode);
  }

  /** Returns all votes cast for a person, candidate or not: the base for a majority. */
  get validVotes(): number {
    return [...this.#tallies.values()]
      .filter(({ name }) => !['no vote', 'turnout'].includes(pseudoCandidate(name) ?? ''))
      .reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
  }

  #numberOf(precinct: string): number {
    const number = this.#precinctNumbers.get(precinct) ?? this.#precinctNumbers.size;
    this.#precinctNumbers.set(precinct, number);
    return number;
  }
}

/** Returns the votes for a name; null if a part of them is suppressed. */
export function votesOf({ byMode, totals, hidden }: Tally): number | null {
  if (hidden > 0) return null;
  return byMode > 0 ? byMode : totals;
}

/** Groups rows of results by contest, in the order in which the contests appear. */
export class Contests<Facts> {
  readonly #contests = new Map<string, Contest<Facts>>();
  readonly #precinctNumbers = new Map<string, number>();

  of(key: string, facts: () => Facts): Contest<Facts> {
    const contest = this.#contests.get(key) ?? new Contest(facts(), this.#precinctNumbers);
    this.#contests.set(key, contest);
    return contest;
  }

  get all(): Contest<Facts>[] {
    return [...this.#contests.values()];
  }
}
