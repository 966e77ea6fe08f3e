import { ServiceError } from '../../base/errors.ts';

const ABBREVIATION = /^[A-Z]{2}$/;

/**
 * Converts a state abbreviation from a caller, in any letter case, to the form in the database.
 * @throws ServiceError INVALID_PARAMETER when it is not two letters.
 */
export function readState(state: string): string {
  const read = state.trim().toUpperCase();
  if (ABBREVIATION.test(read)) return read;
  throw new ServiceError('INVALID_PARAMETER', 'state must be a two-letter abbreviation, for example VT.', [
    { name: 'state', reason: 'must be a two-letter abbreviation, for example VT' },
  ]);
}
