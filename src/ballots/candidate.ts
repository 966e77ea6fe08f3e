import type { Database } from '../database/database.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createLoader, createSharedLoader, groupByKey, loadable, matchByKey } from '../graphql/loader.ts';
import { type PersonRow, personInSql } from '../officials/officials.store.ts';
import { PartyObject } from '../officials/party.ts';
import { PersonObject } from '../officials/person.ts';
import {
  type CandidateRow,
  candidatePartiesInSql,
  candidatesById,
  candidatesOfPersons,
  candidatesOfRaces,
  roundsInSql,
} from './candidates.store.ts';
import { RankedChoiceRoundObject, withRunningTotals } from './ranked-choice-round.ts';
import { byResults, maySeeResults, OPEN_CANDIDATE_STATUSES, statusInSql } from './results.ts';
import { tallyOf } from './tally.ts';

const candidateById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await candidatesById(context.db, ids, maySeeResults(context)), (candidate) => candidate.id),
);

const candidatesWith = byResults((withResults) => ({
  id: `candidates of races${withResults ? ' with results' : ''}`,
  fetch: async (db: Database, raceIds: readonly number[]) =>
    groupByKey(raceIds, await candidatesOfRaces(db, raceIds, withResults), (candidate) => candidate.race_id),
}));

export const candidatesOf = createSharedLoader<number, CandidateRow[]>(candidatesWith);

const candidaciesOf = createLoader(async (context, personIds: readonly number[]) =>
  groupByKey(
    personIds,
    await candidatesOfPersons(context.db, personIds, maySeeResults(context)),
    (candidate) => candidate.person_id,
  ),
);

/** Loads the outcome of each race; used only for callers who may see results. */
export const tallyOfRace = createLoader(async (context, raceIds: readonly number[]) =>
  Promise.all(raceIds.map(async (id) => tallyOf(await candidatesOf(context).load(id)))),
);

async function tallyFor(candidate: CandidateRow, context: Context) {
  return tallyOfRace(context).load(candidate.race_id);
}

export const CandidateObject = builder.objectRef<CandidateRow>('Candidate');

CandidateObject.implement({
  description:
    'A person who runs in one race. A person who runs in a primary and in a general election is two candidates.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Internal ID; stable across imports.' }),
    person: t.field({
      type: PersonObject,
      description: 'The person who runs: the same record in every race and office.',
      resolve: (candidate) => candidate.person,
      ...inSql(personInSql),
    }),
    parties: t.field({
      type: [PartyObject],
      description: 'The parties of the candidate, in ballot order; several if parties nominate the same candidate.',
      resolve: (candidate) => candidate.parties,
      ...inSql(candidatePartiesInSql),
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
      description: 'Whether the candidate holds the office at the time of the election; null when not known.',
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
        'Status of the candidacy, an open set: `Candidacy Declared`, `On the Ballot`, `Withdrew`, `Disqualified`; and, only with the grant `results`, `Won`, `Lost`, `Advanced` and all others. Null when not known or not visible to the caller.',
      ...inSql(statusInSql('cand_status', OPEN_CANDIDATE_STATUSES)),
    }),
    votes: t.int({
      description:
        'Votes counted for the candidate; for ranked choice, after the last round that the candidate was in. Null when not known. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: (candidate) => candidate.votes_for_cand,
      ...inSql(({ row }) => `${row}.votes_for_cand`),
    }),
    share: t.float({
      description:
        'Fraction of all votes in the race (its `totalVotes`), from 0 to 1. Null when not known and, for ranked choice, if the candidate was eliminated before the last round. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).shares.get(candidate.id),
    }),
    isWinner: t.boolean({
      description:
        'Whether the candidate won the race. False if the candidate only advanced; null until known. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).winners.get(candidate.id),
    }),
    rankedChoiceRounds: t.field({
      type: [RankedChoiceRoundObject],
      description: 'The rounds of a ranked-choice count, in order; empty for other races. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: (candidate) => withRunningTotals(candidate.rounds ?? []),
      ...inSql(roundsInSql),
    }),
  }),
});

builder.objectField(PersonObject, 'candidacies', (t) =>
  t.field({
    type: [CandidateObject],
    description: 'All known candidacies of the person, latest election first. Needs the grant `elections`.',
    ...requireGrants('elections'),
    ...loadable(candidaciesOf, ({ id }: PersonRow) => id),
  }),
);

builder.queryField('candidate', (t) =>
  t.field({
    type: CandidateObject,
    description: 'One candidate by id; null when there is none. Needs the grant `elections`.',
    ...requireGrants('elections'),
    args: { id: t.arg.int({ required: true, description: 'The internal ID, as returned in `id`.' }) },
    resolve: (_, { id }, context) => candidateById(context).load(id),
  }),
);
