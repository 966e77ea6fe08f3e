import { grown, PairNumbers } from './pair-numbers.ts';
import type { ContestRow, PartyRow } from './sum-rows.ts';

/** A unit of the results: a precinct, or the area in its place. */
export interface Unit {
  /** The number of its area: the county, or the town of it. */
  readonly area: number;
  readonly county_name: string;
  readonly county_fips: string;
  readonly jurisdiction_name: string;
  readonly jurisdiction_fips: string;
  readonly precinct: string;
}

/** A name of a contest, as the source spells it until spellings are joined. */
export interface ContestName {
  contest: number;
  candidate: string;
  /** True if the name is marked as written in, whatever the column says. */
  isMarked: boolean;
  /** True if the name has several parties in one unit. */
  hasSeveralParties: boolean;
  /** Its first record, counted from 1. */
  readonly record: number;
  /** The code of the party of its first record that has one, and those of others. */
  firstParty?: number;
  otherParties?: Set<number>;
}

const WRITE_IN = 1;
const REMOVED = 4;
const COUNTED = 8;
const NO_PARTY = -1;

/** The votes for each name in each unit, in the order of their first records. Columns are typed arrays: a file may have millions. */
export class ResultCells {
  readonly contests: ContestRow[] = [];
  readonly units: Unit[] = [];
  readonly names: ContestName[] = [];
  /** The records that repeat another one in all their cells, counted from 1. */
  readonly identical: { readonly cell: number; readonly record: number; readonly votes: number }[] = [];
  readonly #parties: readonly string[];
  /** Cells by name and unit, and parties by name and party. */
  #cellNumbers = new PairNumbers();
  readonly #partyNumbers = new PairNumbers();
  #partyVotes = new Float64Array(512);
  #nameOf = new Int32Array(1024);
  #unitOf = new Int32Array(1024);
  #partyOf = new Int32Array(1024);
  #hidden = new Int32Array(1024);
  #flags = new Uint8Array(1024);
  #magnitudes = new Uint8Array(1024);
  /** The sum of the modes of voting, and the votes of records that are totals; then the votes. */
  #byMode = new Float64Array(1024);
  #votes = new Float64Array(1024);
  /** The votes of the first record of cells that have several with totals. */
  readonly #first = new Map<number, number>();
  /** The first counts of cells that are no number of votes. */
  readonly #bad = new Map<number, { readonly record: number; readonly text: string }>();
  /** The numbers of the names that `rename` added, by contest and name. */
  readonly #renamed = new Map<string, number>();
  /** The totals of cells that are not the sum of their modes of voting. */
  readonly #contradictions = new Map<number, { readonly total: number; readonly byMode: number }>();
  #repeated = 0;
  #size = 0;
  #hasEmpty = false;

  /** @param parties the texts of the parties by their codes. */
  constructor(parties: readonly string[]) {
    this.#parties = parties;
  }

