import { dictionary } from '../../base/dictionary.ts';
import type { State } from '../../base/words/states.ts';
import type { Report } from '../exchange/report.ts';
import type { ContestOffice } from './contest-offices.ts';
import { isPartyAsName } from './names.ts';
import { branchOf, isCountyOffice, isOfEachCounty } from './offices.ts';
import type { Counting } from './outcomes.ts';
import { type Contest, type Tally, validVotes, votesOf } from './result-contests.ts';
import { vermontHouseSeats } from './vermont-house.ts';
import { NAMES_ALL_WRITE_INS } from './written-in-names.ts';

/** A county of Vermont has two assistant judges (Vt. Const. ch. II § 50); the source has one. */
const VERMONT_ASSISTANT_JUDGES = 2;

/** A town of Connecticut has two registrars of voters, each of another party (Conn. Gen. Stat. §§ 9-189a, 9-190); the source has one. */
const CONNECTICUT_REGISTRARS = 2;

/** Returns the number of seats of a contest in a district (its OCD id), as the law sets it or the source states it. */
export function statedSeats({ state, date, office, magnitudes }: Contest, ocdid: string): number {
  const inHouse = state.postal === 'VT' && office === 'STATE HOUSE' ? vermontHouseSeats(ocdid, date) : undefined;
  if (inHouse !== undefined) return inHouse;
  if (state.postal === 'VT' && office === 'ASSISTANT JUDGE') return VERMONT_ASSISTANT_JUDGES;
  if (state.postal === 'CT' && /^REGISTRARS? OF VOTERS$/.test(office)) return CONNECTICUT_REGISTRARS;
  return Math.max(...magnitudes);
}

/** The seats that a contest fills. */
interface Seats {
  readonly seats: number;
  /** True if the votes are more than the ballots, for an office that one person holds: they do not show who won. */
  readonly isExceeded: boolean;
}

const EXCEEDED = 'has more votes than ballots for an office of one holder: the outcome is unknown';

/** Returns the number of seats that a contest fills: the stated one, or more if the votes show that. */
export function seatsOf(
  contest: Contest,
  { office: { values }, position }: ContestOffice,
  stated: number,
  report: Report,
  record: string,
): Seats {
  const { magnitudes } = contest;
  if (magnitudes.length > 1)
    report.add(record, 'more-votes-than-ballots', `the magnitude is ${magnitudes.join(' and ')}: the largest is used`);
  const least = fewestSeats(contest);
  if (least <= stated) return { seats: stated, isExceeded: false };
  if (stated === 1 && (position !== undefined || values.branch === 'Executive' || values.chamber === 'Upper')) {
    report.add(record, 'more-votes-than-ballots', EXCEEDED);
    return { seats: stated, isExceeded: true };
  }
  report.add(
    record,
    'more-votes-than-ballots',
    `has more than ${stated} votes per ballot: at least ${least} are elected; ${areAllElected(contest, contest.names.length) ? 'so all candidates are' : 'the winners are unknown'}`,
  );
  return { seats: least, isExceeded: false };
}

/** The tolerated ratio of votes to ballots, since ballots are counted by the votes of the contest at the top. */
const MOST_VOTES_PER_BALLOT = 1.1;
const FEWEST_BALLOTS = 20;

/** Returns the lowest number of votes per voter that explains the votes, given the ballots in the precincts. */
export function fewestSeats(contest: Contest): number {
  const { ballots } = contest;
  if (ballots === null || ballots < FEWEST_BALLOTS || contest.stage.startsWith('PRI')) return 1;
  const share = validVotes(contest) / ballots;
  const fewest = share > MOST_VOTES_PER_BALLOT ? Math.ceil(share - (MOST_VOTES_PER_BALLOT - 1)) : 1;
  return Math.min(fewest, Math.max(1, contest.names.length));
}

