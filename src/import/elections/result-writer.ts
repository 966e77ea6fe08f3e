import type { Database } from '../../database/database.ts';
import { type CodedColumn, DerivedValues } from './coded-column.ts';
import { CopyWriter, copyCells } from './copy-writer.ts';

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
const UNIT = ['precinct', 'jurisdiction_name', 'county_name'] as const;
const MAGNITUDE = ['magnitude'] as const;
/** The columns of a contest in a primary, which is one of a party. */
const PRIMARY = [...CONTEST, 'party_detailed'] as const;

/** A column of the results: its index in a file, or -1 and the text that all records have. */
export interface FoundColumn {
  readonly name: ResultColumn;
  readonly index: number;
  readonly value: string;
}

interface Place {
  /** The number of the column. */
  readonly at: number;
  readonly column: CodedColumn;
  readonly index: number;
}

interface ContestRow {
  /** All cells except those of the magnitudes. */
  readonly cells: Buffer;
  least: string;
  most: string;
}

/**
 * Writes the records of results to the tables `result_rows`, `result_contests` and `result_units`. Contests and units are
 * numbered from 1, in the order in which they occur, and have the texts of their first record.
 */
export class ResultWriter {
  readonly #columns: ReadonlyMap<ResultColumn, CodedColumn>;
  readonly #rows: CopyWriter;
  readonly #units: CopyWriter;
  readonly #contests: CopyWriter;
  readonly #contestRows: ContestRow[] = [];
  /** The numbers of contests and units by the codes of their columns. */
  readonly #contestOf = new Map<string, number>();
  readonly #unitOf = new Map<string, number>();
  /** The numbers of the areas (counties, or their towns) by their names and codes. */
  readonly #areaOf = new Map<string, number>();
  readonly #isPrimary: DerivedValues<boolean>;
  /** The cells of the columns, as COPY reads them. */
  readonly #cells: readonly { readonly at: number; readonly bytes: DerivedValues<Buffer> }[];
  /** The columns that the file has; the codes of the others do not change. */
  #places: readonly Place[] = [];
  /** The codes of the current record, and of the one before. */
  readonly #codes = new Int32Array(RESULT_COLUMNS.length);
  readonly #before = new Int32Array(RESULT_COLUMNS.length).fill(-1);
  #contest = 0;
  #unit = 0;
  #records = 0;

