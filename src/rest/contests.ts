import { type AsksForCollections, collectionsOf, collectionVariables } from './collections.ts';
import type { Candidate, Measure, RaceWithoutType } from './contest-shapes.ts';
import type { Asked } from './endpoint.ts';
import type { ContestCandidateFragment, ContestMeasureFragment, ContestRaceFragment } from './generated/documents.ts';
import { CHAMBER, OFFICE_BRANCH, OFFICE_LEVEL } from './texts.ts';
import { listOrNull, textOrEmpty } from './values.ts';

/** The variables that say which parts of the contests a document fetches: what is granted, and asked for. */
export function contestVariables(asked: AsksForCollections) {
  return { ...collectionVariables(asked), results: maySeeResults(asked) };
}

function maySeeResults({ caller }: Pick<Asked<unknown>, 'caller'>): boolean {
  return caller.grants.has('results');
}

/** A race of a district, without its type. */
export function raceOf(found: ContestRaceFragment, districtId: number, asked: AsksForCollections): RaceWithoutType {
  const { id, office } = found;
  return {
    id,
    office: {
      id: office.id,
      name: office.name,
      level: OFFICE_LEVEL[office.level],
      branch: OFFICE_BRANCH[office.branch],
      chamber: office.chamber && CHAMBER[office.chamber],
      is_partisan: textOrEmpty(office.isPartisan),
      type: office.type,
      seat: office.seat,
      url: office.url,
      office_district: districtId,
    },
    office_district: districtId,
    url: textOrEmpty(found.url),
    number_of_seats: found.numberOfSeats,
    year: found.year,
    is_marquee: found.isMarquee ?? false,
    office_position: found.officePosition,
    is_ranked_choice: found.isRankedChoice ?? false,
    results_certified: found.resultsCertified ?? false,
    stage_type: found.stageType,
    stage_party: found.stageParty,
    candidates: listOrNull(found.candidates.map((candidate) => candidateOf(candidate, id, asked))),
  };
}

function candidateOf(found: ContestCandidateFragment, race: number, asked: AsksForCollections): Candidate {
  const { person } = found;
  return {
    id: found.id,
    fec_id: found.fecId,
    race,
    running_mate: found.runningMate,
    stage_party: found.stageParty,
    party_affiliation: found.parties,
    is_incumbent: found.isIncumbent ?? false,
    is_write_in: found.isWriteIn ?? false,
    withdrew_still_on_ballot: found.withdrewStillOnBallot ?? false,
    cand_status: found.status,
    ...(maySeeResults(asked) && {
      votes_for_cand: found.votes ?? null,
      ranked_choice_voting_rounds: (found.rankedChoiceRounds ?? []).map(({ round, votesGained, status }) => ({
        rcv_round: round,
        votes_for: votesGained,
        status,
      })),
    }),
    person: {
      id: person.id,
      name: person.name,
      first_name: textOrEmpty(person.firstName),
      last_name: textOrEmpty(person.lastName),
      url: textOrEmpty(person.url),
    },
    ...collectionsOf(person, collectionVariables(asked)),
  };
}

/** A measure of a district. */
export function measureOf(
  found: ContestMeasureFragment,
  districtId: number,
  asked: Pick<Asked<unknown>, 'caller'>,
): Measure {
  return {
    id: found.id,
    name: found.name,
    url: textOrEmpty(found.url),
    status: found.status,
    type: textOrEmpty(found.type),
    district: districtId,
    yes_vote: textOrEmpty(found.yesVote),
    no_vote: textOrEmpty(found.noVote),
    official_title: textOrEmpty(found.officialTitle),
    election_date: found.electionDate,
    ...(maySeeResults(asked) && {
      yes_votes_total: found.yesVotesTotal ?? null,
      no_votes_total: found.noVotesTotal ?? null,
    }),
  };
}
