import { normalName } from '../../base/words/normal-name.ts';
import type { State } from '../../base/words/states.ts';
import { stateByPostal } from '../../base/words/states.ts';
import type { Reason } from '../exchange/report-kinds.ts';
import { plainText } from './cell-text.ts';
import { choiceOf, isQuestionOf } from './choices.ts';
import type { Area, ContestFacts } from './contest-facts.ts';
import { type ScopeBallots, scopeBallots, wholeChambers } from './counted-ballots.ts';
import { type ContestRows, divideContest, isArea } from './divide-contest.ts';
import { pseudoCandidate } from './names.ts';
import { plainOffice } from './office-spellings.ts';
import { partiesByVotes } from './parties.ts';
import type { ElectionResults, ResultSums } from './result-sums.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';
import { isUnlikePersons, recurringLabels } from './unknown-labels.ts';
import { acronymsOf } from './written-capitals.ts';

/** The votes for one name in one contest, over all precincts and voting modes. */
export interface Tally {
  readonly name: string;
  readonly party: string;
  /** True if the name was only ever written in. */
  readonly writeIn: boolean;
  /** The votes that the source shows. */
  readonly shown: number;
  /** Number of counts that the source suppresses. */
  readonly hidden: number;
  /** The most votes that the hidden counts may add. */
  readonly doubt: number;
  /** The number of precincts with a count for the name. */
  readonly precincts: number;
  /** The first line of its file that has it. */
  readonly line: number;
  /** The first count that is not a number of votes, with its line; undefined if there is none. */
  readonly bad: string | undefined;
}

/** A contest or a question of a results file, summed over its precincts. */
export interface Contest extends ContestFacts {
  readonly file: string;
  /** The first line of its file that has it. */
  readonly line: number;
  readonly stage: string;
  /** The office and the district as the source writes them. */
  readonly written: string;
  /** The party of a primary. */
  readonly party: string;
  readonly magnitudes: readonly number[];
  /** True if the source has the magnitude; 1 stands for one that it does not have. */
  readonly statesMagnitude: boolean;
  readonly names: readonly Tally[];
  /** Blank ballots, votes without a name, and the like. */
  readonly pseudo: readonly Tally[];
  /** Texts in place of names that are no persons, as far as the file shows: they are reported for a reader. */
  readonly labels: readonly Tally[];
  readonly precincts: number;
  /** Ballots in the precincts of the contest; null if they cannot be derived from the file. */
  readonly ballots: number | null;
  /** The most voters that it may have: those of its counties if it has precincts without ballots. */
  readonly voters: number;
  /** The ballots of the areas that may be its district. */
  readonly scopes: ScopeBallots;
  /** True if its stated total of the state is the sum of its votes. */
  readonly isComplete: boolean;
  /** True if the names are the answers to a question. */
  readonly isQuestion: boolean;
  /** Why the contest cannot be imported; undefined for most. */
  readonly problem: Reason | undefined;
}

/** Returns the votes for a name; null if a part of them is suppressed. */
export function votesOf({ shown, hidden }: Tally): number | null {
  return hidden > 0 ? null : shown;
}

/** Returns the sum of the votes for two names of the same meaning: `YES` and `FOR`. */
export function addTallies(one: Tally, other: Tally): Tally {
  return {
    ...one,
    shown: one.shown + other.shown,
    hidden: one.hidden + other.hidden,
    doubt: one.doubt + other.doubt,
    bad: one.bad ?? other.bad,
    precincts: one.precincts + other.precincts,
  };
}

/** Returns all votes cast for a person, candidate or not: the base for a majority. */
export function validVotes({ names, pseudo }: Contest): number {
  const unnamed = pseudo.filter(({ name }) => pseudoCandidate(name) === 'unnamed');
  return [...names, ...unnamed].reduce((sum, { shown }) => sum + shown, 0);
}

const STRAY: Reason = {
  kind: 'left-out',
  reason: 'a few written-in votes in an area without a candidate are no contest',
};

/**
 * Returns the contests of a file, or of joined files: rows of one office and district that share no candidates become
 * separate contests.
 */
