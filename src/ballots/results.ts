import type { Context } from '../graphql/context.ts';
import { quoted, type ValueInSql } from '../graphql/in-sql.ts';

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
 * Returns a function that selects the variant of a statement, with or without results, for the caller; each variant is
 * created once.
 */
export function byResults<Statement>(make: (withResults: boolean) => Statement): (context: Context) => Statement {
  const [open, full] = [make(false), make(true)];
  return (context) => (maySeeResults(context) ? full : open);
}

/** Returns whether the caller may see the outcome of races and measures. It determines which columns are fetched. */
export function maySeeResults(context: Context): boolean {
  return context.caller.grants.has('results');
}

/**
 * Returns SQL for a status; its value is null if the caller may not see the status.
 * @param open statuses that callers without the grant `results` may see.
 */
export function statusInSql(column: string, open: readonly string[]): ValueInSql {
  return ({ row, isGranted }) => {
    const status = `${row}.${column}`;
    return isGranted('results') ? status : `case when ${status} in (${open.map(quoted).join(', ')}) then ${status} end`;
  };
}
