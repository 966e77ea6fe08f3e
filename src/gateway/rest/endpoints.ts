import { changes } from './changes.ts';
import { districtsPoint } from './districts-point.ts';
import { electionDatesList } from './election-dates-list.ts';
import { electionDatesPoint } from './election-dates-point.ts';
import { electionsByPoint } from './elections-by-point.ts';
import { electionsByState } from './elections-by-state.ts';
import type { Endpoint } from './endpoint.ts';
import { geocode } from './geocode.ts';
import { officeholders } from './officeholders.ts';
import { voting } from './voting.ts';

/** The legacy paths, in the order of the specification, and then the others. */
export const endpoints: readonly Endpoint[] = [
  districtsPoint,
  officeholders,
  electionDatesPoint,
  electionDatesList,
  electionsByPoint,
  electionsByState,
  geocode,
  voting,
  changes,
];
