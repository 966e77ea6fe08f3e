import { type CodedColumn, DerivedValues, hashOf } from './coded-column.ts';
import { isPrimaryOfAllParties } from './joint-primaries.ts';
import { grown, PairNumbers } from './pair-numbers.ts';
import { ResultCells } from './result-cells.ts';

/** The columns to which a source of results maps its own. */
export const RESULT_COLUMNS = [
  'state_po',
  'date',
  'stage',
  'special',
  'office',
  'district',
  'dataverse',
  'magnitude',
  'county_name',
  'county_fips',
  'jurisdiction_name',
  'jurisdiction_fips',
  'precinct',
  'candidate',
  'party_detailed',
  'writein',
  'mode',
  'votes',
] as const;

export type ResultColumn = (typeof RESULT_COLUMNS)[number];

/** The number of each column. */
const AT = Object.fromEntries(RESULT_COLUMNS.map((name, index) => [name, index])) as Record<ResultColumn, number>;

const CONTEST = ['state_po', 'date', 'stage', 'special', 'office', 'district'] as const;
const UNIT = ['county_name', 'jurisdiction_name', 'precinct'] as const;
/** The columns of an area: the county, or the town of it. */
const AREA = ['county_name', 'county_fips', 'jurisdiction_name', 'jurisdiction_fips'] as const;

/** A column of the results: its index in a file, or -1 and the text that all records have. */
export interface FoundColumn {
  readonly name: ResultColumn;
  readonly index: number;
  readonly value: string;
  /** The indexes of the columns whose sum it is, in a file that has only parts of it. */
  readonly sumOf?: readonly number[];
  /** True if its values tell what it is, and not its name. */
  readonly isByValues?: boolean;
}

interface Place {
  /** The number of the column. */
  readonly at: number;
  readonly column: CodedColumn;
  readonly index: number;
}

/**
 * Adds the records of results to cells. Contests and units are numbered from 0, in the order in which they occur, and have the
 * texts of their first record.
 */
export class ResultReader {
  readonly cells: ResultCells;
  readonly #columns: ReadonlyMap<ResultColumn, CodedColumn>;
  readonly #contestNumbers = new CodeNumbers(CONTEST);
  readonly #nameNumbers = new PairNumbers();
  readonly #unitNumbers = new CodeNumbers(UNIT);
  readonly #areaNumbers = new CodeNumbers(AREA);
  /** The party of a primary is a part of its contest. */
  readonly #primaryNumbers = new PairNumbers();
  readonly #isPrimary: DerivedValues<boolean>;
  /** Whether contests, by their number without the party, are primaries of a party. */
  readonly #isOfParty: boolean[] = [];
  readonly #isWriteIn: DerivedValues<boolean>;
  readonly #isTotal: DerivedValues<boolean>;
  readonly #votes: DerivedValues<number>;
  readonly #magnitude: DerivedValues<number>;
  /** The columns that the file has; the codes of the others do not change. */
  #places: readonly Place[] = [];
  /** The columns whose sum is the votes, in a file without a column of them: one for each mode of voting. */
  #modes: readonly Place[] = [];
  /** The indexes of all other columns. */
  #others: readonly number[] = [];
  readonly #identical = new IdenticalRecords();
  /** The codes of the current record, in the order of RESULT_COLUMNS. */
  readonly #codes = new Int32Array(RESULT_COLUMNS.length);
  #records = 0;

