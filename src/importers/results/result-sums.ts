import type { NamedFile } from '../read/named-file.ts';
import { joinContestSpellings } from './contest-spellings.ts';
import { ballotsOfAreas } from './counted-ballots.ts';
import { PairNumbers } from './pair-numbers.ts';
import { partyNames } from './parties.ts';
import { doubtOf, precinctBallots } from './precinct-ballots.ts';
import { type ReadCsv, readResults, type WantedColumn } from './read-results.ts';
import type { ResultCells } from './result-cells.ts';
import { divideByPrecinct } from './result-parts.ts';
import { removeSubtotals } from './result-subtotals.ts';
import { type JoinedSpelling, joinSpellings } from './spellings.ts';
import { isCounty, numbersOf, type Subtotal } from './subtotal-cells.ts';
import type { AreaBallots, AreaRow, ContestRow, PartyRow, SumRow } from './sum-rows.ts';

export interface ResultSums {
  readonly csv: ReadCsv;
  readonly contests: readonly ContestRow[];
  readonly sums: readonly SumRow[];
  readonly areas: readonly AreaRow[];
  /** The ballots of all areas, whatever they vote on. */
  readonly ballots: readonly AreaBallots[];
  /** The votes of names of several parties. */
  readonly parties: readonly PartyRow[];
  readonly subtotals: readonly Subtotal[];
  /** The contests whose stated totals of the state are the sums of the votes. */
  readonly complete: ReadonlySet<number>;
  /** Why contests with one vote per voter cannot have their votes, by the number of the contest. */
  readonly exceeding: ReadonlyMap<number, string>;
  /** Contests with far more votes in a precinct than any other one has there. */
  readonly outliers: readonly PrecinctOutlier[];
  /** Candidates with different parties in different precincts. */
  readonly otherParties: readonly OtherParties[];
  /** Records that repeat another one in all their cells, which are not added. */
  readonly identical: readonly IdenticalRecord[];
  /** Totals of precincts that are not the sum of their modes of voting. */
  readonly contradictions: readonly Contradiction[];
  /** Spellings of names that are another name of the same contest. */
  readonly joined: readonly JoinedSpelling[];
  /** The number of counties in the file, or in the state if the files of some of them are joined. */
  readonly counties: number;
  /** True for files of counties that do not have all counties of the state. */
  readonly isPartial: boolean;
  /** True for files of single towns, or of towns and counties. */
  readonly isOfTowns: boolean;
}

/** A record that repeats another one, counted from 1. */
export interface IdenticalRecord {
  readonly record: number;
  readonly office: string;
  readonly name: string;
  readonly votes: number;
}

/** A candidate with different parties in different precincts. */
export interface OtherParties {
  readonly office: string;
  readonly name: string;
  /** The first record of the name, counted from 1. */
  readonly record: number;
  readonly parties: readonly string[];
}

/** A contest with far more votes in a precinct than any other one has there. */
export interface PrecinctOutlier {
  readonly office: string;
  readonly county: string;
  readonly precinct: string;
  readonly votes: number;
  readonly others: number;
}

/** A total of a name in a precinct that is not the sum of the modes of voting. */
export interface Contradiction {
  readonly office: string;
  readonly county: string;
  readonly precinct: string;
  readonly name: string;
  readonly total: number;
  readonly byMode: number;
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
  const identical = identicalOf(cells);
  const { subtotals, complete } = removeSubtotals(cells);
  joinContestSpellings(cells);
  const joined = joinSpellings(cells);
  const { ofUnit, ofOffices, exceeding, outliers } = precinctBallots(cells);
  return {
    csv,
    parties: cells.partyRows(),
    contests: cells.contests,
    sums: divideByPrecinct(cells, sumAreas(cells, ofUnit), ofUnit),
    areas: areasOf(cells, ofUnit),
    ballots: ballotsOfAreas(cells, { ofUnit, ofOffices }),
    complete,
    exceeding,
    outliers: outliers.map(({ contest, unit, ...counts }) => ({
      office: cells.contests[contest]?.office ?? '',
      county: cells.units[unit]?.county_name ?? '',
      precinct: cells.units[unit]?.precinct ?? '',
      ...counts,
    })),
    otherParties: otherPartiesOf(cells),
    identical,
    contradictions: contradictionsOf(cells),
    subtotals,
    joined,
    counties: new Set(cells.units.map(({ county_name }) => county_name).filter(isCounty)).size,
    isPartial: false,
    isOfTowns: false,
  };
}