  /** Returns the number of the cell of a name, by its number in `names`, in a unit. */
  cellOf(name: number, unit: number): number {
    const cell = this.#cellNumbers.of(name, unit);
    if (cell === this.#size) this.#addCell(name, unit);
    return cell;
  }

  /** Adds votes to a cell; `isTotal` is true for the total of all modes of voting. */
  addVotes(cell: number, votes: number, isTotal: boolean): void {
    const sums = isTotal ? this.#votes : this.#byMode;
    if (isTotal && sums[cell] && !this.#first.has(cell)) this.#first.set(cell, sums[cell]);
    sums[cell] = (sums[cell] ?? 0) + votes;
    this.#flags[cell] = (this.#flags[cell] ?? 0) | COUNTED;
  }

  /** Adds a record that repeats another one in all its cells: its votes are not counted. */
  addIdentical(cell: number, record: number, votes: number): void {
    this.identical.push({ cell, record, votes });
  }

  /** Adds a count that the source hides, or that is no number of votes. */
  addHidden(cell: number): void {
    this.#hidden[cell] = (this.#hidden[cell] ?? 0) + 1;
    this.#flags[cell] = (this.#flags[cell] ?? 0) | COUNTED;
  }

  /** Adds a count that the source leaves empty. */
  addEmpty(cell: number): void {
    this.#hidden[cell] = (this.#hidden[cell] ?? 0) + 1;
    this.#hasEmpty = true;
  }

  /** Adds votes as those of a candidate of a party, by its code. */
  addPartyVotes(cell: number, party: number, votes: number): void {
    const name = this.nameOf(cell);
    const known = this.#partyOf[cell] ?? NO_PARTY;
    const of = this.names[name];
    if (of && of.firstParty !== party) {
      if (of.firstParty === undefined) of.firstParty = party;
      else of.otherParties = (of.otherParties ?? new Set()).add(party);
    }
    if (known !== party) {
      if (known !== NO_PARTY && of) of.hasSeveralParties = true;
      if (known === NO_PARTY || (this.#parties[party] ?? '') < (this.#parties[known] ?? ''))
        this.#partyOf[cell] = party;
    }
    const number = this.#partyNumbers.of(name, party);
    if (number === this.#partyVotes.length) this.#partyVotes = grown(this.#partyVotes);
    this.#partyVotes[number] = (this.#partyVotes[number] ?? 0) + votes;
  }

  /** Returns the texts of the parties of a name, of which one precinct has one. */
  partiesOf({ firstParty, otherParties = new Set() }: ContestName): string[] {
    return [firstParty ?? NO_PARTY, ...otherParties].map((party) => this.#parties[party] ?? '');
  }

  /** Adds the magnitude of a record of a cell, of which the largest counts. */
  addMagnitude(cell: number, magnitude: number): void {
    if (magnitude > (this.#magnitudes[cell] ?? 0)) this.#magnitudes[cell] = magnitude;
  }

  /** Returns the magnitude of a cell; 0 if the source has none. */
  magnitudeOf(cell: number): number {
    return this.#magnitudes[cell] ?? 0;
  }

  /** Marks that a record of the cell has a name that is printed on the ballot. */
  addPrinted(cell: number): void {
    this.#flags[cell] = (this.#flags[cell] ?? 0) & ~WRITE_IN;
  }

  /** Adds the text of a count that is no number of votes. */
  addBad(cell: number, record: number, text: string): void {
    if (!this.#bad.has(cell)) this.#bad.set(cell, { record, text });
  }

  /**
   * Ends adding records: computes the votes of the cells. A total that is listed in addition to the modes of voting is
   * counted once. If it is not their sum, the votes are hidden: they are at least the smaller one of the two.
   */
  complete(): void {
    for (let cell = 0; cell < this.#size; cell++) {
      const byMode = this.#byMode[cell] ?? 0;
      if (byMode === 0) continue;
      const total = this.#votes[cell] ?? 0;
      this.#repeated += total;
      this.#votes[cell] = byMode;
      if (total === 0 || total === byMode) continue;
      this.#contradictions.set(cell, { total, byMode });
      this.#hidden[cell] = (this.#hidden[cell] ?? 0) + 1;
      this.#votes[cell] = Math.min(total, byMode);
    }
    this.#byMode = new Float64Array(0);
    this.#cellNumbers = new PairNumbers();
    if (this.#hasEmpty) this.#removeEmpty();
  }

  /** Removes the cells of a contest from the units without a count for any name, in which voters do not vote on it. */
  #removeEmpty(): void {
    const units = new PairNumbers();
    const isCounted: boolean[] = [];
    const contests = new Set<number>();
    const ofCell = (cell: number) => units.of(this.contestOf(cell), this.unitOf(cell));
    this.forEach((cell) => {
      const unit = ofCell(cell);
      if (((this.#flags[cell] ?? 0) & COUNTED) === 0) return;
      isCounted[unit] = true;
      contests.add(this.contestOf(cell));
    });
    this.forEach((cell) => {
      if (contests.has(this.contestOf(cell)) && !isCounted[ofCell(cell)]) this.remove(cell);
    });
  }

  /** Calls a function for each cell that has not been removed, in the order of their first records. */
  forEach(visit: (cell: number) => void): void {
    for (let cell = 0; cell < this.#size; cell++) if (((this.#flags[cell] ?? 0) & REMOVED) === 0) visit(cell);
  }

  nameOf(cell: number): number {
    return this.#nameOf[cell] ?? 0;
  }

  candidateOf(cell: number): string {
    return this.names[this.nameOf(cell)]?.candidate ?? '';
  }

  contestOf(cell: number): number {
    return this.names[this.nameOf(cell)]?.contest ?? 0;
  }

  unitOf(cell: number): number {
    return this.#unitOf[cell] ?? 0;
  }

  /** Returns the unit of a cell with its names. */
  placeOf(cell: number): Unit {
    return this.units[this.unitOf(cell)] as Unit;
  }

  /** Returns the votes of a cell, without counts that the source hides. */
  votesOf(cell: number): number {
    return this.#votes[cell] ?? 0;
  }

  /** Returns the votes of the first record of a cell: a later one with the same names may be of a part that has the name of the whole. */
  firstVotesOf(cell: number): number {
    return this.#first.get(cell) ?? this.votesOf(cell);
  }

  /** Returns the number of counts of a cell that the source hides, or that are no number of votes. */
  hiddenOf(cell: number): number {
    return this.#hidden[cell] ?? 0;
  }

  /** Returns the first count of a cell that is no number of votes. */
  badOf(cell: number): { readonly record: number; readonly text: string } | undefined {
    return this.#bad.get(cell);
  }

  /** Returns the party of a cell, the first one in alphabetical order if it has several; empty without one. */
  partyOf(cell: number): string {
    return this.#parties[this.#partyOf[cell] ?? NO_PARTY] ?? '';
  }

  /** Returns whether the name was only written in, in this unit. */
  isWriteIn(cell: number): boolean {
    return ((this.#flags[cell] ?? 0) & WRITE_IN) !== 0 || this.names[this.nameOf(cell)]?.isMarked === true;
  }

  /** Returns the stated total of a cell and the sum of its modes of voting if they differ. */
  contradictionOf(cell: number): { readonly total: number; readonly byMode: number } | undefined {
    return this.#contradictions.get(cell);
  }

  /** The votes of totals that are listed in addition to their modes of voting. */
  get repeatedVotes(): number {
    return this.#repeated;
  }

  remove(cell: number): void {
    this.#flags[cell] = (this.#flags[cell] ?? 0) | REMOVED;
  }

  /** Gives a cell to a name of its contest, as the source spells it elsewhere or not at all. */
  rename(cell: number, candidate: string): void {
    const known = this.names[this.nameOf(cell)];
    if (!known) return;
    const key = `${known.contest} ${candidate}`;
    const number = this.#renamed.get(key) ?? this.names.push({ ...known, candidate }) - 1;
    this.#renamed.set(key, number);
    this.#nameOf[cell] = number;
  }

  /** Moves a cell to another unit, with other votes. */
  move(cell: number, unit: number, votes: number): void {
    this.#unitOf[cell] = unit;
    this.#votes[cell] = votes;
  }

  /** Moves the names of contests to the contests into which they are joined, and removes the joined contests. */
  joinContests(into: ReadonlyMap<number, number>): void {
    for (const name of this.names) name.contest = into.get(name.contest) ?? name.contest;
    const left = this.contests.filter(({ contest }) => !into.has(contest));
    this.contests.splice(0, this.contests.length, ...left);
  }

  /** Returns the names that have cells. Names that have become equal are one: its `numbers` are those in `nameOf`. */
  distinctNames(): DistinctNames {
    const present = new Uint8Array(this.names.length);
    this.forEach((cell) => {
      present[this.nameOf(cell)] = 1;
    });
    const ofKey = new Map<string, number>();
    const numbers = new Int32Array(this.names.length).fill(-1);
    const names: ContestName[] = [];
    for (const [number, name] of this.names.entries()) {
      if (present[number] === 0) continue;
      const key = `${name.contest} ${name.candidate}`;
      const known = ofKey.get(key) ?? names.push(name) - 1;
      ofKey.set(key, known);
      numbers[number] = known;
    }
    return { names, numbers };
  }

  /** Returns the votes by party of the names that have several parties, except in primaries. */
  partyRows(): PartyRow[] {
    const stages = new Map(this.contests.map(({ contest, stage }) => [contest, stage.toUpperCase()]));
    const rows = new Map<string, PartyRow>();
    for (let number = 0; number < this.#partyNumbers.size; number++) {
      const name = this.names[this.#partyNumbers.firstOf(number)];
      const isNomination = name?.hasSeveralParties ?? false;
      if (!name || !(isNomination || name.otherParties) || stages.get(name.contest)?.startsWith('PRI')) continue;
      const { contest, candidate } = name;
      const party = (this.#parties[this.#partyNumbers.secondOf(number)] ?? '').toUpperCase();
      const key = JSON.stringify([contest, candidate, party]);
      const votes = (rows.get(key)?.votes ?? 0) + (this.#partyVotes[number] ?? 0);
      rows.set(key, { contest, candidate, party, votes, isNomination });
    }
    return [...rows.values()].sort((a, b) => b.votes - a.votes || (a.party < b.party ? -1 : 1));
  }

  #addCell(name: number, unit: number): void {
    const cell = this.#size++;
    if (cell === this.#nameOf.length) {
      this.#nameOf = grown(this.#nameOf);
      this.#unitOf = grown(this.#unitOf);
      this.#partyOf = grown(this.#partyOf);
      this.#hidden = grown(this.#hidden);
      this.#flags = grown(this.#flags);
      this.#magnitudes = grown(this.#magnitudes);
      this.#byMode = grown(this.#byMode);
      this.#votes = grown(this.#votes);
    }
    this.#nameOf[cell] = name;
    this.#unitOf[cell] = unit;
    this.#partyOf[cell] = NO_PARTY;
    this.#flags[cell] = WRITE_IN;
  }
}

/** The names of all contests that have votes, and the number of each name of the cells among them. */
export interface DistinctNames {
  readonly names: readonly ContestName[];
  readonly numbers: Int32Array;
}