export function contestsOf({
  sums: { csv, contests, sums, areas, ballots, counties, parties, complete, exceeding, isPartial, isOfTowns },
  fileOf,
}: ElectionResults): Contest[] {
  const sumsOf = Map.groupBy(sums, ({ contest }) => contest);
  const areasOf = Map.groupBy(areas, ({ contest }) => contest);
  const partiesOf = Map.groupBy(parties, ({ contest }) => contest);
  const towns = new Map(
    [...Map.groupBy(sums, ({ county_name }) => county_name)].map(([county, rows]) => [
      county,
      new Set(rows.map(({ jurisdiction_name }) => jurisdiction_name)).size,
    ]),
  );
  const labels = recurringLabels(contests, sums);
  const divided = contests.map((row) => ({
    row,
    parts: divideContest(row, sumsOf.get(row.contest) ?? [], { counties, towns, isPartial }),
  }));
  const repeated = new Set(divided.filter(({ parts }) => parts.length > 1).map(({ row }) => row.office));
  const homes = countiesOfNumbers(divided);
  const plainTitles = plainTitlesOf(contests);
  const withSeats = officesWithSeats(divided);
  const chambers = wholeChambers(contests);
  return divided.flatMap(({ row, parts }) => {
    const state = stateByPostal(row.state_po);
    const exceeds = exceeding.get(row.contest);
    const problem =
      problemOf(row, state, csv) ?? (exceeds === undefined ? undefined : { kind: 'repeated-votes', reason: exceeds });
    return parts.map(({ rows: part, isStray, isIncomplete }) => {
      const named = new Set(part.map(({ county_name, jurisdiction_name }) => `${county_name}|${jurisdiction_name}`));
      const own = (areasOf.get(row.contest) ?? []).filter((area) =>
        named.has(`${area.county_name}|${area.jurisdiction_name}`),
      );
      const isNumberOfState = /^\d+$/.test(row.district) && !repeated.has(row.office);
      const of = partiesOf.get(row.contest) ?? [];
      return contestOf({
        file: fileOf(part),
        csv,
        row,
        state,
        counties,
        isPartial,
        isOfTowns,
        problem: problem ?? (isStray && part.some(isOfName) ? STRAY : undefined),
        part,
        areas: own,
        scopes: scopeBallots(row, own, ballots, chambers),
        isComplete: complete.has(row.contest),
        isNumberOfState,
        isNumberRepeated:
          parts.length > 1 && !part.every(({ county_name }) => homes.get(numberOf(row))?.has(county_name)),
        isIncomplete,
        isSeatNumber: /^\d+$/.test(row.district) && withSeats.has(row.office),
        plainTitles,
        towns,
        parties: of,
        labels,
      });
    });
  });
}

/**
 * Returns the counties that vote on contests of a number which are one contest: other counties with this number are in another
 * part of the state, where it has another meaning.
 */
function countiesOfNumbers(
  divided: readonly { readonly row: ContestRow; readonly parts: readonly ContestRows[] }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const counties = new Map<string, Set<string>>();
  for (const { row, parts } of divided) {
    const [only, ...others] = parts.filter(({ isStray }) => !isStray);
    if (!only || others.length > 0) continue;
    const known = counties.get(numberOf(row)) ?? new Set();
    counties.set(numberOf(row), known);
    for (const { county_name } of only.rows) known.add(county_name);
  }
  return counties;
}

/** Returns an office with the number at the beginning of its district, without the seat: `CIRCUIT COURT 2` for `002, PLACE 1`. */
function numberOf({ office, district }: ContestRow): string {
  return `${office.toUpperCase()} ${/^0*(\d+)/.exec(district.trim())?.[1] ?? district}`;
}

const OFFICE = '(TREASURER|AUDITOR|CONTROLLER|COMPTROLLER|CLERK|ASSESSOR|RECORDER|SUPERINTENDENT|SURVEYOR|CORONER)';
const OF_STATE = new RegExp(`^STATE ${OFFICE}\\b`);
const OF_COUNTY = new RegExp(`\\bCOUNTY ${OFFICE}\\b`);
const STATE_OFFICER = /^(GOVERNOR|LIEUTENANT GOVERNOR|LT\.? GOVERNOR|SECRETARY OF STATE|ATTORNEY GENERAL)\b/;