/** From this ratio on, votes for an office of one holder are repeated. */
const REPEATED_VOTES_PER_BALLOT = 1.7;

/**
 * Returns whether a contest for an office of one holder, not for a member of a body, has so many more votes than ballots that its
 * file must repeat votes.
 */
export function isFarExceeded(contest: Contest): boolean {
  if (branchOf(contest.office) !== 'Executive') return false;
  return contest.voters > 0 && validVotes(contest) > contest.voters * REPEATED_VOTES_PER_BALLOT;
}

/** A lower ratio of votes to ballots may be due to precincts without ballots. */
const CERTAIN_VOTES_PER_BALLOT = 1.3;

/**
 * Returns whether all candidates of a body of several members are elected: voters have at least as many votes as there
 * are candidates. The office of an executive has one holder, so that more votes than ballots are an error there.
 */
function areAllElected(contest: Contest, candidates: number): boolean {
  const { office, ballots } = contest;
  if (ballots === null || office.startsWith('US ') || branchOf(office) !== 'Legislative') return false;
  return validVotes(contest) >= ballots * CERTAIN_VOTES_PER_BALLOT && fewestSeats(contest) >= candidates;
}

const IS_PARTY = 'is the name of a party, not of a candidate';

/**
 * The minimum share of precincts with votes for a printed name: printed statewide names have votes in at least 79 % of
 * the precincts, written-in names in at most 62 %.
 */
const PRINTED_SHARE = 0.7;
/** The least votes in a precinct, on average, for a name without a party that may be printed. */
const PRINTED_VOTES = 5;

/** A name with fewer votes than this number, and than this share of the leader's, is not printed on ballots of the district. */
const LEAST_PRINTED = { votes: 20, share: 0.01 };

/** From this share of the votes on, a name is a candidate in however few precincts it has them. */
const CANDIDATE_SHARE = 0.05;

/**
 * Returns the candidates of a contest, the one with the most votes first. If every written-in name has a row, only
 * names are returned that have more votes than a printed one or would fill a seat; the rest are counted in the report.
 */
export function printedNames(contest: Contest, seats: number, report: Report, record: string): Tally[] {
  const sorted = contest.names.toSorted((a, b) => (votesOf(b) ?? 0) - (votesOf(a) ?? 0) || (a.name < b.name ? -1 : 1));
  const named = sorted.filter(({ name, hidden, shown }) => {
    if (!isPartyAsName(name)) return true;
    report.add(record, 'labels-in-place-of-names', `${name} ${IS_PARTY}: ${hidden > 0 ? '*' : shown} votes`, IS_PARTY);
    return false;
  });
  if (!NAMES_ALL_WRITE_INS.includes(contest.state.postal)) return named;
  // The leader has votes in all precincts of the district, while a famous name is also written in outside of it.
  const widest = named[0]?.precincts ?? 1;
  const least = Math.min(LEAST_PRINTED.votes, (named[0]?.shown ?? 0) * LEAST_PRINTED.share);
  const isPrinted = ({ party, precincts, writeIn, shown }: Tally) =>
    shown >= least &&
    precincts >= widest * PRINTED_SHARE &&
    (party !== '' || !writeIn || (widest >= 20 && shown >= precincts * PRINTED_VOTES));
  const printed = named.filter(isPrinted);
  const lowest = Math.min(...printed.map((tally) => votesOf(tally) ?? 0));
  const all = named.reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
  const candidates = named.filter(
    (tally, index) =>
      isPrinted(tally) ||
      (votesOf(tally) ?? 0) > Math.min(lowest, all * CANDIDATE_SHARE) ||
      (printed.length === 0 && index < seats),
  );
  const others = named.filter((tally) => !candidates.includes(tally));
  const votes = others.reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
  if (others.length > 0)
    report.add(record, 'left-out', `${others.length} written-in names with ${votes} votes are not candidates`);
  return candidates.map((tally) => ({ ...tally, writeIn: !isPrinted(tally) }));
}

