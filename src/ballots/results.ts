import { quoted, type RowScope } from '../graphql/in-sql.ts';

/**
 * Statuses that reveal nothing about the outcome of a race or a measure: all that packages without the grant `results`
 * may see. The sets of statuses are open, so every status that is not listed here counts as a result: `Won`, `Lost`,
 * `Advanced`; `Approved`, `Defeated`, `Too close to call` (contract, Shapes and Packages).
 */
export const OPEN_CANDIDATE_STATUSES: readonly string[] = [
  'Candidacy Declared',
  'On the Ballot',
  'Withdrew',
  'Disqualified',
  'Deceased',
];

export const OPEN_MEASURE_STATUSES: readonly string[] = [
  'Proposed',
  'Gathering signatures',
  'Signatures submitted',
  'Certified to the legislature',
  'Qualified for the ballot',
  'On the ballot',
  'Not on the ballot',
  'Pending official review',
  'Pending judicial ruling',
];

/**
 * Returns the SQL expression for a status; null if the caller may not see the status.
 * @param open statuses that callers without the grant `results` may see.
 */
export function visibleStatus(
  status: string,
  open: readonly string[],
  { isGranted }: Pick<RowScope, 'isGranted'>,
): string {
  return isGranted('results') ? status : `case when ${status} in (${open.map(quoted).join(', ')}) then ${status} end`;
}
