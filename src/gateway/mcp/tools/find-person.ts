import { z } from 'zod';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { FindPersonDocument, type FindPersonQuery } from '../generated/documents.ts';
import { holderStatus, RACE_NAME, toolInput } from '../inputs.ts';
import { bytesOf, defineTool, MAX_RESULT_BYTES } from '../tool.ts';

const run = prepareDocument(FindPersonDocument);

/** The maximum numbers of terms and of candidacies of a person in a result: the first with which all people fit, else the last. */
const MAX_ENTRIES = [100, 20, 10, 5];
/** What people may take of a result, so that there is room for the rest of it. */
const MAX_BYTES = MAX_RESULT_BYTES - 1_000;

export const findPerson = defineTool({
  name: 'find_person',
  title: 'Find a person',
  description: 'People by their names, with the offices that they hold or held, and their candidacies.',
  input: toolInput({
    name: z
      .string()
      .min(2)
      .max(100)
      .describe(
        'Words of the name, complete or beginnings, in any order; accents, punctuation and initials do not matter. People found only by another form of a first name (Bernie for Bernard) come last.',
      ),
  }),
  list: 'people',
  entry: z.object({
    name: z.string(),
    url: z.string().optional(),
    imageUrl: z
      .string()
      .optional()
      .describe('A picture at a third party, as the source states it; never read or checked here.'),
    offices: z
      .array(
        z.object({
          office: z.string(),
          district: z.string().optional(),
          party: z.string().optional(),
          status: holderStatus,
          since: z.string().optional(),
          until: z.string().optional(),
        }),
      )
      .describe('Newest first.'),
    moreOffices: z.int().optional().describe('Number of older terms that are not listed.'),
    candidacies: z
      .array(
        z.object({
          date: z.string().describe('The election day.'),
          race: z.string().describe(RACE_NAME),
          stage: z.string(),
          office: z.string(),
          district: z.string().optional(),
          electorsOf: z
            .string()
            .optional()
            .describe('The state whose presidential electors the race chooses: its votes alone elect no president.'),
          parties: z.array(z.string()),
          votes: z.int().optional(),
          isWinner: z.boolean().optional(),
        }),
      )
      .describe('Latest first.'),
    moreCandidacies: z.int().optional().describe('Number of older candidacies that are not listed.'),
  }),
  extra: { found: z.int().describe('Number of people with such a name.') },
  async read(input, { execute, context }) {
    const data = await run(execute, input, context);
    const people = data.people?.edges.map(({ node }) => node) ?? [];
    const [most = [], ...less] = MAX_ENTRIES.map((limit) => people.map((person) => entryOf(person, limit)));
    const entries = [most, ...less].find((each) => bytesOf(each) <= MAX_BYTES) ?? less.at(-1) ?? most;
    const isUnknown = data.people?.totalCount === 0;
    const notKnown = isUnknown ? ['No person with this name is known: try another spelling, or the family name.'] : [];
    return { entries, extra: { found: data.people?.totalCount ?? 0 }, notKnown, data };
  },
});

type Person = NonNullable<FindPersonQuery['people']>['edges'][number]['node'];
type Race = NonNullable<NonNullable<Person['candidacies']>[number]['race']>;

/** Returns a person with at most so many terms and candidacies, and how many more there are. */
function entryOf({ name, url, imageUrl, officeholders, candidacies }: Person, limit: number): object {
  const offices = (officeholders ?? []).map(({ office, party, status, startDate, endDate }) => ({
    office: office?.fullName ?? 'not known',
    district: districtName(office?.district),
    party: party?.name ?? null,
    status,
    since: startDate,
    until: endDate,
  }));
  const ofRaces = (candidacies ?? []).flatMap(({ race, parties, votes, isWinner }) =>
    race
      ? {
          date: race.election.date,
          race: race.name,
          stage: race.stageType,
          office: race.office.fullName,
          district: districtName(race.office.district),
          electorsOf: electingState(race),
          parties: parties.map((party) => party.name),
          ...{ votes, isWinner },
        }
      : [],
  );
  return {
    ...{ name, url, imageUrl },
    offices: offices.slice(0, limit),
    moreOffices: Math.max(0, offices.length - limit) || null,
    candidacies: ofRaces.slice(0, limit),
    moreCandidacies: Math.max(0, ofRaces.length - limit) || null,
  };
}

/** Returns the state whose voters alone vote on a race for an office of the country: they choose its electors. */
function electingState({ office, election }: Race): string | null {
  const isOfCountry = office.district?.state === null;
  return isOfCountry && election.district?.type === 'STATE' ? election.district.name : null;
}

function districtName(district: { readonly name: string; readonly state: string | null } | null | undefined) {
  if (!district) return null;
  return district.state === null ? district.name : `${district.name} (${district.state})`;
}
