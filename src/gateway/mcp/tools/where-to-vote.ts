import { z } from 'zod';
import { todayIn } from '../../../base/clock.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import {
  type DeadlineOfResultFragment,
  DeadlinesOfStateDocument,
  WhereToVoteDocument,
} from '../generated/documents.ts';
import { day, latitude, longitude, state, toolInput } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const ofPoint = prepareDocument(WhereToVoteDocument);
const ofState = prepareDocument(DeadlinesOfStateDocument);

const language = z
  .string()
  .max(35)
  .optional()
  .describe('Language of deadlines, for example es or zh-Hant; English where the source has no other.');

const deadline = z.object({
  kind: z.string().describe('REGISTER_ONLINE, REGISTER_BY_MAIL_RECEIVED, RETURN_BALLOT_POSTMARKED and others.'),
  label: z.string().describe('Heading in the language that was asked for.'),
  phrase: z.string().optional().describe('What the source says, word for word.'),
  language: z.string().optional().describe('Language of the phrase.'),
  day: z.string().optional().describe('Missing if the rule gives none for certain: the phrase has what is known.'),
  time: z.string().optional(),
  timeZone: z.string().optional(),
  basis: z.string().describe('STATED for this election, or computed from a RULE.'),
  asOf: z.string().optional().describe('The day of the edition of the source.'),
  isOlderThanElection: z.boolean().optional().describe('Whether the rule may have changed since.'),
  url: z.string().optional(),
});

const office = z
  .object({ name: z.string(), website: z.string(), asOf: z.string() })
  .optional()
  .describe(
    'The election office that answers what the data lack: the most local one that is known, else that of the state.',
  );

const NO_ELECTION = 'No election is known here on this day or later.';
const NO_DEADLINES = 'The deadlines of this election are not in the data: ask the election office.';

function entryOf({ label, phrase, sources: _, ...found }: DeadlineOfResultFragment) {
  return { ...found, label: label.text, phrase: phrase?.text ?? null, language: phrase?.language ?? null };
}

export const whereToVote = defineTool({
  name: 'where_to_vote',
  title: 'Where, when and how one votes at a point',
  description:
    'The places to vote of a point in one election, with hours and distance, and its deadlines. A place is that of this election only: if the data lack it, notKnown says so with the office to ask, and no other place may be named instead.',
  input: toolInput({
    latitude,
    longitude,
    on: day.optional().describe('Election day; the next election if missing.'),
    language,
  }),
  list: 'places',
  entry: z.object({
    name: z.string(),
    address: z.string().optional(),
    kind: z.string().describe('ELECTION_DAY, EARLY_VOTING, DROP_BOX or VOTE_CENTER.'),
    distance: z.int().optional().describe('Metres from the point as the crow flies.'),
    hours: z.string().optional().describe('As the source writes them.'),
    open: z.array(z.string()).optional().describe('Local times, as 2018-11-06T07:00/2018-11-06T19:00.'),
    timeZone: z.string().optional(),
    status: z.string().optional().describe('CLOSED or MOVED.'),
    movedTo: z.string().optional(),
    notes: z.string().optional(),
    url: z.string().optional(),
  }),
  extra: {
    election: z.string().optional(),
    date: z.string().optional(),
    precinct: z.string().optional(),
    state: z.string().optional().describe('KNOWN, NOT_IN_DATA, NOT_YET_PUBLISHED or BY_MAIL_ONLY.'),
    office,
    deadlines: z.array(deadline),
  },
  async read({ latitude, longitude, on, language: asked }, { execute, context }) {
    const variables = { latitude, longitude, on: on ?? null, language: asked ?? null };
    const { voting } = (await ofPoint(execute, variables, context)).location;
    const entries = (voting?.places ?? []).map(({ distance, place: { openIntervals, sources: _, ...place } }) => ({
      ...place,
      distance,
      open: openIntervals.length > 0 ? openIntervals.map(({ opens, closes }) => `${opens}/${closes}`) : null,
    }));
    const deadlines = (voting?.deadlines ?? []).map(entryOf);
    const missing = !context.caller.grants.has('voting')
      ? []
      : voting
        ? [...(voting.notKnown ? [voting.notKnown] : []), ...(deadlines.length === 0 ? [NO_DEADLINES] : [])]
        : [NO_ELECTION];
    const { date = null, state: known = null, precinct, office: asks = null, election } = voting ?? {};
    const extra = {
      ...{ election: election?.name ?? null, date, precinct: precinct?.name ?? null, state: known },
      ...{ office: asks, deadlines },
    };
    return { entries, extra, notKnown: missing, data: voting };
  },
});

export const deadlines = defineTool({
  name: 'deadlines',
  title: 'Deadlines of the elections of a state',
  description:
    'Until when one may register, request and return a ballot, and vote early, in the elections of a state: days that are stated, or computed from rules of the state. A rule may be older than the election.',
  input: toolInput({ state, on: day.optional().describe('Election day; all coming elections if missing.'), language }),
  list: 'deadlines',
  entry: deadline.extend({ election: z.string(), date: z.string().describe('Election day.') }),
  extra: { office },
  async read({ state: given, on, language: asked }, { execute, context }) {
    const postal = given.toUpperCase();
    const days = on === undefined ? { from: todayIn(postal, context) } : { date: on };
    const filter = { state: postal, ...days };
    const { elections } = await ofState(execute, { filter, language: asked ?? null }, context);
    const found = elections?.nodes ?? [];
    const entries = found.flatMap(({ name, date, deadlines: all }) =>
      (all ?? []).map((each) => ({ election: name, date, ...entryOf(each) })),
    );
    const missing = found.length === 0 ? [NO_ELECTION] : entries.length === 0 ? [NO_DEADLINES] : [];
    const extra = { office: found[0]?.district?.electionOffice ?? null };
    return {
      entries,
      extra,
      notKnown: context.caller.grants.has('voting') && elections ? missing : [],
      data: elections,
    };
  },
});
