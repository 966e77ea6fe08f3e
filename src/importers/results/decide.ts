import { pseudoCandidate } from '../facts/counted-words.ts';
import { MOST_PER_BALLOT } from './ballots.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { type LawFacts, lawOn } from './laws.ts';
import type { OfficeRow } from './office-rows.ts';

/** Why a race has no outcome: the kinds of the report. */
export type Withheld =
  | 'electors'
  | 'recall'
  | 'counties-missing'
  | 'unknown-counties'
  | 'seats-unknown'
  | 'no-majority'
  | 'ranked-choice'
  | 'more-votes-than-ballots'
  | 'votes-may-be-missing'
  | 'unnamed-votes'
  | 'mark-on-winner'
  | 'no-person-leads';

/** A race whose votes are all added up. */
export interface CountedRace {
  readonly row: OfficeRow;
  readonly law: LawFacts;
  readonly isPrimary: boolean;
  readonly isRunoff: boolean;
  readonly isRecall: boolean;
  /** The number of seats; null if nothing states it. */
  readonly seats: number | null;
  readonly hasPosition: boolean;
  readonly names: Candidates;
  /** Whether all places that vote on it are in the files, and no text stands for an unknown part of one. */
  readonly places: 'complete' | 'counties-missing' | 'unknown-counties';
  /** The most votes that may be missing besides: of units without a count, of rows that are left out. */
  readonly missing: number;
  /** The ballots of its units by other contests with one vote a voter; undefined where there are none. */
  readonly ballots: number | undefined;
}

/** A winner with a smaller share of the votes may be one of several spellings of a written-in name. */
const WRITTEN_SHARE = 0.05;
/** From this ratio on, the rows of an office with one holder repeat votes. */
export const REPEATED_PER_BALLOT = 1.7;

export interface Decision {
  /** The outcome of each candidate, in their order; undefined where the votes do not prove it. */
  readonly outcomes: readonly ('Won' | 'Lost' | undefined)[];
  readonly withheld: Withheld | undefined;
}

/** Returns all votes for a person, named or not: the base of a majority. */
export function validVotes({ candidates, unnamed }: Candidates): number {
  return candidates.reduce((sum, { shown }) => sum + shown, unnamed);
}

/**
 * Returns who won, as far as the votes prove it. The most votes are not the office: a majority, further choices, counties or votes
 * that are missing, and marks of the source may decide otherwise. The first reason that speaks against an outcome is told.
 */
export function decide(race: CountedRace): Decision {
  const { candidates } = race.names;
  const none = candidates.map(() => undefined);
  const withheld = reasonAgainst(race);
  if (withheld || race.isPrimary) return { outcomes: none, withheld };
  const order = ranked(candidates);
  const winners = new Set(order.slice(0, race.seats ?? 1));
  // Where nothing states the number of seats, the only printed candidate has one, and another seat may be that of any other.
  const others = race.seats === null ? undefined : 'Lost';
  return {
    outcomes: candidates.map((each) => (winners.has(each) ? 'Won' : each.isPerson ? others : undefined)),
    withheld: undefined,
  };
}

/** Returns the persons, the one with the most votes first. */
function ranked(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ isPerson }) => isPerson).toSorted((a, b) => b.shown - a.shown);
}

function reasonAgainst(race: CountedRace): Withheld | undefined {
  const { row, law, names, seats } = race;
  if (race.isPrimary) return undefined;
  if (row.scope === 'president') return 'electors';
  if (race.isRecall) return 'recall';
  if (race.places !== 'complete') return race.places;
  if (names.candidates.some(({ several }) => several.length > 0)) return 'votes-may-be-missing';
  const order = ranked(names.candidates);
  const printed = order.filter(({ isWriteIn }) => !isWriteIn);
  if (seats === null && printed.length !== 1) return 'seats-unknown';
  if (seats !== null && hasMoreNominees(race, printed, seats)) return 'seats-unknown';
  const count = seats ?? 1;
  if (race.isRunoff && order.length > count * 2) return 'more-votes-than-ballots';
  if (race.ballots !== undefined && validVotes(names) > race.ballots * MOST_PER_BALLOT * count)
    return 'more-votes-than-ballots';
  const winners = order.slice(0, count);
  const last = winners.at(-1);
  if (!last || last.least === 0) return 'votes-may-be-missing';
  if (winners.some(({ mark }) => mark !== undefined)) return 'mark-on-winner';
  // Where every written-in name has a row, a winner may be one of them, under several spellings.
  const isWrittenIn = winners.some(({ isWriteIn, shown }) => isWriteIn || shown < validVotes(names) * WRITTEN_SHARE);
  if (isWrittenIn && lawOn('writes-all-names', law) !== undefined) return 'unnamed-votes';
  const choice = Math.max(0, ...names.candidates.filter(({ isPerson }) => !isPerson).map(({ most }) => most));
  if (choice >= last.least && lawOn('none-of-these', law) === undefined) return 'no-person-leads';
  if (names.unnamed > 0 && names.unnamed >= last.least) return 'unnamed-votes';
  const missing = race.missing + missingOfTotal(names);
  const rivals = order.slice(count);
  const most = Math.max(0, ...rivals.map((rival) => rival.most));
  if (rivals.length > 0 && last.least <= most + missing) return 'votes-may-be-missing';
  if (rivals.length === 0 && missing > last.least) return 'votes-may-be-missing';
  if (!needsMajority(race, order, count)) return undefined;
  const hasMajority = count === 1 && last.least * 2 > validVotes(names) + doubt(order, last) + missing;
  if (hasMajority) return undefined;
  return lawOn('ranked-choice', law) === undefined ? 'no-majority' : 'ranked-choice';
}