/**
 * Returns whether a contest is ranked-choice: in Alaska general elections from 2022 on; in Maine for Congress from 2018
 * on (21-A M.R.S. § 723-A).
 */
export function isRankedChoice({
  state,
  date,
  office,
  stage,
}: Pick<Contest, 'state' | 'date' | 'office' | 'stage'>): boolean {
  if (stage !== 'GEN') return false;
  if (state.postal === 'AK') return date >= '2022-08-16';
  return state.postal === 'ME' && date >= '2018-06-12' && /^US (HOUSE|SENATE)$/.test(office);
}

/** Offices that Vermont's legislature fills if no candidate has a majority (Vt. Const. ch. II § 47). */
const VERMONT_MAJORITY = /^(GOVERNOR|LIEUTENANT GOVERNOR|STATE TREASURER)$/;
/** New Mexico suppresses counts under 6 in its results of 2022. */
const MOST_HIDDEN = 5;

/**
 * States whose lower houses have districts of several members, and those whose upper houses have: nothing but the source or an
 * edition of officeholders shows how many a district elects. West Virginia had them until 2022.
 */
const OF_SEVERAL_MEMBERS = { Lower: ['AZ', 'MD', 'ND', 'NH', 'NJ', 'SD', 'VT', 'WV'], Upper: ['VT'] };

/** Returns whether some districts of a chamber of a state elect several members at once on a day. */
export function electsSeveral({ postal }: State, chamber: 'Lower' | 'Upper', date: string): boolean {
  return OF_SEVERAL_MEMBERS[chamber].includes(postal) && (postal !== 'WV' || date < '2022-01-01');
}

/**
 * Returns the number of seats that a contest fills, if the source, an edition of officeholders or the law states it: null if only
 * the votes show that there are several, and for a council, a board or a court without a numbered seat or district.
 * @param members the seats of a district of a lower house, if its members show them.
 */
export function knownSeats(
  contest: Contest,
  of: ContestOffice,
  {
    seats,
    stated,
    members,
  }: { readonly seats: number; readonly stated: number; readonly members: number | 'unknown' | undefined },
): number | null {
  if (members === 'unknown' || seats > stated) return null;
  return contest.statesMagnitude || stated > 1 || members !== undefined || hasOneHolder(contest, of) ? seats : null;
}

/** Returns whether the law has one holder elected at a time: of a numbered seat or district, a title, or a seat of a legislature. */
function hasOneHolder(
  { state, date, office: name }: Contest,
  { office: { place, values }, position }: ContestOffice,
): boolean {
  const { type, name: district } = place.row.values;
  if (position !== undefined || values.level === 'Federal') return true;
  if (values.chamber === 'Lower' || values.chamber === 'Upper') return !electsSeveral(state, values.chamber, date);
  if (values.branch === 'Judicial') return isOfEachCounty(name) || isCountyOffice(name) || type === 'State';
  if (values.branch !== 'Legislative' || values.level !== 'Local' || /\b(PRESIDENT|CHAIR\w*)\b/.test(name)) return true;
  const isPart = / subdivision$/.test(String(type)) && type !== 'County subdivision';
  return isPart || /\b(District|Ward|Precinct|Zone|Area|Region) \w+$/.test(String(district));
}

/** Returns whether a contest without a known number of seats may elect other candidates than its first one. */
export function mayElectSeveral(contest: Contest, candidates: readonly Tally[], known: number | null): boolean {
  const printed = candidates.filter(({ writeIn }) => !writeIn);
  return known === null && printed.length > 1 && !areAllElected(contest, candidates.length);
}

/** The facts about a contest for which laws require a majority. */
interface MajorityFacts {
  readonly date: string;
  readonly special: boolean;
  readonly isLocal: boolean;
  readonly isStatewide: boolean;
}

