import { type Election, generalElectionDay } from './calendar.ts';
import { houseOfficeId, senateOfficeId } from './ids.ts';
import { type Contest, candidatesOf, readContests, type Tally, validVotes } from './medsl.ts';
import { partyIds } from './parties.ts';
import { type RankedCandidate, type Round, readRankedChoice } from './ranked-choice.ts';
import { required, type Source } from './source.ts';
import { stateContest } from './state-offices.ts';
import type { Row } from './tables.ts';

/** The states whose results are in the sample, and the years. */
export const statesWithResults: readonly string[] = ['AK', 'ME', 'NM', 'VT'];
const years = [2018, 2022];

/** A candidate of a contest in its source, in the order of votes. */
export interface Entry {
  /** The name of a joint ticket is that of its first person. */
  name: string;
  runningMate: string | null;
  parties: number[];
  isWriteIn: boolean | null;
  votes: number;
  rounds: Round[];
}

/** A contest for one seat of an office. */
export interface RaceResult {
  election: Election;
  office: number;
  position: number | null;
  isSpecial: boolean;
  /** Null if the source does not state how the votes were counted. */
  isRankedChoice: boolean | null;
  entries: Entry[];
  /** The votes for candidates and others; in a ranked-choice contest, the first choices. */
  validVotes: number;
}

/** All contests of the sample, the state offices that they fill, and the contests that are questions. */
export interface Results {
  races: RaceResult[];
  stateOffices: (Row<'offices'> & { id: number })[];
  questions: { election: Election; contest: Contest }[];
}

/** Contests whose rounds are in a ranked-vote report; the general election of 2018 is not in the precinct results. */
const rankedReports = [
  { postal: 'ME', date: '2018-11-06', district: '02', isSpecial: false, folder: 'me/2018/11/cd02' },
  { postal: 'AK', date: '2022-08-16', district: '00', isSpecial: true, folder: 'ak/2022/08/cd' },
];

/**
 * Reads the contests of the states with results. `senateClass` returns which seat a state filled in a general election.
 */
export async function readResults(
  source: Source,
  elections: Election[],
  senateClass: (election: Election) => number,
): Promise<Results> {
  const electionOf = (postal: string, date: string): Election =>
    required(
      elections.find(({ state, date: day }) => state.postal === postal && day === date),
      `an election in ${postal} on ${date}`,
    );
  const results: Results = { races: [], stateOffices: [], questions: [] };
  for (const postal of statesWithResults) {
    for (const year of years) {
      const election = electionOf(postal, generalElectionDay(year));
      const name = `${year}-${postal.toLowerCase()}${year === 2022 ? '-local' : ''}-precinct-general.zip`;
      for (const contest of await readContests(source, `results/medsl/${year}/${name}`)) {
        addContest(results, election, contest, senateClass);
      }
    }
  }
  for (const { postal, date, district, isSpecial, folder } of rankedReports) {
    const election = electionOf(postal, date);
    const candidates = readRankedChoice(source, `results/ranked-vote/${folder}/report.json`);
    const office = houseOfficeId(election.state.fips + district);
    results.races.push(rankedRace(election, office, isSpecial, candidates));
  }
  return results;
}

function addContest(
  results: Results,
  election: Election,
  contest: Contest,
  senateClass: (election: Election) => number,
): void {
  const { fips, postal } = election.state;
  if (contest.tallies.some(({ name }) => name === 'YES')) {
    results.questions.push({ election, contest });
    return;
  }
  const forState = stateContest(fips, contest.office, contest.district);
  const office = forState?.row.id ?? federalOffice(fips, contest, () => senateClass(election));
  if (!office) return;
  if (forState && results.stateOffices.every(({ id }) => id !== office)) results.stateOffices.push(forState.row);
  results.races.push({
    election,
    office,
    position: forState?.position ?? null,
    isSpecial: false,
    isRankedChoice: isRanked(election, contest.office),
    entries: candidatesOf(contest, postal).map(entryOf),
    validVotes: validVotes(contest),
  });
}

function federalOffice(fips: string, { office, district }: Contest, senateClass: () => number): number | null {
  if (office === 'US SENATE') return senateOfficeId(fips, senateClass());
  return office === 'US HOUSE' ? houseOfficeId(fips + district.slice(-2).padStart(2, '0')) : null;
}

/**
 * Returns true for ranked-choice contests according to the notes of the 2022 results: Alaska's contests and Maine's for
 * the House; null otherwise, since other notes do not mention it.
 */
function isRanked({ state, date }: Election, office: string): true | null {
  if (!date.startsWith('2022')) return null;
  return state.postal === 'AK' || (state.postal === 'ME' && office === 'US HOUSE') ? true : null;
}

function entryOf({ name, party, writeIn, votes }: Tally): Entry {
  const [first = name, runningMate = null] = name.split(' AND ');
  return { name: first, runningMate, parties: partyIds(party), isWriteIn: writeIn, votes, rounds: [] };
}

function rankedRace(election: Election, office: number, isSpecial: boolean, candidates: RankedCandidate[]): RaceResult {
  const entries = candidates.map(({ name, rounds }) => ({
    name,
    runningMate: null,
    parties: [],
    isWriteIn: false,
    votes: rounds.reduce((sum, { votesFor }) => sum + votesFor, 0),
    rounds,
  }));
  return {
    election,
    office,
    position: null,
    isSpecial,
    isRankedChoice: true,
    entries: entries.sort((a, b) => b.votes - a.votes),
    validVotes: entries.reduce((sum, { rounds }) => sum + (rounds[0]?.votesFor ?? 0), 0),
  };
}
