import type { ResultCells } from './result-cells.ts';
import { Sums } from './sum-totals.ts';

/** Matches the office of a contest in which each voter has one vote: for president, Congress and governor. */
const HAS_ONE_VOTE = /^(US |UNITED STATES |GOVERNOR|PRESIDENT)/;
/** From this ratio of its votes to those of any other contest of its voters on, and this number, a contest repeats votes. */
const MOST_TIMES = 1.7;
const FEWEST_VOTES = 200;

/** The ballots of precincts, and what they show about contests. */
export interface PrecinctBallots {
  /** The highest number of votes in a contest of the unit with one vote per voter. */
  readonly ofUnit: ReadonlyMap<number, number>;
  /** The votes of each office with one vote per voter, by its number and that of the unit. */
  readonly ofOffices: Sums;
  /** Why a contest with one vote per voter cannot have its votes. */
  readonly exceeding: ReadonlyMap<number, string>;
  /** The contests with far more votes in a unit than any other one with one vote per voter. */
  readonly outliers: readonly Outlier[];
}

/** A contest with far more votes in a unit than others have there. */
export interface Outlier {
  readonly contest: number;
  readonly unit: number;
  readonly votes: number;
  /** The most votes of another contest. */
  readonly others: number;
}

/** Further offices of one holder, whose votes are compared with those of the others in each precinct. */
const IS_OF_STATE =
  /^(STATE SENAT|SECRETARY OF STATE|ATTORNEY GENERAL|(STATE )?(TREASURER|AUDITOR|CONTROLLER|COMPTROLLER)$)/;
/** In one precinct, voters may skip the other contests: the ratio, and the number, from which its votes are a slip. */
const MOST_TIMES_IN_PRECINCT = 3;
const FEWEST_MORE_IN_PRECINCT = 200;

/** Returns the ballots of the units, by the contests in which a voter has one vote. */
export function precinctBallots(cells: ResultCells): PrecinctBallots {
  const offices = new Map<string, number>();
  /** The number of the office of each contest: the districts of one office share its voters. */
  const officeOf = new Map<number, number>();
  /** The party of the primary of each contest: other parties have other voters. */
  const partyOf = new Map<number, string>();
  const ofState = new Set<number>();
  const ofPrimary = new Set<number>();
  const several = new Set<number>();
  cells.forEach((cell) => {
    if (cells.magnitudeOf(cell) > 1) several.add(cells.contestOf(cell));
  });
  for (const { contest, office, stage, party } of cells.contests) {
    const name = office.replaceAll('.', '').toUpperCase();
    // The voters of a party may be few.
    if (stage.toUpperCase().startsWith('PRI')) ofPrimary.add(contest);
    else if (IS_OF_STATE.test(name) && !several.has(contest)) ofState.add(contest);
    if (!HAS_ONE_VOTE.test(name)) continue;
    const key = `${name} ${stage} ${party}`;
    const number = offices.get(key) ?? offices.size;
    offices.set(key, number);
    officeOf.set(contest, number);
    if (party !== '') partyOf.set(contest, party);
  }
  const votes = new Sums();
  const further = new Sums();
  cells.forEach((cell) => {
    const contest = cells.contestOf(cell);
    if (ofState.has(contest)) further.add(contest, cells.unitOf(cell), cells.votesOf(cell));
    if (officeOf.has(contest)) votes.add(contest, cells.unitOf(cell), cells.votesOf(cell));
  });
  const ofUnit = new Map<number, number>();
  const ofOffices = new Sums();
  votes.forEach((contest, unit, count) => {
    ofOffices.add(officeOf.get(contest) ?? -1, unit, count);
  });
  votes.forEach((_, unit, count) => {
    ofUnit.set(unit, Math.max(ofUnit.get(unit) ?? 0, count));
  });
  const outliers = [votes, further]
    .flatMap((of) => outliersOf(of, officeOf, ofOffices))
    .filter(({ contest }) => !ofPrimary.has(contest));
  return { ofUnit, ofOffices, exceeding: exceedingContests(officeOf, partyOf, votes), outliers };
}

