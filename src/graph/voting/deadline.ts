import { builder, requireGrants } from '../builder/builder.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { ElectionObject } from '../elections/election.ts';
import { type DeadlineRow, deadlinesOfElection } from './deadlines.store.ts';
import { DeadlineKindEnum } from './enums.ts';

interface LocalText {
  readonly text: string;
  readonly language: string | null;
}

const LocalTextObject = builder.objectRef<LocalText>('LocalText').implement({
  description: 'A text with its language.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text as the source has it, in the language below.' }),
    language: t.exposeString('language', {
      nullable: true,
      description:
        'The language as a tag: `es`; `en` where the source has no text in the language asked for, null if it does not say in which language its text is.',
    }),
  }),
});

const DeadlineBasisEnum = builder.enumType('DeadlineBasis', {
  description: 'How the day of a deadline is known.',
  values: {
    STATED: { description: 'A source states the day for this election.' },
    RULE: { description: 'A source states a rule for all elections, from which the day is computed.' },
  },
});

export const DeadlineObject = builder.objectRef<DeadlineRow>('Deadline').implement({
  description: 'A day until which, or from which on, a voter may do something, in one election.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DeadlineKindEnum, description: 'What the voter may do.' }),
    label: t.field({
      type: LocalTextObject,
      description: 'A heading for people, from the source; in English the name of the kind.',
      resolve: ({ label, label_language }) => ({ text: label, language: label_language }),
    }),
    phrase: t.field({
      type: LocalTextObject,
      nullable: true,
      description:
        'What the source says, word for word: `Must be postmarked 30 days before Election Day`; null if it states a day without words.',
      resolve: ({ phrase, phrase_language }) => (phrase === null ? null : { text: phrase, language: phrase_language }),
    }),
    day: t.expose('day', {
      type: 'Date',
      nullable: true,
      description:
        'The day. Null if the rule is not understood, or counts business days among which is a federal holiday, on which states differ: `phrase` has what is known.',
    }),
    time: t.exposeString('time', {
      nullable: true,
      description: 'The time of the day as `17:00`, in `timeZone`; null if the source states none.',
    }),
    timeZone: t.exposeString('time_zone', {
      nullable: true,
      description: 'The time zone of `time`, as in the IANA database; null if the source states none.',
    }),
    basis: t.field({
      type: DeadlineBasisEnum,
      description: 'Whether the day is stated for this election, or computed from a rule.',
      resolve: ({ is_stated }) => (is_stated ? ('STATED' as const) : ('RULE' as const)),
    }),
    asOf: t.expose('as_of', {
      type: 'Date',
      nullable: true,
      description: 'The day of the edition of the source; null if it is not known.',
    }),
    isOlderThanElection: t.exposeBoolean('is_older', {
      nullable: true,
      description:
        'Whether the edition is from before the election day: the rule may have changed since. Null if its day is not known.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A page of the authority on this; null if the source names none.',
    }),
    district: t.field({
      type: DistrictObject,
      description: 'The state or other district whose rule it is.',
      ...districts.of('district_id'),
    }),
  }),
});

/** The argument `language`: by its name, caches know the fields whose texts depend on what the client prefers. */
export const LANGUAGE = {
  description:
    'The language of `label` and `phrase` as a tag, such as `es` or `zh-Hant`; by default the first of the header `Accept-Language` that the source has. English where it has no other. Names are never translated.',
};

builder.objectField(ElectionObject, 'deadlines', (t) =>
  t.field({
    listLength: 5,
    type: [DeadlineObject],
    description:
      'The deadlines of the election, sorted by day, unknown days last: days that are stated for it, and rules of the state that holds it. Without rows, no source states any.',
    ...requireGrants('voting'),
    args: {
      state: t.arg.string({
        description: 'Rules of this state, two letters: for an election of the country, which has none of its own.',
      }),
      language: t.arg.string(LANGUAGE),
    },
    ...deadlinesOfElection,
  }),
);