  constructor(db: Database, columns: ReadonlyMap<ResultColumn, CodedColumn>) {
    this.#columns = columns;
    this.#rows = new CopyWriter(
      db,
      'result_rows',
      'n, contest, unit, candidate, party, is_write_in, is_total, votes, bad',
    );
    this.#units = new CopyWriter(
      db,
      'result_units',
      'unit, area, county_name, county_fips, jurisdiction_name, jurisdiction_fips, precinct',
    );
    this.#contests = new CopyWriter(
      db,
      'result_contests',
      'contest, state_po, date, stage, special, office, district, primary_party, dataverse, least, most',
    );
    const derive = <T>(name: ResultColumn, of: (text: string) => T) => new DerivedValues(this.#column(name), of);
    this.#isPrimary = derive('stage', isPrimary);
    this.#cells = [
      { at: AT.candidate, bytes: derive('candidate', copyCells) },
      { at: AT.party_detailed, bytes: derive('party_detailed', (text) => copyCells(text || null)) },
      { at: AT.writein, bytes: derive('writein', (text) => copyCells(text.toUpperCase() === 'TRUE')) },
      { at: AT.mode, bytes: derive('mode', (text) => copyCells(text.toUpperCase() === 'TOTAL')) },
      { at: AT.votes, bytes: derive('votes', votesAndBad) },
    ];
  }

  /** Sets where the columns are in the records. Call it once, before any record is added. */
  begin(found: readonly FoundColumn[]): void {
    this.#places = found
      .filter(({ index }) => index >= 0)
      .map(({ name, index }) => ({ at: AT[name], index, column: this.#column(name) }));
    for (const { name, index, value } of found)
      if (index < 0) this.#codes[AT[name]] = this.#column(name).codeOfText(value.trim());
  }

  /** Adds a record, as `CsvRecords` supplies it. */
  add(bytes: Buffer, starts: Int32Array): void {
    const codes = this.#codes;
    for (const { at, column, index } of this.#places)
      codes[at] = column.codeOf(bytes, starts[index] ?? 0, (starts[index + 1] ?? 1) - 1);
    const rows = this.#rows;
    rows.number(++this.#records);
    rows.number(this.#contestOfRecord());
    rows.number(this.#unitOfRecord());
    for (const { at, bytes: of } of this.#cells) rows.cells(of.of(codes[at] ?? 0));
    rows.endRow();
    this.#before.set(codes);
  }

  /** Sends the rows if there are enough of them. */
  sendFull(): Promise<void> {
    return this.#rows.sendFull();
  }

  /** Waits for the rows that were sent, whether the database takes them or not. */
  settle(): Promise<void> {
    return this.#rows.settle();
  }

  /** Writes all that is left. */
  async end(): Promise<void> {
    for (const { cells, least, most } of this.#contestRows) {
      this.#contests.cells(cells);
      this.#contests.cells(copyCells(least, most));
      this.#contests.endRow();
    }
    await this.#rows.end();
    await this.#units.end();
    await this.#contests.end();
  }

  #column(name: ResultColumn): CodedColumn {
    const column = this.#columns.get(name);
    if (!column) throw new Error(`There is no column ${name}`);
    return column;
  }

  #text(name: ResultColumn): string {
    return this.#column(name).texts[this.#codes[AT[name]] ?? 0] ?? '';
  }

  /** Returns whether the current record has the same texts in some columns as the record before. */
  #isRepeated(columns: readonly ResultColumn[]): boolean {
    for (const name of columns) if (this.#codes[AT[name]] !== this.#before[AT[name]]) return false;
    return true;
  }

  /** Returns the number of the contest of the current record. A primary is one of its party. */
  #contestOfRecord(): number {
    const isOfParty = this.#isPrimary.of(this.#codes[AT.stage] ?? 0);
    const columns = isOfParty ? PRIMARY : CONTEST;
    if (this.#isRepeated(columns) && this.#isRepeated(MAGNITUDE)) return this.#contest;
    const key = columns.map((name) => this.#codes[AT[name]]).join();
    this.#contest = this.#contestOf.get(key) ?? this.#addContest(key, isOfParty);
    const row = this.#contestRows[this.#contest - 1];
    const magnitude = this.#text('magnitude');
    if (row && magnitude < row.least) row.least = magnitude;
    if (row && magnitude > row.most) row.most = magnitude;
    return this.#contest;
  }

  #addContest(key: string, isOfParty: boolean): number {
    const number = this.#contestRows.length + 1;
    this.#contestOf.set(key, number);
    const magnitude = this.#text('magnitude');
    const cells = [
      number,
      ...CONTEST.map((name) =>
        name === 'special' ? String(this.#text(name).toUpperCase() === 'TRUE') : this.#text(name),
      ),
      isOfParty ? this.#text('party_detailed') : '',
      this.#text('dataverse'),
    ];
    this.#contestRows.push({ cells: copyCells(...cells), least: magnitude, most: magnitude });
    return number;
  }

  /** Returns the number of the unit (the precinct) of the current record. */
  #unitOfRecord(): number {
    if (this.#isRepeated(UNIT)) return this.#unit;
    const key = UNIT.map((name) => this.#codes[AT[name]]).join();
    this.#unit = this.#unitOf.get(key) ?? this.#addUnit(key);
    return this.#unit;
  }

  #addUnit(codes: string): number {
    const number = this.#unitOf.size + 1;
    this.#unitOf.set(codes, number);
    const names = ['county_name', 'county_fips', 'jurisdiction_name', 'jurisdiction_fips', 'precinct'] as const;
    const texts = names.map((name) => this.#text(name));
    const key = JSON.stringify(texts.slice(0, -1));
    const area = this.#areaOf.get(key) ?? this.#areaOf.size + 1;
    this.#areaOf.set(key, area);
    this.#units.cells(copyCells(number, area, ...texts));
    this.#units.endRow();
    return number;
  }
}

function isPrimary(stage: string): boolean {
  return stage.toUpperCase().startsWith('PRI');
}

/** Returns the number of votes and the text that is no number of votes, of which one is null; both if a source hides it. */
function votesAndBad(text: string): Buffer {
  const votes = votesOf(text);
  return copyCells(votes, votes !== null || text === '*' ? null : text);
}

const LARGEST_INTEGER = 2_147_483_647;

/** Returns a number of votes, with or without separators of thousands; null if it is hidden, or no number of votes. */
function votesOf(text: string): number | null {
  const digits = /^\d{1,3}(,\d{3}){1,2}$/.test(text) ? text.replaceAll(',', '') : text.replace(/\.0+$/, '');
  const votes = /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
  return votes <= LARGEST_INTEGER ? votes : null;
}