/** States whose laws require a majority in a general election, and have a runoff without one. */
const MAJORITY_LAWS: Readonly<Record<string, (facts: MajorityFacts) => boolean>> = dictionary({
  // Ark. Code § 7-5-106
  AR: ({ isLocal }) => isLocal,
  // O.C.G.A. § 21-2-501
  GA: () => true,
  // La. R.S. 18:511
  LA: () => true,
  // Miss. Const. art. V § 140; Miss. Code § 23-15-833
  MS: ({ date, special, isStatewide }) => special || (isStatewide && date > '2020-11-03'),
  // Tex. Elec. Code §§ 203.003, 204.021
  TX: ({ special }) => special,
});

const WITHOUT_PARTY = /^(|NON-?PARTISAN|NP|NON|IND|INDEPENDENT|UNAFFILIATED|NO PARTY\b.*|NOP|NPA|OTHER)$/;

/** The types of districts that have boards and no other offices. */
const OF_BOARDS = /^(School|Special) district\b/i;

/**
 * Returns whether a contest for one seat may need a majority, and have a runoff or count further choices if no candidate has one:
 * where the law says so, in an election of all parties together, which several candidates of one party show, and for local
 * offices and courts without parties, since some cities have runoffs and others ranked choice. Boards of schools and special
 * districts are elected by a plurality.
 */
function mayHaveRunoff(
  { state, date, special, office, stage }: Contest,
  candidates: readonly Tally[],
  seats: number,
  of: ContestOffice | undefined,
): boolean {
  if (!of || !/^GEN(ERAL)?$/.test(stage) || /^(US )?PRESIDENT\b/.test(office)) return false;
  const { values, place } = of.office;
  const isLocal = values.level === 'Local';
  const type = String(place.row.values.type);
  const isStatewide = values.level === 'State' && type === 'State';
  if (MAJORITY_LAWS[state.postal]?.({ date, special, isLocal, isStatewide })) return true;
  if (seats > 1 || candidates.length < 3) return false;
  const parties = candidates
    .filter(({ writeIn }) => !writeIn)
    .map(({ party }) => party.toUpperCase().split('/')[0] ?? '')
    .filter((party) => !WITHOUT_PARTY.test(party));
  if (parties.length === 0) return (isLocal && !OF_BOARDS.test(type)) || values.branch === 'Judicial';
  return new Set(parties).size < parties.length;
}

/**
 * Returns how the votes of a contest are counted.
 * @param known the number of seats, if it is known.
 * @param missing the most ballots with a vote on the contest in precincts without a count of it.
 */
export function countingOf(
  contest: Contest,
  candidates: readonly Tally[],
  {
    seats,
    known = seats,
    missing,
  }: { readonly seats: number; readonly known?: number | null; readonly missing: number },
  of?: ContestOffice,
): Counting {
  const { state, date, office } = contest;
  const hides = state.postal === 'NM' && date === '2022-11-08';
  const everywhere = contest.precincts;
  // The leader of a contest without printed names may appear under several spellings.
  const isWrittenIn = candidates.every((each) => each.writeIn);
  const isVermont = state.postal === 'VT';
  return {
    seats,
    needsMajority:
      isRankedChoice(contest) ||
      (state.postal === 'VT' && VERMONT_MAJORITY.test(office)) ||
      mayHaveRunoff(contest, candidates, seats, of),
    validVotes: validVotes(contest),
    // A file without the votes for others does not show a majority.
    unknown:
      mayElectSeveral(contest, candidates, known) ||
      (isVermont && isWrittenIn) ||
      (contest.ofState === null && isRankedChoice(contest)),
    hidden: (index) => {
      if (isVermont && candidates.length < seats) return Number.POSITIVE_INFINITY;
      const { precincts = 0, doubt = 0 } = candidates[index] ?? {};
      return doubt + missing + (hides ? MOST_HIDDEN * (everywhere - precincts) : 0);
    },
  };
}
