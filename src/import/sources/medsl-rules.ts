import type { Counting } from '../elections/outcomes.ts';
import { type Contest, type Tally, votesOf } from '../elections/tallies.ts';
import { normalName } from '../matching.ts';
import type { Report } from '../report.ts';
import type { MedslFacts } from './medsl-contests.ts';
import { vermontHouseSeats } from './vermont-house.ts';

type MedslContest = Contest<MedslFacts>;

/** Party labels that a file has in place of a candidate's name. */
const PARTY_AS_NAME = ['republican', 'democrat', 'democratic'];

/** A county of Vermont has two assistant judges (Vt. Const. ch. II § 50); the source has one. */
const VERMONT_ASSISTANT_JUDGES = 2;

/**
 * Returns the number of seats that a contest of a district (its OCD id) fills: `magnitude`; the maximum if there are
 * several.
 */
export function seatsOf({ facts }: MedslContest, ocdid: string, report: Report, record: string): number {
  const { state, date, office, magnitudes } = facts;
  const inHouse = state.postal === 'VT' && office === 'STATE HOUSE' ? vermontHouseSeats(ocdid, date) : undefined;
  if (inHouse !== undefined) return inHouse;
  if (state.postal === 'VT' && office === 'ASSISTANT JUDGE') return VERMONT_ASSISTANT_JUDGES;
  if (magnitudes.size > 1) report.add(record, `the magnitude is ${[...magnitudes].join(' and ')}: the largest is used`);
  return Math.max(...magnitudes);
}

const IS_PARTY = 'is the name of a party and not of a candidate';

/** The states in which every name written in by a voter has a row in the results. */
const NAMES_ALL_WRITE_INS = ['VT'];
/**
 * The minimum share of precincts with votes for a printed name: printed statewide names have votes in at least 79 % of
 * the precincts, written-in names in at most 62 %.
 */
const PRINTED_SHARE = 0.7;

/**
 * Returns the candidates of a contest, the one with the most votes first. If every written-in name has a row, only
 * names are returned that have more votes than a printed one or would fill a seat; the rest are counted in the report.
 */
export function printedNames(contest: MedslContest, seats: number, report: Report, record: string): Tally[] {
  const sorted = contest.names.toSorted((a, b) => (votesOf(b) ?? 0) - (votesOf(a) ?? 0) || (a.name < b.name ? -1 : 1));
  const named = sorted.filter(({ name, hidden, byMode, totals }) => {
    if (!PARTY_AS_NAME.includes(normalName(name))) return true;
    report.add(record, `${name} ${IS_PARTY}: ${hidden > 0 ? '*' : byMode + totals} votes`, IS_PARTY);
    return false;
  });
  if (!NAMES_ALL_WRITE_INS.includes(contest.facts.state.postal)) return named;
  // The name with the most votes has them in all precincts of the district, while a famous name is written in far
  // beyond it.
  const widest = named[0]?.precincts.size ?? 1;
  const isPrinted = ({ party, precincts, writeIn }: Tally) =>
    precincts.size >= widest * PRINTED_SHARE && (party !== '' || !writeIn || widest >= 20);
  const printed = named.filter(isPrinted);
  const least = Math.min(...printed.map((tally) => votesOf(tally) ?? 0));
  const kept = named.filter(
    (tally, index) => isPrinted(tally) || (votesOf(tally) ?? 0) > least || (printed.length === 0 && index < seats),
  );
  const others = named.filter((tally) => !kept.includes(tally));
  const votes = others.reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
  if (others.length > 0)
    report.add(record, `${others.length} names that were written in, with ${votes} votes, are no candidates`);
  return kept.map((tally) => ({ ...tally, writeIn: !isPrinted(tally) }));
}

/**
 * Returns whether a contest is ranked-choice: in Alaska general elections from 2022 on; in Maine for Congress from 2018
 * on (21-A M.R.S. § 723-A).
 */
export function isRankedChoice({ state, date, office, stage }: MedslFacts): boolean {
  if (stage !== 'GEN') return false;
  if (state.postal === 'AK') return date >= '2022-08-16';
  return state.postal === 'ME' && date >= '2018-06-12' && /^US (HOUSE|SENATE)$/.test(office);
}

/** Offices that Vermont's legislature fills if no candidate has a majority (Vt. Const. ch. II § 47). */
const VERMONT_MAJORITY = /^(GOVERNOR|LIEUTENANT GOVERNOR|STATE TREASURER)$/;
/** New Mexico suppresses counts under 6 in its results of 2022. */
const MOST_HIDDEN = 5;

export function countingOf(contest: MedslContest, candidates: readonly Tally[], seats: number): Counting {
  const { facts } = contest;
  const { state, date, office } = facts;
  const hides = state.postal === 'NM' && date === '2022-11-08';
  const everywhere = contest.precincts;
  // The leader of a contest without printed names may appear under several spellings.
  const isWrittenIn = candidates.every((each) => each.writeIn);
  const unsure = state.postal === 'VT' && (isWrittenIn || candidates.length < seats);
  return {
    seats,
    needsMajority: isRankedChoice(facts) || (state.postal === 'VT' && VERMONT_MAJORITY.test(office)),
    validVotes: contest.validVotes,
    hidden: (index) => {
      if (unsure) return Number.POSITIVE_INFINITY;
      return hides ? MOST_HIDDEN * (everywhere - (candidates[index]?.precincts.size ?? 0)) : 0;
    },
  };
}
