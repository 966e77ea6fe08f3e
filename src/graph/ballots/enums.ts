import type { ScopeBasis } from '../../store/sql/tables.ts';
import { type StoredTexts, storedEnum } from '../builder/stored-enum.ts';
import { textEnum } from '../builder/text-enum.ts';

export const raceTypeField = textEnum('RaceType', 'Why a race is held.', {
  REGULAR: ['Regular', 'The term of the office ends.'],
  SPECIAL: ['Special', 'The rest of a term is filled.'],
  RECALL: ['Recall', 'Voters decide whether the officeholder is removed.'],
  RETENTION: ['Retention', 'Voters decide whether the officeholder stays for another term.'],
});

export const candidateStatusField = textEnum('CandidateStatus', 'The status of a candidacy.', {
  CANDIDACY_DECLARED: ['Candidacy Declared', 'The candidacy has been declared.'],
  ON_THE_BALLOT: ['On the Ballot', 'The candidate is on the ballot.'],
  WITHDREW: ['Withdrew', 'The candidate withdrew.'],
  DISQUALIFIED: ['Disqualified', 'The candidate was disqualified.'],
  DECEASED: ['Deceased', 'The candidate died.'],
  ADVANCED: ['Advanced', 'The candidate advanced to the next stage.'],
  WON: ['Won', 'The candidate won the race.'],
  LOST: ['Lost', 'The candidate lost the race.'],
});

export const measureStatusField = textEnum('BallotMeasureStatus', 'The status of a ballot measure.', {
  PROPOSED: ['Proposed', 'The measure has been proposed.'],
  GATHERING_SIGNATURES: ['Gathering signatures', 'Signatures are being gathered.'],
  SIGNATURES_SUBMITTED: ['Signatures submitted', 'The signatures have been submitted.'],
  CERTIFIED_TO_THE_LEGISLATURE: ['Certified to the legislature', 'The legislature decides on it next.'],
  QUALIFIED_FOR_THE_BALLOT: ['Qualified for the ballot', 'It has enough signatures or votes to be on the ballot.'],
  ON_THE_BALLOT: ['On the ballot', 'Voters decide on it.'],
  NOT_ON_THE_BALLOT: ['Not on the ballot', 'It is not on the ballot.'],
  PENDING_OFFICIAL_REVIEW: ['Pending official review', 'Election officials have yet to decide whether it is valid.'],
  PENDING_JUDICIAL_RULING: ['Pending judicial ruling', 'A court decides whether it is on the ballot.'],
  APPROVED: ['Approved', 'Voters approved it.'],
  DEFEATED: ['Defeated', 'Voters rejected it.'],
  TOO_CLOSE_TO_CALL: ['Too close to call', 'The votes are counted, and the outcome is still open.'],
});

export const roundStatusField = textEnum('RoundStatus', 'The outcome of one round of a ranked-choice count.', {
  ADVANCED: ['Advanced', 'The candidate takes part in the next round.'],
  LOST: ['Lost', 'The candidate is eliminated in this round.'],
  WON: ['Won', 'The candidate wins in this round.'],
});

export const SCOPE_BASES = {
  STATED: ['Stated', 'The source names the district.'],
  LAW: ['Law', 'The office is of a whole state or county by law, as a governor or a sheriff.'],
  SAME_CANDIDATES: [
    'Same candidates',
    'The source does not name the district; its counties have the same candidates with the same parties.',
  ],
  COUNTY: [
    'County',
    'Assumed: the source does not name the district, and the votes are from the county. Other counties may vote on it too, or only a part of it; such a race has no stored outcome.',
  ],
} as const satisfies StoredTexts<string, ScopeBasis>;

export const ScopeBasisEnum = storedEnum(
  'ScopeBasis',
  'What shows that the district of the office votes on a race. Results of elections list the votes of precincts and counties, and often do not say which of them vote together.',
  SCOPE_BASES,
);
