import { type AliasableExpression, expressionBuilder } from 'kysely';
import { literal } from '../../store/sql/functions.ts';
import type { Grants } from '../builder/scope.ts';

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
 * Returns a status as callers see it: null if they may not.
 * @param open statuses that callers without the grant `results` may see.
 */
export function visibleStatus(
  status: AliasableExpression<string | null>,
  open: readonly string[],
  { isGranted }: Grants,
): AliasableExpression<string | null> {
  const { eb } = expressionBuilder();
  if (isGranted('results')) return status;
  return eb
    .case()
    .when(eb(status, 'in', open.map(literal)))
    .then(status)
    .end();
}
