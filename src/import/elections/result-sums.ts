import type { NamedFile } from '../named-file.ts';
import { joinContestSpellings } from './contest-spellings.ts';
import { PairNumbers } from './pair-numbers.ts';
import { type ReadCsv, readResults, type WantedColumn } from './read-results.ts';
import type { ResultCells } from './result-cells.ts';
import { divideByPrecinct } from './result-parts.ts';
import { isCounty, numbersOf, removeSubtotals, type Subtotal } from './result-subtotals.ts';
import { type JoinedSpelling, joinSpellings } from './spellings.ts';
import type { AreaRow, ContestRow, PartyRow, SumRow } from './sum-rows.ts';

export interface ResultSums {
  readonly csv: ReadCsv;
  readonly contests: readonly ContestRow[];
  readonly sums: readonly SumRow[];
  readonly areas: readonly AreaRow[];
  /** The votes of names of several parties. */
  readonly parties: readonly PartyRow[];
  readonly subtotals: readonly Subtotal[];
  /** Spellings of names that are another name of the same contest. */
  readonly joined: readonly JoinedSpelling[];
  /** The number of counties in the file, or in the state if the files of some of them are joined. */
  readonly counties: number;
  /** True for files of counties that do not have all counties of the state. */
  readonly isPartial: boolean;
  /** True for files of single towns, or of towns and counties. */
  readonly isOfTowns: boolean;
}

/** Results of one election, from one file or several. */
export interface ElectionResults {
  /** The name of the files for the report. */
  readonly name: string;
  readonly sums: ResultSums;
  /** Returns the name of the files that have rows of a contest. */
  readonly fileOf: (rows: readonly SumRow[]) => string;
}

/** Reads a file of precinct results and sums its votes. */
export async function sumResults(file: NamedFile, columns: readonly WantedColumn[]): Promise<ResultSums> {
  const { csv, cells } = await readResults(file, columns);
  const subtotals = removeSubtotals(cells);
  joinContestSpellings(cells);
  const joined = joinSpellings(cells);
  return {
    csv,
    parties: cells.partyRows(),
    contests: cells.contests,
    sums: divideByPrecinct(cells, sumAreas(cells)),
    areas: areasOf(cells),
    subtotals,
    joined,
    counties: new Set(cells.units.map(({ county_name }) => county_name).filter(isCounty)).size,
    isPartial: false,
    isOfTowns: false,
  };
}

/** Returns the votes for each name in each area, in the order of their first records. */
function sumAreas(cells: ResultCells): SumRow[] {
  const { names, numbers } = cells.distinctNames();
  const pairs = new PairNumbers();
  const rows: { -readonly [Key in keyof SumRow]: SumRow[Key] }[] = [];
  cells.forEach((cell) => {
    const name = numbers[cells.nameOf(cell)] ?? 0;
    const { area, county_name, county_fips, jurisdiction_name, jurisdiction_fips } = cells.placeOf(cell);
    const number = pairs.of(name, area);
    rows[number] ??= {
      contest: names[name]?.contest ?? 0,
      part: 0,
      county_name,
      county_fips,
      jurisdiction_name,
      jurisdiction_fips,
      candidate: names[name]?.candidate ?? '',
      votes: 0,
      hidden: 0,
      bad_record: null,
      bad_votes: null,
      precincts: 0,
      contradictions: 0,
      party: '',
      is_write_in: true,
    };
    const row = rows[number];
    row.votes += cells.votesOf(cell);
    row.hidden += cells.hiddenOf(cell);
    row.precincts++;
    if (cells.isContradictory(cell)) row.contradictions++;
    row.is_write_in &&= cells.isWriteIn(cell);
    const party = cells.partyOf(cell);
    if (party !== '' && (row.party === '' || party < row.party)) row.party = party;
    const bad = cells.badOf(cell);
    if (bad && (row.bad_record === null || bad.record < row.bad_record)) {
      row.bad_record = bad.record;
      row.bad_votes = bad.text;
    }
  });
  return rows;
}

/** Matches the office of a contest in which each voter has one vote: for president, Congress and governor. */
const HAS_ONE_VOTE = /^(US |UNITED STATES |GOVERNOR|PRESIDENT)/;

/**
 * Returns the precincts and ballots of the contests. The ballots of a precinct are the highest number of votes in a
 * contest with one vote per voter.
 */
function areasOf(cells: ResultCells): AreaRow[] {
  const contestUnits = new PairNumbers();
  const votes: number[] = [];
  cells.forEach((cell) => {
    const number = contestUnits.of(cells.contestOf(cell), cells.unitOf(cell));
    votes[number] = (votes[number] ?? 0) + cells.votesOf(cell);
  });
  const isCounted = new Set(
    cells.contests
      .filter(({ office }) => HAS_ONE_VOTE.test(office.replaceAll('.', '').toUpperCase()))
      .map(({ contest }) => contest),
  );
  const ballotsOf = new Map<number, number>();
  for (const [number, count] of votes.entries()) {
    const unit = contestUnits.secondOf(number);
    if (isCounted.has(contestUnits.firstOf(number))) ballotsOf.set(unit, Math.max(count, ballotsOf.get(unit) ?? 0));
  }
  const pairs = new PairNumbers();
  const townOf = numbersOf(cells.units, ({ county_name, jurisdiction_name }) => `${county_name}\n${jurisdiction_name}`);
  const rows: { -readonly [Key in keyof AreaRow]: AreaRow[Key] }[] = [];
  for (let number = 0; number < contestUnits.size; number++) {
    const [contest, unit] = [contestUnits.firstOf(number), contestUnits.secondOf(number)];
    const { county_name = '', jurisdiction_name = '' } = cells.units[unit] ?? {};
    const at = pairs.of(contest, townOf[unit] ?? 0);
    rows[at] ??= { contest, county_name, jurisdiction_name, precincts: 0, ballots: null };
    const row = rows[at];
    row.precincts++;
    const ballots = ballotsOf.get(unit);
    if (ballots !== undefined) row.ballots = (row.ballots ?? 0) + ballots;
  }
  return rows;
}
