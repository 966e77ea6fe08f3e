import { z } from 'zod';
import { DEADLINE_KINDS, VOTING_PLACE_KINDS } from '../../graph/voting/enums.ts';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/voting.json' with { type: 'json' };
import { VotingDocument, type VotingQuery } from './generated/documents.ts';
import { day, lat, long } from './parameters.ts';

const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullable().describe(`${description} Null if the source states none.`);

const place = z
  .object({
    id: z.int().describe('Identifier of the place in this election.'),
    name: z.string().describe('Name as the source writes it.'),
    address: optional(z.string(), 'Address as the source writes it.'),
    kind: z.enum(Object.keys(VOTING_PLACE_KINDS) as [string, ...string[]]).describe('How one votes there.'),
    lat: optional(z.number(), 'Degrees north.'),
    long: optional(z.number(), 'Degrees east.'),
    distance_m: optional(z.int(), 'Metres from the point as the crow flies.'),
    hours: optional(z.string(), 'Hours as the source writes them.'),
    open: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .describe('Hours by day in local time, as `2018-11-06T07:00`; empty if the source states none that can be read.'),
    time_zone: optional(z.string(), 'Time zone of the hours.'),
    status: optional(z.enum(['CLOSED', 'MOVED']), 'Whether the place is closed or has moved.'),
    moved_to: optional(z.string(), 'Where its voters go instead.'),
    notes: optional(z.string(), 'What the source adds for voters.'),
    url: optional(z.string(), 'A page of the source on the place.'),
  })
  .meta({ id: 'VotingPlace', description: 'A place to vote of the point.' });

const text = z
  .object({
    text: z.string().describe('The text as the source has it.'),
    language: z.string().nullable().describe('Its language as a tag; null if the source does not say.'),
  })
  .meta({ id: 'LocalText', description: 'A text with its language.' });

const deadline = z
  .object({
    kind: z.enum(Object.keys(DEADLINE_KINDS) as [string, ...string[]]).describe('What a voter may do.'),
    label: text.describe('A heading for people.'),
    phrase: optional(text, 'What the source says, word for word.'),
    day: z.iso.date().nullable().describe('The day; null if the rule gives none for certain.'),
    time: optional(z.string(), 'The time of the day, as `17:00`.'),
    time_zone: optional(z.string(), 'Time zone of the time.'),
    basis: z.enum(['STATED', 'RULE']).describe('Stated for this election, or computed from a rule.'),
    as_of: optional(z.iso.date(), 'The day of the edition of the source.'),
    is_older_than_election: z
      .boolean()
      .nullable()
      .describe('Whether the rule may have changed since; null if not known.'),
    url: optional(z.string(), 'A page of the authority.'),
  })
  .meta({ id: 'Deadline', description: 'A day until which, or from which on, a voter may do something.' });

const election = z
  .object({
    date: z.iso.date().describe('Election day.'),
    state: z
      .enum(['KNOWN', 'NOT_IN_DATA', 'NOT_YET_PUBLISHED', 'BY_MAIL_ONLY'])
      .describe('Whether it is known where one votes on election day.'),
    not_known: z.string().nullable().describe('What is not known, as a sentence for people; null if places are known.'),
    precinct: z
      .object({ id: z.int(), name: z.string() })
      .nullable()
      .describe('The precinct of the point; null if no outlines of precincts are in the data.'),
    office: z
      .object({ name: z.string(), website: z.string() })
      .nullable()
      .describe(
        'The election office to ask: the most local one that is known, else that of the state; null outside of all states.',
      ),
    places: z.array(place).describe('The places; empty if none is known.'),
    deadlines: z.array(deadline).describe('By day, unknown days last; empty if none is known.'),
  })
  .meta({ id: 'VotingInElection', description: 'Where, when and how one votes in an election.' });

/** Where, when and how one votes: an addition to the paths of the specification. */
export const voting = defineEndpoint({
  paths: ['/data/voting'],
  operationId: 'votingByPoint',
  summary: 'Where, when and how one votes at a point',
  description:
    'The places to vote and the deadlines of a point in one election: that of `on`, by default the next one. A place is never that of another election or of a neighbour: what the data lack is said, with the office to ask.',
  grant: 'voting',
  parameters: z.object({
    lat,
    long,
    on: day({
      title: 'on',
      description: 'Election day; the next election if omitted.',
      example: '2018-11-06',
    }).optional(),
    language: z
      .string()
      .trim()
      .regex(/^[a-z]{2,8}(-[a-z\d]{1,8}){0,3}$/i, 'must be a language tag, for example es or zh-Hant')
      .optional()
      .meta({
        title: 'language',
        description:
          'Language of labels and phrases as a tag; by default the first of the header `Accept-Language` that the source has, and English where it has no other.',
        example: 'es',
      }),
  }),
  data: z
    .object({ elections: z.array(election).describe('One election, or none if none applies to the point.') })
    .meta({ id: 'Voting', description: 'Where, when and how one votes.' }),
  example,
  document: VotingDocument,
  variables: ({ parameters: { lat: latitude, long: longitude, on, language } }) => ({
    ...{ latitude, longitude, on, language },
  }),
  isPersonal: () => true,
  reshape: ({ location: { voting: found } }) => ({ elections: found ? [electionOf(found)] : [] }),
});

function electionOf(found: NonNullable<VotingQuery['location']['voting']>): z.output<typeof election> {
  return {
    date: found.date,
    state: found.state ?? 'NOT_IN_DATA',
    not_known: found.notKnown,
    precinct: found.precinct && { id: found.precinct.databaseId, name: found.precinct.name },
    office: found.office,
    places: (found.places ?? []).map(({ distance, place: { databaseId, openIntervals, ...each } }) => ({
      ...{ id: databaseId, name: each.name, address: each.address, kind: each.kind },
      ...{ lat: each.latitude, long: each.longitude, distance_m: distance, hours: each.hours },
      open: openIntervals.map(({ opens, closes }) => ({ from: opens, to: closes })),
      ...{ time_zone: each.timeZone, status: each.status, moved_to: each.movedTo, notes: each.notes, url: each.url },
    })),
    deadlines: (found.deadlines ?? []).map(({ timeZone, asOf, isOlderThanElection, ...each }) => ({
      ...each,
      ...{ time_zone: timeZone, as_of: asOf, is_older_than_election: isOlderThanElection },
    })),
  };
}
