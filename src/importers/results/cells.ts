import { type CodedColumn, DerivedValues, hashOf } from './coded-column.ts';
import { COLUMNS, type Column, isHiddenCount, isNoCount, isTotalName } from './dialect.ts';
import { grown, PairNumbers } from './pair-numbers.ts';

/** A contest as the columns of a file identify it. */
export interface RawContest {
  /** The postal code of the state, as written. */
  readonly state: string;
  readonly date: string;
  readonly stage: string;
  readonly isSpecial: boolean;
  readonly office: string;
  readonly district: string;
  /** The party whose primary it is; empty for a contest of all parties. */
  readonly party: string;
}

/** A row of a table of results: the precinct, or the town, county or state in its place. */
export interface Unit {
  /** The number of its area: the county, or the town of it. */
  readonly area: number;
  readonly precinct: string;
}

/** A county, or a town of it, as the file writes it. */
export interface Area {
  readonly county: string;
  readonly countyFips: string;
  readonly town: string;
  readonly townFips: string;
}

/** A text in the column of the candidate of a contest. */
export interface RawName {
  readonly contest: number;
  readonly text: string;
  /** The party as written: a name with two parties is two, until a law says that it may be one person. */
  readonly party: string;
  /** Its first record, counted from 1. */
  readonly record: number;
  /** The first of its counts that is no number of votes, and its record. */
  bad?: { readonly text: string; readonly record: number };
}

/** Where a column of the results is in the records of a file: an index, or the text that all records have. */
export interface FoundColumn {
  readonly name: Column;
  readonly index: number;
  readonly text: string;
}

const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index])) as Record<Column, number>;
const CONTEST = ['state', 'date', 'stage', 'special', 'office', 'district'] as const;
const AREA = ['county', 'county_fips', 'town', 'town_fips'] as const;
/** A larger number of seats is none. */
const MOST_SEATS = 99;
/** The number of blank counts of a cell without any other. */
const MOST_BLANKS = 255;
/** Bits of a cell: written in only; has a count; its modes of voting differ. */
const [WRITE_IN, COUNTED, DIFFERS] = [1, 2, 4];

/**
 * The votes for each name in each unit of a file: one cell for both, in typed arrays, since a file may have millions of records
 * (as objects, the largest files at hand take four times the memory).
 */
export class Cells {
  readonly contests: RawContest[] = [];
  readonly units: Unit[] = [];
  readonly areas: Area[] = [];
  readonly names: RawName[] = [];
  /** The sum of the modes of voting of each cell, the votes of the records that are totals, and what is left open. */
  byMode = new Float64Array(1024);
  total = new Float64Array(1024);
  /** The number of records that are totals. */
  totals = new Uint8Array(1024);
  nameOf = new Int32Array(1024);
  unitOf = new Int32Array(1024);
  /** The number of modes of voting with a record, the votes of the first one, and the number of counts that are hidden. */
  modes = new Uint8Array(1024);
  first = new Float64Array(1024);
  hidden = new Uint8Array(1024);
  /** The number of counts that are left blank beside others. */
  blank = new Uint8Array(1024);
  magnitude = new Uint8Array(1024);
  /** The most votes in hidden counts of which the source says how many they are at most: `<5`. */
  readonly hiddenMost = new Map<number, number>();
  #flags = new Uint8Array(1024);
  /** The votes of records that repeat another one in all columns. */
  readonly repeated = new Map<number, { readonly votes: number; readonly record: number }>();
  /** The sum of the columns of modes of voting beside a total, and the cells in which it is more than the total. */
  readonly besideTotal = new Map<number, number>();
  readonly contradicted = new Set<number>();
  readonly #columns: readonly CodedColumn[];
  readonly #contestNumbers = new CodeNumbers(CONTEST);
  readonly #primaryNumbers = new PairNumbers();
  readonly #areaNumbers = new CodeNumbers(AREA);
  readonly #unitNumbers = new PairNumbers();
  readonly #nameNumbers = new PairNumbers();
  readonly #partyNumbers = new PairNumbers();
  #cellNumbers = new PairNumbers();
  readonly #isPartyPrimary: (contest: RawContest) => boolean;
  readonly #isOfParty: boolean[] = [];
  readonly #votes: DerivedValues<number>;
  readonly #seats: DerivedValues<number>;
  readonly #isWriteIn: DerivedValues<boolean>;
  readonly #isTotal: DerivedValues<boolean>;
  readonly #codes = new Int32Array(COLUMNS.length);
  readonly #identical = new IdenticalRecords();
  #places: readonly { readonly at: number; readonly index: number; readonly column: CodedColumn }[] = [];
  #modeColumns: readonly number[] = [];
  #others: readonly number[] = [];
  #records = 0;
  #size = 0;

