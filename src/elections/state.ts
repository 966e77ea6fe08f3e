import { ServiceError } from '../errors.ts';

const ABBREVIATION = /^[A-Z]{2}$/;

/**
 * A state as callers write it, in any letter case, as the store has it.
 * @throws ServiceError INVALID_PARAMETER when it is not two letters.
 */
export function readState(state: string): string {
  const read = state.trim().toUpperCase();
  if (ABBREVIATION.test(read)) return read;
  throw new ServiceError('INVALID_PARAMETER', 'state must be a two-letter abbreviation, for example VT.', [
    { name: 'state', reason: 'must be a two-letter abbreviation, for example VT' },
  ]);
}
