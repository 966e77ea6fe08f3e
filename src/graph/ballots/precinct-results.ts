import type { ObjectRef } from '@pothos/core';
import { type BuilderTypes, builder, requireGrants } from '../builder/builder.ts';
import type { Connection } from '../builder/connection.ts';
import { connectionType, pageArgs } from '../builder/connection-type.ts';
import { wholeFloat } from '../builder/leaf.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { CandidateObject } from './candidate.ts';
import { candidates } from './candidates.store.ts';
import {
  type CandidateVotesRow,
  type PrecinctResultRow,
  precinctResults,
  precinctsOfRace,
  votesOfPrecinct,
  votesOutsidePrecincts,
} from './precinct-results.store.ts';
import { RaceObject } from './race.ts';

const CandidateVotesObject = builder.objectRef<CandidateVotesRow>('CandidateVotes').implement({
  description: 'A number of votes for a candidate.',
  fields: (t) => ({
    candidate: t.field({ type: CandidateObject, description: 'The candidate of the race.', ...candidates.of('id') }),
    votes: t.expose('votes', {
      ...wholeFloat,
      nullable: true,
      description:
        'The votes, a number that may exceed 32 bits; null if the source hides the count or leaves it blank.',
    }),
  }),
});

const PrecinctResultObject = builder.objectRef<PrecinctResultRow>('PrecinctResult').implement({
  description: 'The votes of a race in one precinct, as a table of results has them.',
  fields: (t) => ({
    county: t.exposeString('county', {
      nullable: true,
      description: 'The county as the source writes it; null if it states none.',
    }),
    town: t.exposeString('town', {
      nullable: true,
      description: 'The town, or another jurisdiction, as the source writes it; null if it states none.',
    }),
    precinct: t.exposeString('precinct', {
      description:
        'The precinct as the source writes it. Votes that it counts apart from precincts have the name that it gives them, such as `ABSENTEE`.',
    }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description: 'The precinct on the map. Null unless the import declared by which column the two are joined.',
      ...districts.ofNullable('district_id'),
    }),
    votes: t.field({
      type: [CandidateVotesObject],
      listLength: 4,
      description: 'The votes of the candidates, in the order of their votes in the race.',
      ...votesOfPrecinct,
    }),
  }),
});

const ResultUnitEnum = builder.enumType('ResultUnit', {
  description: 'What the votes of a race are listed by.',
  values: { PRECINCT: { description: 'By precinct, as tables of results name them.' } },
});

/** A page of precincts, with the id of their race. */
type RacePrecincts = Connection<PrecinctResultRow> & { readonly id: number };

const PrecinctResultConnection = connectionType(
  PrecinctResultObject,
  'precincts',
  precinctResults.relation,
) as ObjectRef<BuilderTypes, RacePrecincts>;

builder.objectField(PrecinctResultConnection, 'differences', (t) =>
  t.field({
    type: [CandidateVotesObject],
    listLength: 2,
    computation: 1_000,
    description:
      'The candidates whose votes in the race are not the sum of those of all precincts, with the difference: votes that the source counts in no precinct, or, below 0, that precincts have beyond the race, or that another source changed; null if the votes of the race or of a precinct are not known. Empty if all sums are equal, and without precincts.',
    ...votesOutsidePrecincts,
  }),
);

builder.objectField(RaceObject, 'results', (t) =>
  t.field({
    type: PrecinctResultConnection,
    description:
      'The votes by precinct, sorted by county, town and precinct; first choices for ranked choice. Empty unless the results were imported with their precincts. Whether they add up to the votes of the race: `differences`.',
    ...requireGrants('results'),
    args: {
      by: t.arg({ type: ResultUnitEnum, required: true, description: 'What the votes are listed by.' }),
      ...pageArgs,
    },
    resolve: async ({ id }, { by: _, ...page }, context) => ({
      ...(await precinctsOfRace({ id }, {}, page, context)),
      id,
    }),
  }),
);
