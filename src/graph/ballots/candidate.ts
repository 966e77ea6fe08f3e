import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { wholeFloat } from '../builder/leaf.ts';
import { createLoader } from '../builder/loader.ts';
import { NodeInterface } from '../builder/node.ts';
import { recordField } from '../builder/record-field.ts';
import { nameOfPerson, persons } from '../officials/officials.store.ts';
import { PartyObject } from '../officials/party.ts';
import { PersonObject } from '../officials/person.ts';
import { races } from './ballots.store.ts';
import {
  type CandidateRow,
  candidaciesOfPerson,
  candidates,
  candidatesOfRace,
  partiesOfCandidate,
  roundsOfCandidate,
} from './candidates.store.ts';
import { candidateStatusField } from './enums.ts';
import { RankedChoiceRoundObject } from './ranked-choice-round.ts';
import { tallyOf } from './tally.ts';

/** Loads the outcome of each race; used only for callers who may see results. */
export const tallyOfRace = createLoader(async (context, raceIds: readonly number[]) =>
  Promise.all(
    raceIds.map(async (id) => {
      const [race, candidates] = await Promise.all([races.load(context, id), candidatesOfRace.load(context, { id })]);
      const rounds = await Promise.all(candidates.map((candidate) => roundsOfCandidate.load(context, candidate)));
      return tallyOf(
        candidates.map((candidate, index) => ({ ...candidate, rounds: rounds[index] })),
        // A race that was deleted in the meantime has no candidates either.
        race?.number_of_seats ?? null,
        race?.is_ranked_choice ?? false,
        race?.left_out == null,
      );
    }),
  ),
);

async function tallyFor(candidate: CandidateRow, context: Context) {
  return tallyOfRace(context).load(candidate.race_id);
}

export const CandidateObject = builder.objectRef<CandidateRow>('Candidate');

CandidateObject.implement({
  interfaces: [NodeInterface],
  description:
    'A person who runs in one race. A person who runs in a primary and in a general election is two candidates.',
  fields: (t) => ({
    id: t.id(recordId('Candidate')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.string({
      description: 'The name of the person, that of `person`. The person who runs with them is `runningMate`.',
      ...nameOfPerson,
    }),
    person: t.field({
      type: PersonObject,
      description: 'The person who runs: the same record in every race and office.',
      ...persons.of('person_id'),
    }),
    parties: t.field({
      listLength: 1,
      type: [PartyObject],
      description: 'The parties of the candidate, in ballot order; several if parties nominate the same candidate.',
      ...partiesOfCandidate,
    }),
    stageParty: t.exposeString('stage_party', {
      nullable: true,
      description: 'The party that the stage (primary) belongs to; null if it belongs to none.',
    }),
    runningMate: t.exposeString('running_mate', {
      nullable: true,
      description: 'Name of the running mate on the same ticket; null when there is none.',
    }),
    fecId: t.exposeString('fec_id', {
      nullable: true,
      description: 'Candidate ID of the Federal Election Commission (FEC); null for non-federal offices.',
    }),
    isIncumbent: t.exposeBoolean('is_incumbent', {
      nullable: true,
      description:
        'Whether the candidate holds the office on the day before the election, as the source says or else by the known terms; null when not known.',
    }),
    isWriteIn: t.exposeBoolean('is_write_in', {
      nullable: true,
      description: 'Whether the candidate is a write-in, not printed on the ballot; null when not known.',
    }),
    withdrewStillOnBallot: t.exposeBoolean('withdrew_still_on_ballot', {
      nullable: true,
      description: 'Whether the candidate withdrew after the ballot was printed; null when not known.',
    }),
    status: t.exposeString('cand_status', {
      nullable: true,
      description:
        'Status of the candidacy, an open set: `Candidacy Declared`, `On the Ballot`, `Withdrew`, `Disqualified`, `Deceased`; and the results `Won`, `Lost`, `Advanced` and all others. Null when not known.',
      grantsOfSomeValues: [['results']],
    }),
    statusCode: t.field({ ...candidateStatusField('cand_status', '`status`'), grantsOfSomeValues: [['results']] }),
    votes: t.expose('votes_for_cand', {
      ...wholeFloat,
      description:
        'Votes counted for the candidate; for ranked choice, after the last round that the candidate was in, or first choices if the rounds are not known, without a transferred surplus and rounded to a whole number, which may exceed 32 bits. Null when not known.',
      ...requireGrants('results'),
    }),
    share: t.float({
      description:
        'Fraction of the `totalVotes` of the race, from 0 to 1; the shares of a race add up to 1. Null when not known, for all candidates of a race in which the votes of one of them are not known or a source has candidates or votes that are not in the data (`Race.resultNote` says so), if there are no votes, if the candidate withdrew, was disqualified or died, and, for ranked choice, if the candidate was eliminated before the last round. Where the rounds are not known, it is the share of the first choices, which does not decide: `Race.resultNote` says so.',
      ...requireGrants('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).shares.get(candidate.id),
    }),
    isWinner: t.boolean({
      description:
        'Whether the candidate won the race. False if the candidate only advanced; null until known: as long as the race has seats without a winner, a candidate who has not lost may win.',
      ...requireGrants('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).winners.get(candidate.id),
    }),
    rankedChoiceRounds: t.field({
      listLength: 3,
      type: [RankedChoiceRoundObject],
      description: 'The rounds of a ranked-choice count, in order; empty for other races.',
      ...requireGrants('results'),
      ...roundsOfCandidate,
    }),
  }),
});

builder.objectField(PersonObject, 'candidacies', (t) =>
  t.field({
    listLength: 5,
    type: [CandidateObject],
    description: 'All known candidacies of the person, latest election first.',
    ...requireGrants('elections'),
    ...candidaciesOfPerson,
  }),
);

recordField(CandidateObject, { grants: ['elections'], load: candidates.load });