/** Returns whose office a plain title is, by the offices whose names say whom they serve. */
function plainTitlesOf(contests: readonly ContestRow[]): ContestFacts['plainTitles'] {
  const offices = contests.map(({ office }) => office.toUpperCase());
  if (offices.some((office) => OF_STATE.test(office))) return 'county';
  if (!offices.some((office) => STATE_OFFICER.test(office))) return 'county';
  return offices.some((office) => OF_COUNTY.test(office)) ? 'state' : 'unknown';
}

/** Returns the offices of which one county votes on several numbers. */
function officesWithSeats(
  divided: readonly { readonly row: ContestRow; readonly parts: readonly { readonly rows: readonly SumRow[] }[] }[],
): ReadonlySet<string> {
  const numbers = new Map<string, Set<string>>();
  for (const { row, parts } of divided)
    for (const { county_name } of parts.flatMap(({ rows }) => rows)) {
      if (!/^\d+$/.test(row.district)) continue;
      const key = `${row.office}\n${county_name}`;
      numbers.set(key, (numbers.get(key) ?? new Set()).add(row.district));
    }
  return new Set([...numbers].filter(([, { size }]) => size > 1).map(([key]) => key.split('\n')[0] ?? ''));
}

function isOfName({ candidate }: SumRow): boolean {
  return pseudoCandidate(candidate) === null;
}

function problemOf(row: ContestRow, state: State | undefined, csv: ResultSums['csv']): Reason | undefined {
  if (isYear(row.date) && !dayOf(row))
    return {
      kind: 'left-out',
      reason: 'the source has the year of the election and not its day, which is certain for general elections only',
    };
  if (!state) return { kind: 'left-out', reason: `state_po: ${JSON.stringify(row.state_po)} is not a state` };
  const bad = csv.malformed.find(({ cells }) => {
    const texts = cells.map(plainText);
    return texts.includes(row.office) && (row.district === '' || texts.includes(row.district));
  });
  if (bad)
    return { kind: 'malformed-rows', reason: `line ${bad.line} has ${bad.cells.length} cells, unlike the header` };
  return undefined;
}

interface Part {
  readonly file: string;
  readonly csv: ResultSums['csv'];
  readonly row: ContestRow;
  readonly state: State | undefined;
  /** The number of counties in the file, or in the state. */
  readonly counties: number;
  readonly isPartial: boolean;
  readonly isOfTowns: boolean;
  readonly problem: Reason | undefined;
  readonly part: readonly SumRow[];
  readonly areas: ResultSums['areas'];
  readonly scopes: ScopeBallots;
  readonly isComplete: boolean;
  readonly isNumberOfState: boolean;
  readonly isNumberRepeated: boolean;
  readonly isIncomplete: boolean;
  readonly isSeatNumber: boolean;
  readonly plainTitles: ContestFacts['plainTitles'];
  readonly parties: ResultSums['parties'];
  readonly labels: ReadonlySet<string>;
  /** The number of towns of each county in the file. */
  readonly towns: ReadonlyMap<string, number>;
}

/** A text of an election to the rest of a term. */
const UNEXPIRED =
  /\bUN-?EXP(?:IRED|\b)|\bSPECIAL ELECTION\b|[-–,:] SPECIAL$|\(SPECIAL\)|\bTO FILL (?:AN? |THE )?VACANCY\b/;

/** Offices and questions of a town or city. */
const OF_TOWN = /\b(TOWN|CITY|VILLAGE|MAYOR|ALDER[MPW]\w+|SELECT(MAN|MEN|BOARD|PERSON)\w*|MUNICIPAL)\b/i;

const UNKNOWN_STATE: State = { fips: '', postal: '', name: '', kind: 'state' };

