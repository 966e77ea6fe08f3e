import { z } from 'zod';
import { contactInformation, socialMedia } from './collections.ts';
import { CHAMBER, OFFICE_BRANCH, OFFICE_LEVEL, SCOPE_BASIS, textsOf } from './texts.ts';

/** The shapes below a ballot (specification, Election ballot tree). */

const ONLY_WITH_RESULTS = 'Left out when the package has no results.';
const OPTIONAL_SHAPES = 'Omitted unless `collections` requests it and the package includes it; null if there is none.';

/** A number of votes: exact in JSON, but it may exceed 32 bits. */
const voteCount = z.int().meta({ format: 'int64' });

const party = z
  .object({
    id: z.int().describe('Party id.'),
    name: z.string().describe('Name of the party.'),
    url: z.string().nullable().describe('A public page about the party, or null.'),
  })
  .meta({ id: 'Party', description: 'A political party, or the lack of one.' });

const person = z
  .object({
    id: z.int().describe('Person identifier, the same in every race.'),
    name: z.string().describe('Full name.'),
    first_name: z.string().describe('Given name; empty when only the full name is known.'),
    last_name: z.string().describe('Family name; empty when only the full name is known.'),
    url: z.string().describe('A public page about the person; empty when none is known.'),
  })
  .meta({ id: 'Person', description: 'Who runs.' });

const round = z
  .object({
    rcv_round: z.int().describe('The round, counted from 1.'),
    votes_for: z
      .number()
      .nullable()
      .describe(
        'Votes gained in this round, negative for a surplus that was transferred to others; a fraction where votes are transferred as fractions. The rounds add up to `votes_for_cand`, which is rounded to a whole number.',
      ),
    status: z.string().nullable().describe('`Advanced`, `Lost`, `Won`, or null when not known.'),
  })
  .meta({ id: 'RankedChoiceRound', description: 'How a candidate fared in a round of a ranked-choice count.' });

const candidate = z
  .object({
    id: z.int().describe('Candidate identifier.'),
    fec_id: z.string().nullable().describe('Identifier at the Federal Election Commission, or null.'),
    race: z.int().describe('The id of the race.'),
    running_mate: z.string().nullable().describe('The candidate on the same ticket, or null.'),
    stage_party: z.string().nullable().describe('Whose primary it is, or null.'),
    party_affiliation: z.array(party).describe('Under which parties, in order; empty when none is known.'),
    is_incumbent: z
      .boolean()
      .nullable()
      .describe('Whether the candidate holds the office on the day before the election; null when not known.'),
    is_write_in: z.boolean().describe('Whether the name is known to be written in by voters.'),
    withdrew_still_on_ballot: z.boolean().describe('Whether the candidate is known to have withdrawn after printing.'),
    cand_status: z
      .string()
      .nullable()
      .optional()
      .describe(
        'An open set: `Candidacy Declared`, `On the Ballot`, `Advanced`, `Won`, `Lost`, `Withdrew`, `Disqualified`, `Deceased`; null when not known. Without results in the package left out instead of a result.',
      ),
    votes_for_cand: voteCount.nullable().optional().describe(`Votes, or null when not known. ${ONLY_WITH_RESULTS}`),
    ranked_choice_voting_rounds: z
      .array(round)
      .optional()
      .describe(`The rounds of a ranked-choice count, empty for other races. ${ONLY_WITH_RESULTS}`),
    person: person.describe('Who runs.'),
    person_contact_information: contactInformation.describe(OPTIONAL_SHAPES),
    person_social_media: socialMedia.describe(OPTIONAL_SHAPES),
  })
  .meta({ id: 'Candidate', description: 'A person who runs in a race.' });

