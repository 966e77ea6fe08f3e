import type { ElectionStatus } from '../database/tables.ts';
import { builder } from '../graphql/schema/builder.ts';
import { textEnum } from '../graphql/schema/text-enum.ts';

export const ElectionStatusEnum = builder.enumType('ElectionStatus', {
  description: 'Whether an election is held on its day.',
  values: {
    SCHEDULED: { value: 'Scheduled' as ElectionStatus, description: 'The authority has confirmed the day.' },
    POSTPONED: {
      value: 'Postponed' as ElectionStatus,
      description: 'Not held on this day. The new day is another election, once it is known.',
    },
    CANCELLED: {
      value: 'Cancelled' as ElectionStatus,
      description: 'Called off: it is not held, on this day or another.',
    },
    CERTIFIED: { value: 'Certified' as ElectionStatus, description: 'Was held, and its results are final.' },
  },
});

/** The stages of an election, which are also the types of elections. */
export const stageField = textEnum('ElectionStage', 'What an election or a race decides, and in which stage.', {
  GENERAL: ['General', 'Decides who takes office.'],
  PRIMARY: ['Primary', 'Decides who is on the ballot of the general election.'],
  SPECIAL: ['Special', 'Is held outside of the regular calendar.'],
  RECALL: ['Recall', 'Decides whether an officeholder is removed from office.'],
  GENERAL_RUNOFF: ['General Runoff', 'Follows a general election in which no candidate received enough votes.'],
  PRIMARY_RUNOFF: ['Primary Runoff', 'Follows a primary in which no candidate received enough votes.'],
});
