import { dictionary } from '../../base/dictionary.ts';
import type { State } from '../../base/words/states.ts';

/**
 * The names of the legislative bodies that are not called `State Senate` and `House of Representatives` (The Council of
 * State Governments, The Book of the States, table 3.1, "Names of State Legislative Bodies"). Bodies of one chamber
 * count as upper chambers, as in OCD ids and in the Census.
 */
const UPPER: Readonly<Record<string, string>> = dictionary({
  DC: 'Council',
  GU: 'Legislature',
  NE: 'Legislature',
  VI: 'Legislature',
  ...Object.fromEntries(['AS', 'MP', 'PR'].map((postal) => [postal, 'Senate'])),
});
const LOWER: Readonly<Record<string, string>> = dictionary({
  ...Object.fromEntries(['CA', 'NV', 'NY', 'WI'].map((postal) => [postal, 'State Assembly'])),
  NJ: 'General Assembly',
  ...Object.fromEntries(['MD', 'VA', 'WV'].map((postal) => [postal, 'House of Delegates'])),
});

/** Returns the name of a chamber of a legislature without its state: `State Senate`, `House of Delegates`. */
export function chamberName({ postal }: State, chamber: 'Upper' | 'Lower'): string {
  return chamber === 'Upper' ? (UPPER[postal] ?? 'State Senate') : (LOWER[postal] ?? 'House of Representatives');
}
