import type { ElectionStatus } from '../../store/sql/tables.ts';
import { type StoredTexts, storedEnum } from '../builder/stored-enum.ts';
import { textEnum } from '../builder/text-enum.ts';

export const ELECTION_STATUSES = {
  SCHEDULED: ['Scheduled', 'The authority has confirmed the day.'],
  POSTPONED: ['Postponed', 'Not held on this day. The new day is another election, once it is known.'],
  CANCELLED: ['Cancelled', 'Called off: it is not held, on this day or another.'],
  CERTIFIED: ['Certified', 'Was held, and its results are final.'],
} as const satisfies StoredTexts<string, ElectionStatus>;

export const ElectionStatusEnum = storedEnum(
  'ElectionStatus',
  'Whether an election is held on its day.',
  ELECTION_STATUSES,
);

/** The stages of an election, which are also the types of elections. */
export const stageField = textEnum('ElectionStage', 'What an election or a race decides, and in which stage.', {
  GENERAL: ['General', 'Decides who takes office.'],
  PRIMARY: ['Primary', 'Decides who is on the ballot of the general election.'],
  SPECIAL: ['Special', 'Is held outside of the regular calendar.'],
  RECALL: ['Recall', 'Decides whether an officeholder is removed from office.'],
  GENERAL_RUNOFF: ['General Runoff', 'Follows a general election in which no candidate received enough votes.'],
  PRIMARY_RUNOFF: ['Primary Runoff', 'Follows a primary in which no candidate received enough votes.'],
});