const office = z
  .object({
    id: z.int().describe('Office identifier.'),
    name: z.string().describe('Name of the office.'),
    level: z.enum(textsOf(OFFICE_LEVEL)).describe('Which government it belongs to.'),
    branch: z.enum(textsOf(OFFICE_BRANCH)).describe('Which branch of that government.'),
    chamber: z.enum(textsOf(CHAMBER)).nullable().describe('The house of a legislature, or null.'),
    is_partisan: z.string().describe('`Partisan all`, `Nonpartisan all` and others; empty when not known.'),
    type: z.string().nullable().describe('A finer kind, where the source has one.'),
    seat: z.string().nullable().describe('Distinguishes offices of the same name in one district, or null.'),
    url: z.string().nullable().describe('A public page about the office, or null.'),
    office_district: z.int().describe('The id of its district.'),
  })
  .meta({ id: 'RaceOffice', description: 'The office that a race fills.' });

/** The fields of a race without its type, whose name differs between the endpoints by point and by state. */
const raceFields = {
  id: z.int().describe('Race identifier.'),
  office: office.describe('The office that it fills.'),
  office_district: z.int().describe('The id of the district of the office.'),
  url: z.string().describe('A public page about the race; empty when none is known.'),
  number_of_seats: z.int().optional().describe('How many candidates win; left out when not known.'),
  year: z.int().describe('The year of the race.'),
  is_marquee: z.boolean().describe('Whether it is of national interest.'),
  office_position: z.string().nullable().describe('Which of several equal posts is filled, or null.'),
  is_ranked_choice: z.boolean().nullable().describe('Whether voters rank the candidates; null when not known.'),
  results_certified: z.boolean().nullable().describe('Whether the result is official; null when not known.'),
  stage_type: z.string().describe('An open set: `General`, `Primary` and others.'),
  stage_party: z.string().nullable().describe('Whose primary it is, or null.'),
  scope_basis: z
    .enum(textsOf(SCOPE_BASIS))
    .optional()
    .describe(
      'What shows that the district of the office votes on it: `Stated` by the source, `Law`, `Same candidates` in all counties, or `County`, which is assumed because the votes are from it. Left out if it is not known, or not needed.',
    ),
  candidates: z
    .array(candidate)
    .nullable()
    .describe(
      'Sorted by votes if the package includes results, otherwise by name. Races without official candidates (none, or only write-ins) are omitted.',
    ),
};
const raceType = z.string().describe('`Regular`, `Special`, `Recall` or `Retention`.');

export const pointRace = z
  .object({ ...raceFields, type: raceType })
  .meta({ id: 'PointRace', description: 'A race on the ballot of a point.' });

export const stateRace = z
  .object({ ...raceFields, race_type: raceType })
  .meta({ id: 'StateRace', description: 'A race on the ballot of a state; its type has another name than by point.' });

export const measure = z
  .object({
    id: z.int().describe('Measure identifier.'),
    name: z.string().describe('Short name.'),
    url: z.string().describe('A public page about the measure; empty when none is known.'),
    status: z
      .string()
      .nullable()
      .optional()
      .describe(
        'How far it has come: `Proposed`, `On the ballot`, `Approved`, `Defeated` and others; null when not known. Without results in the package left out instead of a result.',
      ),
    type: z.string().describe('How it came to be; empty when not known.'),
    district: z.int().describe('The id of the district that votes on it.'),
    yes_vote: z.string().describe('What a yes does; may hold HTML. Empty when not known.'),
    no_vote: z.string().describe('What a no does; may hold HTML. Empty when not known.'),
    official_title: z.string().describe('The question as it is printed; empty when not known.'),
    election_date: z.iso.date().describe('When it is voted on.'),
    yes_votes_total: voteCount
      .nullable()
      .optional()
      .describe(`Votes for yes, or null when not known. ${ONLY_WITH_RESULTS}`),
    no_votes_total: voteCount
      .nullable()
      .optional()
      .describe(`Votes for no, or null when not known. ${ONLY_WITH_RESULTS}`),
  })
  .meta({ id: 'BallotMeasure', description: 'A question that voters answer with yes or no.' });