/** Returns the votes for each name in each area, in the order of their first records. */
function sumAreas(cells: ResultCells, ballots: ReadonlyMap<number, number>): SumRow[] {
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
      record: names[name]?.record ?? 0,
      votes: 0,
      hidden: 0,
      bad_record: null,
      bad_votes: null,
      precincts: 0,
      doubt: 0,
      party: '',
      is_write_in: true,
      magnitude: 0,
    };
    const row = rows[number];
    row.votes += cells.votesOf(cell);
    row.hidden += cells.hiddenOf(cell);
    row.precincts++;
    row.doubt += doubtOf(cells, cell, ballots);
    row.magnitude = Math.max(row.magnitude, cells.magnitudeOf(cell));
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

function identicalOf(cells: ResultCells): IdenticalRecord[] {
  const offices = new Map(cells.contests.map(({ contest, office }) => [contest, office]));
  return cells.identical.map(({ cell, record, votes }) => {
    return { record, office: offices.get(cells.contestOf(cell)) ?? '', name: cells.candidateOf(cell), votes };
  });
}

function otherPartiesOf(cells: ResultCells): OtherParties[] {
  const contests = new Map(cells.contests.map((row) => [row.contest, row]));
  return cells.names.flatMap((name) => {
    // Several in one precinct are the nominations of several parties.
    if (!name.otherParties || name.hasSeveralParties) return [];
    const { office = '', state_po } = contests.get(name.contest) ?? {};
    const parties = [...new Set(cells.partiesOf(name).flatMap((text) => partyNames(text, state_po)))];
    return parties.length > 1 ? [{ office, name: name.candidate, record: name.record, parties }] : [];
  });
}

function contradictionsOf(cells: ResultCells): Contradiction[] {
  const offices = new Map(cells.contests.map(({ contest, office }) => [contest, office]));
  const found: Contradiction[] = [];
  cells.forEach((cell) => {
    const contradiction = cells.contradictionOf(cell);
    if (!contradiction) return;
    const { county_name: county, precinct } = cells.placeOf(cell);
    const office = offices.get(cells.contestOf(cell)) ?? '';
    found.push({ office, county, precinct, name: cells.candidateOf(cell), ...contradiction });
  });
  return found;
}

/**
 * Returns the precincts and ballots of the contests. The ballots of a precinct are the highest number of votes in a
 * contest with one vote per voter.
 */
function areasOf(cells: ResultCells, ballotsOf: ReadonlyMap<number, number>): AreaRow[] {
  const contestUnits = new PairNumbers();
  cells.forEach((cell) => {
    contestUnits.of(cells.contestOf(cell), cells.unitOf(cell));
  });
  const pairs = new PairNumbers();
  const townOf = numbersOf(cells.units, ({ county_name, jurisdiction_name }) => `${county_name}\n${jurisdiction_name}`);
  const rows: { -readonly [Key in keyof AreaRow]: AreaRow[Key] }[] = [];
  for (let number = 0; number < contestUnits.size; number++) {
    const [contest, unit] = [contestUnits.firstOf(number), contestUnits.secondOf(number)];
    const { county_name = '', jurisdiction_name = '' } = cells.units[unit] ?? {};
    const at = pairs.of(contest, townOf[unit] ?? 0);
    rows[at] ??= { contest, county_name, jurisdiction_name, precincts: 0, ballots: null, lacksBallots: false };
    const row = rows[at];
    row.precincts++;
    const ballots = ballotsOf.get(unit);
    if (ballots === undefined) row.lacksBallots = true;
    else row.ballots = (row.ballots ?? 0) + ballots;
  }
  return rows;
}
