import { ServiceError } from '../../base/errors.ts';

/**
 * Checks the length of a list in the argument of a field.
 * @param items the plural noun for its items.
 * @throws ServiceError INVALID_PARAMETER if it has more than `most` items.
 */
export function checkListLength(field: string, items: string, list: readonly unknown[], most: number): void {
  if (list.length <= most) return;
  throw new ServiceError('INVALID_PARAMETER', `${field} takes at most ${most} ${items} at once, not ${list.length}.`);
}
