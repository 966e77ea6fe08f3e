import { builder, needs } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createLoader, createSharedLoader, groupByKey, loadable, matchByKey } from '../graphql/loader.ts';
import { type PersonRow, personInSql } from '../officials/officials.store.ts';
import { PartyObject } from '../officials/party.ts';
import { PersonObject } from '../officials/person.ts';
import type { Database } from '../store/database.ts';
import {
  type CandidateRow,
  candidatePartiesInSql,
  candidatesById,
  candidatesOfPersons,
  candidatesOfRaces,
  raceInSql,
  roundsInSql,
} from './candidates.store.ts';
import { RaceObject, raceById } from './race.ts';
import { RankedChoiceRoundObject, withRunningTotals } from './ranked-choice-round.ts';
import { byResults, maySeeResults, OPEN_CANDIDATE_STATUSES, statusInSql } from './results.ts';
import { tallyOf } from './tally.ts';

const candidateById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await candidatesById(context.db, ids, maySeeResults(context)), (candidate) => candidate.id),
);

const candidatesWith = byResults(
  (withResults) => async (db: Database, raceIds: readonly number[]) =>
    groupByKey(raceIds, await candidatesOfRaces(db, raceIds, withResults), (candidate) => candidate.race_id),
);

export const candidatesOf = createSharedLoader<number, CandidateRow[]>(candidatesWith);

const candidaciesOf = createLoader(async (context, personIds: readonly number[]) =>
  groupByKey(
    personIds,
    await candidatesOfPersons(context.db, personIds, maySeeResults(context)),
    (candidate) => candidate.person_id,
  ),
);

/** How each race ended; only for callers who may see results. */
export const tallyOfRace = createLoader(async (context, raceIds: readonly number[]) =>
  Promise.all(raceIds.map(async (id) => tallyOf(await candidatesOf(context).load(id)))),
);

async function tallyFor(candidate: CandidateRow, context: Context) {
  return tallyOfRace(context).load(candidate.race_id);
}

export const CandidateObject = builder.objectRef<CandidateRow>('Candidate');

CandidateObject.implement({
  description:
    'A person who runs in one race. Somebody who runs in a primary and in a general election is two candidates.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Ours, stable over repeated loads.' }),
    person: t.field({
      type: PersonObject,
      description: 'Who runs: the same record in every race and office.',
      resolve: (candidate) => candidate.person,
      ...inSql(personInSql),
    }),
    parties: t.field({
      type: [PartyObject],
      description: 'Under which parties, in the order of the ballot; several where parties share a candidate.',
      resolve: (candidate) => candidate.parties,
      ...inSql(candidatePartiesInSql),
    }),
    race: t.field({
      type: RaceObject,
      nullable: true,
      description: 'The race that the candidate is in.',
      ...loadable(raceById, ({ race_id }: CandidateRow) => race_id, raceInSql),
    }),
    stageParty: t.exposeString('stage_party', {
      nullable: true,
      description: 'The party whose stage (primary) it is; null where the stage is not that of a party.',
    }),
    runningMate: t.exposeString('running_mate', {
      nullable: true,
      description: 'The name of who stands on the same ticket; null when nobody does.',
    }),
    fecId: t.exposeString('fec_id', {
      nullable: true,
      description: 'Identifier at the Federal Election Commission; null for offices that are not federal.',
    }),
    isIncumbent: t.exposeBoolean('is_incumbent', {
      nullable: true,
      description: 'Whether the candidate holds the office at the time; null when not known.',
    }),
    isWriteIn: t.exposeBoolean('is_write_in', {
      nullable: true,
      description: 'Whether the name is written in by voters and not printed; null when not known.',
    }),
    withdrewStillOnBallot: t.exposeBoolean('withdrew_still_on_ballot', {
      nullable: true,
      description: 'Whether the candidate gave up after the ballot was printed; null when not known.',
    }),
    status: t.exposeString('cand_status', {
      nullable: true,
      description:
        'An open set: `Candidacy Declared`, `On the Ballot`, `Withdrew`, `Disqualified`; and, only with the grant `results`, `Won`, `Lost`, `Advanced` and all others. Null when not known, or not to be seen.',
      ...inSql(statusInSql('cand_status', OPEN_CANDIDATE_STATUSES)),
    }),
    votes: t.int({
      description:
        'Votes counted for the candidate; under ranked choice after the last round that the candidate was in. Null when not known. Needs the grant `results`.',
      ...needs('results'),
      resolve: (candidate) => candidate.votes_for_cand,
      ...inSql(({ row }) => `${row}.votes_for_cand`),
    }),
    share: t.float({
      description:
        'The part of all votes of the race (its `totalVotes`), from 0 to 1. Under ranked choice null for who dropped out before the last round. Needs the grant `results`.',
      ...needs('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).shares.get(candidate.id),
    }),
    isWinner: t.boolean({
      description:
        'Whether the candidate won the race; false for who only advanced to the next stage, null as long as it is not known. Needs the grant `results`.',
      ...needs('results'),
      resolve: async (candidate, _, context) => (await tallyFor(candidate, context)).winners.get(candidate.id),
    }),
    rankedChoiceRounds: t.field({
      type: [RankedChoiceRoundObject],
      description: 'The rounds of a ranked-choice count, in order; empty for other races. Needs the grant `results`.',
      ...needs('results'),
      resolve: (candidate) => withRunningTotals(candidate.rounds ?? []),
      ...inSql(roundsInSql),
    }),
  }),
});

builder.objectField(PersonObject, 'candidacies', (t) =>
  t.field({
    type: [CandidateObject],
    description:
      'Every race the person is known to have run in, the latest election first. Needs the grant `elections`.',
    ...needs('elections'),
    ...loadable(candidaciesOf, ({ id }: PersonRow) => id),
  }),
);

builder.queryField('candidate', (t) =>
  t.field({
    type: CandidateObject,
    description: 'One candidate by id; null when there is none. Needs the grant `elections`.',
    ...needs('elections'),
    args: { id: t.arg.int({ required: true, description: 'Our id.' }) },
    resolve: (_, { id }, context) => candidateById(context).load(id),
  }),
);
