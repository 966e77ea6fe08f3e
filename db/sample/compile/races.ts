import { candidateId, electionId, raceId } from './ids.ts';
import { displayName } from './names.ts';
import type { People, Person } from './people.ts';
import type { Entry, RaceResult } from './results.ts';
import { required } from './source.ts';
import type { Dataset, Row } from './tables.ts';
import { type Edition, isTermOf, type OfficeTerm } from './terms.ts';

interface Candidacy {
  race: RaceResult;
  entry: Entry;
  person: Person;
  id: number;
}

/** Returns the race, candidate and round rows of the contests; adds new persons to `people`. */
export function raceRows(
  races: RaceResult[],
  people: People,
): Pick<Dataset, 'races' | 'candidates' | 'ranked_choice_rounds'> {
  const sorted = [...races].sort((a, b) => a.election.date.localeCompare(b.election.date) || idOf(a) - idOf(b));
  const candidacies = sorted.map((race) =>
    race.entries
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map((entry, index): Candidacy => {
        const person = people.find(race.election.state.postal, entry.name);
        return { race, entry, person, id: candidateId(idOf(race), index + 1) };
      }),
  );
  const all = candidacies.flat();
  const outcomes = candidacies.map((candidates) => ({ candidates, winner: winnerOf(candidates) }));
  return {
    races: outcomes.map(({ candidates, winner }) => raceRow(required(candidates[0], 'a candidate').race, winner)),
    candidates: outcomes.flatMap(({ candidates, winner }) =>
      candidates.map((candidacy) => candidateRow(candidacy, winner, all)),
    ),
    ranked_choice_rounds: all.flatMap(({ id, entry }) =>
      entry.rounds.map(({ round, votesFor, status }) => ({ candidate_id: id, round, votes_for: votesFor, status })),
    ),
  };
}

const yearOf = ({ election }: RaceResult): number => Number(election.date.slice(0, 4));

const idOf = (race: RaceResult): number => raceId(yearOf(race), race.isSpecial, race.office, race.position);

/**
 * Returns the winner of the single seat: by the rounds; otherwise by the most votes, which must be a majority in a
 * ranked-choice contest. Without a majority and rounds it is the candidate who then took office; null if no source has
 * that term.
 */
function winnerOf(candidates: Candidacy[]): Candidacy | null {
  const [first, second] = candidates.toSorted((a, b) => b.entry.votes - a.entry.votes);
  const byRounds = candidates.find(({ entry }) => entry.rounds.at(-1)?.status === 'Won');
  if (!first || byRounds) return byRounds ?? null;
  const { race, entry } = first;
  if (race.isRankedChoice && entry.votes * 2 <= race.validVotes) return candidates.find(termAfter) ?? null;
  if (entry.votes === second?.entry.votes) throw new Error(`race ${idOf(race)} has a tie`);
  return first;
}

/** Returns the term of the race's office that the candidate began after the election. */
const termAfter = ({ race, person }: Candidacy): OfficeTerm | undefined =>
  person.known?.editions.at(-1)?.terms.find((term) => isTermOf(race.office, race.election.date, term));

/**
 * Returns true if a term of the race's office covers the election day; undefined if no source from before that day has
 * such a term. A later source would have the terms of the winners only.
 */
const isIncumbent = (candidacy: Candidacy): true | undefined =>
  editionBefore(candidacy)?.terms.some(
    ({ office, start, end }) =>
      office === candidacy.race.office &&
      start !== null &&
      start < candidacy.race.election.date &&
      candidacy.race.election.date < end,
  ) || undefined;

/** Returns what was known about the candidate on election day. */
const editionBefore = ({ race, person }: Candidacy): Edition | undefined =>
  person.known?.editions.findLast(({ asOf }) => asOf < race.election.date);

function raceRow(race: RaceResult, winner: Candidacy | null): Row<'races'> {
  return {
    id: idOf(race),
    election_id: electionId(race.election.date, race.election.state.fips),
    office_id: race.office,
    year: yearOf(race),
    type: race.isSpecial ? 'Special' : 'Regular',
    stage_type: 'General',
    number_of_seats: 1,
    office_position: race.position && `Position ${race.position}`,
    is_ranked_choice: race.isRankedChoice,
    swearing_in_date: winner && termAfter(winner)?.start,
  };
}

function candidateRow(candidacy: Candidacy, winner: Candidacy | null, all: Candidacy[]): Row<'candidates'> {
  const { id, race, entry, person } = candidacy;
  return {
    id,
    race_id: idOf(race),
    person_id: person.id,
    party_ids: partiesOf(candidacy, all).join(';'),
    running_mate: entry.runningMate && displayName(entry.runningMate),
    fec_id: fecId(candidacy),
    is_incumbent: isIncumbent(candidacy),
    is_write_in: entry.isWriteIn,
    cand_status: winner && (candidacy === winner ? 'Won' : 'Lost'),
    votes_for_cand: entry.votes,
  };
}

/**
 * Returns the parties that the contest's source names; otherwise those of the person's other candidacy for the same
 * office in the sample. The subsequent term is not used, since only winners have one.
 */
function partiesOf(candidacy: Candidacy, all: Candidacy[]): number[] {
  const { entry, person, race } = candidacy;
  if (entry.parties.length > 0) return entry.parties;
  const other = all.find(
    (each) => each.person === person && each.race.office === race.office && each.entry.parties.length > 0,
  );
  return other?.entry.parties ?? [];
}

/**
 * Returns the FEC's id of the candidate for that chamber in that state, if congress-legislators had exactly one on
 * election day.
 */
function fecId(candidacy: Candidacy): string | undefined {
  const { race } = candidacy;
  const chamber = { 2: 'S', 3: 'H' }[Math.floor((race.office % 1000) / 100)];
  const ids = editionBefore(candidacy)?.fec.filter(
    (id) => id[0] === chamber && id.slice(2, 4) === race.election.state.postal,
  );
  return ids?.length === 1 ? ids[0] : undefined;
}
