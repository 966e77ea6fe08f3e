import { ServiceError } from '../../base/errors.ts';
import { builder } from '../builder/builder.ts';
import { readState } from '../districts/state.ts';
import { checkRange } from './date-range.ts';
import type { ElectionFilter } from './elections.store.ts';

const MOST_TYPES = 32;
const TYPE = /^[A-Za-z][A-Za-z ()/-]{0,63}$/;

export const ElectionFilterInput = builder.inputType('ElectionFilter', {
  description: 'Filter for a list of elections; an election must match every condition given.',
  fields: (t) => ({
    state: t.string({
      description:
        'Elections held by a district of this state: two-letter abbreviation, case-insensitive; `US` for the country.',
    }),
    types: t.stringList({
      description:
        'Elections of one of these types, case-insensitive, matched as a whole. An open set: `General`, `Primary`, `Special`, `Recall`, `General Runoff` and others.',
    }),
    year: t.int({ description: 'Elections in this calendar year, from 1 to 9999.' }),
    date: t.field({ type: 'Date', description: 'Elections on this day.' }),
    from: t.field({ type: 'Date', description: 'Elections on this day or later.' }),
    to: t.field({ type: 'Date', description: 'Elections on this day or earlier.' }),
  }),
});

/**
 * Returns the validated filter for the database query.
 * @throws ServiceError INVALID_PARAMETER that names the invalid part.
 */
export function readElectionFilter(filter: typeof ElectionFilterInput.$inferInput | null | undefined): ElectionFilter {
  const { state, types, year, date, from, to } = checkRange(filter ?? {});
  return {
    state: state == null ? undefined : readState(state),
    types: types == null ? undefined : readTypes(types),
    year: year == null ? undefined : readYear(year),
    date: date ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  };
}

function readTypes(types: readonly string[]): string[] {
  const read = types.map((type) => type.trim());
  if (read.length > MOST_TYPES || !read.every((type) => TYPE.test(type))) {
    throw new ServiceError(
      'INVALID_PARAMETER',
      `types must be at most ${MOST_TYPES} types of elections, for example General, Primary, Special or Recall.`,
      [{ name: 'types', reason: 'must be types of elections, for example General' }],
    );
  }
  return read;
}

function readYear(year: number): number {
  if (year >= 1 && year <= 9999) return year;
  throw new ServiceError('INVALID_PARAMETER', 'year must be a year from 1 to 9999, for example 2024.', [
    { name: 'year', reason: 'must be a year from 1 to 9999' },
  ]);
}
