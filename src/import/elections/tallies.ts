import { pseudoCandidate } from './names.ts';

/** What one name got in one contest, over all precincts and modes of voting. */
export interface Tally {
  readonly name: string;
  /** As the source names it; the first that it names. */
  party: string;
  /** Only ever written in. */
  writeIn: boolean;
  /** Sums of the modes of voting, and of rows that are totals over them already. */
  byMode: number;
  totals: number;
  /** Rows whose count the source hides. */
  hidden: number;
  readonly precincts: Set<number>;
}

/** A row of results: one name in one precinct. */
export interface ResultRow {
  readonly name: string;
  readonly party: string;
  readonly writeIn: boolean;
  readonly precinct: string;
  /** The row is the sum of the modes of voting. */
  readonly isTotal: boolean;
  /** null: the source hides it. */
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
    // A printed name that some wrote in as well has rows of both kinds; the votes are the same person's.
    tally.party ||= party;
    tally.writeIn &&= writeIn;
    if (votes === null) tally.hidden++;
    else if (isTotal) tally.totals += votes;
    else tally.byMode += votes;
    tally.precincts.add(this.#numberOf(precinct));
  }

  /** The names that stand for somebody or for an answer. */
  get names(): Tally[] {
    return [...this.#tallies.values()].filter(({ name }) => pseudoCandidate(name) === null);
  }

  /** Blank ballots, votes for nobody by name, and the like. */
  get pseudo(): Tally[] {
    return [...this.#tallies.values()].filter(({ name }) => pseudoCandidate(name) !== null);
  }

  get precincts(): number {
    return new Set([...this.#tallies.values()].flatMap(({ precincts }) => [...precincts])).size;
  }

  /** Totals stand beside the modes of voting that they are the sums of, and are not these sums. */
  get isContradictory(): boolean {
    const all = [...this.#tallies.values()];
    const isBoth = all.some(({ totals }) => totals > 0) && all.some(({ byMode }) => byMode > 0);
    return isBoth && all.some(({ totals, byMode }) => totals !== byMode);
  }

  /** All votes for somebody, candidate or not: what a majority is measured against. */
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

/** The votes of a name; null where a part of them is hidden. */
export function votesOf({ byMode, totals, hidden }: Tally): number | null {
  if (hidden > 0) return null;
  return byMode > 0 ? byMode : totals;
}

/** Gathers the rows of results by contest, in the order in which the contests appear. */
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
