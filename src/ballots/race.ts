import { boundariesOf } from '../districts/district.ts';
import { ElectionObject } from '../elections/election.ts';
import { electionInSql } from '../elections/elections.store.ts';
import { builder, needs } from '../graphql/builder.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createSharedLoader, loadable, matchByKey } from '../graphql/loader.ts';
import { OfficeObject } from '../officials/office.ts';
import { officeInSql } from '../officials/officials.store.ts';
import type { Database } from '../store/database.ts';
import { type RaceRow, racesById } from './ballots.store.ts';
import { CandidateObject, candidatesOf, tallyOfRace } from './candidate.ts';
import { candidatesInSql } from './candidates.store.ts';
import { chooseBoundary } from './race-boundary.ts';
import { RaceBoundaryObject } from './race-boundary-type.ts';

export const raceById = createSharedLoader<number, RaceRow | null>(() => fetchRaces);

async function fetchRaces(db: Database, ids: readonly number[]): Promise<(RaceRow | null)[]> {
  return matchByKey(ids, await racesById(db, ids), (race) => race.id);
}

export const RaceObject = builder.objectRef<RaceRow>('Race');

RaceObject.implement({
  description: 'One contest for an office on one ballot: a stage of it, for one party where the stage has parties.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Ours, stable over repeated loads.' }),
    year: t.exposeInt('year', { description: 'The year of the race, which need not be that of the election date.' }),
    type: t.exposeString('type', {
      description: '`Regular`, `Special` (for the rest of a term), `Recall` or `Retention`.',
    }),
    stageType: t.exposeString('stage_type', {
      description: 'An open set: `General`, `Primary`, `General Runoff` and others.',
    }),
    stageParty: t.exposeString('stage_party', {
      nullable: true,
      description: 'Whose primary it is; null where the stage is not that of a party.',
    }),
    numberOfSeats: t.exposeInt('number_of_seats', { description: 'How many candidates win, 1 or more.' }),
    officePosition: t.exposeString('office_position', {
      nullable: true,
      description: 'Which of several equal posts is filled; null where there is only one.',
    }),
    isMarquee: t.exposeBoolean('is_marquee', {
      nullable: true,
      description: 'Whether it stands out nationally; null when not known.',
    }),
    isRankedChoice: t.exposeBoolean('is_ranked_choice', {
      nullable: true,
      description: 'Whether voters rank the candidates; null when not known.',
    }),
    resultsCertified: t.exposeBoolean('results_certified', {
      nullable: true,
      description: 'Whether the result is official; null when not known.',
    }),
    swearingInDate: t.expose('swearing_in_date', {
      type: 'Date',
      nullable: true,
      description: 'When the winner is sworn into office; null when not known. It decides on `boundary`.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the race.' }),
    election: t.field({
      type: ElectionObject,
      description: 'The election that it is part of.',
      resolve: (race) => race.election,
      ...inSql(electionInSql),
    }),
    office: t.field({
      type: OfficeObject,
      description: 'The office that it fills; its district is where it is voted on.',
      resolve: (race) => race.office,
      ...inSql(officeInSql),
    }),
    candidates: t.field({
      type: [CandidateObject],
      description:
        'All candidates: by votes where the package has the grant `results`, else by name. Empty for a race whose candidates are not known yet.',
      ...loadable(candidatesOf, ({ id }: RaceRow) => id, candidatesInSql),
    }),
    boundary: t.field({
      type: RaceBoundaryObject,
      nullable: true,
      description: 'Which boundary of its district it uses, and why: on an old map or a new one.',
      resolve: async (race, _, context) =>
        chooseBoundary(
          {
            type: race.type,
            year: race.year,
            electionDate: race.election.date,
            swearingInDate: race.swearing_in_date,
          },
          await boundariesOf(context).load(race.office.district_id),
        ),
    }),
    totalVotes: t.int({
      description:
        'All votes for its candidates; under ranked choice those of the last round. Null when not known. Needs the grant `results`.',
      ...needs('results'),
      resolve: async ({ id }, _, context) => (await tallyOfRace(context).load(id)).totalVotes,
    }),
    margin: t.int({
      description:
        'By how many votes the last of the winners is ahead of the best of the others; under ranked choice after the last round, in a stage that nobody wins for those who advance. Null when not known, and without opponents. Needs the grant `results`.',
      ...needs('results'),
      resolve: async ({ id }, _, context) => (await tallyOfRace(context).load(id)).margin,
    }),
  }),
});

builder.queryField('race', (t) =>
  t.field({
    type: RaceObject,
    description: 'One race by id, with or without candidates; null when there is none. Needs the grant `elections`.',
    ...needs('elections'),
    args: { id: t.arg.int({ required: true, description: 'Our id.' }) },
    resolve: (_, { id }, context) => raceById(context).load(id),
  }),
);
