import { DISTRICTS } from './violations/districts.ts';
import { DUPLICATES } from './violations/duplicates.ts';
import { ELECTIONS } from './violations/elections.ts';
import { NAMES } from './violations/names.ts';
import { REFERENCES } from './violations/references.ts';
import { SOURCES } from './violations/sources.ts';
import { TERMS } from './violations/terms.ts';
import type { PlantedViolation } from './violations/violation.ts';
import { VOTING } from './violations/voting.ts';

/** The violations that the integrity checks must find, each of which a test adds to a database without violations. */
export const PLANTED: readonly PlantedViolation[] = [
  ...NAMES,
  ...DUPLICATES,
  ...REFERENCES,
  ...ELECTIONS,
  ...SOURCES,
  ...TERMS,
  ...DISTRICTS,
  ...VOTING,
];