function contestOf({
  file,
  csv,
  row,
  state = UNKNOWN_STATE,
  counties: all,
  isPartial,
  isOfTowns,
  problem,
  part,
  areas,
  scopes,
  isComplete,
  isNumberOfState,
  isNumberRepeated,
  isIncomplete,
  isSeatNumber,
  plainTitles,
  towns: townsOf,
  parties,
  labels: recurring,
}: Part): Contest {
  const tallies = [...Map.groupBy(part, ({ candidate }) => candidate)].map(([name, rows]): Tally => {
    const sum = (of: (row: SumRow) => number) => rows.reduce((total, each) => total + of(each), 0);
    return {
      name,
      party:
        partiesByVotes(
          parties.filter(({ candidate }) => candidate === name),
          row.state_po,
        ) ??
        rows.find(({ party }) => party !== '')?.party ??
        '',
      // A printed name that was also written in has rows of both kinds; all votes are for the same person.
      writeIn: rows.every(({ is_write_in }) => is_write_in),
      shown: sum(({ votes }) => votes),
      hidden: sum(({ hidden }) => hidden),
      doubt: sum(({ doubt }) => doubt),
      line: csv.lineOf(rows.reduce((first, { record }) => Math.min(first, record), Number.POSITIVE_INFINITY)),
      bad: badOf(rows, csv),
      precincts: sum(({ precincts }) => precincts),
    };
  });
  const counties = distinct(
    part
      .filter(({ county_name }) => isArea(county_name))
      .map(({ county_name, county_fips }) => ({
        name: county_name.replace(/(?<=\S) (COUNTY|PARISH)$/i, ''),
        fips: county_fips.replace(/^\d{4}$/, '0$&'),
      })),
  );
  const isPartOfCounty = isOfTowns && !OF_TOWN.test(row.office);
  const towns = distinct(
    (isPartOfCounty ? [] : part)
      .filter(
        ({ jurisdiction_name, county_name }) =>
          isArea(jurisdiction_name) &&
          isArea(county_name) &&
          jurisdiction_name !== county_name &&
          (isOfTowns || (townsOf.get(county_name) ?? 1) > 1),
      )
      .map(({ jurisdiction_name, jurisdiction_fips }) => ({ name: jurisdiction_name, fips: jurisdiction_fips })),
  );
  const named = tallies.filter(({ name }) => pseudoCandidate(name) === null);
  // Rejected ballots are no votes, but a question may be approved or rejected.
  const isAnswered = isQuestionOf(named.map(({ name }) => name));
  const isChoice = ({ name }: Tally) => choiceOf(name)?.subject === null;
  // Yes and no beside names are the answers to another question.
  const labels = isAnswered
    ? []
    : named.filter(
        (tally) => isChoice(tally) || recurring.has(normalName(tally.name)) || isUnlikePersons(tally, named),
      );
  const names = tallies.filter(
    (tally) =>
      (named.includes(tally) && !labels.includes(tally)) || (isAnswered && /^rejected$/i.test(tally.name.trim())),
  );
  const office = plainOffice(row.office);
  // `BE 03 (4)`: the district elects four members.
  const magnitude = IN_LEGISLATURE.test(office)
    ? /^(?<district>.*\S) ?\((?<seats>\d\d?)\)$/.exec(row.district)?.groups
    : undefined;
  const counted = areas.filter(({ ballots }) => ballots !== null);
  const stated = [...new Set(magnitude ? [Number(magnitude.seats)] : part.map((each) => each.magnitude))]
    .filter((seats) => seats > 0)
    .sort((a, b) => a - b);
  return {
    file,
    line: Math.min(...tallies.map(({ line }) => line)),
    problem,
    state,
    isNumberOfState,
    isNumberRepeated,
    isIncomplete,
    isSeatNumber,
    plainTitles,
    date: dayOf(row) ?? row.date,
    stage: row.stage.toUpperCase(),
    written: `${row.office} ${row.district}`,
    acronyms: acronymsOf(row.office),
    party: row.party,
    special: row.special || UNEXPIRED.test(office),
    office,
    district: districtOf(magnitude?.district ?? row.district, office),
    ofState: row.dataverse === '' ? null : /^(STATE|HOUSE|SENATE|PRESIDENT)$/i.test(row.dataverse),
    counties,
    towns,
    isPartial,
    countiesInFiles: [...townsOf.keys()].filter(isArea).length,
    isPartOfCounty,
    // In a state with fewer than three counties, local offices may be elected in all of them.
    everywhere: counties.length >= Math.max(3, all * 0.9),
    magnitudes: stated.length > 0 ? stated : [1],
    statesMagnitude: stated.length > 0,
    names,
    pseudo: tallies.filter((tally) => !names.includes(tally) && !labels.includes(tally)),
    labels,
    precincts: areas.reduce((sum, { precincts }) => sum + precincts, 0),
    scopes,
    isComplete,
    voters: areas.some(({ lacksBallots }) => lacksBallots) ? scopes.counties.all : scopes.counties.counted,
    ballots: counted.length === 0 ? null : counted.reduce((sum, { ballots }) => sum + (ballots ?? 0), 0),
    isQuestion: isQuestionOf(names.map(({ name }) => name)),
  };
}

