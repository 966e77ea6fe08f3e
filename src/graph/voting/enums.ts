import { type StoredTexts, storedEnum } from '../builder/stored-enum.ts';

export const VOTING_PLACE_KINDS = {
  ELECTION_DAY: ['Election day', 'Open on election day, for the voters of its districts.'],
  EARLY_VOTING: ['Early voting', 'Open before election day.'],
  DROP_BOX: ['Drop box', 'Takes ballots that a voter has received by mail.'],
  VOTE_CENTER: ['Vote center', 'Open on election day for all voters of its districts, usually a county.'],
} as const satisfies StoredTexts;

export type VotingPlaceKind = (typeof VOTING_PLACE_KINDS)[keyof typeof VOTING_PLACE_KINDS][0];

export const VotingPlaceKindEnum = storedEnum('VotingPlaceKind', 'How one votes at a place.', VOTING_PLACE_KINDS);

export const VotingPlaceStatusEnum = storedEnum<'Closed' | 'Moved'>(
  'VotingPlaceStatus',
  'What a source says of a place that is not open as listed.',
  {
    CLOSED: ['Closed', 'The place is closed for this election.'],
    MOVED: ['Moved', 'Voters of the place go elsewhere: see `movedTo`.'],
  },
);

export const DEADLINE_KINDS = {
  REGISTER_ONLINE: ['Register online', 'The last day to register to vote online.'],
  REGISTER_BY_MAIL_POSTMARKED: [
    'Register by mail, postmarked',
    'The last day of the postmark of a registration by mail.',
  ],
  REGISTER_BY_MAIL_RECEIVED: ['Register by mail, received', 'The last day on which a registration by mail may arrive.'],
  REGISTER_IN_PERSON: ['Register in person', 'The last day to register to vote in person.'],
  REQUEST_BALLOT: ['Request ballot', 'The last day to request a ballot by mail.'],
  RETURN_BALLOT_POSTMARKED: ['Return ballot, postmarked', 'The last day of the postmark of a ballot by mail.'],
  RETURN_BALLOT_RECEIVED: ['Return ballot, received', 'The last day on which a ballot by mail may arrive.'],
  EARLY_VOTING_FROM: ['Early voting from', 'The first day of early voting.'],
  EARLY_VOTING_TO: ['Early voting to', 'The last day of early voting.'],
} as const satisfies StoredTexts;

export type DeadlineKind = (typeof DEADLINE_KINDS)[keyof typeof DEADLINE_KINDS][0];

export const DeadlineKindEnum = storedEnum(
  'DeadlineKind',
  'What a voter may do until a day, or from a day on.',
  DEADLINE_KINDS,
);
