import type { Context } from '../graphql/context.ts';
import { quoted, type ValueInSql } from '../graphql/in-sql.ts';

/**
 * Which statuses say nothing about how a race or a measure ended: all that packages without the grant `results` are
 * shown. The sets of statuses are open, so what is not listed here counts as a result: `Won`, `Lost`, `Advanced`;
 * `Approved`, `Defeated`, `Too close to call` (contract, Shapes and Packages).
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

/** The variants of a statement with and without results, chosen by who asks; each is made once. */
export function byResults<Statement>(make: (withResults: boolean) => Statement): (context: Context) => Statement {
  const [open, full] = [make(false), make(true)];
  return (context) => (maySeeResults(context) ? full : open);
}

/** Whether the caller may see how races and measures ended. Decides which columns are fetched at all. */
export function maySeeResults(context: Context): boolean {
  return context.caller.grants.has('results');
}

/**
 * In SQL, what callers may see of a status.
 * @param open what those without results may see.
 */
export function statusInSql(column: string, open: readonly string[]): ValueInSql {
  return ({ row, isGranted }) => {
    const status = `${row}.${column}`;
    return isGranted('results') ? status : `case when ${status} in (${open.map(quoted).join(', ')}) then ${status} end`;
  };
}