/** The office with the most votes of a group of voters, with its votes and the most of another office. */
interface LargestOffice {
  readonly office: number;
  readonly first: number;
  second: number;
}

/** Returns the largest office of each group of voters. */
function largestOffices(ofOffices: Sums): ReadonlyMap<number, LargestOffice> {
  const largest = new Map<number, LargestOffice>();
  ofOffices.forEach((office, voters, count) => {
    const known = largest.get(voters);
    if (!known) largest.set(voters, { office, first: count, second: 0 });
    else if (count > known.first) largest.set(voters, { office, first: count, second: known.first });
    else known.second = Math.max(known.second, count);
  });
  return largest;
}

/** Returns the most votes of these voters for an office other than the given one; 0 if there is none. */
function mostForOthers(largest: LargestOffice | undefined, office: number | undefined): number {
  if (!largest) return 0;
  return largest.office === office ? largest.second : largest.first;
}

function outliersOf(votes: Sums, officeOf: ReadonlyMap<number, number>, ofOffices: Sums): Outlier[] {
  const largest = largestOffices(ofOffices);
  const found: Outlier[] = [];
  votes.forEach((contest, unit, count) => {
    if (count < FEWEST_MORE_IN_PRECINCT) return;
    const others = mostForOthers(largest.get(unit), officeOf.get(contest));
    if (others > 0 && count > others * MOST_TIMES_IN_PRECINCT && count > others + FEWEST_MORE_IN_PRECINCT)
      found.push({ contest, unit, votes: count, others });
  });
  return found;
}

/** The least share of the votes of a contest that is in units with votes for another office. */
const COMPARED_SHARE = 0.8;

interface Compared {
  all: number;
  /** The votes of the contest in units with votes for another office, and the most of another office there. */
  compared: number;
  others: number;
}

function exceedingContests(
  officeOf: ReadonlyMap<number, number>,
  partyOf: ReadonlyMap<number, string>,
  votes: Sums,
): ReadonlyMap<number, string> {
  const parties = [...new Set(partyOf.values())];
  /** A number for the voters of a contest in a unit: those of one party in a primary. */
  const votersOf = (contest: number, unit: number) =>
    unit * (parties.length + 1) + parties.indexOf(partyOf.get(contest) ?? '') + 1;
  const ofOffices = new Sums();
  votes.forEach((contest, unit, count) => {
    ofOffices.add(officeOf.get(contest) ?? -1, votersOf(contest, unit), count);
  });
  const largest = largestOffices(ofOffices);
  const totals = new Map<number, Compared>();
  votes.forEach((contest, unit, count) => {
    const total = totals.get(contest) ?? { all: 0, compared: 0, others: 0 };
    totals.set(contest, total);
    total.all += count;
    const others = mostForOthers(largest.get(votersOf(contest, unit)), officeOf.get(contest));
    if (others === 0) return;
    total.compared += count;
    total.others += others;
  });
  const exceeds = ({ all, compared, others }: Compared) =>
    all >= FEWEST_VOTES && compared >= all * COMPARED_SHARE && compared > others * MOST_TIMES;
  const why = ({ compared, others }: Compared) =>
    `has ${compared} votes where no other contest of the same voters has more than ${others}: rows repeat votes`;
  return new Map([...totals].filter(([, total]) => exceeds(total)).map(([contest, total]) => [contest, why(total)]));
}

/** Returns the most votes that a count which is hidden, or contradicts another one, may add to those of a cell. */
export function doubtOf(cells: ResultCells, cell: number, ballots: ReadonlyMap<number, number>): number {
  if (cells.hiddenOf(cell) === 0) return 0;
  const contradiction = cells.contradictionOf(cell);
  if (contradiction) return Math.abs(contradiction.total - contradiction.byMode);
  return ballots.get(cells.unitOf(cell)) ?? Number.POSITIVE_INFINITY;
}
