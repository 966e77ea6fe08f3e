import { z } from 'zod';
import { BOUNDARY_REASONS } from '../../../graph/ballots/race-boundary.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { WhatsOnMyBallotDocument, type WhatsOnMyBallotQuery } from '../generated/documents.ts';
import { day, isHeld, latitude, longitude, RACE_NAME, toolInput } from '../inputs.ts';
import { defineTool, shortened } from '../tool.ts';

const run = prepareDocument(WhatsOnMyBallotDocument);

/** The maximum number of candidates of a contest in a result. */
const MAX_CANDIDATES = 20;

export const whatsOnMyBallot = defineTool({
  name: 'whats_on_my_ballot',
  title: 'What is on the ballot of a point',
  description:
    'The races with their candidates, in the order of a ballot, and the ballot measures, that a voter at a point has on the ballot of an election day. Use find_elections for the days on which the point votes.',
  input: toolInput({ latitude, longitude, date: day.describe('The election day.') }),
  list: 'contests',
  entry: z.object({
    district: z.string().describe('The district that votes on it.'),
    race: z.string().optional().describe(RACE_NAME),
    office: z.string().optional().describe('The office of a race.'),
    stage: z.string().optional().describe('Stage of a race: General, Primary and others.'),
    party: z.string().optional().describe('The party of a primary.'),
    seats: z
      .union([z.int(), z.literal('not known')])
      .optional()
      .describe('Number of candidates who win, if it is not one.'),
    districtIsAssumed: z
      .boolean()
      .optional()
      .describe('True if no source says that the district votes on it: it is the county where votes were counted.'),
    isRankedChoice: z.boolean().optional(),
    map: z.string().optional().describe('The boundary of the district that the race uses, and the rule that chose it.'),
    candidates: z
      .array(
        z.object({
          name: z.string(),
          parties: z.array(z.string()),
          isIncumbent: z.boolean().optional(),
          isWriteIn: z.boolean().optional(),
        }),
      )
      .optional(),
    moreCandidates: z.int().optional().describe('Number of candidates that are not listed.'),
    measure: z.string().optional().describe('The name of a ballot measure.'),
    title: z.string().optional().describe('The official title of a measure.'),
    yes: z.string().optional().describe('The effect of a yes vote.'),
    no: z.string().optional().describe('The effect of a no vote.'),
  }),
  extra: {
    date: z.string(),
    elections: z
      .array(z.string())
      .describe('The elections of this day that apply to the point, with the status of those that are not held.'),
  },
  async read(input, { execute, context }) {
    const data = await run(execute, input, context);
    const { ballot } = data.location;
    const districts = ballot?.districts ?? [];
    // The sort is stable: contests of one rank remain in the order of their districts.
    const races = districts
      .flatMap(({ district: { name: district }, races }) => races.map((race) => ({ district, race })))
      .toSorted((a, b) => (a.race.office?.ballotRank ?? 0) - (b.race.office?.ballotRank ?? 0));
    const measures = districts.flatMap(({ district: { name: district }, ballotMeasures }) =>
      ballotMeasures.map((measure) => ({
        district,
        measure: measure.name,
        title: shortened(measure.officialTitle),
        yes: shortened(measure.yesVote),
        no: shortened(measure.noVote),
      })),
    );
    const entries = [...races.map(({ district, race }) => ({ district, ...contestOf(race) })), ...measures];
    const elections = (ballot?.elections ?? []).map(({ name, description, status }) =>
      [name, isHeld(status) ? '' : `(${status})`, description ? `: ${description}` : '']
        .join(' ')
        .replaceAll(' :', ':')
        .trim(),
    );
    return { entries, extra: { date: input.date, elections }, notKnown: notKnownIn(ballot), data };
  },
});

type Ballot = WhatsOnMyBallotQuery['location']['ballot'];
type Race = NonNullable<Ballot>['districts'][number]['races'][number];

function contestOf(race: Race) {
  const { name, office, stageType, stageParty, numberOfSeats, scopeBasis, isRankedChoice, boundary, candidates } = race;
  const listed = candidates.slice(0, MAX_CANDIDATES).map(({ parties, ...candidate }) => ({
    name: candidate.name,
    parties: parties.map((party) => party.name),
    isIncumbent: candidate.isIncumbent,
    isWriteIn: candidate.isWriteIn || null,
  }));
  return {
    race: name,
    office: office.fullName,
    stage: stageType,
    party: stageParty,
    seats: numberOfSeats === 1 ? null : (numberOfSeats ?? 'not known'),
    districtIsAssumed: scopeBasis === 'COUNTY' || null,
    isRankedChoice,
    map: boundary && mapOf(boundary),
    candidates: listed,
    moreCandidates: candidates.length - listed.length || null,
  };
}

function mapOf({ reason, boundary }: NonNullable<Race['boundary']>): string | null {
  if (!boundary) return null;
  const period = `in effect from ${boundary.startDate}${boundary.endDate === null ? '' : ` to ${boundary.endDate}`}`;
  return `${period}: ${BOUNDARY_REASONS[reason]}`;
}

function notKnownIn(ballot: Ballot): string[] {
  if (ballot === null) return [];
  if (ballot.elections.length === 0) return ['No election is known for this point on this day.', ...ballot.notKnown];
  if (ballot.districts.length > 0) return ballot.notKnown;
  return ['The races and measures of this election are not known.', ...ballot.notKnown];
}
