import { builder, requireGrants } from '../builder/builder.ts';
import { createLoader } from '../builder/loader.ts';
import { DistrictObject } from '../districts/district.ts';
import { electionTypesOf } from './elections.store.ts';

/** Says which types of elections of a state (two letters) are in the data, so that the next one is only the next of these. */
export function loadedElections(state: string, types: readonly string[]): string {
  return types.length === 0
    ? `${state}: no data set with elections was loaded.`
    : `Of ${state}, only elections of these types are loaded: ${types.join(', ')}. Others are not known.`;
}

/** Loads the sentence of `loadedElections` for each state. */
export const loadedElectionsOf = createLoader((context, states: readonly string[]) =>
  Promise.all(states.map(async (state) => loadedElections(state, await electionTypesOf(context.db, state)))),
);

builder.objectField(DistrictObject, 'loadedElections', (t) =>
  t.string({
    description:
      'Which types of elections of the state are in the data, as a sentence to show next to its elections: the next one in the data is the next of these types only. Null for districts of several states, and for the country.',
    ...requireGrants('election_dates', 'elections'),
    resolve: ({ state }, _, context) =>
      state === null || state === 'US' ? null : loadedElectionsOf(context).load(state),
  }),
);
