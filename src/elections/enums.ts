import { textEnum } from '../graphql/text-enum.ts';

/** The stages of an election, which are also the types of elections. */
export const stageField = textEnum('ElectionStage', 'What an election or a race decides, and in which stage.', {
  GENERAL: ['General', 'Decides who takes office.'],
  PRIMARY: ['Primary', 'Decides who is on the ballot of the general election.'],
  SPECIAL: ['Special', 'Is held outside of the regular calendar.'],
  RECALL: ['Recall', 'Decides whether an officeholder is removed from office.'],
  GENERAL_RUNOFF: ['General Runoff', 'Follows a general election in which no candidate received enough votes.'],
  PRIMARY_RUNOFF: ['Primary Runoff', 'Follows a primary in which no candidate received enough votes.'],
});