/** Returns the votes of a stated total that no row has. */
function missingOfTotal({ statedTotal, labels, ...names }: Candidates): number {
  if (statedTotal === undefined) return 0;
  const other = labels
    .filter(({ text }) => pseudoCandidate(text) === 'no vote')
    .reduce((sum, { votes }) => sum + votes, 0);
  return Math.max(0, statedTotal - validVotes({ ...names, labels, statedTotal }) - other);
}

/** Returns the votes that others than a candidate may have besides those that the source shows. */
function doubt(order: readonly Candidate[], than: Candidate): number {
  return order.reduce((sum, each) => sum + (each === than ? 0 : Math.max(0, each.most - each.shown)), 0);
}

/** Returns whether a party has more printed candidates than there are seats, though its own primary nominates no more: the number is wrong. */
function hasMoreNominees({ law }: CountedRace, printed: readonly Candidate[], seats: number): boolean {
  if (law.isSpecial || lawOn('all-party-primary', law) !== undefined || lawOn('majority', law) !== undefined)
    return false;
  return [...Map.groupBy(printed, ({ parties: [first] }) => first)].some(
    ([party, own]) => party && !NO_PARTIES.has(party) && own.length > seats,
  );
}

/**
 * Returns whether the law asks for a majority, or may: several candidates of one party, and three or more for a local office or a
 * court without parties, where some places have runoffs and others ranked choice, unless a row says plurality.
 */
function needsMajority({ row, law }: CountedRace, order: readonly Candidate[], seats: number): boolean {
  if (lawOn('majority', law) !== undefined || lawOn('ranked-choice', law) !== undefined) return true;
  const printed = order.filter(({ isWriteIn }) => !isWriteIn);
  if (seats > 1 || printed.length < 2) return false;
  const parties = printed.map(({ parties: [first] }) => first).filter((party) => party && !NO_PARTIES.has(party));
  if (new Set(parties).size < parties.length) return true;
  const isLocal = ['county', 'county part', 'town', 'district'].includes(row.scope);
  return (
    printed.length > 2 &&
    parties.length === 0 &&
    (isLocal || row.branch === 'Judicial') &&
    lawOn('plurality', law) === undefined
  );
}

const NO_PARTIES = new Set([
  ...['Nonpartisan', 'Independent', 'No Party Affiliation', 'Unaffiliated', 'Other', 'No Party'],
  ...['Nominated by Petition', 'Petitioning Candidate', 'By Petition'],
]);

/** Returns the outcome of a question by the share that a law asks for: `0.6/0.5` approves from the first on, and defeats below the second. */
export function decideQuestion(
  yes: { readonly least: number; readonly most: number },
  no: { readonly least: number; readonly most: number },
  missing: number,
  share: string,
): 'Approved' | 'Defeated' | undefined {
  const [approves, defeats] = share
    .split('/')
    .map((part) => (part === 'ballots' ? Number.POSITIVE_INFINITY : Number(part)));
  const isSure = (more: number, less: number, of: number, orEqual: boolean) =>
    orEqual ? more >= of * (more + less + missing) : more > of * (more + less + missing);
  if (approves !== undefined && isSure(yes.least, no.most, approves, approves > 0.5)) return 'Approved';
  if (defeats !== undefined && yes.most + missing <= defeats * (yes.most + missing + no.least) && no.least > 0) {
    const isBelow = defeats > 0.5 ? yes.most + missing < defeats * (yes.most + missing + no.least) : true;
    if (isBelow) return 'Defeated';
  }
  return undefined;
}