function isYear(date: string): boolean {
  return /^[1-9]\d{3}$/.test(date);
}

/**
 * Returns the day of a general election of which the source has only the year: the Tuesday after the first Monday of
 * November (2 U.S.C. § 7). Undefined for other stages, and if the source has the day.
 */
function dayOf({ date, stage }: ContestRow): string | undefined {
  if (!isYear(date) || !/^GEN(ERAL)?$/i.test(stage)) return undefined;
  const first = new Date(`${date}-11-01T00:00:00Z`).getUTCDay();
  return `${date}-11-0${2 + ((8 - first) % 7)}`;
}

function badOf(rows: readonly SumRow[], csv: ResultSums['csv']): string | undefined {
  const bad = rows.find(({ bad_record }) => bad_record !== null);
  if (!bad) return undefined;
  const text = JSON.stringify((bad.bad_votes ?? '').slice(0, 80));
  return `line ${csv.lineOf(bad.bad_record ?? 0)}: votes: ${text} is not a number of votes`;
}

const IN_LEGISLATURE = /\b(SENAT|HOUSE|ASSEMBLY|LEGISLAT|REPRESENTATIVE|DELEGATE)/;

/** Normalises a district: sources write the whole state and an at-large district in several ways. */
function districtOf(district: string, office: string): string {
  const plain = district
    .toUpperCase()
    .trim()
    .replace(/^(NA|NAN|NULL)$/, '')
    .replace(/^0+(?=.)/, '')
    .replace(/\.0$/, '');
  if (/^U\.?S\.? (HOUSE|REPRESENTATIVE|CONGRESS)/.test(office))
    return plain
      .replace(/^(STATEWIDE|AT[- ]LARGE|AL|0)$/, '')
      .replace(/^(?:CONGRESSIONAL )?(?:DIST(?:RICT|\.)?|CD) ?-?0*(\d+)$/, '$1')
      .replace(/^0*(\d+)(?:ST|ND|RD|TH)(?: (?:CONGRESSIONAL )?DIST(?:RICT|\.)?)?$/, '$1');
  // `SD31`, `HD-004`: the abbreviation of the chamber is part of the number in some sources.
  const numbered = /^(?:[SHL]D|AD|DIST(?:RICT)?\.?|(?:SENATE|HOUSE|ASSEMBLY) DISTRICT)[ -]?0*(\d+[A-Z]?)$/.exec(
    plain,
  )?.[1];
  // `2nd Representative District`
  const ordinal =
    /^0*(\d+)(?:ST|ND|RD|TH)(?: (?:REPRESENTATIVE|SENATORIAL|SENATE|HOUSE|LEGISLATIVE|ASSEMBLY))? DIST(?:RICT|\.)?$/.exec(
      plain,
    )?.[1];
  if (ordinal && IN_LEGISLATURE.test(office)) return ordinal;
  if (numbered && IN_LEGISLATURE.test(office)) return numbered;
  return plain === '0' ? '' : plain;
}

function distinct(areas: readonly Area[]): Area[] {
  return [...new Map(areas.map((area) => [area.name, { ...area, fips: area.fips.replace(/\.0$/, '') }])).values()];
}
