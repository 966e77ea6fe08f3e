import { membersOf, type Shape } from '../graphql/execution/shape.ts';
import {
  CONTACT_SHAPE,
  type CollectionOptions,
  type Collections,
  collectionMembers,
  collectionVariables,
  SOCIAL_SHAPE,
} from './collections.ts';
import type { ContestCandidateFragment, ContestMeasureFragment, ContestRaceFragment } from './generated/documents.ts';
import { CHAMBER, OFFICE_BRANCH, OFFICE_LEVEL, PARTY_NAMES, SCOPE_BASIS } from './texts.ts';

/** Optional parts of a contest. */
export interface ContestParts extends Collections {
  readonly results: boolean;
}

/** Returns the document variables that select the parts of the contests: granted and, for collections, requested. */
export function contestVariables(requested: CollectionOptions): ContestParts {
  return { ...collectionVariables(requested), results: requested.caller.grants.has('results') };
}

/**
 * Returns the shape of a race.
 * @param type the member name of the race type, which differs between the endpoints by point and by state.
 */
export function raceShape(type: 'type' | 'race_type', parts: ContestParts): Shape {
  const { orNull, orEmpty, orFalse, orOmitted, orReplaced, objectOf, listOf } = membersOf<ContestRaceFragment>();
  return {
    id: orNull('databaseId'),
    office: objectOf(OFFICE_SHAPE, 'office'),
    office_district: orNull('office', 'district', 'databaseId'),
    url: orEmpty('url'),
    number_of_seats: orOmitted('numberOfSeats'),
    year: orNull('year'),
    is_marquee: orFalse('isMarquee'),
    office_position: orNull('officePosition'),
    is_ranked_choice: orNull('isRankedChoice'),
    results_certified: orNull('resultsCertified'),
    stage_type: orNull('stageType'),
    stage_party: orReplaced(PARTY_NAMES, 'stageParty'),
    scope_basis: { ...orOmitted('scopeBasis'), texts: SCOPE_BASIS },
    candidates: listOf(candidateShape(parts), 'candidates'),
    [type]: orNull('type'),
  };
}

const office = membersOf<ContestRaceFragment['office']>();
const OFFICE_SHAPE: Shape = {
  id: office.orNull('databaseId'),
  name: office.orNull('name'),
  level: office.label(OFFICE_LEVEL, 'level'),
  branch: office.label(OFFICE_BRANCH, 'branch'),
  chamber: office.label(CHAMBER, 'chamber'),
  is_partisan: office.orEmpty('isPartisan'),
  type: office.orNull('type'),
  seat: office.orNull('seat'),
  url: office.orNull('url'),
  office_district: office.orNull('district', 'databaseId'),
};

function candidateShape({ results, ...collections }: ContestParts): Shape {
  const { orNull, orFalse, orOmitted, orReplaced, objectOf, listOf, wholeListOf } =
    membersOf<ContestCandidateFragment>();
  return {
    id: orNull('databaseId'),
    fec_id: orNull('fecId'),
    race: orNull('race', 'databaseId'),
    running_mate: orNull('runningMate'),
    stage_party: orReplaced(PARTY_NAMES, 'stageParty'),
    party_affiliation: wholeListOf(PARTY_SHAPE, 'parties'),
    is_incumbent: orNull('isIncumbent'),
    is_write_in: orFalse('isWriteIn'),
    withdrew_still_on_ballot: orFalse('withdrewStillOnBallot'),
    // Without the grant, the results are all that may be known.
    cand_status: results ? orNull('status') : orOmitted('status'),
    ...(results && {
      votes_for_cand: orNull('votes'),
      ranked_choice_voting_rounds: wholeListOf(ROUND_SHAPE, 'rankedChoiceRounds'),
    }),
    person: objectOf(PERSON_SHAPE, 'person'),
    ...collectionMembers(
      'person',
      collections,
      listOf(CONTACT_SHAPE, 'person', 'contacts'),
      listOf(SOCIAL_SHAPE, 'person', 'socialLinks'),
    ),
  };
}

const party = membersOf<ContestCandidateFragment['parties'][number]>();
const PARTY_SHAPE: Shape = {
  id: party.orNull('databaseId'),
  name: party.orReplaced(PARTY_NAMES, 'name'),
  url: party.orNull('url'),
};

const round = membersOf<NonNullable<ContestCandidateFragment['rankedChoiceRounds']>[number]>();
const ROUND_SHAPE: Shape = {
  rcv_round: round.orNull('round'),
  votes_for: round.orNull('votesGained'),
  status: round.orNull('status'),
};

const person = membersOf<ContestCandidateFragment['person']>();
const PERSON_SHAPE: Shape = {
  id: person.orNull('databaseId'),
  name: person.orNull('name'),
  first_name: person.orEmpty('firstName'),
  last_name: person.orEmpty('lastName'),
  url: person.orEmpty('url'),
};

export function measureShape({ results }: Pick<ContestParts, 'results'>): Shape {
  const { orNull, orEmpty, orOmitted } = membersOf<ContestMeasureFragment>();
  return {
    id: orNull('databaseId'),
    name: orNull('name'),
    url: orEmpty('url'),
    status: results ? orNull('status') : orOmitted('status'),
    type: orEmpty('type'),
    district: orNull('district', 'databaseId'),
    yes_vote: orEmpty('yesVote'),
    no_vote: orEmpty('noVote'),
    official_title: orEmpty('officialTitle'),
    election_date: orNull('electionDate'),
    ...(results && { yes_votes_total: orNull('yesVotesTotal'), no_votes_total: orNull('noVotesTotal') }),
  };
}