  constructor(columns: ReadonlyMap<ResultColumn, CodedColumn>) {
    this.#columns = columns;
    this.cells = new ResultCells(this.#column('party_detailed').texts);
    const derive = <T>(name: ResultColumn, of: (text: string) => T) => new DerivedValues(this.#column(name), of);
    this.#isPrimary = derive('stage', isPrimary);
    this.#isWriteIn = derive('writein', (text) => text.toUpperCase() === 'TRUE');
    this.#isTotal = derive('mode', (text) => text.toUpperCase() === 'TOTAL');
    this.#votes = derive('votes', votesOf);
    this.#magnitude = derive('magnitude', (text) => Math.min(MOST_SEATS, Math.round(Number(text)) || 0));
  }

  /** Sets where the columns are in the records, and how many there are. Call it once, before any record is added. */
  begin(found: readonly FoundColumn[], columns: number): void {
    const modes = found.find(({ name }) => name === 'votes')?.sumOf ?? [];
    this.#modes = modes.map((index) => ({ at: AT.votes, index, column: this.#column('votes') }));
    this.#places = found
      .filter(({ index }) => index >= 0)
      .map(({ name, index }) => ({ at: AT[name], index, column: this.#column(name) }));
    const known = new Set(this.#places.map(({ index }) => index));
    this.#others = Array.from({ length: columns }, (_, index) => index).filter((index) => !known.has(index));
    for (const { name, index, value } of found)
      if (index < 0) this.#codes[AT[name]] = this.#column(name).codeOfText(value.trim());
  }

  /** Adds a record, as `CsvRecords` supplies it. */
  add(bytes: Buffer, starts: Int32Array): void {
    const codes = this.#codes;
    for (const { at, column, index } of this.#places)
      codes[at] = column.codeOf(bytes, starts[index] ?? 0, (starts[index + 1] ?? 1) - 1);
    this.#records++;
    const { cells } = this;
    const cell = cells.cellOf(this.#nameOfRecord(), this.#unitOfRecord());
    cells.addMagnitude(cell, this.#magnitude.of(codes[AT.magnitude] ?? 0));
    const isRepeated = this.#identical.has(cell, this.#hashOf(bytes, starts));
    if (!this.#isWriteIn.of(codes[AT.writein] ?? 0)) cells.addPrinted(cell);
    const votes = this.#modes.length > 0 ? this.#sumOf(bytes, starts) : this.#votes.of(codes[AT.votes] ?? 0);
    if (isRepeated && votes > 0) {
      cells.addIdentical(cell, this.#records, votes);
      return;
    }
    if (Number.isNaN(votes)) {
      const text = this.#text('votes');
      if (NOT_COUNTED.test(text)) cells.addEmpty(cell);
      else cells.addHidden(cell);
      if (text !== HIDDEN) cells.addBad(cell, this.#records, text);
    } else cells.addVotes(cell, votes, this.#isTotal.of(codes[AT.mode] ?? 0));
    if (this.#text('party_detailed') !== '')
      cells.addPartyVotes(cell, codes[AT.party_detailed] ?? 0, Number.isNaN(votes) ? 0 : votes);
  }

  /** Returns a hash of all cells of a record: of the codes of those that have one, and of the bytes of the others. */
  #hashOf(bytes: Buffer, starts: Int32Array): number {
    let hash = FIRST_HASH;
    for (const { at } of this.#places) hash = Math.imul(hash ^ (this.#codes[at] ?? 0), HASH_FACTOR);
    for (const index of this.#others)
      hash = Math.imul(hash, HASH_FACTOR) ^ hashOf(bytes, starts[index] ?? 0, (starts[index + 1] ?? 1) - 1);
    return hash | 0;
  }

  /** Returns the sum of the modes of voting of a record; NaN, and the text of it, if one of them is no number of votes. */
  #sumOf(bytes: Buffer, starts: Int32Array): number {
    let sum = 0;
    for (const { at, column, index } of this.#modes) {
      const code = column.codeOf(bytes, starts[index] ?? 0, (starts[index + 1] ?? 1) - 1);
      const votes = this.#votes.of(code);
      this.#codes[at] = code;
      if (Number.isNaN(votes) && !NOT_COUNTED.test(column.texts[code] ?? '')) return votes;
      sum += Number.isNaN(votes) ? 0 : votes;
    }
    return sum;
  }

  #column(name: ResultColumn): CodedColumn {
    const column = this.#columns.get(name);
    if (!column) throw new Error(`There is no column ${name}`);
    return column;
  }

  #text(name: ResultColumn): string {
    return this.#column(name).texts[this.#codes[AT[name]] ?? 0] ?? '';
  }

  /** Returns the number of the name of the current record in its contest. */
  #nameOfRecord(): number {
    const contest = this.#contestOfRecord();
    const number = this.#nameNumbers.of(contest, this.#codes[AT.candidate] ?? 0);
    const { names } = this.cells;
    if (number === names.length)
      names.push({
        contest,
        candidate: this.#text('candidate'),
        isMarked: false,
        hasSeveralParties: false,
        record: this.#records,
      });
    return number;
  }

  /** Returns the number of the contest of the current record. A primary is one of its party. */
  #contestOfRecord(): number {
    const ofAllParties = this.#contestNumbers.of(this.#codes);
    this.#isOfParty[ofAllParties] ??=
      this.#isPrimary.of(this.#codes[AT.stage] ?? 0) &&
      !isPrimaryOfAllParties(this.#text('state_po'), this.#text('date'), this.#text('office'));
    const isOfParty = this.#isOfParty[ofAllParties] === true;
    const party = isOfParty ? (this.#codes[AT.party_detailed] ?? 0) + 1 : 0;
    const number = this.#primaryNumbers.of(ofAllParties, party);
    if (number === this.cells.contests.length) this.#addContest(number, isOfParty);
    return number;
  }

  #addContest(contest: number, isOfParty: boolean): void {
    this.cells.contests.push({
      contest,
      state_po: this.#text('state_po'),
      date: this.#text('date'),
      stage: this.#text('stage'),
      special: this.#text('special').toUpperCase() === 'TRUE',
      office: this.#text('office'),
      district: this.#text('district'),
      party: isOfParty ? this.#text('party_detailed') : '',
      dataverse: this.#text('dataverse'),
      record: this.#records,
    });
  }

  /** Returns the number of the unit (the precinct) of the current record. */
  #unitOfRecord(): number {
    const number = this.#unitNumbers.of(this.#codes);
    if (number === this.cells.units.length)
      this.cells.units.push({
        area: this.#areaNumbers.of(this.#codes),
        county_name: this.#text('county_name'),
        county_fips: this.#text('county_fips'),
        jurisdiction_name: this.#text('jurisdiction_name'),
        jurisdiction_fips: this.#text('jurisdiction_fips'),
        precinct: this.#text('precinct'),
      });
    return number;
  }
}

/** Numbers the distinct codes of some columns, from 0 in the order in which they occur. */
class CodeNumbers {
  readonly #first: number;
  /** Each column is paired with the number of the columns before it. */
  readonly #others: readonly { readonly at: number; readonly pairs: PairNumbers }[];

  constructor(columns: readonly ResultColumn[]) {
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

/** Finds records that a file has twice, by hashes of all their cells: different records of a cell differ in one of them. */
class IdenticalRecords {
  /** The hash of the first record of each cell, and the cells and hashes of the others. */
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

function isPrimary(stage: string): boolean {
  return stage.toUpperCase().startsWith('PRI');
}

/** The constants of the hash FNV-1a. */
const [FIRST_HASH, HASH_FACTOR] = [0x811c9dc5, 0x01000193];
/** A larger magnitude is none. */
const MOST_SEATS = 255;

/** The text in place of a count in precincts that do not vote on a contest. */
const NOT_COUNTED = /^[X–—-]?$/i;
/** The text of a number of votes that the source hides. */
const HIDDEN = '*';

/** Returns a number of votes, with or without separators of thousands; NaN if it is hidden, or no number of votes. */
function votesOf(text: string): number {
  const digits = /^\d{1,3}(,\d{3}){1,3}$/.test(text) ? text.replaceAll(',', '') : text.replace(/\.0+$/, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : Number.NaN;
}