  /**
   * @param columns the columns in the order of `COLUMNS`.
   * @param isPartyPrimary whether the candidates of each party compete in a contest of their own.
   */
  constructor(columns: readonly CodedColumn[], totalMode: string, isPartyPrimary: (contest: RawContest) => boolean) {
    this.#columns = columns;
    this.#isPartyPrimary = isPartyPrimary;
    this.#votes = new DerivedValues(this.#column('votes'), votesOf);
    this.#seats = new DerivedValues(this.#column('magnitude'), seatsOf);
    this.#isWriteIn = new DerivedValues(this.#column('write_in'), (text) => text.toUpperCase() === 'TRUE');
    this.#isTotal = new DerivedValues(
      this.#column('mode'),
      (text) => text.toUpperCase() === totalMode || isTotalName(text),
    );
  }

  /** The number of cells. */
  get size(): number {
    return this.#size;
  }

  /**
   * Sets where the columns are in the records.
   * @param modes the indexes of columns that have the votes of a mode of voting each.
   * @param count the number of columns of the file.
   */
  begin(found: readonly FoundColumn[], modes: readonly number[], count: number): void {
    this.#places = found.flatMap(({ name, index }) =>
      index < 0 ? [] : [{ at: AT[name], index, column: this.#column(name) }],
    );
    this.#modeColumns = modes;
    const known = new Set(this.#places.map(({ index }) => index));
    this.#others = Array.from({ length: count }, (_, index) => index).filter((index) => !known.has(index));
    for (const { name, index, text } of found)
      if (index < 0) this.#codes[AT[name]] = this.#column(name).codeOfText(text.trim());
  }

  /** Adds a record, as `CsvRecords` supplies it. */
  add(bytes: Buffer, starts: Int32Array): void {
    const codes = this.#codes;
    const end = (index: number) => (starts[index + 1] ?? 1) - 1;
    for (const { at, column, index } of this.#places) codes[at] = column.codeOf(bytes, starts[index] ?? 0, end(index));
    this.#records++;
    const cell = this.#cellOf(this.#name(), this.#unit());
    let hash = 0x811c9dc5;
    for (const { at } of this.#places) hash = Math.imul(hash ^ (codes[at] ?? 0), 0x01000193);
    for (const index of this.#others)
      hash = Math.imul(hash, 0x01000193) ^ hashOf(bytes, starts[index] ?? 0, end(index));
    this.magnitude[cell] = Math.max(this.magnitude[cell] ?? 0, this.#seats.of(codes[AT.magnitude] ?? 0));
    if (!this.#isWriteIn.of(codes[AT.write_in] ?? 0)) this.#flags[cell] = (this.#flags[cell] ?? 0) & ~WRITE_IN;
    let votes = this.#votes.of(codes[AT.votes] ?? 0);
    if (this.#modeColumns.length > 0) votes = this.#withModes(cell, bytes, starts, votes);
    if (Number.isNaN(votes)) this.#addNoNumber(cell, this.#text('votes'));
    else {
      if (this.#identical.has(cell, hash | 0) && votes > 0)
        this.repeated.set(cell, {
          votes: (this.repeated.get(cell)?.votes ?? 0) + votes,
          record: this.repeated.get(cell)?.record ?? this.#records,
        });
      this.#addVotes(cell, votes);
    }
  }

  #addVotes(cell: number, votes: number): void {
    this.#flags[cell] = (this.#flags[cell] ?? 0) | COUNTED;
    if (this.#isTotal.of(this.#codes[AT.mode] ?? 0)) {
      this.total[cell] = (this.total[cell] ?? 0) + votes;
      this.totals[cell] = Math.min(255, (this.totals[cell] ?? 0) + 1);
      return;
    }
    if (this.modes[cell] === 0) this.first[cell] = votes;
    else if (this.first[cell] !== votes) this.#flags[cell] = (this.#flags[cell] ?? 0) | DIFFERS;
    this.modes[cell] = Math.min(255, (this.modes[cell] ?? 0) + 1);
    this.byMode[cell] = (this.byMode[cell] ?? 0) + votes;
  }

  #addNoNumber(cell: number, text: string): void {
    if (isNoCount(text)) {
      this.#addBlanks(cell, 1);
      return;
    }
    this.#flags[cell] = (this.#flags[cell] ?? 0) | COUNTED;
    const most = mostHidden(text);
    if (most === undefined) this.hidden[cell] = Math.min(255, (this.hidden[cell] ?? 0) + 1);
    else this.hiddenMost.set(cell, (this.hiddenMost.get(cell) ?? 0) + most);
    const name = this.names[this.nameOf[cell] ?? 0];
    if (name && most === undefined && !isHiddenCount(text)) name.bad ??= { text, record: this.#records };
  }

  #addBlanks(cell: number, counts: number): void {
    this.blank[cell] = Math.min(MOST_BLANKS - 1, (this.blank[cell] ?? 0) + counts);
  }

  /** Returns the votes of a record by its columns of modes of voting, or its total, which the modes may contradict. */
  #withModes(cell: number, bytes: Buffer, starts: Int32Array, total: number): number {
    const column = this.#column('votes');
    const hasTotal = this.#places.some(({ at }) => at === AT.votes);
    let [sum, isNumber, blanks] = [0, true, 0];
    for (const index of this.#modeColumns) {
      const code = column.codeOf(bytes, starts[index] ?? 0, (starts[index + 1] ?? 1) - 1);
      const votes = this.#votes.of(code);
      if (!Number.isNaN(votes)) {
        sum += votes;
        continue;
      }
      const isBlank = isNoCount(column.texts[code] ?? '');
      if (isBlank) blanks++;
      if (Number.isNaN(total) && (!isBlank || (isNumber && !hasTotal))) this.#codes[AT.votes] = code;
      isNumber &&= isBlank;
    }
    const isWithoutTotal = !hasTotal || (Number.isNaN(total) && isNumber && isNoCount(this.#text('votes')));
    if (isWithoutTotal) {
      if (!isNumber || blanks === this.#modeColumns.length) return Number.NaN;
      this.#addBlanks(cell, blanks);
      return sum;
    }
    // Modes that are listed may be some of all: only what is more than the total contradicts it.
    if (sum > total) this.contradicted.add(cell);
    if (sum > 0) this.besideTotal.set(cell, (this.besideTotal.get(cell) ?? 0) + sum);
    return total;
  }

  isWriteIn(cell: number): boolean {
    return ((this.#flags[cell] ?? 0) & WRITE_IN) !== 0;
  }

  /** Returns whether the unit of a cell has a count for its name. */
  isCounted(cell: number): boolean {
    return ((this.#flags[cell] ?? 0) & COUNTED) !== 0;
  }

  /** Returns how many counts of a cell are left blank; a total has those of all modes of voting. */
  blanksOf(cell: number): number {
    if (!this.isCounted(cell)) return MOST_BLANKS;
    return this.#modeColumns.length === 0 && (this.totals[cell] ?? 0) > 0 ? 0 : (this.blank[cell] ?? 0);
  }

  /** Returns whether all modes of voting of a cell have the same number of votes. */
  hasEqualModes(cell: number): boolean {
    return ((this.#flags[cell] ?? 0) & DIFFERS) === 0;
  }

  #column(name: Column): CodedColumn {
    return this.#columns[AT[name]] as CodedColumn;
  }

  #text(name: Column): string {
    return this.#column(name).texts[this.#codes[AT[name]] ?? 0] ?? '';
  }

  #name(): number {
    const contest = this.#contest();
    const ofText = this.#nameNumbers.of(contest, this.#codes[AT.candidate] ?? 0);
    const number = this.#partyNumbers.of(ofText, this.#codes[AT.party] ?? 0);
    if (number === this.names.length)
      this.names.push({ contest, text: this.#text('candidate'), party: this.#text('party'), record: this.#records });
    return number;
  }

  #contest(): number {
    const ofAll = this.#contestNumbers.of(this.#codes);
    this.#isOfParty[ofAll] ??= this.#isPartyPrimary(this.#raw(''));
    const isOfParty = this.#isOfParty[ofAll] === true;
    const number = this.#primaryNumbers.of(ofAll, isOfParty ? (this.#codes[AT.party] ?? 0) + 1 : 0);
    if (number === this.contests.length) this.contests.push(this.#raw(isOfParty ? this.#text('party') : ''));
    return number;
  }

  #raw(party: string): RawContest {
    return {
      state: this.#text('state').toUpperCase(),
      date: this.#text('date'),
      stage: this.#text('stage').toUpperCase(),
      isSpecial: this.#text('special').toUpperCase() === 'TRUE',
      office: this.#text('office'),
      district: this.#text('district'),
      party,
    };
  }

  #unit(): number {
    const area = this.#areaNumbers.of(this.#codes);
    if (area === this.areas.length)
      this.areas.push({
        county: this.#text('county'),
        countyFips: this.#text('county_fips'),
        town: this.#text('town'),
        townFips: this.#text('town_fips'),
      });
    const number = this.#unitNumbers.of(area, this.#codes[AT.precinct] ?? 0);
    if (number === this.units.length) this.units.push({ area, precinct: this.#text('precinct') });
    return number;
  }

  #cellOf(name: number, unit: number): number {
    const cell = this.#cellNumbers.of(name, unit);
    if (cell < this.#size) return cell;
    this.#size++;
    if (cell === this.nameOf.length) this.#grow();
    this.nameOf[cell] = name;
    this.unitOf[cell] = unit;
    this.#flags[cell] = WRITE_IN;
    return cell;
  }

  #grow(): void {
    this.byMode = grown(this.byMode);
    this.total = grown(this.total);
    this.totals = grown(this.totals);
    this.nameOf = grown(this.nameOf);
    this.unitOf = grown(this.unitOf);
    this.modes = grown(this.modes);
    this.first = grown(this.first);
    this.hidden = grown(this.hidden);
    this.blank = grown(this.blank);
    this.magnitude = grown(this.magnitude);
    this.#flags = grown(this.#flags);
  }
}

/** Numbers the distinct codes of some columns, from 0 in the order in which they occur. */
class CodeNumbers {
  readonly #first: number;
  /** Each column is paired with the number of the columns before it. */
  readonly #others: readonly { readonly at: number; readonly pairs: PairNumbers }[];

  constructor(columns: readonly Column[]) {
    const [first = 0, ...others] = columns.map((name) => AT[name]);
    this.#first = first;
    this.#others = others.map((at) => ({ at, pairs: new PairNumbers() }));
  }

  of(codes: Int32Array): number {
    let number = codes[this.#first] ?? 0;
    for (const { at, pairs } of this.#others) number = pairs.of(number, codes[at] ?? 0);
    return number;
  }
}

/** Finds records that a file has twice, by hashes of all their cells. */
class IdenticalRecords {
  #first = new Int32Array(1024);
  readonly #others = new PairNumbers();
  #cells = 0;

  /** Adds a record of a cell; returns whether the cell has an equal one. */
  has(cell: number, hash: number): boolean {
    if (cell >= this.#cells) {
      while (cell >= this.#first.length) this.#first = grown(this.#first);
      this.#first[cell] = hash;
      this.#cells = cell + 1;
      return false;
    }
    if (this.#first[cell] === hash) return true;
    const known = this.#others.size;
    return this.#others.of(cell, hash) < known;
  }
}

function seatsOf(text: string): number {
  const seats = Math.round(Number(text)) || 0;
  return seats > MOST_SEATS ? 0 : Math.max(0, seats);
}

/** Returns a number of votes, with or without separators of thousands; NaN if it is hidden, or no number of votes. */
function votesOf(text: string): number {
  const [, digits] = /^(\d{1,12}|\d{1,3}(?:,\d{3})+)(?:\.0+)?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits.replaceAll(',', ''));
}

/** Returns the most votes of a count that is hidden as `<5` or `(< 25)`; undefined for another text. */
function mostHidden(text: string): number | undefined {
  const [, limit] = /^\(?\s*<\s*(\d+)\s*\)?$/.exec(text) ?? [];
  return limit === undefined ? undefined : Number(limit) - 1;
}
